"""How long the window's own thread was too busy to look up."""

import time
from types import TracebackType

from PySide6.QtCore import Qt, QTimer

TICK_MS = 5


class Gaps:
    """Within, the longest time for which the window's thread computed without coming back to its event loop, in s.

    Between two ticks of a 5 ms clock the processor time of this thread is taken (``time.thread_time``), and not the
    time that passed: on a machine with busy neighbours a thread may wait long for its turn without a fault of its own.
    What waits by itself (for a lock, a disk, another thread) is not seen by this and is looked for by ``waited``: time
    that passed in one go while this thread computed for less than half of it. That is shared with the neighbours too,
    so it is told and not judged.
    """

    def __init__(self) -> None:
        self.longest = self.waited = 0.0
        self.ticks = 0
        self._clock = QTimer(interval=TICK_MS)
        self._clock.setTimerType(Qt.TimerType.PreciseTimer)
        self._clock.timeout.connect(self._tick)

    def __enter__(self) -> "Gaps":
        self._last = time.thread_time(), time.monotonic()
        self._clock.start()
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._tick()
        self._clock.stop()

    def _tick(self) -> None:
        now = time.thread_time(), time.monotonic()
        computed, passed = now[0] - self._last[0], now[1] - self._last[1]
        self._last = now
        self.ticks += 1
        self.longest = max(self.longest, computed)
        if computed < passed / 2:
            self.waited = max(self.waited, passed)
