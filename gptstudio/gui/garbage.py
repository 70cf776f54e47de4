"""Python's garbage, collected on the window's thread alone.

Python collects wherever it happens to run, also on a thread that trains. Parts of a plot that were thrown away may be
in that garbage, and Qt crashes when they are deleted on another thread than its own.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer

from gptstudio.app.state import AppState

EVERY_MS, IDLE_EVERY_MS = 1_000, 10_000
"""Milliseconds until the next look, after one that found something to collect, and after one that found nothing."""


class Garbage(QObject):
    """Collects garbage by a timer of the thread that made it, and not otherwise, until it leaves."""

    def __init__(self, state: AppState) -> None:
        super().__init__()
        gc.disable()
        self._clock = QTimer(self, interval=EVERY_MS)
        self._clock.timeout.connect(self.look)
        self._clock.start()
        state.on(self.spare_what_is_there, "devices")  # torch above all, which finds them

    def look(self) -> None:
        """Collect the generations that Python would have collected; look again soon if there were any."""
        due = _due(0)
        self._clock.setInterval(EVERY_MS if due else IDLE_EVERY_MS)
        for generation in range(3):
            if not _due(generation):
                break
            gc.collect(generation)

    def spare_what_is_there(self) -> None:
        """Exclude all current objects from garbage collection, which keeps each collection short."""
        gc.collect()
        gc.freeze()

    def leave(self) -> None:
        """Python collects by itself again."""
        self._clock.stop()
        gc.unfreeze()
        gc.enable()


def _due(generation: int) -> bool:
    return gc.get_count()[generation] > gc.get_threshold()[generation]
