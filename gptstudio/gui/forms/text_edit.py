"""A field for a text of any length that stays quick: of what is pasted only so much is kept."""

from __future__ import annotations

from PySide6.QtCore import QMimeData, Signal
from PySide6.QtWidgets import QPlainTextEdit

from gptstudio.gui.translation import tr

LONGEST = 15_000
"""Characters: some 3,700 tokens. A single word of that length takes 20 ms to lay out, at each key again, on a slow
processor; one of 20,000 takes 36, one of 100,000 a second."""


class TextEdit(QPlainTextEdit):
    """Keeps the end of what is pasted or dropped: that is where a model continues."""

    shortened = Signal(int)
    """Emitted with the number of characters at the beginning of a pasted text that were left out."""

    def insertFromMimeData(self, source: QMimeData) -> None:
        text = source.text()
        kept = self.document().characterCount() - 1 - len(self.textCursor().selectedText())
        over = max(0, kept + len(text) - LONGEST)
        self.insertPlainText(text[over:])
        self.ensureCursorVisible()
        if over:
            self.shortened.emit(min(over, len(text)))


def too_long(count: int) -> str:
    """Return the message that ``count`` characters were left out."""
    return tr("This field holds up to {most} characters. Characters left out from the start of the pasted text: {n}.",
              most=f"{LONGEST:,}", n=f"{count:,}")
