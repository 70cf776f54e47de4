"""The parent of a branch that is shown: its curves, read once from its log."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from gptstudio import paths
from gptstudio.app import training_tasks
from gptstudio.app.shown_run import ShownRun
from gptstudio.app.state import AppState
from gptstudio.app.tasks import TaskRunner
from gptstudio.history.run_history import History


class ParentController(QObject):
    """Reads the parent of the run that is shown."""

    found = Signal()
    """Emitted when the curves of the parent are there."""

    def __init__(self, state: AppState, tasks: TaskRunner, parent: QObject) -> None:
        super().__init__(parent)
        self._state, self._tasks = state, tasks

    def read(self, run: ShownRun) -> None:
        """Read the parent of a run, if it is a branch."""
        if not run.parent:
            return

        def take(history: History) -> None:
            run.parent_history = history
            if run is self._state.run:
                self.found.emit()

        work = training_tasks.read_parent(run.parent, run.beside or paths.runs())
        self._tasks.run(work, key="parent", done=take, failed=lambda _: None)
