"""Train page: text, settings, the run with its controls and figures, and the commands that follow it.

A line of constant height above the figures describes the run that Start would begin, with its forecast, or shows a
message about the run.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QStackedLayout, QWidget

from gptstudio.app import shown_run
from gptstudio.app.derived import continuation_at_hand
from gptstudio.app.shown_run import ShownRun, is_finished
from gptstudio.app.state import AppState
from gptstudio.data import texts
from gptstudio.gpt import sizing
from gptstudio.gui.actions import Actions, copy_button
from gptstudio.gui.appearance import on_restyle
from gptstudio.gui.controllers.training import FirstSample, TrainingController
from gptstudio.gui.model_names import branch_words
from gptstudio.gui.train.sample_text import WritesNow
from gptstudio.gui.train.train_settings import TextBox, TextPlan, TrainSettings
from gptstudio.gui.translation import duration, joined, millions, size, tr
from gptstudio.gui.widgets.deferred import Deferred, late
from gptstudio.gui.widgets.layouts import (
    FREE,
    TOP,
    Flow,
    HeightForWidth,
    Reflow,
    aligned,
    card,
    grows,
    hbox,
    vbox,
    with_layout,
)
from gptstudio.gui.widgets.parts import (
    UNLIMITED,
    FigureRow,
    ProgressBar,
    WrappedLabel,
    button,
    label,
    plain,
    restyle,
    scrolling,
    set_blocker,
)
from gptstudio.gui.widgets.text_views import FewLines, line_height
from gptstudio.training import corpus
from gptstudio.training.branching import Changes
from gptstudio.training.corpus import Plan
from gptstudio.training.events import Evaluated, MemoryRead, RunStarted, StepDone
from gptstudio.training.forecast import Forecast, MeasuredRun
from gptstudio.training.run_folder import step_of
from gptstudio.training.spec import TrainSpec

if TYPE_CHECKING:
    from gptstudio.gui.train.rate_dialog import RateDialog
    from gptstudio.gui.train.run_view import RunView

BOTTOM, MIDDLE = Qt.AlignmentFlag.AlignBottom, Qt.AlignmentFlag.AlignVCenter
PARENT_LETTERS = 24
"""Maximum number of letters of the parent's name that are shown."""


