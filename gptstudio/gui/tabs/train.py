"""The Train tab: text, settings, Start; then the curves, the figures and the samples of a run."""

from __future__ import annotations

import math
from typing import Any

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QFileDialog,
    QHBoxLayout,
    QPlainTextEdit,
    QProgressBar,
    QSizePolicy,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from gptstudio.gpt.config import GPTConfig
from gptstudio.gui.answers import Fetched, Fetching, TextLooked
from gptstudio.gui.panels.model import TrainingLoad
from gptstudio.gui.widgets.field import SpecEditor
from gptstudio.gui.widgets.figures import Figures
from gptstudio.gui.widgets.loss_plot import LossPlot
from gptstudio.gui.widgets.parts import button, card, label, named, scrolling
from gptstudio.gui.words import duration, size, tr
from gptstudio.runs.events import (
    CheckpointSaved,
    Ended,
    Evaluated,
    MemoryRead,
    PhaseChanged,
    RunStarted,
    SampleWritten,
    StepDone,
    Warned,
)
from gptstudio.runs.spec import TrainSpec
from gptstudio.runs.texts import NAMES, STORY, VERDICT

PHASES = {
    "loading": "Loading", "preparing": "Preparing the model", "training": "Training", "evaluating": "Evaluating",
    "sampling": "Writing a sample", "saving": "Saving", "paused": "Paused",
}
LOOK_AFTER_MS = 200
"""How long the settings must rest before the text is looked at again."""


