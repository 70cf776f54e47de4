"""Train longer: the question how much longer, and the run that continues with more epochs or steps."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QObject, Signal

from gptstudio.app import run_extent
from gptstudio.app.run_extent import RunExtent
from gptstudio.app.state import AppState
from gptstudio.app.tasks import TaskRunner
from gptstudio.training.branching import Changes
from gptstudio.training.run_folder import RunFolder


class Training(Protocol):
    """Part of the controller of training that continues runs."""

    def resume_run(self, run: RunFolder, *, longer: Mapping[str, int] | None = None) -> None: ...

    def branch_run(self, run: RunFolder, checkpoint: Path, changes: Changes) -> None: ...

    def say(self, notice: str) -> None: ...


class LongerController(QObject):
    """Asks how much longer a run is to be trained, and continues it."""

    asked = Signal(object)
    """Emitted with the :class:`RunExtent` of a run, when the user is to say how much longer it is trained."""

    def __init__(self, state: AppState, tasks: TaskRunner, training: Training, parent: QObject) -> None:
        super().__init__(parent)
        self._state, self._tasks, self._training = state, tasks, training

    def ask(self, run: RunFolder, branch: Path | None = None) -> None:
        """Ask how much longer; ``branch``: the checkpoint from which a new run is to continue instead."""
        self._tasks.run(lambda _: run_extent.read(run, branch), key="longer", done=self.asked.emit,
                        failed=lambda error: self._training.say(error.message))

    def ask_shown(self) -> None:
        """Ask how much longer the run in the view is to be trained."""
        if self._state.run.folder:
            self.ask(self._state.run.folder)

    def begin(self, extent: RunExtent, longer: Mapping[str, int]) -> None:
        """Continue a run with so many epochs or steps in all."""
        if self._state.running:
            return
        self._state.show_page("train")
        if extent.branch:
            self._training.branch_run(extent.run, extent.branch, Changes(longer=longer))
        else:
            self._training.resume_run(extent.run, longer=longer)