class RunControls(QWidget):
    """Buttons that control a run, its progress, and its current phase."""

    def __init__(self, actions: Actions) -> None:
        super().__init__()
        self.play = actions.button("start", "primary")
        self.step, self.stop, self.reset = (
            actions.button(name, instead=self.play) for name in ("step", "stop", "reset"))
        self.step_count = label("0", "counter", "step_counter")
        self.step_count.setAccessibleName(tr("Steps done"))
        self.of = label(role="muted", name="step_of", term="epoch")
        self.parent_words = label(role="muted", name="parent_run")
        self.phase = FewLines("phase", lines=1)
        self.saved = label(role="muted", name="saved")
        self.progress = ProgressBar("progress", tr("Steps done"))
        # the primary button comes first, to be visible at any text size
        buttons = with_layout(QWidget(), hbox(self.play, self.step, self.stop, self.reset, FREE))
        count = hbox(self.step_count, aligned(self.of, BOTTOM), aligned(self.parent_words, BOTTOM), FREE, spacing=8)
        on_restyle(self, self._align)
        doing = hbox(self.phase, self.saved, FREE, spacing=12)
        progress = with_layout(QWidget(), vbox(count, doing, spacing=4))
        with_layout(self, vbox(Reflow(buttons, progress, stretch=(progress,), spacing=24), self.progress, spacing=8))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._align()

    def show_run(self, run: ShownRun, total_steps: int) -> None:
        """Show the progress of a run, its current phase and its last checkpoint. ``total_steps``: steps of the run that
        Start would begin, if none has started."""
        started, last = run.started, run.last
        done = last.step + 1 if last else started.first_step if started else 0
        total = started.total_steps if started else total_steps
        self.step_count.setText(f"{done:,}")
        words = [tr("of {all} steps", all=f"{total:,}") if total else tr("steps")]
        if started and last and last.epoch:
            epochs = -(-started.total_steps // started.steps_per_epoch)
            words.append(tr("epoch {n} of {all}", n=f"{last.epoch:,}", all=f"{epochs:,}"))
        self.of.setText(joined("  ·  ", *words))
        self.progress.show_progress(done, max(1, total))
        self._show_parent(run)
        restyle(self.play, role="" if is_finished(run) else "primary")  # afterwards the next step is to generate
        for shown, text in ((self.phase, run.phase), (self.saved, run.saved or run.earlier)):
            shown.setText(tr(text) if text else "")

    def _align(self) -> None:
        """Put the words on the base line of the counter, whose letters are larger."""
        lower = self.step_count.fontMetrics().descent() - self.of.fontMetrics().descent()
        for each in (self.of, self.parent_words):
            each.setContentsMargins(0, 0, 0, lower)

    def _show_parent(self, run: ShownRun) -> None:
        """Show the parent of a branch. A long name is shortened, with the whole name as the tooltip."""
        words = branch_words(run.parent) if run.parent else ""
        letters = self.parent_words.fontMetrics()
        widest = letters.averageCharWidth() * PARENT_LETTERS
        self.parent_words.setText(letters.elidedText(words, Qt.TextElideMode.ElideMiddle, widest))
        self.parent_words.setToolTip(plain(words))
        self.parent_words.setVisible(bool(words))


class RunFigureRow(FigureRow):
    """Row of figures that follows the events of the run."""

    def __init__(self, state: AppState, controller: TrainingController) -> None:
        super().__init__(
            {
                "loss": tr("Batch loss"), "training": tr("Training loss"), "validation": tr("Validation loss"),
                "perplexity": tr("Val. perplexity"), "speed": tr("Tokens/s"), "left": tr("Time left"),
                "rate": tr("Learning rate"), "memory": tr("Memory"),
            },
            "figure",
            terms={"loss": "batch-loss", "training": "training-loss", "validation": "validation-loss",
                   "perplexity": "perplexity", "rate": "learning-rate"},
        )
        self._state = state
        controller.restarted.connect(self.clear)
        controller.events_arrived.connect(self._apply)

    def _apply(self, events: Sequence[Any]) -> None:
        for event in events:
            match event:
                case RunStarted(first_step=0):
                    self.clear()
                case Evaluated():
                    self.show_values(
                        training=f"{event.train_loss:.3f}", validation=f"{event.val_loss:.3f}",
                        perplexity=_perplexity(event.val_loss))
                case MemoryRead():
                    self._show_memory()
        run = self._state.run
        if events and run.started and run.last:
            self._show_progress(run.last)

    def _show_memory(self) -> None:
        metrics = self._state.run.metrics
        whole = tr("Peak memory of the whole program, including libraries and the window: {much}.",
                   much=size(metrics.peak_bytes))
        if metrics.run_peak_bytes:
            self.show_values(memory=size(metrics.run_peak_bytes))
            needed = tr(
                "Most memory that training needed, as in the estimate. On a CPU, memory for what else the program did "
                "meanwhile is included.")
            self.show_tip("memory", joined(" ", needed, whole))
        else:  # runs of version 0.1 did not measure it
            self.show_values(memory=size(metrics.peak_bytes))
            self.show_tip("memory", whole)

    def _show_progress(self, last: StepDone) -> None:
        metrics = self._state.run.metrics
        speed, left = metrics.tokens_per_second, metrics.remaining_s
        self.show_values(
            loss=f"{last.loss:.3f}",
            speed="–" if math.isnan(speed) else f"{speed:,.0f}",
            left="–" if math.isnan(left) or self._state.run.ended else duration(left),
            rate=f"{last.learning_rate:.4g}",
        )


def _perplexity(loss: float) -> str:
    """Return the perplexity, e to the power of the loss; that of a run that diverges has hundreds of digits."""
    value = math.exp(min(loss, 700))
    return f"{value:,.0f}" if not value >= 1e7 else f"{value:.1e}"


class RunOutline(QWidget):
    """Layers, parameters and texts of the run that is shown, or of the run that Start would begin if they differ."""

    def __init__(self, state: AppState, actions: Actions) -> None:
        super().__init__()
        self._state = state
        self.words = FewLines("run_outline", lines=1)
        self.change = button(tr("Change"), "outline_change", tr("Opens the Model panel and the settings"), "quiet",
                             lambda: actions["go_model"].trigger())
        self.show_all = actions.button("all_controls", "quiet", called="show_all_controls")
        with_layout(self, hbox(aligned(self.words, MIDDLE), self.change, FREE, spacing=8))
        state.on(self._show, "spec", "run", "run_state", "offered_texts")
        self._show()

    def _show(self) -> None:
        run, spec = self._state.run.spec, self._state.spec
        words = _outline(spec) if spec else tr("A setting has a problem")
        if run and (self._state.running or _outline(run) == words):
            words = _outline(run)
        elif run and spec:
            words = tr("New run: {what}", what=words)
        self.words.setText(words)


def _outline(spec: TrainSpec) -> str:
    layers, total = spec.config.n_layers, millions(sizing.parameter_count(spec.config))
    names = joined(", ", *(tr(texts.TITLES[each]) if each in texts.TITLES else Path(each).name for each in spec.text))
    return joined(
        "  ·  ", tr("{n} layers", n=layers) if layers > 1 else tr("1 layer"), tr("{n} parameters", n=total), names)


LINES = 3
"""Height of the message line in lines of text: two of the plan, and one of the estimate."""


class MessageLine(QWidget):
    """Line that shows ``messages`` while one of them is visible, until the user closes them, and otherwise ``usual``.

    The height is constant, so that a new message neither moves nor covers anything. The content of ``place`` is shown
    next to the messages.
    """

    closed = Signal()

    def __init__(self, usual: QWidget, messages: tuple[QWidget, ...]) -> None:
        super().__init__()
        self._messages, self._closed = messages, False
        self.place = hbox()
        self.close_button = button(
            tr("Close"), "train_messages_close", tr("Closes this notice"), "quiet", self._close)
        self._column = with_layout(QWidget(), vbox(FREE, *messages, FREE, spacing=0))
        self._row = with_layout(QWidget(), hbox(grows(self._column), self.close_button, self.place, spacing=8))
        self._row.setObjectName("train_messages")
        self._stack = QStackedLayout(self)
        for each in (usual, self._row):
            self._stack.addWidget(each)
        on_restyle(self, self._fit)
        self._fit()

    def announce(self) -> None:
        """Show the messages again at the next refresh, because there is a new one."""
        self._closed = False

    def refresh(self, beside: bool = False) -> None:
        """Show the messages or the usual content. ``beside``: whether to show the content of ``place``."""
        announced = not self._closed and any(not each.isHidden() for each in self._messages)
        self._column.setVisible(announced)
        self.close_button.setVisible(announced)
        self._stack.setCurrentIndex(int(announced or beside))

    def _fit(self) -> None:
        self.setFixedHeight(LINES * line_height(self.close_button.text(), self.font()))

    def _close(self) -> None:
        self._closed = True
        self.closed.emit()


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


class OneLineLabel(WrappedLabel):
    """Wrapped label that prefers a single line, so that a button follows its last word."""

    def sizeHint(self) -> QSize:
        return QSize(self.fontMetrics().horizontalAdvance(self.text()) + 1, super().sizeHint().height())


class NextStep(QWidget):
    """Buttons *Generate with it*, *Train longer*, *Send* and *Hand in* after a run, or an offer to continue it.

    The compact form is one row, without sentences about the run.
    """

    def __init__(self, state: AppState, controller: TrainingController, actions: Actions, first: FirstSample) -> None:
        super().__init__()
        self._state, self._first, self._compact = state, first, False
        self.caption = WrappedLabel("run_caption", "muted")
        self.result = WrappedLabel("run_result")
        self.overfitting = OneLineLabel("run_overfitting", "muted")
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
        self._buttons.wraps = not compact
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
        self._overfitting_row = with_layout(
            QWidget(), hbox(self.overfitting, aligned(self.what_helps, TOP), FREE, spacing=4))
        self._buttons = Flow(self.generate, self.longer, self.send, self.hand_in)
        buttons = with_layout(HeightForWidth(), self._buttons)
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
    needed, free = size(made.predicted_bytes), size(made.free_bytes)
    if made.level == "too large":
        said = tr("Estimated memory for training: {needed}; free: {free}.", needed=needed, free=free)
        return joined(" ", said, tr(made.smaller_words))
    if made.seconds is None:
        return tr("Estimated memory for training: {needed} of {free} free.", needed=needed, free=free)
    return tr("Estimated for training: {needed} of {free} free memory, about {time}.",
              needed=needed, free=free, time=duration(made.seconds))


def sources(made: Forecast) -> str:
    return tr("Memory: {memory}.\nTime: {time}.", memory=tr(made.memory_from), time=tr(made.time_from))


def _and(parts: list[str]) -> str:
    return tr("{first} and {second}", first=parts[0], second=parts[1]) if len(parts) == 2 else parts[0]


FIGURES = ("loss", "training", "validation", "left")
"""Figures that are shown with all controls; without them, ``STAGE_FIGURES`` are shown next to the step counter."""
STAGE_FIGURES = ("loss", "left")
STAGE_WIDTH = 13
"""Width of ``STAGE_FIGURES``, in lines of text."""
VIEW_LINES = 27
"""Minimum width and height of the view of a run, in lines of text."""


class TrainTab(QWidget):
    """Page with the run that Start would begin, or the run that is shown; the training controller runs its commands."""

    def __init__(self, state: AppState, controller: TrainingController, actions: Actions) -> None:
        super().__init__()
        self._state, self._controller = state, controller
        self.text_plan, self.text_box = TextPlan(state, controller.text_check), TextBox(state)
        self.run_controls = RunControls(actions)
        self.start = self.run_controls.play
        self.outlook = ForecastLine(state)
        self.settings = TrainSettings(state)
        self._actions = actions
        self.view_place = Deferred(self._make_view, VIEW_LINES)
        self.figures = RunFigureRow(state, controller)
        self.next_step = NextStep(state, controller, actions, controller.first_sample)
        self.continuation = self.next_step.continuation
        self.writes_now = WritesNow(state, controller)
        self.outline = RunOutline(state, actions)
        self.notice = FewLines("train_notice", "notice")
        self.elsewhere = FewLines("elsewhere", "notice")
        self.settings.editors["learning_rate"].put_beside(actions.button("find_rate"))
        self._connect()
        self._lay_out()
        self.main_control = self.start
        self.show_state()

    @property
    def view(self) -> RunView:
        """View of the run, created on first use: its charts take half of the time until a window is painted."""
        return self.view_place.widget

    def _make_view(self) -> RunView:
        from gptstudio.gui.train.run_view import RunView

        view, actions = RunView(self._state, self._controller), self._actions
        view.offer(actions.button("start", "quiet", called="run_pane_start"))
        view.checkpoints.menu.addAction(actions["checkpoint_restore"])
        self.writes_now.text.passage_wanted.connect(view.samples.passage_wanted)
        return view

    @cached_property
    def rate_dialog(self) -> RateDialog:
        from gptstudio.gui.train.rate_dialog import RateDialog

        made = RateDialog(self, self._state, self._controller.rate_finder, self.settings.editors["learning_rate"])
        late.made.emit()
        return made

    def find_rate(self) -> None:
        self.rate_dialog.open_up()

    def leave(self) -> None:
        """Close the learning-rate finder, because the window is being closed."""
        if "rate_dialog" in vars(self):
            self.rate_dialog.reject()

    def show_state(self) -> None:
        """Update the schedule, the progress and the messages."""
        state, run, plan = self._state, self._state.run, self._plan()
        if state.running and run.spec and run.started:
            self.settings.schedule.show_schedule(run.spec, run.started.total_steps, run.learning_rate)
        elif state.spec:
            self.settings.schedule.show_schedule(state.spec, plan.total_steps if plan else 0)
        self._show_progress()
        self._show_messages()

    def _show_progress(self) -> None:
        run, plan = self._state.run, self._plan()
        self.run_controls.show_run(run, plan.total_steps if plan else 0)
        self.settings.schedule.show_place(run.last.step if self._state.running and run.last else None)

    def _show_messages(self) -> None:
        run = self._state.run
        full = self._state.all_controls
        notice = run.notice if full or not run.warns_of_overfitting else ""
        for shown, words in ((self.notice, (notice,)), (self.elsewhere, run.written_by)):
            text = joined(" ", *(tr(each) for each in words if each))
            if text != shown.text():
                shown.setText(text)
                self.messages.announce()
        trashed = self._state.trashed.get("checkpoint")
        self.restore.setVisible(
            trashed is not None and run.folder is not None and trashed.path.parent == run.folder.checkpoint_folder)
        self.noticed.setVisible(bool(self.notice.text()))
        self.text_plan.setVisible(full or self.text_plan.needs_attention)
        usual = full and not self.text_plan.recommends_vocabulary
        self.outlook.setVisible(self.outlook.has_words and (usual or self.outlook.needs_attention))
        self.outline.setVisible(not full and self.text_plan.isHidden() and self.outlook.isHidden())
        self.messages.refresh(full and self.next_step.is_needed)

    def _show_parts(self) -> None:
        """Show all controls, or only curves and samples."""
        full = self._state.all_controls
        self.settings_card.setVisible(full)
        self.writes_now.setVisible(not full)
        width = STAGE_WIDTH * self.fontMetrics().height()
        self.figures.setMinimumWidth(0 if full else width)
        self.figures.setMaximumWidth(UNLIMITED if full else width)
        self.figures.show_only(() if full and self.more_figures.isChecked() else FIGURES if full else STAGE_FIGURES)
        if full:
            cast(QHBoxLayout, self.figures_row.layout()).insertWidget(0, self.figures, 1)
        else:
            self.top.addWidget(self.figures)
        self.figures_row.setVisible(full)
        self.outline.show_all.setVisible(not full)
        self.view_place.if_made(lambda view: view.show_panes(full))
        self.next_step.use(compact=full)
        if full:
            self.messages.place.addWidget(self.next_step)
        else:
            self.view_place.if_made(lambda view: view.footer.addWidget(self.next_step))
        self._show_messages()

    def _plan(self) -> Plan | None:
        return self._state.text_check.plan if self._state.text_check else None

    def _connect(self) -> None:
        controller = self._controller
        controller.restarted.connect(self.show_state)
        controller.events_arrived.connect(self._follow)
        self._state.on(
            self.show_state, "run_state", "spec", "text_check", "run", "trashed", "continuation", "forecast",
            "measured", "download")
        self._state.on(self._show_parts, "all_controls")
        self.view_place.made.connect(self._show_parts)

    def _follow(self, events: list[object]) -> None:
        """Update progress and messages; update all else only for events other than steps and memory readings."""
        if all(isinstance(each, (StepDone, MemoryRead)) for each in events) and events:
            self._show_progress()
            self._show_messages()
        else:
            self.show_state()

    def _lay_out(self) -> None:
        self.restore = self._actions.button("checkpoint_restore", instead=self.start)
        self.noticed = with_layout(QWidget(), hbox(grows(self.notice), aligned(self.restore, TOP)))
        plan = with_layout(QWidget(), vbox(FREE, self.outline, self.text_plan, self.outlook, FREE, spacing=0))
        self.messages = MessageLine(plan, (self.noticed, self.elsewhere))
        self.messages.closed.connect(self._show_messages)
        self.more_figures = button(tr("More figures"), "more_figures", tr("Shows or hides four more figures"), "quiet")
        self.more_figures.setCheckable(True)
        self.more_figures.toggled.connect(self._show_parts)
        self.figures_row = with_layout(QWidget(), hbox(self.more_figures, spacing=8))
        self.top = hbox(grows(self.run_controls, 1), spacing=16)
        top = with_layout(QWidget(), self.top)
        messages = with_layout(QWidget(), hbox(grows(self.messages), self.outline.show_all, spacing=8))
        self.settings_scroll = scrolling(self.settings, "settings_scroll")
        self.settings_card = card(
            hbox(label(tr("Text"), "heading", buddy=self.text_box), grows(self.text_box)),
            hbox(grows(label(tr("Settings"), "heading")), copy_button(self._actions, "train_copy")),
            self.settings_scroll, name="settings_card")
        page = Reflow(self.view_place, self.settings_card, self.writes_now, stretch=(self.view_place, self.writes_now),
                      spacing=12, shares=(3, 0, 2))
        page.turned.connect(self.settings_scroll.set_scrolled_by_page)
        above = top, messages, self.figures_row
        with_layout(self, vbox(*above, grows(page), spacing=4, margins=(16, 8, 16, 8)))
        self.parts = *above, self.view_place, self.settings_card, self.writes_now
        self._show_parts()
