"""Offer to continue a run that ended early."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from gptstudio.app.derived import continuation_at_hand
from gptstudio.app.state import AppState
from gptstudio.gui.controllers.training import TrainingController
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.layouts import holding, vbox
from gptstudio.gui.widgets.parts import button, label, permit
from gptstudio.gui.widgets.reflow import Reflow
from gptstudio.training.branching import Changes
from gptstudio.training.run_folder import step_of


class ContinuationOffer(QWidget):
    """Offers to continue from the last checkpoint, and after a divergence with a tenth of the learning rate too."""

    def __init__(self, state: AppState, controller: TrainingController) -> None:
        super().__init__()
        self._state, self._controller = state, controller
        self.words = label(role="muted", name="go_on_words")
        self.plain = button(tr("Continue"), "go_on", tr("Exactly as if the run had never stopped"))
        self.plain.clicked.connect(lambda: self._continue(False))
        self.slower = button(tr("Continue with a lower learning rate"), "go_on_slower", tr("Smaller weight updates"))
        self.slower.clicked.connect(lambda: self._continue(True))
        self.back = button(tr("Go back to an earlier step"), "go_back", tr(
            "As a new run with a tenth of the learning rate, from the last checkpoint before the jump; this run does "
            "not change"))
        self.back.clicked.connect(self._go_back)
        holding(self, vbox(Reflow(self.words, self.back, self.slower, self.plain, stretch=(self.words,))))
        state.on(self._show, "continuation", "spec", "locked_controls")
        self._show()

    def _continue(self, lower_rate: bool) -> None:
        if self._state.continuation:
            self._controller.continue_offer(self._state.continuation, lower_rate)

    def _go_back(self) -> None:
        offer = self._state.continuation
        if offer and offer.back:
            self._controller.branch_run(offer.run, offer.back, Changes(offer.tenth))

    def _show(self) -> None:
        offer = self._state.continuation
        self.setVisible(offer is not None and not continuation_at_hand(self._state))  # then the large button does it
        if not offer:
            return
        self.words.setText(tr(offer.words))
        self.words.setToolTip(tr(offer.tip) if offer.tip else "")
        step = f"{offer.first_step:,}"
        self.plain.setText(
            tr("Continue from step {n} on the CPU", n=step) if offer.device else tr("Continue from step {n}", n=step))
        self.slower.setVisible(offer.tenth is not None)
        if offer.tenth is not None:
            self.slower.setText(tr("Continue from step {n} with learning rate {rate:.3g}", n=step, rate=offer.tenth))
        self.back.setVisible(offer.back is not None)
        if offer.back:
            self.back.setText(tr("Go back to step {n}", n=f"{step_of(offer.back) + 1:,}"))
        locked = "train_learning_rate" in self._state.locked_controls and offer.tenth is not None
        for made in (self.slower, self.back):
            permit(made, tr("The learning rate is locked by your instructor.") if locked else "")
        for made in (self.plain, self.slower, self.back):
            made.setAccessibleName(made.text())
