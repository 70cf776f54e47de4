"""A sentence about the run below the curves on Train, and at its end the commands for what comes next."""

from __future__ import annotations

from PySide6.QtWidgets import QBoxLayout, QWidget

from gptstudio.app import shown_run
from gptstudio.app.state import AppState
from gptstudio.gui.actions import Actions
from gptstudio.gui.controllers.first_sample import FirstSample
from gptstudio.gui.controllers.training import TrainingController
from gptstudio.gui.train.continuation import ContinuationOffer
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.layouts import FREE, hbox, holding, vbox
from gptstudio.gui.widgets.parts import WrappedLabel, button, label


class NextStep(QWidget):
    """Offers *Generate with it*, *Train longer*, *Send* and *Hand in* after a run has finished, and to continue one
    that has not. Compact, it is one row, without sentences about the run."""

    def __init__(
        self, state: AppState, controller: TrainingController, actions: Actions, first: FirstSample
    ) -> None:
        super().__init__()
        self._state, self._first, self._compact = state, first, False
        self.caption = WrappedLabel("run_caption", "muted")
        self.result = WrappedLabel("run_result")
        self.overfitting = label(role="muted", name="run_overfitting")
        self.what_helps = button(
            tr("What helps"), "overfitting_help", tr("Opens the manual where it tells what to do about it"),
            "quiet", lambda: state.help_requested.emit(shown_run.OVERFITTING))
        self.generate = actions.button("generate_shown", "primary", called="finish_generate")
        self.longer = actions.button("train_longer")
        self.send = button(tr("Send to a friend"), "finish_send", tr("As a page for any browser, or as a zip"))
        self.send.setMenu(actions.menu(("run_report", "run_zip"), self.send))
        self.hand_in = actions.button("hand_in", called="finish_hand_in")
        self.continuation = ContinuationOffer(state, controller)
        self._lay_out()
        for signal in (controller.restarted, controller.ended, first.found):
            signal.connect(self.show_state)
        controller.events_arrived.connect(lambda _: self.show_state())
        state.on(self.show_state, "run", "run_state", "continuation", "spec", "text_check")
        self.show_state()

    @property
    def is_needed(self) -> bool:
        """True if there is something to do next."""
        return self._finished or not self.continuation.isHidden()

    @property
    def _finished(self) -> bool:
        return not self._state.running and shown_run.is_finished(self._state.run)

    def use(self, compact: bool) -> None:
        """Use one row, or as many as the sentences need."""
        self._compact = compact
        across, down = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
        self._rows.setDirection(across if compact else down)
        self.hand_in.setVisible(not compact)  # there is no space for it; it is in the Run menu
        self.show_state()

    def show_state(self) -> None:
        """Show the sentence about the run, or what can be done next."""
        run, finished, offered = self._state.run, self._finished, not self.continuation.isHidden()
        self.card.setVisible(finished)
        self.caption.setVisible(not finished and not offered and not self._compact)
        if finished:
            self._show_result()
        elif not offered:
            spec = run.spec or self._state.valid_spec
            self.caption.setText(tr(shown_run.caption(run, spec.config.vocab_size)))

    def _show_result(self) -> None:
        run = self._state.run
        words, overfitting = tr(shown_run.result(run, self._first.text)), tr(shown_run.overfitting(run))
        self.result.setText(words)
        self.result.setVisible(not self._compact)
        self.overfitting.setText(overfitting)
        self._overfitting_row.setVisible(bool(overfitting) and not self._compact)

    def _lay_out(self) -> None:
        self._overfitting_row = holding(QWidget(), hbox(self.overfitting, self.what_helps, FREE, spacing=4))
        buttons = hbox(self.generate, self.longer, self.send, self.hand_in, FREE, spacing=8)
        self._rows = vbox(self.result, self._overfitting_row, buttons, spacing=4)
        self.card = holding(QWidget(), self._rows)
        holding(self, vbox(self.caption, self.card, self.continuation, FREE, spacing=0))
