"""Python's garbage, collected on the window's thread alone.

Python collects wherever it happens to run, also on a thread that trains. Parts of a plot that were thrown away may be
in that garbage, and Qt crashes when they are deleted on another thread than its own.
"""

from __future__ import annotations

import gc

from pyqtgraph.util.garbage_collector import GarbageCollector

from gptstudio.app.state import AppState


class Garbage:
    """While it lives, garbage is collected once a second by a clock of the thread that made it, and not otherwise."""

    def __init__(self, state: AppState) -> None:
        self._collector = GarbageCollector(interval=1.0)
        state.on(self.spare_what_is_there, "devices")  # torch above all, which finds them

    def spare_what_is_there(self) -> None:
        """Exclude all current objects from garbage collection, which keeps each collection short."""
        gc.collect()
        gc.freeze()

    def leave(self) -> None:
        """Python collects by itself again."""
        self._collector.timer.stop()
        gc.unfreeze()
        gc.enable()
