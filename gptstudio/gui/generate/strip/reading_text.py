"""A generated text as one reads it: plain lines, the prompt muted."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtGui import QTextBlockFormat, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QFrame, QTextEdit

from gptstudio.gpt import tokenizer
from gptstudio.gui.appearance import follow
from gptstudio.gui.theme import colour
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.parts import named

LINE_PERCENT = 150


class ReadingText(QTextEdit):
    """Read only; its text can be selected and copied."""

    def __init__(self) -> None:
        super().__init__()
        named(self, "reading_text", tr("The text, to be read"))
        self._ids: Sequence[int] = ()
        self._given = 0
        self.setReadOnly(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.viewport().setAutoFillBackground(False)
        self.setTabChangesFocus(True)
        follow(self, self._write)

    def show_ids(self, ids: Sequence[int], given: int) -> None:
        """Show these tokens, the first ``given`` of them the prompt's."""
        if (list(ids), given) != (self._ids, self._given):
            self._ids, self._given = list(ids), given
            self._write()

    def _write(self) -> None:
        place = self.verticalScrollBar().value()
        self.clear()
        cursor, line, paint = QTextCursor(self.document()), QTextBlockFormat(), QTextCharFormat()
        line.setLineHeight(LINE_PERCENT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        cursor.setBlockFormat(line)
        prompt = tokenizer.decode(self._ids[:self._given])
        for text, role in ((prompt, "muted"), (tokenizer.decode(self._ids).removeprefix(prompt), "text")):
            paint.setForeground(colour(role))
            cursor.insertText(text, paint)
        self.verticalScrollBar().setValue(place)
