"""Controls of what the first layer reads: the order of the positions, and the embedding of the chosen token."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QCheckBox, QLineEdit, QWidget

from gptstudio.errors import UserError, text_of
from gptstudio.gpt.tokenizer import GPT2, Tokenizer, visible_text
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.layouts import grows, hbox, holding, vbox
from gptstudio.gui.widgets.parts import Notice, button, label, named, permit
from gptstudio.inference.interventions import (
    NO_INTERVENTIONS,
    Interventions,
    PermutedPositions,
    ReplacedEmbedding,
)


class InputControls(QWidget):
    """Emits the changes with other positions or embeddings."""

    intervened = Signal(object, bool)

    def __init__(self) -> None:
        super().__init__()
        self._interventions = NO_INTERVENTIONS
        self._ids: tuple[int, ...] = ()
        self._cursor: int | None = None
        self._tokenizer: Tokenizer = GPT2
        self._make_controls()
        holding(self, vbox(
            self.permute, hbox(self.replaced, grows(self.word), self.restore, spacing=8), self.notice, spacing=8))

    @property
    def changes_input(self) -> bool:
        """True if positions or embeddings are changed."""
        return any(isinstance(each, PermutedPositions | ReplacedEmbedding) for each in self._interventions.changes)

    def show_text(
        self, ids: tuple[int, ...], cursor: int | None, interventions: Interventions, tokenizer: Tokenizer
    ) -> None:
        """Show the changes of the input of this text. ``cursor``: position of the chosen token."""
        self._interventions, self._ids, self._cursor, self._tokenizer = interventions, ids, cursor, tokenizer
        with QSignalBlocker(self.permute):
            self.permute.setChecked(any(isinstance(each, PermutedPositions) for each in interventions.changes))
        here = next((each for each in interventions.changes
                     if isinstance(each, ReplacedEmbedding) and each.position == cursor), None)
        chosen = tokenizer.visible(ids[cursor]) if cursor is not None and cursor < len(ids) else ""
        self.replaced.setText(tr("Read “{token}” as", token=chosen) if chosen else tr("Read the chosen token as"))
        if not self.word.hasFocus():
            self.word.setText(tokenizer.decode([here.token]) if here else "")
        permit(self.word, "" if chosen else tr("Select a token first."))
        self.restore.setVisible(here is not None)

    def _permute(self, on: bool) -> None:
        change = PermutedPositions(count=len(self._ids), seed=0)
        made = self._interventions.having(change) if on else self._interventions.without(("positions",))
        self.intervened.emit(made, True)

    def _replace(self) -> None:
        try:
            ids = self._tokenizer.encode(self.word.text())
        except UserError as error:
            self.notice.setText(tr(text_of(error)))
            return
        self.notice.setText("")
        if self._cursor is None or not ids:
            return
        if len(ids) > 1:
            self.notice.setText(tr(
                "“{word}” consists of {n} tokens. Give a single one, with the space before it where it begins a word.",
                word=visible_text(self.word.text()), n=len(ids)))
            return
        self.intervened.emit(
            self._interventions.having(ReplacedEmbedding(position=self._cursor, token=ids[0])), True)

    def _restore(self) -> None:
        self.word.clear()
        self.intervened.emit(self._interventions.without(("embedding", self._cursor)), True)

    def _make_controls(self) -> None:
        self.permute = named(QCheckBox(tr("Shuffle the positions")), "what_if_permute", tr("Shuffle the positions"))
        self.permute.setToolTip(tr(
            "Gives the position embeddings of the tokens in another order, always the same one: shows what the model "
            "uses positions for"))
        self.permute.toggled.connect(self._permute)
        self.word = named(QLineEdit(), "what_if_word", tr("Token to read instead"))
        self.word.setPlaceholderText(tr("another token, then Enter"))
        self.word.setToolTip(tr(
            "The model reads the embedding of this token at the chosen position; the text stays as it is"))
        self.word.returnPressed.connect(self._replace)
        self.replaced = label("", buddy=self.word)
        self.restore = button(tr("As it is"), "what_if_restore", tr("Reads the token itself again"), "quiet",
                              self._restore)
        self.notice = Notice("what_if_word_notice")
