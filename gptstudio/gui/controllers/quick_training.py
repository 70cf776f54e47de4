"""Training of a small model with one click, in the background, while the settings on Train stay as they are."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from gptstudio.app import training_tasks
from gptstudio.app.locked import unlocked_spec
from gptstudio.app.state import AppState
from gptstudio.app.tasks import TaskRunner
from gptstudio.gui.controllers.training import TrainingController
from gptstudio.i18n import message
from gptstudio.training.model_source import SavedModel
from gptstudio.training.spec import TrainSpec

STANDARD = TrainSpec()
"""Settings of a run as they are at the first start; on two cores it takes one to two minutes."""


class QuickTraining(QObject):
    """Starts a run with the standard settings; those that are locked have the values of the forms."""

    changed = Signal()
    """Emitted when a run has come further, or there is another reason why none can be started."""
    trained = Signal(object)
    """Emitted with the model of the run that was started here, once it can be chosen."""

    def __init__(
        self, state: AppState, tasks: TaskRunner, training: TrainingController, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._state, self._tasks, self._training = state, tasks, training
        self.starting = False
        """The text is looked at, before the run begins."""
        self.problem = ""
        """Why the last run that was started here gave no model, as a message."""
        self._ours = False
        training.events_arrived.connect(self.changed)

    def start(self) -> None:
        """Start a run of the standard settings."""
        if self.starting or self._state.running:
            return
        spec = unlocked_spec(self._state, STANDARD.but(device=self._state.device.key))
        self.starting, self.problem = True, ""
        self._tasks.run(lambda _: training_tasks.standard_spec(spec), key="quick_training", done=self._begin)
        self.changed.emit()

    def take_end(self) -> None:
        """Announce the model of the run that has ended, if it was started here. Its checkpoints are offered by now."""
        if not self._ours:
            return
        self._ours, run = False, self._state.run
        name = run.folder.path.name if run.folder else ""
        saved = (each for each in self._state.saved_models if each.run == name)
        model: SavedModel | None = next(saved, None)
        if model is None:
            why = run.ended.message if run.ended else ""
            self.problem = why or message("The training ended before a model was saved.")
        else:
            self.trained.emit(model)
        self.changed.emit()

    def _begin(self, spec: TrainSpec) -> None:
        self.starting = False
        if not self._state.running:
            self._ours = True
            self._training.start_other(spec)
        self.changed.emit()
