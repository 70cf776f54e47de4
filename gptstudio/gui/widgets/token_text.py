"""A text with a tint for each token, so that one sees where one ends and the next begins; hovering tells its id."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QSize
from PySide6.QtGui import QTextBlockFormat, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QFrame, QTextEdit

from gptstudio.gpt import tokenizer
from gptstudio.gui.theme import colour, theme
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.parts import named, plain

LINE_PERCENT = 140
LEAST_LINES = 5
TINTS = (("accent", 0.20), ("amber", 0.20))


class TokenText(QTextEdit):
    """Read only; flows like the text that it is."""

    def __init__(self, name: str) -> None:
        super().__init__()
        named(self, name, tr("The beginning of the text, token by token"))
        self._ids: Sequence[int] = ()
        self.setReadOnly(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.viewport().setAutoFillBackground(False)
        self.setTabChangesFocus(True)
        theme.changed.connect(self._write)

    def show_ids(self, ids: Sequence[int]) -> None:
        if tuple(ids) != tuple(self._ids):
            self._ids = ids
            self._write()

    def retranslate(self) -> None:
        """In another language: what is said of a token stands in the text itself."""
        self._write()

    def minimumSizeHint(self) -> QSize:
        return QSize(200, LEAST_LINES * self.fontMetrics().height() * LINE_PERCENT // 100)

    def _write(self) -> None:
        """Write the tokens again, since colours and font depend on the theme."""
        self.clear()
        cursor, line = QTextCursor(self.document()), QTextBlockFormat()
        line.setLineHeight(LINE_PERCENT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        cursor.setBlockFormat(line)
        for i, (shown, ids) in enumerate(characters(self._ids)):
            style = QTextCharFormat()
            style.setBackground(colour(*TINTS[i % 2]))
            style.setToolTip(plain(_tip(ids)))
            cursor.insertText(shown, style)
        self.moveCursor(QTextCursor.MoveOperation.Start)


def characters(ids: Sequence[int]) -> Iterator[tuple[str, list[int]]]:
    """The tokens as whole characters can show them: as a rule one by one, several where a character needs them all.

    Tokens at the end that begin a character and do not end it are left out.
    """
    taken: list[int] = []
    for token in ids:
        taken.append(token)
        data = b"".join(map(tokenizer.token_bytes, taken))
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            if error.reason == "unexpected end of data":
                continue
            text = data.decode("utf-8", errors="replace")
        yield visible_lines(text), taken
        taken = []


def visible_lines(text: str) -> str:
    """Blanks as they are, since the tint shows them; line ends as a sign, and a new line behind it."""
    return tokenizer.visible_text(text).replace("␣", " ").replace("↵", "↵\n")


def _tip(ids: Sequence[int]) -> str:
    if len(ids) == 1:
        return tr("{token}  ·  ID {id}", token=tokenizer.visible(ids[0]), id=f"{ids[0]:,}")
    return tr("one character in {n} tokens, IDs {ids}", n=len(ids), ids=", ".join(f"{each:,}" for each in ids))
