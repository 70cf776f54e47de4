"""Learning on the fast path and on the reference path: both losses over three seeds of each, on The Verdict.

    python tests/bench/spread.py [--preset book] [--steps 90] [--json FILE]

Seeds determine the initial weights, the order of the batches and the dropout; the fast path draws its dropout from
another stream and rounds differently. It learns equally well if its losses are within the spread of the reference seeds
at every evaluation. Runs that are already in FILE are not repeated.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
from pathlib import Path

from gptstudio.gpt.config import PRESETS
from gptstudio.training.control import Control
from gptstudio.training.events import Evaluated
from gptstudio.training.launch import launch
from gptstudio.training.spec import TrainSpec

SEEDS = (123, 124, 125)
Losses = list[tuple[int, float, float]]
"""Step, training loss, validation loss."""


def losses(preset: str, steps: int, reference: bool, seed: int) -> Losses:
    spec = TrainSpec(
        config=PRESETS[preset], steps=steps, seed=seed, reference=reference, sample_tokens=0, save_every_s=None,
        eval_freq=steps // 6, device="cpu",
    )
    found: Losses = []

    def keep(event) -> None:
        if isinstance(event, Evaluated):
            found.append((event.step, event.train_loss, event.val_loss))

    with tempfile.TemporaryDirectory() as folder:
        ended = launch(spec, Control(), [keep], Path(folder) / "run")
    assert ended.outcome == "finished", ended.message
    return found


def report(runs: dict[str, Losses]) -> None:
    """Print each loss of the fast path with those of the reference path: the range of the three, and the distance of
    the means in units of the deviation between reference seeds."""
    inside = every = 0
    for column, kind in ((1, "training"), (2, "validation")):
        for row, (step, *_) in enumerate(runs[f"reference {SEEDS[0]}"]):
            theirs, ours = (
                [runs[f"{path} {seed}"][row][column] for seed in SEEDS] for path in ("reference", "fast")
            )
            low, high, mean = min(theirs), max(theirs), statistics.mean(ours)
            apart = (mean - statistics.mean(theirs)) / statistics.stdev(theirs)
            inside, every = inside + (low <= mean <= high), every + 1
            told = ", ".join(f"{loss:.3f}" for loss in ours)
            print(f"{kind:10} after step {step:3}: reference {low:.3f} to {high:.3f}; fast {told}; means {apart:+.1f} "
                  "deviations apart")
    print(f"{inside} of {every} means of the fast path lie within the range of the reference seeds")


def main() -> None:
    read = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    read.add_argument("--preset", default="book", choices=list(PRESETS))
    read.add_argument("--steps", type=int, default=90)
    read.add_argument("--json", type=Path)
    asked = read.parse_args()
    runs: dict[str, Losses] = json.loads(asked.json.read_text()) if asked.json and asked.json.exists() else {}
    for seed in SEEDS:
        for path in ("fast", "reference"):
            if f"{path} {seed}" not in runs:
                runs[f"{path} {seed}"] = losses(asked.preset, asked.steps, path == "reference", seed)
                print(f"{path} {seed}: {runs[f'{path} {seed}'][-1]}", flush=True)
                if asked.json:
                    asked.json.write_text(json.dumps(runs, indent=1) + "\n")
    report(runs)


if __name__ == "__main__":
    main()
