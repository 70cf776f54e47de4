"""The cost of measuring the health of the layers for a training run.

    python tests/bench/health.py [PRESET ...] [--rounds N]

A round is the work of a run between two evaluations, done by the trainer's own parts: steps, of which one is measured,
the evaluation, and its measurement. All are timed in each round, so that a change in the machine's speed affects all of
them; the result is the median over the rounds of the ratio of measuring time to the rest.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from functools import partial

from gptstudio import devices
from gptstudio.gpt.config import PRESETS
from gptstudio.training import corpus, trainer
from gptstudio.training.control import Control
from gptstudio.training.health import Health
from gptstudio.training.spec import TrainSpec
from gptstudio.training.train_state import TrainState, build_state


def timed(do: Callable[[], object]) -> float:
    start = time.perf_counter()
    do()
    return time.perf_counter() - start


def one_round(spec: TrainSpec, state: TrainState, health: Health) -> tuple[float, float]:
    """Return the seconds of training, and of measuring."""
    training = measuring = 0.0
    for step, batches in state.steps(state.progress.step + spec.evaluation_interval, Control()):
        measuring += timed(partial(health.before_step, state, step))
        training += timed(partial(trainer.training_step, state, batches, spec.gradient_clip))
        measuring += timed(partial(list, health.after_step(state, step)))
        training += timed(state.free_gradients)
        if step % spec.evaluation_interval == 0:
            training += timed(lambda: trainer.evaluate(state, spec.eval_iter, Control()))
            measuring += timed(partial(list, health.at_evaluation(state, step)))
    return training, measuring


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("presets", nargs="*", default=["book"])
    parser.add_argument("--rounds", type=int, default=5)
    asked = parser.parse_args()
    for name in asked.presets:
        spec = TrainSpec.make(config=PRESETS[name], device="cpu")
        device = devices.choose("cpu")
        state = build_state(spec, corpus.read(spec), device, spec.uses_bf16(device.fast_bf16))
        health = Health(spec)
        one_round(spec, state, health)  # warm-up: allocates memory
        rounds = [one_round(spec, state, health) for _ in range(asked.rounds)]
        shares = [measuring / training for training, measuring in rounds]
        training, measuring = (statistics.median(each) for each in zip(*rounds, strict=True))
        print(
            f"{name}, {'bf16' if state.bf16 else 'fp32'}, an evaluation every {spec.evaluation_interval} steps: "
            f"{training:.2f} s without measuring, {measuring:.3f} s of measuring: {statistics.median(shares):.2%} "
            f"({min(shares):.2%} to {max(shares):.2%})")


if __name__ == "__main__":
    main()
