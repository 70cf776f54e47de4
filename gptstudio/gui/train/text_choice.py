"""Choice of the training text, included, downloadable or the user's own, and the plan of a run on it."""

from __future__ import annotations

import os

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QWidget

from gptstudio.app.derived import is_of_the_run, start_blocker
from gptstudio.app.state import AppState
from gptstudio.data.texts import NAMES, PROMPTS, STORY
from gptstudio.gpt.config import USUAL_SIZES, Vocabulary
from gptstudio.gui.controllers.preparation import TextCheckController
from gptstudio.gui.translation import size, tr
from gptstudio.gui.widgets.layouts import grows, hbox, vbox, with_layout
from gptstudio.gui.widgets.parts import ChoiceBox, button, named, plain, restyle, set_blocker
from gptstudio.gui.widgets.text_views import FewLines
from gptstudio.training.spec import TrainSpec

FEW_BYTES = 3
"""Bytes per token of GPT-2's vocabulary below which one learned from the text is recommended; English has 4."""
FEWEST_BYTES = 1.6
"""Bytes per token of GPT-2's vocabulary below which one of characters is recommended; Chinese has 1.4, Russian 1.7."""


class TextBox(ChoiceBox):
    """Combo box of the training texts."""

    def __init__(self, state: AppState) -> None:
        super().__init__(letters=12)
        self._state = state
        named(self, "text", tr("Text"))
        for name, words in NAMES.items():
            self.addItem(tr(words), name)
        self.addItem(tr("Choose a file…"), "file")
        self.activated.connect(self._choose)
        state.on(self._show, "texts", "offered_texts")
        state.on(self._show, "run_state")
        self._show()

    def _show(self) -> None:
        """Show the chosen texts. Besides the included and the offered texts, only the last other choice is kept."""
        texts, offered, fixed = self._state.texts, self._state.offered_texts, len(NAMES)
        for place, text in enumerate(offered, start=fixed):
            if self.findData(text) < 0:
                self.insertItem(place, os.path.basename(text), text)
                self.setItemData(place, plain(text), Qt.ItemDataRole.ToolTipRole)
        key, fixed = "\n".join(texts), fixed + len(offered)
        if self.findData(key) < 0:
            if self.count() > fixed + 1:
                self.removeItem(fixed)
            self.insertItem(fixed, texts[0] if len(texts) == 1 else tr("{n} texts", n=len(texts)), key)
        self.setCurrentIndex(self.findData(key))
        set_blocker(self, tr("The text cannot be changed during a run. Stop it first.") if self._state.running else "",
               plain(self.currentText()))

    def _choose(self, index: int) -> None:
        chosen = self.itemData(index)
        if chosen == "file":
            kinds = tr("Texts (*.txt *.md);;All (*)")
            chosen, _ = QFileDialog.getOpenFileName(self, tr("Open a training text"), "", kinds)
        if chosen:
            self._state.texts = tuple(chosen.split("\n"))
        self._show()  # the current entry may be "Choose a file…"


