"""The tokens of a text: its beginning, or those around a passage that a model has copied."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from gptstudio.app.tasks import TaskError
from gptstudio.app.text_tasks import FoundPassage, Passage, TextMeasured, TextRefused
from gptstudio.gui.controllers.library import LibraryController
from gptstudio.gui.forms.segments import Segments
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.layouts import TOP, aligned, card, grows, hbox, holding, vbox
from gptstudio.gui.widgets.parts import Notice, button, label
from gptstudio.gui.widgets.token_text import TokenText


class TextPreview(QWidget):
    """Card with the tokens. A passage stays until another text is selected, or the button leads back."""

    def __init__(self, library: LibraryController) -> None:
        super().__init__()
        self._library = library
        self._answer: TextMeasured | TextRefused | None = None
        self._looking = False
        self.passage: FoundPassage | None = None
        self.text = TokenText("texts_preview")
        self.title = label(role="heading", name="texts_preview_title", wrap=True)
        self.guess = label(role="notice", name="texts_guess", wrap=True)
        self.problem = Notice("texts_passage_problem")
        self.back = button(tr("Back to the beginning"), "texts_beginning", tr(
            "Shows the beginning of the text instead of the passage"), "quiet", self.leave_passage)
        self.vocabulary = Segments("texts_vocabulary", (
            tr("GPT-2"), tr("own, from this text"), tr("characters")), tr(
            "Vocabulary with which the text is shown: GPT-2's, one learned from this text, or its characters"))
        self.vocabulary.chosen.connect(self._show)
        self.counted = label(role="muted", name="texts_counted", wrap=True)
        head = hbox(grows(self.title), aligned(self.back, TOP))
        holding(self, vbox(card(
            head, self.guess, self.problem, self.vocabulary, self.counted, grows(self.text),
            name="texts_preview_card")))
        self._show()

    def show_text(self, name: str, answer: TextMeasured | TextRefused | None) -> None:
        """Show the beginning of the text of this name, unless a passage of it is shown."""
        self._answer = answer
        if self.passage and self.passage.name != name:
            self.passage = None
        self._show()

    def leave_passage(self) -> None:
        """Show the beginning again."""
        self.passage = None
        self.problem.setText("")
        self._show()

    def look_for(self, passage: Passage) -> None:
        """Find a passage and show it, or say why it cannot be shown."""
        self.passage, self._looking = None, True
        self.problem.setText("")
        self._show()
        self._library.find_passage(passage, self._fail)

    def show_passage(self, passage: FoundPassage) -> None:
        self.passage, self._looking = passage, False
        self._show()
        self.text.setFocus()

    def _fail(self, error: TaskError) -> None:
        self._looking = False
        self.problem.setText(tr(error.message))
        self._show()

    def _show(self) -> None:
        answer, passage = self._answer, self.passage
        self.back.setVisible(passage is not None)
        guess = answer.text.guess if isinstance(answer, TextMeasured) and not passage else ""
        self.guess.setText(tr(guess))
        self.guess.setVisible(bool(guess))
        compared = isinstance(answer, TextMeasured) and not passage
        self.vocabulary.setVisible(isinstance(answer, TextMeasured) and len(answer.under) > 1 and not passage)
        self.counted.setVisible(compared)
        if passage:
            self.title.setText(tr("Passage in {name}", name=tr(passage.title)))
            self.title.setToolTip(tr("Begins at character {n} of the text", n=f"{passage.before + 1:,}"))
            self.text.show_ids(passage.ids, (passage.first, passage.last), passage.tokenizer)
            return
        self.title.setToolTip("")
        if isinstance(answer, TextMeasured):
            shown = answer.under[self.vocabulary.index() if len(answer.under) > 1 else 0]
            self.text.show_ids(shown.first_ids, tokenizer=shown.tokenizer)
            self.counted.setText(tr(
                "Tokens: {tokens}  ·  unique: {unique}  ·  bytes per token: {ratio}", tokens=f"{shown.tokens:,}",
                unique=f"{shown.unique:,}", ratio=f"{answer.text.size / max(1, shown.tokens):.2f}"))
            self.title.setText(tr("{name}, token by token", name=answer.text.name))
        else:
            self.text.show_ids(())
            self.title.setText(tr("The beginning, token by token"))
        if self._looking:
            self.title.setText(tr("Looking for the passage…"))
