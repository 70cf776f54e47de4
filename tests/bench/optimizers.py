"""The result of each optimizer on The Verdict in equal time, at the best of a few learning rates.

    python tests/bench/optimizers.py [--steps 144] [--preset workshop] [--json FILE]

First the processor time of a step is measured, on one thread, with the optimizers taking turns, so that other programs
slow all of them alike; then each takes as many steps as fit into the time that AdamW needs for ``--steps``. Batches,
first weights and dropout are the same for all. Runs that are already in FILE are not repeated.
"""

from __future__ import annotations

import argparse
import json
import statistics
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

RATES = {"adamw": (8e-4, 1.6e-3), "sgd": (0.03, 0.1), "muon": (8e-4, 1.6e-3, 3.2e-3)}
EVALUATIONS, TRAIN_BATCHES, ROUNDS = 4, 10, 12
CPU = devices.choose("cpu")


def spec_of(preset: str, name: str, rate: float) -> TrainSpec:
    return TrainSpec(config=PRESETS[preset], optimizer=name, learning_rate=rate, precision="bf16")


def step_costs(preset: str) -> dict[str, float]:
    """Return the processor seconds of a step of each, the median of some rounds; the first round loads kernels."""
    states = {name: build_state(spec_of(preset, name, 1e-4), read(preset), CPU, bf16=True) for name in RATES}
    streams = {name: state.steps(10**9, Control()) for name, state in states.items()}
    found: dict[str, list[float]] = {name: [] for name in RATES}
    for _ in range(ROUNDS + 1):
        for name, state in states.items():
            batches = next(streams[name])[1]
            begin = time.process_time()
            training_step(state, batches)
            state.free_gradients()
            found[name].append(time.process_time() - begin)
    return {name: statistics.median(times[1:]) for name, times in found.items()}


def read(preset: str) -> corpus.Corpus:
    return corpus.read(spec_of(preset, "adamw", 1e-4))


def run(spec: TrainSpec, steps: int) -> dict[str, float]:
    """Return the final losses, and the lowest validation loss with its step."""
    state = build_state(spec, corpus.read(spec), CPU, bf16=True)
    best, losses = (float("inf"), 0), (float("nan"), float("nan"))
    every = max(1, steps // EVALUATIONS)
    try:
        for step, batches in state.steps(steps, Control()):
            training_step(state, batches, spec.gradient_clip)
            state.free_gradients()
            if (step + 1) % every == 0 or step + 1 == steps:
                losses = evaluate(state, TRAIN_BATCHES, Control()) or losses
                best = min(best, (losses[1], step + 1))
    except NotFinite:
        losses = (float("nan"), float("nan"))
    return {"steps": steps, "train": losses[0], "val": losses[1], "best_val": best[0], "best_step": best[1]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=144)
    parser.add_argument("--preset", default="workshop")
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    torch.set_num_threads(1)
    known = json.loads(asked.json.read_text()) if asked.json and asked.json.is_file() else {}
    costs = known.setdefault("costs", step_costs(asked.preset))
    print("processor time of a step: " + ", ".join(f"{name} {1000 * each:.0f} ms" for name, each in costs.items()))
    print(f"{'optimizer':10}{'rate':>8}{'steps':>7}{'train':>8}{'val':>8}{'best val':>10}{'at step':>9}", flush=True)
    for name, rates in RATES.items():
        for rate in rates:
            key = f"{name} {rate:g}"
            if key not in known:
                known[key] = run(
                    spec_of(asked.preset, name, rate), round(asked.steps * costs["adamw"] / costs[name]))
                if asked.json:
                    asked.json.write_text(json.dumps(known, indent=1))
            r = known[key]
            print(f"{name:10}{rate:8g}{r['steps']:7}{r['train']:8.3f}{r['val']:8.3f}{r['best_val']:10.3f}"
                  f"{r['best_step']:9}", flush=True)


if __name__ == "__main__":
    main()
