"""Measurement of a run while it is running: seconds and bytes."""

from __future__ import annotations

import time

from gptstudio import devices
from gptstudio.training.events import MemoryRead


class RunMeter:
    """Seconds of a run, pauses left out, and the memory that the run holds by itself."""

    def __init__(self, device: devices.Device) -> None:
        self._device = device
        self._memory = devices.MemoryMeter(device.key)
        self.restart(0.0)

    @property
    def elapsed_s(self) -> float:
        return time.monotonic() - self._start

    def restart(self, before_s: float) -> None:
        """Begin to count the seconds, once the model is ready; ``before_s``: those before the run was resumed."""
        self._start = time.monotonic() - before_s

    def leave_out(self, seconds: float) -> None:
        """Take a pause off the elapsed time."""
        self._start += seconds

    def forget_what_was_read(self) -> None:
        """Begin the peak again once the pages of a file that was read no longer count."""
        self._memory.forget_what_was_read()

    def memory(self) -> MemoryRead:
        """Read the memory held now and at most, in bytes."""
        return MemoryRead(
            used_bytes=devices.used_bytes(self._device.key), peak_bytes=devices.peak_bytes(self._device.key),
            total_bytes=self._device.total_bytes, run_peak_bytes=max(0, self._memory.peak()),
        )
