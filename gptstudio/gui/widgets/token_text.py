"""A text with a tint for each token, so that one sees where one ends and the next begins; hovering tells its id."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import cast

from PySide6.QtCore import QEvent, QSize
from PySide6.QtGui import QFont, QHelpEvent, QSyntaxHighlighter, QTextBlockFormat, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QFrame, QTextEdit, QToolTip

from gptstudio.gpt.tokenizer import GPT2, Tokenizer, visible_text
from gptstudio.gui.appearance import follow
from gptstudio.gui.theme import colour
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
        self.marked = (0, 0)
        """First character of the marked passage in the document, in UTF-16 units, and its end."""
        self._marked_ids = (0, 0)
        self._tokenizer: Tokenizer = GPT2
        self._tokens: list[list[int]] = []
        self._tints = Tints(self.document())
        self.setReadOnly(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.viewport().setAutoFillBackground(False)
        self.setTabChangesFocus(True)
        follow(self, self._tint)

    def show_ids(self, ids: Sequence[int], marked: tuple[int, int] = (0, 0), tokenizer: Tokenizer = GPT2) -> None:
        """Show these tokens; those from the first of ``marked`` up to the second are underlined, and brought into
        view."""
        if (tuple(ids), marked, tokenizer) == (tuple(self._ids), self._marked_ids, self._tokenizer):
            return
        self._ids, self._marked_ids, self._tokenizer = ids, marked, tokenizer
        shown = list(characters(ids, tokenizer))
        self._tokens = [taken for _, taken in shown]
        self._tints.bounds = list(accumulate((_units(text) for text, _ in shown), initial=0))
        counts = list(accumulate((len(taken) for taken in self._tokens), initial=0))
        places = (bisect_left(counts, each, hi=len(counts) - 1) for each in marked)
        self.marked = self._tints.marked = cast(tuple[int, int], tuple(self._tints.bounds[each] for each in places))
        self.clear()
        cursor, line = QTextCursor(self.document()), QTextBlockFormat()
        line.setLineHeight(LINE_PERCENT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        cursor.setBlockFormat(line)
        cursor.insertText("".join(text for text, _ in shown))
        self.moveCursor(QTextCursor.MoveOperation.Start)
        self._bring_into_view()

    def _bring_into_view(self) -> None:
        """Show the end of the marked passage, then its beginning, which matters more."""
        begin, end = self.marked
        for place in (end, begin) if end > begin else ():
            cursor = self.textCursor()
            cursor.setPosition(place)
            self.setTextCursor(cursor)
            self.ensureCursorVisible()

    def _tint(self) -> None:
        self._tints.rehighlight()

    def minimumSizeHint(self) -> QSize:
        return QSize(200, LEAST_LINES * self.fontMetrics().height() * LINE_PERCENT // 100)

    def event(self, event: QEvent) -> bool:
        if not isinstance(event, QHelpEvent) or event.type() != QEvent.Type.ToolTip or not self._tokens:
            return super().event(event)
        cursor = self.cursorForPosition(event.pos())
        at = cursor.position() - (not cursor.atBlockStart())  # the character before the cursor
        tokens = self._tokens[bisect_right(self._tints.bounds, at, hi=len(self._tokens)) - 1]
        QToolTip.showText(event.globalPos(), plain(_tip(tokens, self._tokenizer)), self)
        return True


class Tints(QSyntaxHighlighter):
    """Tints tokens in turn; ``bounds`` has the place of each in the document, in UTF-16 units, and the end. What is
    between those of ``marked`` is bold, underlined and in stronger tints."""

    bounds: Sequence[int] = (0,)
    marked: tuple[int, int] = (0, 0)

    def highlightBlock(self, _text: str) -> None:
        styles = [_style(name, alpha, marked=False) for name, alpha in TINTS]
        strong = [_style(name, 2 * alpha, marked=True) for name, alpha in TINTS]
        begin = self.currentBlock().position()
        end = begin + self.currentBlock().length() - 1
        for i in range(bisect_right(self.bounds, begin) - 1, bisect_left(self.bounds, end)):
            first, last = max(self.bounds[i], begin), min(self.bounds[i + 1], end)
            marked = self.marked[0] <= self.bounds[i] < self.marked[1]
            self.setFormat(first - begin, last - first, (strong if marked else styles)[i % 2])


def _style(name: str, alpha: float, marked: bool) -> QTextCharFormat:
    style = QTextCharFormat()
    style.setBackground(colour(name, alpha))
    if marked:
        style.setFontUnderline(True)
        style.setUnderlineColor(colour("amber"))
        style.setFontWeight(QFont.Weight.Bold)
    return style


def _units(text: str) -> int:
    """Return the length of a text as Qt counts it, in UTF-16 units."""
    return len(text.encode("utf-16-le")) // 2


def characters(ids: Sequence[int], tokenizer: Tokenizer = GPT2) -> Iterator[tuple[str, list[int]]]:
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
    return visible_text(text).replace("␣", " ").replace("↵", "↵\n")


def _tip(ids: Sequence[int], tokenizer: Tokenizer) -> str:
    if len(ids) == 1:
        return tr("{token}  ·  ID {id}", token=tokenizer.visible(ids[0]), id=f"{ids[0]:,}")
    return tr("one character in {n} tokens, IDs {ids}", n=len(ids), ids=", ".join(f"{each:,}" for each in ids))
