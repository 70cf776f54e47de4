"""Checkpoints of the run that is shown: continue from one, generate with it, compare it, move it to the trash."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from gptstudio.app import training_tasks
from gptstudio.app.continuation import Continuation, continuation_without
from gptstudio.app.state import AppState
from gptstudio.app.tasks import TaskError, TaskRunner
from gptstudio.app.trash import Trashed
from gptstudio.gui.controllers import trash
from gptstudio.i18n import message
from gptstudio.training.branching import UNCHANGED, Changes, before
from gptstudio.training.run_folder import RunFolder, step_of


class CheckpointController(QObject):
    """Acts on checkpoints, given by their names.

    Args:
        say: shows a notice at the run.
        branch: continues from a checkpoint of a run as another run.
    """

    chosen = Signal(object)
    """Emitted with the path of a checkpoint to generate with."""
    comparison_chosen = Signal(object, object)
    """Emitted with the paths of two checkpoints to be compared, the left one first."""
    longer_requested = Signal(object, object)
    """Emitted with a run and its last checkpoint, after which steps are to be asked for."""
    changed = Signal()
    """Emitted when a checkpoint has gone to the trash, or came back."""

    restored = Signal(str)
    """Emitted with the name of a checkpoint that came back."""

    def __init__(self, state: AppState, tasks: TaskRunner, say: Callable[[str], object],
                 branch: Callable[[RunFolder, Path, Changes], object], parent: QObject):
        super().__init__(parent)
        self._state, self._tasks, self._say, self._branch = state, tasks, say, branch
        self._offer: Continuation | None = None  # to continue, before a checkpoint was deleted

    def continue_from(self, name: str, changes: Changes = UNCHANGED) -> None:
        """Continue from a checkpoint, as a run of its own. At the last step of its run, ask how much longer."""
        run, started = self._state.run.folder, self._state.run.started
        if not run or not started or self._state.running:
            return
        checkpoint = run.checkpoint_folder / name
        if step_of(checkpoint) + 1 >= started.total_steps:
            self.longer_requested.emit(run, checkpoint)
        else:
            self._branch(run, checkpoint, changes)

    def go_back(self, step: int, learning_rate: float | None = None) -> None:
        """Continue from the last checkpoint before a step, counted from 0, as a run of its own."""
        run = self._state.run.folder
        checkpoint = before(run, step) if run and not self._state.running else None
        if run and checkpoint:
            self._branch(run, checkpoint, Changes(learning_rate))

    def generate_with(self, name: str) -> None:
        run = self._state.run.folder
        if run:
            self.chosen.emit(run.checkpoint_folder / name)

    def compare(self, left: str, right: str) -> None:
        run = self._state.run.folder
        if run:
            self.comparison_chosen.emit(run.checkpoint_folder / left, run.checkpoint_folder / right)

    def delete(self, name: str) -> None:
        """Move a checkpoint to the trash."""
        run = self._state.run.folder
        if not run:
            return
        checkpoint = run.checkpoint_folder / name

        def end() -> None:
            self._say(message("Moved the checkpoint after step {n} to the trash.", n=f"{step_of(checkpoint) + 1:,}"))
            self._offer = self._state.continuation
            self._state.continuation = continuation_without(self._offer, checkpoint)
            self.changed.emit()

        trash.move(self._state, self._tasks, "checkpoint", lambda: training_tasks.move_to_trash(run, checkpoint), end,
                   self._fail)

    def restore(self) -> None:
        """Bring back the checkpoint that was moved to the trash last."""

        def end(trashed: Trashed) -> None:
            run, step = self._state.run.folder, step_of(trashed.path) + 1
            self._say(message("Restored the checkpoint after step {n}.", n=f"{step:,}"))
            if run and run.checkpoint_folder == trashed.path.parent and not self._state.running:
                self._state.continuation = self._offer
            self.changed.emit()
            self.restored.emit(trashed.path.name)

        trash.restore(self._state, self._tasks, "checkpoint", training_tasks.restore, end, self._fail)

    def forget(self, run: RunFolder) -> None:
        """Do not offer any more to restore a checkpoint of a run that continues without it."""
        trashed = self._state.trashed.get("checkpoint")
        if trashed and trashed.path.parent == run.checkpoint_folder:
            trash.forget(self._state, trashed)

    def _fail(self, error: TaskError) -> None:
        self._say(error.message)
