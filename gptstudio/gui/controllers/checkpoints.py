"""Checkpoints of the run that is shown: continue from one, generate with it, compare it, move it to the trash."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from gptstudio.app import training_tasks
from gptstudio.app.shown_run import continuation_without
from gptstudio.app.state import AppState
from gptstudio.app.tasks import TaskError, TaskRunner
from gptstudio.app.trash import Trashed
from gptstudio.errors import UserError, text_of
from gptstudio.i18n import message
from gptstudio.training.run_folder import RunFolder, step_of


class CheckpointController(QObject):
    """Acts on checkpoints, given by their names.

    Args:
        say: shows a notice at the run.
        resume: continues a run.
    """

    chosen = Signal(object)
    """Emitted with the path of a checkpoint to generate with."""
    comparison_chosen = Signal(object, object)
    """Emitted with the paths of two checkpoints to be compared, the left one first."""
    deleted = Signal()
    """Emitted when a checkpoint has gone to the trash."""

    def __init__(self, state: AppState, tasks: TaskRunner, say: Callable[[str], object],
                 resume: Callable[[RunFolder], object], parent: QObject):
        super().__init__(parent)
        self._state, self._tasks, self._say, self._resume = state, tasks, say, resume

    def continue_from(self, name: str) -> None:
        """Continue from a checkpoint, as a run of its own."""
        run, started = self._state.run.folder, self._state.run.started
        if not run or not started or self._state.running:
            return
        checkpoint = run.checkpoint_folder / name
        if step_of(checkpoint) + 1 >= started.total_steps:
            self._say(message(
                "This checkpoint is at the last step of its run. To train longer, run it again with more steps."))
            return
        try:
            made = run.branch(checkpoint)
        except (UserError, OSError) as error:
            self._say(text_of(error))
            return
        self._resume(made)

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

        def end(_: Trashed) -> None:
            self._say(message("Moved the checkpoint after step {n} to the trash.", n=f"{step_of(checkpoint) + 1:,}"))
            self._state.continuation = continuation_without(self._state.continuation, checkpoint)
            self.deleted.emit()

        def fail(error: TaskError) -> None:
            self._say(error.message)

        self._tasks.run(lambda _: training_tasks.move_to_trash(run, checkpoint), done=end, failed=fail)
