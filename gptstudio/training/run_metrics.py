"""Speed, time and memory of a run, computed from its events, for the terminal and the window.

No torch.
"""

from __future__ import annotations

import math
import time
from collections import deque

from gptstudio import devices
from gptstudio.training.events import MemoryRead, RunStarted, StepDone, StepReport


class RunMeter:
    """Measures the seconds of a run without pauses, and the memory of the run itself."""

    def __init__(self, device: devices.Device, compiler: bool) -> None:
        """``compiler``: as for :class:`gptstudio.devices.MemoryMeter`."""
        self._device = device
        self._memory = devices.MemoryMeter(device.key, compiler)
        self.restart(0.0)

    @property
    def elapsed_s(self) -> float:
        return time.monotonic() - self._start

    def restart(self, before_s: float) -> None:
        """Start counting when the model is ready; ``before_s``: seconds before the run was resumed."""
        self._start = time.monotonic() - before_s

    def leave_out(self, seconds: float) -> None:
        """Subtract a pause from the elapsed time."""
        self._start += seconds

    def forget_what_was_read(self) -> None:
        """Reset the peak, so that the pages of a file that was read no longer count."""
        self._memory.forget_what_was_read()

    def memory(self) -> MemoryRead:
        """Return the current and the peak memory, in bytes."""
        return MemoryRead(
            used_bytes=devices.used_bytes(self._device.key), peak_bytes=devices.peak_bytes(self._device.key),
            total_bytes=self._device.total_bytes, run_peak_bytes=max(0, self._memory.peak()),
        )


SPEED_WINDOW = 20
"""Number of steps over which the speed is measured."""


class RunMetrics:
    """Metrics of a run; NaN while unknown.

    Attributes:
        last: the last step done.
        inspected: True if there was a single step with a report, which takes more time and memory.
        peak_bytes: peak memory of the whole program.
        run_peak_bytes: peak memory of training itself; 0 if it was not measured.
    """

    started: RunStarted | None = None
    last: StepDone | None = None
    inspected = False
    peak_bytes = run_peak_bytes = 0

    def __init__(self) -> None:
        self._recent: deque[tuple[int, float]] = deque(maxlen=SPEED_WINDOW + 1)  # tokens seen, seconds

    def take(self, event: object) -> None:
        """Process the next event; other messages are ignored. The start of a new run discards earlier metrics."""
        match event:
            case RunStarted():
                self._start(event)
            case StepDone():
                self.last = event
                self._recent.append((event.tokens_seen, event.elapsed_s))
            case StepReport():
                self.inspected = True
            case MemoryRead():
                self.peak_bytes = max(self.peak_bytes, event.peak_bytes)
                self.run_peak_bytes = max(self.run_peak_bytes, event.run_peak_bytes)

    @property
    def elapsed_s(self) -> float:
        """Seconds of all steps with their evaluations, samples and saves, without pauses."""
        return self.last.elapsed_s if self.last else 0.0

    @property
    def tokens_per_second(self) -> float:
        """Speed over the last ``SPEED_WINDOW`` steps since the run was started or resumed."""
        return _speed(*self._recent[0], *self._recent[-1]) if self._recent else math.nan

    @property
    def mean_tokens_per_second(self) -> float:
        """Speed over all steps."""
        return _speed(0, 0.0, self.last.tokens_seen, self.elapsed_s) if self.last else math.nan

    @property
    def remaining_s(self) -> float:
        """Expected seconds of the remaining steps at the current speed."""
        if not (self.started and self.last):
            return math.nan
        steps = self.started.total_steps - 1 - self.last.step
        return steps * self.started.tokens_per_step / (self.tokens_per_second or math.nan)

    def _start(self, started: RunStarted) -> None:
        self.started = started
        self._recent.clear()
        if self.last and self.last.step >= started.first_step:
            self.last = None
        if not started.first_step:
            self._recent.append((0, 0.0))
            self.inspected, self.peak_bytes, self.run_peak_bytes = False, 0, 0


def _speed(tokens_before: int, seconds_before: float, tokens: int, seconds: float) -> float:
    return (tokens - tokens_before) / (seconds - seconds_before) if seconds > seconds_before else math.nan
