"""Controls and figures of a run: Start or Pause, Step, Stop, Reset, its progress, losses, speed, time left and memory.

A line of constant height above the figures describes the run that Start would begin, or shows a message about the run.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QStackedLayout, QWidget

from gptstudio.app.shown_run import ShownRun, is_finished
from gptstudio.app.state import AppState
from gptstudio.data import texts
from gptstudio.gpt import sizing
from gptstudio.gui.actions import Actions
from gptstudio.gui.appearance import on_restyle
from gptstudio.gui.controllers.training import TrainingController
from gptstudio.gui.model_names import branch_words
from gptstudio.gui.translation import duration, joined, millions, size, tr
from gptstudio.gui.widgets.layouts import FREE, Reflow, aligned, grows, hbox, vbox, with_layout
from gptstudio.gui.widgets.parts import FigureRow, ProgressBar, button, label, plain, restyle
from gptstudio.gui.widgets.text_views import FewLines, line_height
from gptstudio.training.events import Evaluated, MemoryRead, RunStarted, StepDone
from gptstudio.training.spec import TrainSpec

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
        doing = hbox(self.phase, self.saved, FREE, spacing=12)
        progress = with_layout(QWidget(), vbox(count, doing, spacing=4))
        with_layout(self, vbox(Reflow(buttons, progress, stretch=(progress,), spacing=24), self.progress, spacing=8))

    def show_run(self, run: ShownRun, total_steps: int) -> None:
        """Show the progress of a run, its current phase and its last checkpoint. ``total_steps``: steps of the run that
        Start would begin, if none has started."""
        started, last = run.started, run.last
        done = last.step + 1 if last else started.first_step if started else 0
        total = started.total_steps if started else total_steps
        self.step_count.setText(f"{done:,}")
        words = [tr("of {all} steps", all=f"{total:,}")] if total else []
        if started and last and last.epoch:
            epochs = -(-started.total_steps // started.steps_per_epoch)
            words.append(tr("epoch {n} of {all}", n=f"{last.epoch:,}", all=f"{epochs:,}"))
        self.of.setText(joined("  ·  ", *words))
        self.of.setVisible(bool(words))
        self.progress.show_progress(done, max(1, total))
        self._show_parent(run)
        restyle(self.play, role="" if is_finished(run) else "primary")  # afterwards the next step is to generate
        for shown, text in ((self.phase, run.phase), (self.saved, run.saved or run.earlier)):
            shown.setText(tr(text) if text else "")

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
    """Return the layers, parameters and texts of a run."""
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
