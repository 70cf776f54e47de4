"""The text to learn from: one of those that ship or can be fetched, or the user's own; and what a run makes of it."""

from __future__ import annotations

import os

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QFileDialog, QWidget

from gptstudio.app.derived import start_blocker
from gptstudio.app.state import AppState
from gptstudio.data.texts import NAMES, STORY, VERDICT
from gptstudio.gui.controllers.text_check import TextCheckController
from gptstudio.gui.translation import size, tr
from gptstudio.gui.widgets.layouts import FREE, LEFT, aligned, grows, hbox, holding, vbox
from gptstudio.gui.widgets.parts import button, label, named, plain, restyle
from gptstudio.training.corpus import Plan


class TextChoice(QWidget):
    """A box of texts, the plan of a run below it, and offers where the text is missing."""

    def __init__(self, state: AppState, controller: TextCheckController) -> None:
        super().__init__()
        self._state = state
        self._missing = False  # as the last check found it, so that the offers stay during the next one
        self.box = named(QComboBox(), "text", tr("Text"))
        for name in (VERDICT, STORY):
            self.box.addItem(tr(NAMES[name]), name)
        self.box.addItem(tr("Choose a file…"), "file")
        self.box.activated.connect(self._chosen)
        self.line = label(role="muted", name="plan", wrap=True)
        self.missing = QWidget()
        self.fetch = button(tr("Download"), "fetch_verdict")
        self.fetch.clicked.connect(controller.fetch_verdict)
        self.story = button(tr("Use the included story instead"), "use_story")
        self.story.clicked.connect(lambda: setattr(state, "texts", (STORY,)))
        self.shorter = button(tr("Use a shorter context"), "shorter_context")
        self.shorter.clicked.connect(self._use_shorter)
        self._lay_out()
        state.on(self._show_texts, "texts", "offered_texts")
        state.on(self.show_state, "config", "spec", "spec_problems", "text_check", "download", "run_state")
        self._show_texts()
        self.show_state()

    def show_state(self) -> None:
        """Show the plan, or the reason why nothing can be started; what is missing, and how to get it."""
        state, check = self._state, self._state.text_check
        if check:
            self._missing = check.missing
        self.box.setEnabled(not state.running)
        self.missing.setVisible(self._missing and not state.running)
        self.fetch.setEnabled(not state.download.busy)
        self._offer_shorter()
        if state.running:
            return
        if self._missing and state.download.busy and state.download.done_bytes:
            self._say(tr("Downloading The Verdict: {done}", done=size(state.download.done_bytes)))
        elif self._missing and state.download.problem:
            self._say(tr(state.download.problem), problem=True)
        elif check and check.plan:
            self._show_plan(check.plan)
        else:
            self._say(tr(start_blocker(state) or ""), problem=check is not None)

    def _show_texts(self) -> None:
        """Show the chosen texts; besides those that ship and those that are offered, the last others are kept."""
        texts, offered, fixed = self._state.texts, self._state.offered_texts, len(NAMES)
        for place, text in enumerate(offered, start=fixed):
            if self.box.findData(text) < 0:
                self.box.insertItem(place, os.path.basename(text), text)
                self.box.setItemData(place, plain(text), Qt.ItemDataRole.ToolTipRole)
        key, fixed = "\n".join(texts), fixed + len(offered)
        if self.box.findData(key) < 0:
            if self.box.count() > fixed + 1:
                self.box.removeItem(fixed)
            self.box.insertItem(fixed, texts[0] if len(texts) == 1 else tr("{n} texts", n=len(texts)), key)
        self.box.setCurrentIndex(self.box.findData(key))

    def _show_plan(self, plan: Plan) -> None:
        self._say(tr(
            "{tokens} training tokens, {val} validation tokens  ·  steps per epoch: {per}  ·  steps: {all}",
            tokens=f"{plan.train_tokens:,}", val=f"{plan.val_tokens:,}",
            per=f"{plan.steps_per_epoch:,}", all=f"{plan.total_steps:,}",
        ))

    def _offer_shorter(self) -> None:
        """Offer a shorter context length if the text is too short for this one only."""
        check = self._state.text_check
        context = check.fitting_context if check and not self._state.running else None
        self.shorter.setVisible(context is not None)
        if context:
            self.shorter.setText(tr("Use context length {n}", n=f"{context:,}"))
            self.shorter.setAccessibleName(self.shorter.text())

    def _use_shorter(self) -> None:
        check = self._state.text_check
        if check and check.fitting_context:
            self._state.config_values = {**self._state.config_values, "context_length": check.fitting_context}

    def _say(self, words: str, problem: bool = False) -> None:
        self.line.setText(words)
        restyle(self.line, role="problem" if problem else "muted")

    def _chosen(self, index: int) -> None:
        chosen = self.box.itemData(index)
        if chosen == "file":
            kinds = tr("Texts (*.txt *.md);;All (*)")
            path, _ = QFileDialog.getOpenFileName(self, tr("Open a training text"), "", kinds)
            chosen = path
        if chosen:
            self._state.texts = tuple(chosen.split("\n"))
        self._show_texts()  # the box may show the entry that asks for a file

    def _lay_out(self) -> None:
        caption = label(tr("Text"), "heading")
        caption.setBuddy(self.box)
        self.box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.box.setMinimumContentsLength(12)
        holding(self.missing, hbox(self.fetch, self.story, FREE))
        holding(self, vbox(
            hbox(caption, grows(self.box)), self.line, self.missing, aligned(self.shorter, LEFT), spacing=6))
