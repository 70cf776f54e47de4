"""Share of a run's time that is spent on measurements besides the losses: probe prompts, copied passages, and so on.

    python tests/bench/measurements.py [PRESET [STEPS]]

By default: book for 20 steps, on the story that ships with the program. Each measurement is timed within the run, by
the wall clock: other programs slow the measurements and the training alike. Evaluations, samples and steps count as
training; saving and preparing do not.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from typing import Any

from gptstudio.gpt.config import PRESETS
from gptstudio.training import trainer
from gptstudio.training.control import Control
from gptstudio.training.events import Event, PhaseChanged
from gptstudio.training.launch import launch
from gptstudio.training.measurements import Measurement
from gptstudio.training.spec import TrainSpec

STREAMS = ("before_training", "after_step", "after_sample", "at_evaluation")


class Timed(Measurement):
    """A measurement whose seconds are counted."""

    def __init__(self, part: Measurement, seconds: Counter[str]):
        for name in STREAMS:
            setattr(self, name, self._stream(part, name, seconds))
        self.before_step = self._call(part, seconds)  # type: ignore[method-assign]

    @staticmethod
    def _stream(part: Measurement, name: str, seconds: Counter[str]) -> Any:
        def timed(*given: Any) -> Iterator[Event]:
            began = time.perf_counter()
            events = list(getattr(part, name)(*given))
            seconds[type(part).__name__] += time.perf_counter() - began
            yield from events

        return timed

    @staticmethod
    def _call(part: Measurement, seconds: Counter[str]) -> Any:
        def timed(*given: Any) -> None:
            began = time.perf_counter()
            part.before_step(*given)
            seconds[type(part).__name__] += time.perf_counter() - began

        return timed


def main(preset: str, steps: int) -> None:
    seconds: Counter[str] = Counter()
    real, began, trained = trainer.measurements_of, [0.0], [0.0]

    def timed(*given: Any) -> list[Measurement]:
        return [Timed(each, seconds) for each in real(*given)]

    def watch(event: Event) -> None:
        if isinstance(event, PhaseChanged):
            trained[0] += time.perf_counter() - began[0] if began[0] else 0.0
            began[0] = time.perf_counter() if event.phase == "training" else 0.0

    trainer.measurements_of = timed
    spec = TrainSpec(config=PRESETS[preset], text="story", device="cpu", steps=steps, sample_tokens=20)
    ended = launch(spec, Control(), [watch])
    print(f"{preset}, {steps} steps, {len(spec.probes)} probe prompts: {ended.outcome}; training: {trained[0]:.1f} s")
    for name, spent in seconds.most_common():
        print(f"  {name}: {spent:.2f} s, {spent / trained[0]:.2%}")


if __name__ == "__main__":
    asked = sys.argv[1:]
    with tempfile.TemporaryDirectory() as home:
        os.environ["GPTSTUDIO_HOME"] = home
        main(asked[0] if asked else "book", int(asked[1]) if asked[1:] else 20)
