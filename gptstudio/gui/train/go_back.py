"""Go back to before a jump of the loss: a branch from the last checkpoint before it."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction

from gptstudio.app.state import AppState
from gptstudio.gui.controllers.training import TrainingController
from gptstudio.gui.translation import tr
from gptstudio.i18n import message
from gptstudio.training import branching
from gptstudio.training.run_folder import step_of

SAME = message(
    "Continues from the last checkpoint before the jump as a new run; this run does not change. With the same settings "
    "on the same device, the same steps come again, and the jump with them.")
SLOWER = message(
    "Continues from the last checkpoint before the jump as a new run with a tenth of the learning rate; this run does "
    "not change.")


class GoBack(QObject):
    """Two actions, which go back to before the jump that was chosen last."""

    def __init__(self, state: AppState, controller: TrainingController, parent: QObject) -> None:
        super().__init__(parent)
        self._state, self._controller, self._step = state, controller, 0
        self.same = QAction(tr("Go back to before the jump"), parent)
        self.slower = QAction(tr("Go back to before the jump, with a lower learning rate"), parent)
        self.same.setObjectName("jump_back_action")
        self.slower.setObjectName("jump_slower_action")
        self.same.triggered.connect(lambda: self._controller.go_back(self._step))
        self.slower.triggered.connect(lambda: self._controller.go_back(self._step, self._tenth))

    @property
    def actions(self) -> tuple[QAction, QAction]:
        return self.same, self.slower

    @property
    def _tenth(self) -> float | None:
        rate = self._state.run.learning_rate
        return rate / 10 if rate else None

    def aim(self, step: int) -> None:
        """Go back to before this step, counted from 0, when an action is chosen."""
        self._step = step
        run = self._state.run.folder
        checkpoint = branching.before(run, step) if run else None
        after = f"{step_of(checkpoint) + 1:,}" if checkpoint else ""
        what = tr("Go back to before the jump (step {n})", n=after) if after else tr("Go back to before the jump")
        texts = [what, what]
        if self._tenth:
            texts[1] = tr("{what}, learning rate {rate:.3g}", what=what, rate=self._tenth)
        reasons = [self._reason(bool(checkpoint))] * 2
        if not reasons[1] and "train_learning_rate" in self._state.locked_controls:
            reasons[1] = message("The learning rate is locked by your instructor.")
        for action, text, reason, does in zip(self.actions, texts, reasons, (SAME, SLOWER), strict=True):
            action.setText(text)
            action.setEnabled(not reason)
            action.setToolTip(tr(reason or does))
        self.slower.setVisible(self._tenth is not None)

    def _reason(self, saved: bool) -> str:
        if self._state.running:
            return message("This window is training. Stop the run first.")
        return "" if saved else message("No checkpoint from before the jump is left.")
