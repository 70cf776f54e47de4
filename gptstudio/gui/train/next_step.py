"""Forecast of a run before it starts, its result, what it took, and the commands that follow."""

from __future__ import annotations

from PySide6.QtWidgets import QBoxLayout, QWidget

from gptstudio.app import shown_run
from gptstudio.app.derived import continuation_at_hand
from gptstudio.app.state import AppState
from gptstudio.gui.actions import Actions
from gptstudio.gui.controllers.training import FirstSample, TrainingController
from gptstudio.gui.translation import duration, joined, size, tr
from gptstudio.gui.widgets.layouts import FREE, Reflow, grows, hbox, vbox, with_layout
from gptstudio.gui.widgets.parts import WrappedLabel, button, label, restyle, set_blocker
from gptstudio.gui.widgets.text_views import FewLines
from gptstudio.training import corpus
from gptstudio.training.branching import Changes
from gptstudio.training.forecast import Forecast, MeasuredRun
from gptstudio.training.run_folder import step_of


class ContinuationOffer(QWidget):
    """Buttons that continue from the last checkpoint, after a divergence also with a lower learning rate."""

    def __init__(self, state: AppState, controller: TrainingController) -> None:
        super().__init__()
        self._state, self._controller = state, controller
        self.words = label(role="muted", name="go_on_words")
        self.plain = button(tr("Continue"), "go_on", tr("Exactly as if the run had never stopped"),
                            do=lambda: self._continue(False))
        self.slower = button(tr("Continue with a lower learning rate"), "go_on_slower", tr("Smaller weight updates"),
                             do=lambda: self._continue(True))
        self.back = button(tr("Go back to an earlier step"), "go_back", tr(
            "As a new run with a lower learning rate, from the last checkpoint before the jump; this run does "
            "not change"), do=self._go_back)
        with_layout(self, vbox(Reflow(self.words, self.back, self.slower, self.plain, stretch=(self.words,))))
        state.on(self._show, "continuation", "spec", "locked_controls")
        self._show()

    def _continue(self, lower_rate: bool) -> None:
        if self._state.continuation:
            self._controller.continue_offer(self._state.continuation, lower_rate)

    def _go_back(self) -> None:
        offer = self._state.continuation
        if offer and offer.back:
            self._controller.branch_run(offer.run, offer.back, Changes(offer.lower_rate))

    def _show(self) -> None:
        offer = self._state.continuation
        self.setVisible(offer is not None and not continuation_at_hand(self._state))  # then the large button offers it
        if not offer:
            return
        self.words.setText(tr(offer.words))
        self.words.setToolTip(tr(offer.tip) if offer.tip else "")
        step = f"{offer.first_step:,}"
        self.plain.setText(
            tr("Continue from step {n} on the CPU", n=step) if offer.device else tr("Continue from step {n}", n=step))
        self.slower.setVisible(offer.lower_rate is not None)
        if offer.lower_rate is not None:
            self.slower.setText(tr(
                "Continue from step {n} with learning rate {rate:.3g}", n=step, rate=offer.lower_rate))
        self.back.setVisible(offer.back is not None)
        if offer.back:
            self.back.setText(tr("Go back to step {n}", n=f"{step_of(offer.back) + 1:,}"))
        locked = "train_learning_rate" in self._state.locked_controls and offer.lower_rate is not None
        for made in (self.slower, self.back):
            set_blocker(made, tr("The learning rate is locked by your instructor.") if locked else "")


