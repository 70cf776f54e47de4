"""The longest times for which the window's thread did not return to its event loop: because it computed or waited."""

import gc
import time
from types import TracebackType

from PySide6.QtCore import Qt, QTimer

TICK_MS = 5
AWAKE_S = 0.5
"""Limit on the processor time of this thread. Six to ten times what a pasted megabyte takes (0.02 to 0.08 s), because
slower computers run this too, and less than with the whole megabyte in the field: 0.7 s for one line, 1.2 s for
spaces, 180 s for one letter. ``tests/bench/window.py`` measures how long a person waits."""
FROZEN_S = 3.0
"""Limit on the elapsed time, including waits for a lock, a disk, or another thread that keeps the interpreter.
Generous, because a thread may wait long for its turn beside busy processes without a fault of its own."""


class Gaps:
    """Context manager that measures the longest times for which the window's thread did not return to its event loop,
    in s.

    Between two ticks of a 5 ms clock both are measured: the processor time of this thread (``computed``), which busy
    processes do not lengthen, and the elapsed time (``passed``), which includes everything that the thread waited for.
    Garbage is collected first: a window of an earlier test leaves 35,000 objects, and freeing three took 0.26 s.
    """

    def __init__(self) -> None:
        self.computed = self.passed = 0.0
        self.ticks = 0
        self._clock = QTimer(interval=TICK_MS)
        self._clock.setTimerType(Qt.TimerType.PreciseTimer)
        self._clock.timeout.connect(self._tick)

    def __enter__(self) -> "Gaps":
        gc.collect()
        self._last = time.thread_time(), time.monotonic()
        self._clock.start()
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._tick()
        self._clock.stop()

    def assert_responsive(self) -> None:
        """Assert that the window stayed responsive."""
        assert self.computed < AWAKE_S, f"the window's thread computed for {self.computed:.3f} s in one go"
        assert self.passed < FROZEN_S, f"the window's thread did not look up for {self.passed:.1f} s"

    def _tick(self) -> None:
        now = time.thread_time(), time.monotonic()
        self.computed = max(self.computed, now[0] - self._last[0])
        self.passed = max(self.passed, now[1] - self._last[1])
        self._last = now
        self.ticks += 1
