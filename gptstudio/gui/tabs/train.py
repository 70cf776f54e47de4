"""The Train tab: text, settings, Start; and the run that came of it."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QComboBox, QFileDialog, QHBoxLayout, QSplitter, QVBoxLayout, QWidget

from gptstudio.gpt.config import GPTConfig
from gptstudio.gui.answers import Fetched, Fetching, TextLooked
from gptstudio.gui.panels.model import TrainingLoad
from gptstudio.gui.tabs.run_view import RunView
from gptstudio.gui.widgets.field import SpecEditor
from gptstudio.gui.widgets.parts import button, card, label, named, restyle, scrolling
from gptstudio.gui.words import size, tr
from gptstudio.runs.events import Ended, PhaseChanged
from gptstudio.runs.spec import TrainSpec
from gptstudio.runs.texts import NAMES, STORY, VERDICT

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
            self._take(message)
        self.view.apply(messages)

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
            if not self.paused:
                self.view.phase.setText(tr("Pausing after this step …"))  # which can take seconds
            self.pause_requested.emit(not self.paused)
        elif self.spec:
            self.begin(self.spec)
            self.start_requested.emit(self.spec)

    def _stop_pressed(self) -> None:
        self.view.phase.setText(tr("Stopping after this step …"))
        self.stop_requested.emit()

    def begin(self, spec: TrainSpec) -> None:
        """Empties the tab for a new run."""
        self.running, self.paused = True, False
        self.view.begin()
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

    # What the workers tell.

    def _take(self, message: Any) -> None:
        match message:
            case PhaseChanged():
                self.paused = message.phase == "paused"
                self._show_state()
            case Ended():
                self.running = self.paused = False
                self._show_state()
            case TextLooked() if message.ask == self._ask:
                self._looked, self._missing = message, message.missing
                self.settings.show_problems(list(message.problems))
                self._show_state()
            case Fetching() if self._missing:
                restyle(self.plan_line, role="muted")
                self.plan_line.setText(tr("Downloading The Verdict: {done}", done=size(message.done)))
            case Fetched():
                self.fetch.setEnabled(True)
                if not message.problem:
                    self.check()
                elif self._missing:
                    restyle(self.plan_line, role="problem")
                    self.plan_line.setText(message.problem)

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
        if not self.running:
            self._show_plan(reason)

    def _show_plan(self, reason: str) -> None:
        """What Start would do, or why it is off."""
        plan = self._looked.plan if self._looked else None
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
        restyle(self.plan_line, role="problem" if self._looked and not plan else "muted")

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
        self.stop_button.clicked.connect(self._stop_pressed)
        self.plan_line = label(role="muted", name="plan", wrap=True)
        self.missing = QWidget()
        self.fetch = button(tr("Download it"), "fetch_verdict")
        self.fetch.clicked.connect(self._fetch)
        self.use_story = button(tr("Use our story instead"), "use_story")
        self.use_story.clicked.connect(lambda: self.use_text(STORY))
        self.settings = SpecEditor(TrainSpec, "train")
        self.view = RunView()

    def _lay_out(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 14, 16, 14)
        layout.setSpacing(10)
        layout.addLayout(self._head())
        splitter = QSplitter()
        splitter.setChildrenCollapsible(False)
        splitter.setHandleWidth(12)
        splitter.addWidget(self.view)
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

    def _settings_card(self) -> QWidget:
        frame, inside = card("settings_card")
        inside.addWidget(label(tr("Settings"), "heading"))
        inside.addWidget(scrolling(self.settings, "settings_scroll"))
        return frame