class NextStep(QWidget):
    """Buttons *Generate with it*, *Train longer*, *Send* and *Hand in* after a run, or an offer to continue it.

    The compact form is one row, without sentences about the run.
    """

    def __init__(self, state: AppState, controller: TrainingController, actions: Actions, first: FirstSample) -> None:
        super().__init__()
        self._state, self._first, self._compact = state, first, False
        self.caption = WrappedLabel("run_caption", "muted")
        self.result = WrappedLabel("run_result")
        self.overfitting = label(role="muted", name="run_overfitting")
        self.what_helps = button(
            tr("What helps"), "overfitting_help", tr("Opens the part of the manual that says what to do about it"),
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
        """Use the compact form, in one row, or place the sentences and the buttons below each other."""
        self._compact = compact
        across, down = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
        self._rows.setDirection(across if compact else down)
        self.hand_in.setVisible(not compact)  # no space for it here; it is in the Run menu
        self.show_state()

    def show_state(self) -> None:
        """Show the sentence about the run, or the commands that follow."""
        run, finished, offered = self._state.run, self._finished, not self.continuation.isHidden()
        self.card.setVisible(finished)
        self.caption.setVisible(not finished and not offered and not self._compact)
        if finished:
            overfitting = tr(shown_run.overfitting(run))
            self.result.setText(tr(shown_run.result(run, self._first.text)))
            self.result.setVisible(not self._compact)
            self.overfitting.setText(overfitting)
            self._overfitting_row.setVisible(bool(overfitting) and not self._compact)
        elif not offered:
            spec = run.spec or corpus.fitting(self._state.valid_spec, self._state.tokenizer)
            self.caption.setText(tr(shown_run.caption(run, spec.config.vocab_size)))

    def _lay_out(self) -> None:
        self._overfitting_row = with_layout(QWidget(), hbox(self.overfitting, self.what_helps, FREE, spacing=4))
        buttons = hbox(self.generate, self.longer, self.send, self.hand_in, FREE, spacing=8)
        self._rows = vbox(self.result, self._overfitting_row, buttons, spacing=4)
        self.card = with_layout(QWidget(), self._rows)
        with_layout(self, vbox(self.caption, self.card, self.continuation, FREE, spacing=0))


ROLES = {"fits": "muted", "tight": "notice", "too large": "problem"}


class ForecastLine(QWidget):
    """Row with the forecast, the cost of the last run, and a button for smaller settings if Start was refused."""

    def __init__(self, state: AppState) -> None:
        super().__init__()
        self._state = state
        self.has_words = False
        self.words = FewLines("outlook")
        self.smaller = button(tr("Use smaller settings"), "use_smaller", do=self._use_smaller)
        self.measured = FewLines("measured")
        with_layout(self, hbox(grows(self.words), self.smaller, grows(self.measured), spacing=12))
        state.on(self._show, "forecast", "insisted", "measured")
        self._show()

    @property
    def needs_attention(self) -> bool:
        """True if memory or disk space may not be enough."""
        return bool(self.words.property("role") != "muted")

    def _use_smaller(self) -> None:
        if self._state.forecast and self._state.forecast.smaller:
            self._state.use_spec(self._state.forecast.smaller)

    def _show(self) -> None:
        made, insisted = self._state.forecast, self._state.insisted
        measured = self._state.measured
        words: str = forecast_text(made) if made else ""
        if made and made.space_warning:
            words = joined(" ", words, tr(made.space_warning))
        if made and insisted:
            words = joined(" ", words, tr("The system may end the run, or the whole computer may stop responding."))
        self.words.setText(words)
        self.words.explain(sources(made) if made else "")
        restyle(self.words, role="muted" if not made else "problem" if made.space_warning else ROLES[made.level])
        self.smaller.setVisible(bool(made and insisted and made.smaller))
        self.has_words = bool(words) or measured is not None
        self.measured.setText(tr("The last run took {took}.", took=_and(took(measured))) if measured else "")
        self.measured.explain(_estimate(measured) if measured else "")


def took(measured: MeasuredRun) -> list[str]:
    """Return the time that a run took, and the memory if it was measured."""
    memory = [tr("{much} of memory for training", much=size(measured.peak_bytes))] if measured.peak_bytes else []
    return [duration(measured.took_s), *memory]


def _estimate(measured: MeasuredRun) -> str:
    """Return the estimate made before a run, as text; empty if there was none."""
    expected = [duration(measured.expected_s)] if measured.expected_s else []
    if measured.peak_bytes:
        expected.append(tr("{much} of memory for training", much=size(measured.expected_bytes)))
    return tr("Estimate before the run: {expected}.", expected=_and(expected)) if expected else ""


def forecast_text(made: Forecast) -> str:
    """Return the estimated memory and time as text."""
    needed, free = size(made.predicted_bytes), size(made.free_bytes)
    if made.level == "too large":
        said = tr("Estimated memory for training: {needed}; free: {free}.", needed=needed, free=free)
        return joined(" ", said, tr(made.smaller_words))
    if made.seconds is None:
        return tr("Estimated memory for training: {needed} of {free} free.", needed=needed, free=free)
    return tr("Estimated for training: {needed} of {free} free memory, about {time}.",
              needed=needed, free=free, time=duration(made.seconds))


def sources(made: Forecast) -> str:
    """Return the sources of both estimates as text."""
    return tr("Memory: {memory}.\nTime: {time}.", memory=tr(made.memory_from), time=tr(made.time_from))


def _and(parts: list[str]) -> str:
    return tr("{first} and {second}", first=parts[0], second=parts[1]) if len(parts) == 2 else parts[0]
