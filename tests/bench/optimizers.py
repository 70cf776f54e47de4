"""What each optimizer reaches on The Verdict in equal time, at the best of a few learning rates.

    python tests/bench/optimizers.py [--seconds 60] [--preset workshop] [--json FILE]

Time is processor time of the steps alone, on one thread, so that other programs do not count; evaluations and the
first step, which loads kernels, are left out. Batches, first weights and dropout are the same for all. Runs that are in
FILE already are not done again.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

import torch

from gptstudio import devices
from gptstudio.gpt.config import PRESETS
from gptstudio.training import corpus
from gptstudio.training.control import Control
from gptstudio.training.divergence import NotFinite
from gptstudio.training.spec import TrainSpec
from gptstudio.training.train_state import build_state
from gptstudio.training.trainer import evaluate, training_step

RATES = {
    "adamw": (2e-4, 4e-4, 8e-4, 1.6e-3), "sgd": (0.03, 0.1, 0.3, 1.0), "muon": (2e-4, 4e-4, 8e-4, 1.6e-3),
}
EVALUATIONS = 12


def run(spec: TrainSpec, seconds: float) -> dict[str, float]:
    """Steps within the time, and the losses: both at the end, and the lowest validation loss with its second."""
    state = build_state(spec, corpus.read(spec), devices.choose("cpu"), bf16=spec.precision == "bf16")
    used, best, due, steps = 0.0, (float("inf"), 0.0), seconds / EVALUATIONS, 0
    losses = (float("nan"), float("nan"))
    try:
        for step, batches in state.steps(10**9, Control()):
            begin = time.process_time()
            training_step(state, batches, spec.gradient_clip)
            state.free_gradients()
            used += (time.process_time() - begin) * (step > 0)
            steps = step + 1
            if used >= due:
                losses = evaluate(state, len(state.training), Control()) or losses
                best = min(best, (losses[1], used))
                due += seconds / EVALUATIONS
            if used >= seconds:
                break
    except NotFinite:
        losses = (float("nan"), float("nan"))
    return {"steps": steps, "train": losses[0], "val": losses[1], "best_val": best[0], "best_at_s": best[1]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--preset", default="workshop")
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    torch.set_num_threads(1)
    known = json.loads(asked.json.read_text()) if asked.json and asked.json.is_file() else {}
    print(f"{'optimizer':10}{'rate':>8}{'steps':>7}{'train':>8}{'val':>8}{'best val':>10}{'at s':>7}", flush=True)
    for name, rates in RATES.items():
        for rate in rates:
            key = f"{name} {rate:g}"
            if key not in known:
                spec = TrainSpec(config=PRESETS[asked.preset], optimizer=name, learning_rate=rate, precision="bf16")
                known[key] = run(spec, asked.seconds)
                if asked.json:
                    asked.json.write_text(json.dumps(known, indent=1))
            r = known[key]
            print(f"{name:10}{rate:8g}{r['steps']:7}{r['train']:8.3f}{r['val']:8.3f}{r['best_val']:10.3f}"
                  f"{r['best_at_s']:7.1f}", flush=True)


if __name__ == "__main__":
    main()
