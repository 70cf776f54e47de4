"""Predicted and actual training time on the processor, with a calibration directly before the run.

    python tests/bench/forecast.py [PRESET [STEPS]] ...

By default: the whole run of workshop, and 8 steps of book. The text is the story that ships with the program.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time

from gptstudio import devices
from gptstudio.training import calibration, corpus
from gptstudio.training.control import Control
from gptstudio.training.events import MemoryRead, RunStarted, SampleWritten
from gptstudio.training.forecast import CostHistory, forecast
from gptstudio.training.launch import launch
from gptstudio.training.spec import TrainSpec


def main(preset: str, steps: int | None) -> None:
    from gptstudio.gpt.config import PRESETS

    device = devices.choose("cpu")
    spec = TrainSpec(config=PRESETS[preset], text="story", device="cpu", steps=steps, sample_tokens=20)
    plan = corpus.plan(spec, corpus.read(spec))
    began = time.monotonic()
    speed = calibration.calibrate(spec, device, Control())
    took = time.monotonic() - began
    assert speed is not None
    made = forecast(spec, plan, device, CostHistory().with_cost(spec, device, speed))
    assert made.seconds is not None
    times: dict[type, float] = {}
    peaks = [0]

    def watch(event) -> None:
        times[type(event)] = time.monotonic()
        if isinstance(event, MemoryRead):
            peaks.append(event.run_peak_bytes)

    ended = launch(spec, Control(), [watch])
    seconds = times[SampleWritten] - times[RunStarted]  # everything except saving, as in the forecast
    print(
        f"{preset}, {plan.total_steps} steps: {ended.outcome}; predicted {made.seconds:.1f} s, took {seconds:.1f} s: "
        f"{made.seconds / seconds - 1:+.1%} ({speed.source}; calibrated in {took:.1f} s); "
        f"predicted {made.predicted_bytes / 2**20:,.0f} MB, held {max(peaks) / 2**20:,.0f} MB"
    )


if __name__ == "__main__":
    asked = sys.argv[1:] or ["workshop", "", "book", "8"]
    with tempfile.TemporaryDirectory() as home:
        os.environ["GPTSTUDIO_HOME"] = home
        for name, count in zip(asked[::2], asked[1::2] or [""], strict=False):
            main(name, int(count) if count else None)
