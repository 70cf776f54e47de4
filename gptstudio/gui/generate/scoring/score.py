"""Any text, read by a model: how surprising each of its tokens is, and what that comes to."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from PySide6.QtWidgets import QFileDialog, QProgressBar, QWidget

from gptstudio.app import requests
from gptstudio.app.state import AppState
from gptstudio.data import texts
from gptstudio.errors import UserError, text_of
from gptstudio.gui.controllers.generation import GenerationController
from gptstudio.gui.forms.text_edit import TextEdit, too_long
from gptstudio.gui.generate.scoring.score_result import ScoreResult
from gptstudio.gui.locks import held
from gptstudio.gui.model_names import display_name
from gptstudio.gui.translation import joined, tr
from gptstudio.gui.widgets.drop import FileDrop
from gptstudio.gui.widgets.flow import Flow
from gptstudio.gui.widgets.layouts import card, grows, holding, stacked, vbox
from gptstudio.gui.widgets.parts import Notice, button, label, named, permit, scrolling
from gptstudio.i18n import message
from gptstudio.training.events import Ended, Event, PhaseChanged, PromptRead, TokenRead, Warned
from gptstudio.training.executor import in_words

LONGEST = 400_000
"""Maximum number of characters of a text, about 100,000 tokens: in a longer one no token is found by eye."""
MOST_BYTES = 4
"""Of a character, in any encoding."""

USE = message(
    "How surprising is a text to a model? The surprisal of each token is counted in bits: 0 if the model was certain "
    "of it, 1 if it was as likely as heads or tails, and 1 more each time the probability halves. A model trained on "
    "similar texts is surprised less.")


class Score(QWidget):
    """Asks for a text to be read, and shows the tokens as they come. One page to type it, one for what came of it."""

    def __init__(self, state: AppState, controller: GenerationController) -> None:
        super().__init__()
        self._state, self._controller = state, controller
        self._model: requests.Model | None = None
        self._name = ""
        self._request: requests.Score | None = None  # the last
        self._reading: PromptRead | None = None  # what is being read, and by whom
        self._phase = ""  # in words, until it is read
        self._offered = ""
        self._make_controls()
        self._connect()
        self._lay_out()
        self._show_text()
        self._show_state()

    @property
    def running(self) -> bool:
        return bool(self._state.generating == "score")

    @property
    def text(self) -> str:
        """Text as typed, with non-breaking spaces: QPlainTextEdit's own text replaces them by spaces."""
        return self.editor.document().toRawText().replace("\u2029", "\n")

    def set_model(self, model: requests.Model | None, name: str) -> None:
        """The model that would read the text; None where there is none."""
        self._model, self._name = model, name
        self._show_state()

    def offer(self, text: str) -> None:
        """The text that was written last, to be taken; empty if there is none."""
        self._offered = text
        self._show_state()

    def _take_events(self, events: Sequence[Event]) -> None:
        for event in events:
            self._take(event)
        self.result.add([event for event in events if isinstance(event, TokenRead)])
        if not self.running:
            self.result.settle()
        self._show_state()

    def show_whole(self, whole: bool) -> None:
        """Set whether the page scrolls as a whole, so that this view need not."""
        self.result_page.show_whole(whole)

    def open(self, path: str) -> None:
        """Put the text of a file in the place of what was typed."""
        try:
            if os.path.isfile(path) and os.path.getsize(path) > MOST_BYTES * LONGEST:
                raise texts.TextError(_too_long())
            self._edit(texts.read(path).content)
        except texts.TextError as error:
            self.notice.setText(tr(in_words(error)))

    def _pressed(self) -> None:
        if self.running:
            self._controller.stop()
            return
        text = self.text
        if len(text) > LONGEST:
            self.notice.setText(_too_long())
        elif self._model:
            self._begin(requests.Score(self._model, text))

    def _begin(self, request: requests.Score) -> None:
        try:
            tokenizer = request.model.tokenizer
        except UserError as error:
            self.notice.setText(tr(text_of(error)))
            return
        self._request, self._reading, self._phase = request, None, tr("Waiting for the model…")
        self.result.begin(tokenizer)
        self.notice.setText("")
        self.pages.setCurrentWidget(self.result_page)
        self.go.setFocus()
        self._controller.score(request, self._take_events)
        self._show_state()

    def _edit(self, text: str | None = None) -> None:
        """Back to the text, or to another."""
        if text is not None:
            self.editor.setPlainText(text)
        self.notice.setText("")
        self.pages.setCurrentWidget(self.text_page)
        self.editor.setFocus()
        self._show_state()

    def _keep_text(self) -> None:
        self._state.scored_text = self.text
        self._show_state()

    def _show_text(self) -> None:
        if self.text != self._state.scored_text:
            self.editor.setPlainText(self._state.scored_text)

    def _choose_file(self) -> None:
        path, _ = QFileDialog.getOpenFileName(self, tr("Open a text to score"), "", tr("Texts (*.txt *.md);;All (*)"))
        if path:
            self.open(path)

    def _take(self, event: Any) -> None:
        match event:
            case PhaseChanged(phase="loading"):
                self._phase = tr("Loading the model…")
            case PromptRead():
                self._reading = event
                self.result.expect([piece.id for piece in event.pieces])
            case Warned():
                self.notice.note(tr(event.message))
            case Ended():
                self._end(event)

    def _end(self, end: Ended) -> None:
        if end.outcome == "failed":
            self.notice.setText(tr(end.message))
        if not self._reading:
            self._request = None
            self.pages.setCurrentWidget(self.text_page)

    def _show_state(self) -> None:
        shown, count = self.pages.currentWidget() is self.result_page, len(self._reading.pieces) if self._reading else 0
        self.progress.setVisible(self.running)
        self.progress.setRange(0, count)  # 0 to 0 moves to and fro
        self.progress.setValue(self.result.count)
        model = tr("Model: {name}", name=self._name) if self._name else ""
        self.state.setText(self._in_words(count) if shown else model)
        self.edit.setVisible(shown)
        self.show_score.setVisible(not shown and self.result.count > 0)
        self.written.setVisible(bool(self._offered))
        for each in (self.edit, self.file, self.written):
            permit(each, tr("The text is being scored. Stop it first.") if self.running else "")
        self._show_go(shown)

    def _in_words(self, count: int) -> str:
        if self._reading is None:
            return tr(self._phase)
        done = self.result.count
        model = display_name(self._reading.model)
        values = {"model": model, "done": f"{done:,}", "all": f"{count:,}", "name": self._name}
        if self.running:
            return tr("Scoring with {model}: {done} of {all} tokens", **values)
        whole = tr("Scored by {model}.", **values)
        if self._reading.stride:
            whole = joined(" ", whole, tr("Windows of {context} tokens, stride {stride}.",
                                          context=f"{self._reading.context:,}", stride=f"{self._reading.stride:,}"))
        words = whole if done == count else tr("Scored by {model}, up to token {done} of {all}.", **values)
        another = self._request and self._model and self._request.model != self._model
        return tr("{words} Selected now: {name}.", words=words, **values) if another else words

    def _show_go(self, shown: bool) -> None:
        self.go.setText(tr("Stop") if self.running else tr("Score again") if shown else tr("Score"))
        self.go.setAccessibleName(self.go.text())
        reason = ""
        if not self.running and not self._model:
            reason = tr("Choose a model first.")
        elif not self.running and self.editor.document().isEmpty():
            reason = tr("Enter a text first.")
        permit(self.go, reason, tr("Ctrl+Enter"))

    def _make_controls(self) -> None:
        self.go = button(tr("Score"), "score", role="primary", do=self._pressed)
        self.file = button(tr("Open a file…"), "score_file", tr("Or drop a .txt file here"), do=self._choose_file)
        self.written = button(tr("Use the generated text"), "score_written", tr(
            "The text that the model generated last"), do=lambda: self._edit(self._offered))
        self.edit = button(tr("Edit text"), "score_edit", tr(
            "Returns to the text so that you can change it or paste another"), do=lambda: self._edit())
        self.show_score = button(tr("Show last score"), "score_show", role="quiet", do=self._show_last)
        self.state, self.notice = Notice("score_state", "muted"), Notice("score_notice")
        self.progress = named(QProgressBar(), "score_progress", tr("Scoring progress"))
        self.progress.setTextVisible(False)
        self.editor = named(TextEdit(), "score_text", tr("Text to score"))
        self.editor.setPlaceholderText(tr("Paste or type any text, or drop a .txt file."))
        self.editor.setTabChangesFocus(True)
        self.result = ScoreResult()
        for widget in (self.editor.viewport(), self):
            FileDrop(widget, lambda files: None if self.running or held(self.file) else self.open(files[0]))

    def _connect(self) -> None:
        self.editor.textChanged.connect(self._keep_text)
        self._state.on(self._show_text, "scored_text")
        self.editor.shortened.connect(lambda count: self.notice.setText(too_long(count)))
        self.result.menu.failed.connect(self.notice.setText)
        self.result.worst.chosen.connect(lambda: self.result_page.ensureWidgetVisible(self.result.text_card))

    def _show_last(self) -> None:
        self.pages.setCurrentWidget(self.result_page)
        self._show_state()

    def _lay_out(self) -> None:
        buttons = Flow(self.go, self.edit, self.file, self.written, self.show_score)
        head = card(buttons, self.state, self.progress, self.notice, name="score_head")
        self.text_page = card(label(tr(USE), "muted", wrap=True), grows(self.editor), name="score_page")
        self.result_page = scrolling(self.result, "score_result_page")
        self.pages = stacked(self.text_page, self.result_page)
        holding(self, vbox(head, grows(self.pages), spacing=8))


def _too_long() -> str:
    return tr(
        "The text has more than {n} characters, the most that can be shown here. Use a part of it, or score the whole "
        "text in a terminal:  gptstudio score FILE", n=f"{LONGEST:,}")
