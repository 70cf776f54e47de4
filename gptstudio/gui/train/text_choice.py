"""The text to learn from: one of those that ship or can be fetched, or the user's own; and what a run makes of it.

The text is looked at again whenever the settings have rested; the newest ask wins.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QComboBox, QFileDialog, QHBoxLayout, QVBoxLayout, QWidget

from gptstudio.data.texts import NAMES, STORY, VERDICT
from gptstudio.gui.answers import Fetched, Fetching, TextChecked
from gptstudio.gui.translation import size, tr
from gptstudio.gui.widgets.parts import button, label, named, plain, restyle
from gptstudio.training.corpus import Plan
from gptstudio.training.spec import TrainSpec

LOOK_AFTER_MS = 200
"""Milliseconds for which the settings must be unchanged before the text is checked again."""


class TextChoice(QWidget):
    """A box of texts, the plan of a run below it, and offers where the text is missing."""

    changed = Signal()
    check_requested = Signal(object, int)  # TrainSpec, number of the ask
    looked = Signal(object)  # the TextChecked that answers the last ask
    fetch_requested = Signal()
    context_wanted = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.texts: tuple[str, ...] = (VERDICT,)
        self.answer: TextChecked | None = None
        """Result for the current settings; None until it is available."""
        self._spec: TrainSpec | None = None
        self._request = self._offered = 0
        self._missing = False  # as the last look found it, so that the offers stay while the text is looked at again
        self._rest = QTimer(self, interval=LOOK_AFTER_MS, singleShot=True)
        self._rest.timeout.connect(self._look)
        self.box = named(QComboBox(), "text", tr("Text"))
        for name in (VERDICT, STORY):
            self.box.addItem(tr(NAMES[name]), name)
        self.box.addItem(tr("Choose a file…"), "file")
        self.box.activated.connect(self._chosen)
        self.line = label(role="muted", name="plan", wrap=True)
        self.missing = QWidget()
        self.fetch = button(tr("Download"), "fetch_verdict")
        self.fetch.clicked.connect(self._fetch)
        self.story = button(tr("Use the included story instead"), "use_story")
        self.story.clicked.connect(lambda: self.use(STORY))
        self.shorter = button(tr("Use a shorter context"), "shorter_context")
        self.shorter.clicked.connect(self._use_shorter)
        self._lay_out()

    def use(self, texts: str | Sequence[str]) -> None:
        """Chooses ``verdict``, ``story``, a file or several; of files, the box offers the last choice."""
        self.texts = (texts,) if isinstance(texts, str) else tuple(texts)
        key, fixed = "\n".join(self.texts), len(NAMES) + self._offered
        if self.box.findData(key) < 0:
            if self.box.count() > fixed + 1:
                self.box.removeItem(fixed)
            words = self.texts[0] if len(self.texts) == 1 else tr("{n} texts", n=len(self.texts))
            self.box.insertItem(fixed, words, key)
        self.box.setCurrentIndex(self.box.findData(key))
        self.changed.emit()

    def offer(self, texts: Sequence[str]) -> None:
        """Files that can be chosen besides the texts that ship."""
        for text in texts:
            if self.box.findData(text) < 0:
                place = len(NAMES) + self._offered
                self.box.insertItem(place, os.path.basename(text), text)
                self.box.setItemData(place, plain(text), Qt.ItemDataRole.ToolTipRole)
                self._offered += 1

    @property
    def plan(self) -> Plan | None:
        """Plan of the run that Start would begin; None if it is unknown or impossible."""
        return self.answer.plan if self.answer else None

    def consider(self, spec: TrainSpec | None) -> None:
        """The run that is asked for is another, or none that could be."""
        self._spec, self.answer = spec, None
        self._request += 1
        if spec:
            self._rest.start()

    def leave(self) -> None:
        """No text is looked at from here on."""
        self._rest.stop()

    def take(self, message: Any) -> None:
        match message:
            case TextChecked() if message.request == self._request:
                self.answer, self._missing = message, message.missing
                self.looked.emit(message)
            case Fetching() if self._missing:
                self._say(tr("Downloading The Verdict: {done}", done=size(message.done)))
            case Fetched():
                self.fetch.setEnabled(True)
                if not message.problem:
                    self.changed.emit()
                elif self._missing:
                    self._say(message.problem, problem=True)

    def show_state(self, running: bool, reason: str) -> None:
        """``reason``: why nothing can be started, in place of the plan."""
        self.box.setEnabled(not running)
        self.missing.setVisible(self._missing and not running)
        self._offer_shorter(running)
        if not running and self.plan:
            self._show_plan(self.plan)
        elif not running:
            self._say(reason, problem=self.answer is not None)

    def _show_plan(self, plan: Plan) -> None:
        self._say(
            tr(
                "{tokens} training tokens, {val} validation tokens  ·  steps per epoch: {per}  ·  steps: {all}",
                tokens=f"{plan.train_tokens:,}", val=f"{plan.val_tokens:,}",
                per=f"{plan.steps_per_epoch:,}", all=f"{plan.total_steps:,}",
            )
        )

    def _offer_shorter(self, running: bool) -> None:
        """Offer a shorter context length if the text is too short for this one only."""
        context = self.answer.fitting_context if self.answer and not running else None
        self.shorter.setVisible(context is not None)
        if context:
            self.shorter.setText(tr("Use context length {n}", n=f"{context:,}"))
            self.shorter.setAccessibleName(self.shorter.text())

    def _use_shorter(self) -> None:
        if self.answer and self.answer.fitting_context:
            self.context_wanted.emit(self.answer.fitting_context)

    def _say(self, words: str, problem: bool = False) -> None:
        self.line.setText(words)
        restyle(self.line, role="problem" if problem else "muted")

    def _look(self) -> None:
        if self._spec:
            self.check_requested.emit(self._spec, self._request)

    def _chosen(self, index: int) -> None:
        chosen = self.box.itemData(index)
        if chosen == "file":
            kinds = tr("Texts (*.txt *.md);;All (*)")
            path, _ = QFileDialog.getOpenFileName(self, tr("Open a training text"), "", kinds)
            self.use(path or self.texts)
        else:
            self.use(chosen.split("\n"))

    def _fetch(self) -> None:
        self.fetch.setEnabled(False)
        self.fetch_requested.emit()

    def _lay_out(self) -> None:
        caption = label(tr("Text"), "heading")
        caption.setBuddy(self.box)
        self.box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.box.setMinimumContentsLength(12)
        row = QHBoxLayout()
        row.addWidget(caption)
        row.addWidget(self.box, 1)
        offers = QHBoxLayout(self.missing)
        offers.setContentsMargins(0, 0, 0, 0)
        offers.addWidget(self.fetch)
        offers.addWidget(self.story)
        offers.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addLayout(row)
        layout.addWidget(self.line)
        layout.addWidget(self.missing)
        layout.addWidget(self.shorter, 0, Qt.AlignmentFlag.AlignLeft)
