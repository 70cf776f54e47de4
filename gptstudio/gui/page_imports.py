"""Imports of what is made when it is first shown, while nobody waits for it.

A class of widgets is defined on the window's thread and on no other. Shiboken (6.11) keeps all classes in a hash table
without a lock, and Qt reads it on the window's thread without Python's lock: in one start of a hundred on a busy
computer, a class that another thread defined made the table grow at that moment, and the program crashed.
"""

from __future__ import annotations

from importlib import import_module

from PySide6.QtCore import QObject, QTimer

from gptstudio.app.tasks import TaskRunner

MODULES = ["runs.run_compare", "runs.sweep_view", "runs.runs_tab", "texts.texts_tab", "learn.kit.page",
           "learn.learn_tab"]
"""The pages and, before them, what takes longest of them: 5 to 50 ms each."""


class PageImports(QObject):
    """Imports the experiments, which need no Qt, by a task; then the pages, one module at a turn of the event loop."""

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