class TrainTab(QWidget):
    """Asks for a run and shows it. Fed by the same events whether they come from a worker or a journal."""

    start_requested = Signal(object)  # TrainSpec
    stop_requested = Signal()
    pause_requested = Signal(bool)  # True: pause, False: go on
    look_requested = Signal(object, int)  # TrainSpec, number of the ask
    fetch_requested = Signal()
    load_changed = Signal(object)  # TrainingLoad

    def __init__(self) -> None:
        super().__init__()
        self.config: GPTConfig | None = None
        self.device_key = "auto"
        self.device_bf16 = False
        self.running = self.paused = False
        self.spec: TrainSpec | None = None
        self._text = VERDICT
        self._ask = 0
        self._looked: TextLooked | None = None
        self._missing = False  # as the last look found it, so that the offers stay while the text is looked at again
        self._started: RunStarted | None = None
        self._recent: list[StepDone] = []
        self._make_controls()
        self._lay_out()
        self._rest = QTimer(self, interval=LOOK_AFTER_MS, singleShot=True)
        self._rest.timeout.connect(self._look)
        self.settings.set_values(TrainSpec())
        self.settings.changed.connect(self.check)

    # What the window tells.

    def set_config(self, config: GPTConfig | None) -> None:
        self.config = config
        self.check()

    def set_device(self, key: str, fast_bf16: bool) -> None:
        self.device_key, self.device_bf16 = key, fast_bf16
        self.check()

    def apply(self, messages: list[Any]) -> None:
        """Takes all that came since the last paint, and paints once."""
        for message in messages:
            self._apply_one(message)
        self.plot.refresh()
        if self._recent:
            self._show_progress(self._recent[-1])

    def leave(self) -> None:
        """The window is going: no text is looked at from here on."""
        self._rest.stop()

    @property
    def looked(self) -> bool:
        """Whether the text has been looked at for the settings as they are."""
        return self._looked is not None

    @property
    def total_steps(self) -> int:
        """Steps of the run that Start would start; 0 while that is not known."""
        return self._looked.plan.total_steps if self._looked and self._looked.plan else 0

    # What the user does.

    def check(self) -> None:
        """Makes a spec of what is typed, shows its problems, and asks for a look at the text."""
        values = self.settings.values() | {"text": self._text, "device": self.device_key}
        problems = TrainSpec.problems(values | ({"config": self.config} if self.config else {}))
        self.spec = None if problems or not self.config else TrainSpec.make(values, config=self.config)
        self.settings.show_problems(problems)
        self._looked = None
        self._ask += 1
        if self.spec:
            bf16 = self.spec.uses_bf16(self.device_bf16)
            self.load_changed.emit(TrainingLoad(self.spec.batch_size, self.spec.path, bf16))
            self._rest.start()
        self._show_state()

    def primary(self) -> None:
        """Start, or pause, or go on: whatever the large button says."""
        if self.start.isEnabled():
            self.start.click()

    def stop(self) -> None:
        if self.running:
            self.stop_button.click()

    def _pressed(self) -> None:
        if self.running:
            self.pause_requested.emit(not self.paused)
        elif self.spec:
            self.begin(self.spec)
            self.start_requested.emit(self.spec)

    def begin(self, spec: TrainSpec) -> None:
        """Empties the tab for a new run."""
        self.running, self.paused, self._started, self._recent = True, False, None, []
        self.plot.clear()
        self.samples.clear()
        self.notice.setText("")
        self.saved.setText("")
        self.figures.clear()
        self.progress.setValue(0)
        self.phase.setText(tr("Loading"))
        self._show_state()

    def _fetch(self) -> None:
        self.fetch.setEnabled(False)
        self.fetch_requested.emit()

    def _look(self) -> None:
        if self.spec:
            self.look_requested.emit(self.spec, self._ask)

    def _text_chosen(self, index: int) -> None:
        text = self.text_box.itemData(index)
        if text == "file":
            kinds = tr("Texts (*.txt *.md);;All (*)")
            path, _ = QFileDialog.getOpenFileName(self, tr("A text to learn from"), "", kinds)
            text = path or self._text
        self.use_text(text)

    def use_text(self, text: str) -> None:
        """Chooses ``verdict``, ``story`` or a file; of files, the box offers the last one."""
        if self.text_box.findData(text) < 0:
            if self.text_box.count() > len(NAMES) + 1:
                self.text_box.removeItem(len(NAMES))
            self.text_box.insertItem(len(NAMES), text, text)
        self._text = text
        self.text_box.setCurrentIndex(self.text_box.findData(text))
        self.check()

    # What the run tells.

    def _apply_one(self, message: Any) -> None:
        match message:
            case RunStarted():
                self._started = message
                per_epoch = message.steps_per_epoch * message.tokens_per_step
                self.plot.begin(per_epoch, message.total_steps * message.tokens_per_step)
                self.progress.setMaximum(message.total_steps)
            case StepDone():
                self.plot.add_step(message)
                self._recent = [*self._recent[-19:], message]
            case Evaluated():
                self.plot.add_evaluation(message)
                self.figures.show_values(
                    training=f"{message.train_loss:.3f}",
                    validation=f"{message.val_loss:.3f}",
                    perplexity=f"{math.exp(min(message.val_loss, 700)):,.0f}",
                )
            case SampleWritten():
                compact = " ".join(message.text.split("\n"))  # as the seeds print it
                self.samples.appendPlainText(tr("Epoch {n}", n=message.epoch) + "   " + compact)
            case PhaseChanged():
                self.paused = message.phase == "paused"
                self.phase.setText(tr(PHASES.get(message.phase, message.phase)))
                self._show_state()
            case MemoryRead():
                self.figures.show_values(memory=size(message.peak_bytes))
            case CheckpointSaved():
                self.saved.setText(tr("Saved after {n} steps", n=f"{message.step + 1:,}"))
            case Warned():
                self.notice.setText(tr(message.words))
            case Ended():
                self._end(message)
            case TextLooked() if message.ask == self._ask:
                self._looked, self._missing = message, message.missing
                self.settings.show_problems(list(message.problems))
                self._show_state()
            case Fetching() if self._missing:
                self.plan_line.setText(tr("Downloading The Verdict: {done}", done=size(message.done)))
            case Fetched():
                self.fetch.setEnabled(True)
                if not message.problem:
                    self.check()
                elif self._missing:
                    self.plan_line.setText(message.problem)

    def _end(self, ended: Ended) -> None:
        self.running = self.paused = False
        words = {"stopped": tr("Stopped.")}
        if self._recent:
            words = {
                "finished": tr("Finished. The model is kept; the Generate tab has it."),
                "stopped": tr("Stopped. The model is kept as it was; the Generate tab has it."),
            }
        self.phase.setText(words.get(ended.outcome, ""))
        if ended.outcome == "failed":
            self.notice.setText(tr(ended.words))
        self._show_state()

    def _show_progress(self, last: StepDone) -> None:
        started = self._started
        if not started:
            return
        self.progress.setValue(last.step + 1)
        speed = _tokens_per_second(self._recent)
        left = (started.total_steps - last.step - 1) * started.tokens_per_step
        self.figures.show_values(
            step=f"{last.step + 1:,} / {started.total_steps:,}",
            epoch=f"{last.epoch:,} / {-(-started.total_steps // started.steps_per_epoch):,}",
            loss=f"{last.loss:.3f}",
            speed=f"{speed:,.0f}" if speed else "–",
            left=duration(left / speed) if speed and self.running else "–",
            rate=f"{last.learning_rate:g}",
        )

    # What is shown.

    def _show_state(self) -> None:
        words = tr("Start")
        if self.running:
            words = tr("Continue") if self.paused else tr("Pause")
        self.start.setText(words)
        self.start.setAccessibleName(words)
        reason = "" if self.running else self._reason()
        self.start.setEnabled(not reason)
        self.start.setToolTip(reason or tr("Ctrl+Enter, or Space"))
        self.stop_button.setEnabled(self.running)
        self.settings.setEnabled(not self.running)
        self.text_box.setEnabled(not self.running)
        self.missing.setVisible(self._missing and not self.running)
        plan = self._looked.plan if self._looked else None
        if self.running:
            return
        if plan:
            self.plan_line.setText(
                tr(
                    "{tokens} tokens to learn from, {val} to test with  ·  {per} steps an epoch  ·  {all} steps",
                    tokens=f"{plan.train_tokens:,}", val=f"{plan.val_tokens:,}",
                    per=f"{plan.steps_per_epoch:,}", all=f"{plan.total_steps:,}",
                )
            )
        else:
            self.plan_line.setText(reason)
        self.plan_line.setProperty("role", "muted" if plan else "problem" if self._looked else "muted")
        self.plan_line.style().polish(self.plan_line)

    def _reason(self) -> str:
        """Why Start is off; empty when it is on."""
        if not self.config:
            return tr("The model has a problem: see the Model panel.")
        if not self.spec:
            problems = TrainSpec.problems(self.settings.values() | {"config": self.config})
            return tr(problems[0].words) if problems else tr("A setting has a problem.")
        if not self._looked:
            return tr("Looking at the text …")
        here = self.settings.editors
        return " ".join(
            tr("See the setting {name}.", name=tr(here[problem.field].view.label))
            if problem.field in here
            else tr(problem.words)
            for problem in self._looked.problems
        )

    def _make_controls(self) -> None:
        self.text_box = named(QComboBox(), "text", tr("Text"))
        for name in (VERDICT, STORY):
            self.text_box.addItem(tr(NAMES[name]), name)
        self.text_box.addItem(tr("Choose a file …"), "file")
        self.text_box.activated.connect(self._text_chosen)
        self.start = button(tr("Start"), "start", role="primary")
        self.start.clicked.connect(self._pressed)
        self.stop_button = button(tr("Stop"), "stop", tr("Ends the run and keeps the model (Esc)"))
        self.stop_button.clicked.connect(self.stop_requested)
        self.plan_line = label(role="muted", name="plan", wrap=True)
        self.missing = QWidget()
        self.fetch = button(tr("Download it"), "fetch_verdict")
        self.fetch.clicked.connect(self._fetch)
        self.use_story = button(tr("Use our story instead"), "use_story")
        self.use_story.clicked.connect(lambda: self.use_text(STORY))
        self.settings = SpecEditor(TrainSpec, "train")
        self.plot = LossPlot()
        self.figures = Figures(
            {
                "step": tr("Step"), "epoch": tr("Epoch"), "loss": tr("This step"), "training": tr("Training"),
                "validation": tr("Validation"), "perplexity": tr("Val. perplexity"), "speed": tr("Tokens/s"),
                "left": tr("Time left"), "rate": tr("Learning rate"), "memory": tr("Peak memory"),
            },
            "figure", columns=5,
        )
        self.progress = named(QProgressBar(), "progress", tr("Steps done"))
        self.progress.setTextVisible(False)
        self.phase = label(role="muted", name="phase")
        self.saved = label(role="muted", name="saved")
        self.notice = label(role="notice", name="train_notice", wrap=True)
        self.samples = named(QPlainTextEdit(), "samples", tr("What the model writes after each epoch"))
        self.samples.setReadOnly(True)
        self.samples.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
        self.samples.setMinimumHeight(70)
        self.samples.setPlaceholderText(tr("After each epoch the model writes a sample here."))

    def _lay_out(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 14, 16, 14)
        layout.setSpacing(10)
        layout.addLayout(self._head())
        splitter = QSplitter()
        splitter.setChildrenCollapsible(False)
        splitter.setHandleWidth(12)
        splitter.addWidget(self._pictures())
        splitter.addWidget(self._settings_card())
        splitter.setStretchFactor(0, 5)
        splitter.setStretchFactor(1, 0)
        splitter.setSizes([640, 270])
        layout.addWidget(splitter, 1)

    def _head(self) -> QVBoxLayout:
        head = QHBoxLayout()
        caption = label(tr("Text"), "heading")
        caption.setBuddy(self.text_box)
        self.text_box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.text_box.setMinimumContentsLength(12)
        head.addWidget(self.start)  # first, so that it is in sight at any text size
        head.addWidget(self.stop_button)
        head.addSpacing(12)
        head.addWidget(caption)
        head.addWidget(self.text_box, 1)
        offers = QHBoxLayout(self.missing)
        offers.setContentsMargins(0, 0, 0, 0)
        offers.addWidget(self.fetch)
        offers.addWidget(self.use_story)
        offers.addStretch(1)
        both = QVBoxLayout()
        both.addLayout(head)
        both.addWidget(self.plan_line)
        both.addWidget(self.missing)
        return both

    def _pictures(self) -> QWidget:
        left = QWidget()
        inside = QVBoxLayout(left)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(10)
        plot, plot_layout = card("plot_card")
        plot_layout.addWidget(self.plot, 1)
        inside.addWidget(plot, 5)
        numbers, numbers_layout = card("figures_card")
        state = QHBoxLayout()
        state.addWidget(self.phase)
        state.addStretch(1)
        state.addWidget(self.saved)
        numbers_layout.addWidget(self.progress)
        numbers_layout.addLayout(state)
        numbers_layout.addWidget(self.figures)
        numbers_layout.addWidget(self.notice)
        inside.addWidget(numbers)
        inside.addWidget(self.samples, 2)
        return left

    def _settings_card(self) -> QWidget:
        frame, inside = card("settings_card")
        inside.addWidget(label(tr("Settings"), "heading"))
        inside.addWidget(scrolling(self.settings, "settings_scroll"))
        return frame


def _tokens_per_second(recent: list[StepDone]) -> float:
    """Over the last steps; 0 where there are not two."""
    if len(recent) < 2:
        return 0.0
    first, last = recent[0], recent[-1]
    return (last.tokens_seen - first.tokens_seen) / max(last.elapsed_s - first.elapsed_s, 1e-9)