class TextPlan(QWidget):
    """Tokens and steps of a run on the chosen texts, with offers such as a download where one is needed."""

    def __init__(self, state: AppState, controller: TextCheckController) -> None:
        super().__init__()
        self._state = state
        self._missing = self._unusable = False  # results of the last check, so that the offers stay during the next one
        self.line = FewLines("plan")
        self.instead = QWidget()
        self.fetch = button(tr("Download"), "fetch_verdict", do=controller.fetch_verdict)
        self.story = button(
            tr("Use the included story instead"), "use_story", do=lambda: setattr(state, "texts", (STORY,)))
        self.shorter = button(tr("Use a shorter context"), "shorter_context", do=self._use_shorter)
        self.hint = FewLines("vocabulary_hint")
        self.own = button(tr("Use this vocabulary"), "use_own_vocabulary", do=self._use_own_vocabulary)
        self._recommended: Vocabulary = "own"
        with_layout(self.instead, hbox(self.fetch, self.story))
        words = vbox(self.line, self.hint, spacing=0)
        with_layout(self, hbox(grows(words), self.instead, self.shorter, self.own, spacing=12))
        state.on(self.show_state, "config", "spec", "spec_problems", "text_check", "download", "run_state")
        self.show_state()

    @property
    def needs_attention(self) -> bool:
        """True if there is a reason that prevents a start, or a recommendation, for the user to see."""
        return self.line.property("role") == "problem" or not self.instead.isHidden() or self.recommends_vocabulary

    @property
    def recommends_vocabulary(self) -> bool:
        """True if a vocabulary other than GPT-2's is recommended for the text."""
        return not self.own.isHidden()

    def show_state(self) -> None:
        """Show the plan, or the reason why nothing can be started, with buttons for another text."""
        state, check = self._state, self._state.text_check
        if check:
            self._missing = check.missing
            self._unusable = any(problem.field == "text" for problem in check.problems)
        self.instead.setVisible(self._unusable and not state.running)
        self.fetch.setVisible(self._missing)
        set_blocker(self.fetch, tr("The text is being downloaded.") if state.download.busy else "")
        self._offer_shorter()
        self._offer_own_vocabulary()
        if state.running and not (check and check.plan and is_of_the_run(state)):
            return  # the line is about the run, not about settings for the next one
        if self._missing and state.download.busy and state.download.done_bytes:
            self._say(tr("Downloading The Verdict: {done}", done=size(state.download.done_bytes)))
        elif self._missing and state.download.problem:
            self._say(tr(state.download.problem), problem=True)
        elif check and check.plan:
            plan = check.plan
            self._say(tr(
                "{tokens} training tokens, {val} validation tokens  ·  steps per epoch: {per}  ·  steps: {all}",
                tokens=f"{plan.train_tokens:,}", val=f"{plan.val_tokens:,}", per=f"{plan.steps_per_epoch:,}",
                all=f"{plan.total_steps:,}"))
            self.line.setVisible(not self.recommends_vocabulary)  # the recommendation needs the space
        else:
            self._say(tr(start_blocker(state) or ""), problem=check is not None)

    def _offer_shorter(self) -> None:
        """Offer a shorter context length if the text is too short for the chosen one only."""
        check = self._state.text_check
        context = check.fitting_context if check and not self._state.running else None
        self.shorter.setVisible(context is not None)
        if context:
            self.shorter.setText(tr("Use context length {n}", n=f"{context:,}"))

    def _use_shorter(self) -> None:
        check = self._state.text_check
        if check and check.fitting_context:
            self._state.config_values = {**self._state.config_values, "context_length": check.fitting_context}

    def _offer_own_vocabulary(self) -> None:
        """Recommend a vocabulary made from the text if GPT-2's tokens are short in this text, as in Chinese."""
        spec, check = self._state.spec, self._state.text_check
        found = check.bytes_per_token if check and spec and not self._state.running else 0
        fits = not found or found >= FEW_BYTES or spec is None or spec.config.vocabulary != "gpt2" or spec.init_from
        self.own.setVisible(not fits)
        self._recommended = "characters" if found < FEWEST_BYTES else "own"
        kind = tr("one of the text's characters") if found < FEWEST_BYTES else tr("one learned from the text")
        self.hint.setText("" if fits else tr(
            "GPT-2's vocabulary was made from English. In this text its tokens have {n} bytes on average, in English "
            "about 4. A better choice is {kind}.", n=f"{found:.2f}", kind=kind))

    def _use_own_vocabulary(self) -> None:
        own = {"vocabulary": self._recommended, "vocab_size": USUAL_SIZES[self._recommended]}
        self._state.config_values = {**self._state.config_values, **own}
        values, prompt = self._state.train_values, PROMPTS.get(self._state.texts[0])
        if prompt and values["sample_prompt"] == TrainSpec().sample_prompt:  # the default one may have unknown letters
            self._state.train_values = {**values, "sample_prompt": prompt}

    def _say(self, words: str, problem: bool = False) -> None:
        self.line.setText(words)
        restyle(self.line, role="problem" if problem else "muted")
