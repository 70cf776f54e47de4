"""Views of a text: plain text to read, a label that is elided, and a text with a tint for each token."""

from __future__ import annotations

import math
import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Sequence
from functools import partial
from itertools import accumulate, pairwise
from typing import cast

from PySide6.QtCore import QEvent, QPointF, QSize, Qt
from PySide6.QtGui import (
    QFont,
    QHelpEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QSyntaxHighlighter,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QSizePolicy, QTextEdit, QToolTip

from gptstudio.gpt.tokenizer import GPT2, Tokenizer, visible_text
from gptstudio.gui.appearance import on_restyle
from gptstudio.gui.theme import colour
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.parts import Notice, named, plain


def mark_copied(style: QTextCharFormat) -> None:
    """Add the underline and tint of copied text to a format."""
    style.setUnderlineStyle(QTextCharFormat.UnderlineStyle.SingleUnderline)
    style.setUnderlineColor(colour("amber"))
    style.setBackground(colour("amber", 0.16))


LINE_END = re.compile("\r\n|[\r\u2028\u2029]")
"""Characters for which an editor has a line feed."""


def typed_text(editor: QPlainTextEdit) -> str:
    """Return the text of an editor as typed; QPlainTextEdit's own has spaces for no-break spaces."""
    return LINE_END.sub("\n", editor.document().toRawText())


class ReadOnlyText(QTextEdit):
    """Text that can be selected and copied, without a frame and a background; Tab leaves it."""

    def __init__(self, name: str, accessible: str) -> None:
        super().__init__()
        named(self, name, accessible)
        self._tokenizer: Tokenizer = GPT2
        self.setReadOnly(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.viewport().setAutoFillBackground(False)
        self.setTabChangesFocus(True)

    def emptied(self, line_percent: int = 100) -> QTextCursor:
        """Empty the text, and return a cursor to write it anew. ``line_percent``: height of its lines."""
        self.clear()
        cursor, line = QTextCursor(self.document()), QTextBlockFormat()
        line.setLineHeight(line_percent, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        cursor.setBlockFormat(line)
        return cursor


LINE_PERCENT = 150


class SelectableText(ReadOnlyText):
    """View of a generated text."""

    def __init__(self) -> None:
        super().__init__("reading_text", tr("The text, to be read"))
        self._ids: Sequence[int] = ()
        self._given = 0
        self._copied: Collection[int] = ()
        on_restyle(self, self._write)

    def show_ids(
        self, ids: Sequence[int], given: int, copied: Collection[int] = (), tokenizer: Tokenizer = GPT2
    ) -> None:
        """Show these tokens: the first ``given`` belong to the prompt, and the positions ``copied`` are underlined."""
        shown = list(ids), given, set(copied), tokenizer
        if shown != (self._ids, self._given, self._copied, self._tokenizer):
            self._ids, self._given, self._copied, self._tokenizer = shown
            self._write()

    def _pieces(self) -> Iterator[tuple[str, bool, bool]]:
        """Yield pieces of the text, with whether they belong to the prompt and whether they are copied. An incomplete
        character at the end is left out."""
        here = [(place < self._given, place in self._copied) for place in range(len(self._ids))]
        ends = [place + 1 for place in range(len(here)) if here[place : place + 1] != here[place + 1 : place + 2]]
        decode = partial(self._tokenizer.decode, final=False)
        text = decode(self._ids)
        cuts = [0, *(len(decode(self._ids[:end])) for end in ends[:-1]), len(text)]
        for end, (start, stop) in zip(ends, pairwise(cuts), strict=False):
            yield text[start:stop], *here[end - 1]

    def _write(self) -> None:
        place = self.verticalScrollBar().value()
        cursor = self.emptied(LINE_PERCENT)
        for text, is_prompt, is_copied in self._pieces():
            paint = QTextCharFormat()
            paint.setForeground(colour("muted" if is_prompt else "text"))
            if is_copied:
                mark_copied(paint)
            cursor.insertText(text, paint)
        self.verticalScrollBar().setValue(place)


LEAST = 6
"""Minimum width, in line heights."""


class FewLines(Notice):
    """Label with as many lines of its text as fit, at most ``lines``; hidden while it is empty. A screen reader reads
    the whole text."""

    def __init__(self, name: str, role: str = "muted", lines: int = 2) -> None:
        super().__init__(name, role)
        self._lines, self._tip = lines, ""
        self._measured = "", ""  # text and font that were measured last
        self._sizes: dict[int, tuple[int, int]] = {}  # their number of lines, and height of a line, by width
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(lines > 1)
        self.setSizePolicy(policy)

    def explain(self, tip: str) -> None:
        """Add an explanation to the tooltip, below the text if that is cut off."""
        self._tip = tip
        self._show_tip()

    def setText(self, text: str) -> None:
        super().setText(text)
        self.updateGeometry()
        self._show_tip()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_tip()

    def heightForWidth(self, width: int) -> int:
        count, step = self._measure(width)
        return max(1, min(self._lines, count)) * step

    def sizeHint(self) -> QSize:
        return QSize(self.fontMetrics().horizontalAdvance(self.text()) + 1, self._measure(self.width())[1])

    def minimumSizeHint(self) -> QSize:
        hint = self.sizeHint()
        return QSize(min(LEAST * self.fontMetrics().height(), hint.width()), hint.height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        letters, painter = self.fontMetrics(), QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        layout, step = laid_out(self.text(), self.font(), self.width()), self._measure(self.width())[1]
        shown = self._shown()
        if layout.lineCount() > shown:
            if self.width() < LEAST * letters.height() / 2:
                return  # a fragment of a word says nothing; the tooltip has the whole text
            start = layout.lineAt(shown - 1).textStart()
            rest = letters.elidedText(layout.text()[start:], Qt.TextElideMode.ElideRight, self.width())
            layout = laid_out(layout.text()[:start] + rest, self.font(), self.width())
        for number in range(min(shown, layout.lineCount())):
            line = layout.lineAt(number)
            line.draw(painter, QPointF(0, number * step - line.y()))

    def _shown(self) -> int:
        """Return the number of lines that fit."""
        return max(1, min(self._lines, self.height() // self._measure(self.width())[1]))

    def _show_tip(self) -> None:
        cut = self._measure(self.width())[0] > self._shown()
        tip = plain("\n\n".join(each for each in (self.text() if cut else "", self._tip) if each))
        if tip != self.toolTip():
            self.setToolTip(tip)

    def _measure(self, width: int) -> tuple[int, int]:
        """Return the number of lines of the text in a width, and the height of a line; both are kept, because layouts
        ask for them many times."""
        measured = self.text(), self.font().key()
        if measured != self._measured:
            self._measured, self._sizes = measured, {}
        if width not in self._sizes:
            text, font = self.text(), self.font()
            self._sizes[width] = laid_out(text, font, width).lineCount(), line_height(text, font)
        return self._sizes[width]


def line_height(words: str, font: QFont) -> int:
    """Return the height of a line in pixels, which depends on the text because a font may substitute missing glyphs."""
    layout = laid_out(words or "x", font, 1_000_000)  # keeps its lines alive
    return math.ceil(layout.lineAt(0).height())


def laid_out(
    text: str, font: QFont, width: int, formats: Sequence[QTextLayout.FormatRange] = ()
) -> QTextLayout:
    """Return a text in lines of a width in pixels, parts of it in other ``formats``; line breaks become spaces."""
    layout, option = QTextLayout(text.replace("\n", " "), font), QTextOption()
    layout.setFormats(formats)
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    layout.beginLayout()
    y = 0.0
    while (line := layout.createLine()).isValid():
        line.setLineWidth(max(1, width))
        line.setPosition(QPointF(0, y))
        y += line.height()
    layout.endLayout()
    return layout


TOKEN_LINE_PERCENT = 140
LEAST_LINES = 5
TINTS = (("accent", 0.20), ("amber", 0.20))


class SelectableTokens(ReadOnlyText):
    """View of a text with a tint for each token, which wraps like ordinary text."""

    def __init__(self, name: str) -> None:
        super().__init__(name, tr("The beginning of the text, token by token"))
        self._ids: Sequence[int] = ()
        self.marked = (0, 0)
        """Start and end of the marked passage in the document, in UTF-16 units."""
        self._marked_ids = (0, 0)
        self._tokens: list[list[int]] = []
        self._tints = Tints(self.document())
        on_restyle(self, self._tint)

    def show_ids(self, ids: Sequence[int], marked: tuple[int, int] = (0, 0), tokenizer: Tokenizer = GPT2) -> None:
        """Show these tokens; the half-open range ``marked`` of them is underlined and scrolled into view."""
        if (tuple(ids), marked, tokenizer) == (tuple(self._ids), self._marked_ids, self._tokenizer):
            return
        self._ids, self._marked_ids, self._tokenizer = ids, marked, tokenizer
        shown = list(characters(ids, tokenizer))
        self._tokens = [taken for _, taken in shown]
        self._tints.bounds = list(accumulate((units(text) for text, _ in shown), initial=0))
        counts = list(accumulate((len(taken) for taken in self._tokens), initial=0))
        places = (bisect_left(counts, each, hi=len(counts) - 1) for each in marked)
        self.marked = self._tints.marked = cast(tuple[int, int], tuple(self._tints.bounds[each] for each in places))
        self.emptied(TOKEN_LINE_PERCENT).insertText("".join(text for text, _ in shown))
        self.moveCursor(QTextCursor.MoveOperation.Start)
        self._bring_into_view()

    def _bring_into_view(self) -> None:
        """Scroll to the end of the marked passage, then to its start, which is more important."""
        begin, end = self.marked
        for place in (end, begin) if end > begin else ():
            cursor = self.textCursor()
            cursor.setPosition(place)
            self.setTextCursor(cursor)
            self.ensureCursorVisible()

    def _tint(self) -> None:
        self._tints.rehighlight()

    def minimumSizeHint(self) -> QSize:
        return QSize(200, LEAST_LINES * self.fontMetrics().height() * TOKEN_LINE_PERCENT // 100)

    def event(self, event: QEvent) -> bool:
        if not isinstance(event, QHelpEvent) or event.type() != QEvent.Type.ToolTip or not self._tokens:
            return super().event(event)
        cursor = self.cursorForPosition(event.pos())
        at = cursor.position() - (not cursor.atBlockStart())  # the character before the cursor
        tokens = self._tokens[bisect_right(self._tints.bounds, at, hi=len(self._tokens)) - 1]
        QToolTip.showText(event.globalPos(), plain(_tip(tokens, self._tokenizer)), self)
        return True


class Tints(QSyntaxHighlighter):
    """Highlighter of tokens in alternating tints. ``bounds`` holds the start of each token in the document, in UTF-16
    units, and the end of the last one. Text in the range ``marked`` is bold, underlined and in stronger tints."""

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


def units(text: str) -> int:
    """Return the length of a text in UTF-16 units, as Qt counts it."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def characters(ids: Sequence[int], tokenizer: Tokenizer = GPT2) -> Iterator[tuple[str, list[int]]]:
    """Yield the tokens as whole characters, with their IDs: usually one token, or several if a character needs them.

    Tokens of an incomplete character at the end are left out.
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
    """Return a text with spaces unchanged, since the tint shows them, and with a sign before each line break."""
    return visible_text(text).replace("␣", " ").replace("↵", "↵\n")


def _tip(ids: Sequence[int], tokenizer: Tokenizer) -> str:
    if len(ids) == 1:
        return tr("{token}  ·  ID {id}", token=tokenizer.visible(ids[0]), id=f"{ids[0]:,}")
    return tr("one character in {n} tokens, IDs {ids}", n=len(ids), ids=", ".join(f"{each:,}" for each in ids))
