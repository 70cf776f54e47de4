"""Work in the event loop besides user actions: garbage collection, and late imports of pages.

Garbage is collected on the window's thread only. Python collects on any thread, also on one that trains, and Qt crashes
when parts of a discarded plot are deleted on a thread other than its own.

The pages are imported while the program is idle, because a class of widgets must be defined on the window's thread.
Shiboken (6.11) keeps all classes in a hash table without a lock, and Qt reads it on the window's thread without
Python's lock: in one start of a hundred on a busy computer, a class that another thread defined made the table grow at
that moment, and the program crashed.
"""

from __future__ import annotations

import gc
from importlib import import_module

from PySide6.QtCore import QObject, QTimer

from gptstudio.app.state import AppState
from gptstudio.app.tasks import TaskRunner

EVERY_MS, IDLE_EVERY_MS = 1_000, 10_000
"""Milliseconds until the next check, after one that found something to collect, and after one that found nothing."""


class Garbage(QObject):
    """Garbage collection by a timer on the thread that created this, instead of Python's own, until :meth:`leave`."""

    def __init__(self, state: AppState) -> None:
        super().__init__()
        gc.disable()
        self._clock = QTimer(self, interval=EVERY_MS)
        self._clock.timeout.connect(self.look)
        self._clock.start()
        state.on(self.spare_what_is_there, "devices")  # mainly the objects of torch, which finds the devices

    def look(self) -> None:
        """Collect the generations that Python would have collected; check again soon if there were any."""
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
        """Let Python collect garbage automatically again."""
        self._clock.stop()
        gc.unfreeze()
        gc.enable()


def _due(generation: int) -> bool:
    return gc.get_count()[generation] > gc.get_threshold()[generation]


MODULES = ["runs.run_compare", "runs.sweeps", "runs.runs_tab", "texts.texts_tab", "learn.kit.page",
           "learn.learn_tab"]
"""Modules of the pages, preceded by those that take longest to import: 5 to 50 ms each."""


class PageImports(QObject):
    """Import of the experiments, which need no Qt, in a task, then of the pages, one module per event-loop pass."""

    def __init__(self, tasks: TaskRunner, parent: QObject) -> None:
        super().__init__(parent)
        self._tasks, self._left = tasks, list[str]()
        self._turn = QTimer(self, interval=0)
        self._turn.timeout.connect(self._import_next)

    def wake(self) -> None:
        self._tasks.run(_import_labs, done=self._begin)

    def leave(self) -> None:
        self._turn.stop()

    def _begin(self, labs: list[str]) -> None:
        self._left = [*MODULES, *(f"learn.{name}" for name in labs)]
        self._turn.start()

    def _import_next(self) -> None:
        name, *self._left = self._left
        if not self._left:
            self._turn.stop()
        import_module(f"gptstudio.gui.{name}")


def _import_labs(_: object) -> list[str]:
    from gptstudio.labs.catalogue import ENTRIES, load

    for name in ENTRIES:
        load(name)
    return list(ENTRIES)
