"""A generated text as one reads it: plain lines, the prompt muted, what is copied from the training text underlined."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import partial
from itertools import pairwise

from PySide6.QtGui import QTextBlockFormat, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QFrame, QTextEdit

from gptstudio.gpt.tokenizer import GPT2, Tokenizer
from gptstudio.gui.appearance import follow
from gptstudio.gui.theme import colour
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.copied_mark import mark_copied
from gptstudio.gui.widgets.parts import named

LINE_PERCENT = 150


class ReadingText(QTextEdit):
    """Read only; its text can be selected and copied."""

    def __init__(self) -> None:
        super().__init__()
        named(self, "reading_text", tr("The text, to be read"))
        self._ids: Sequence[int] = ()
        self._given = 0
        self._copied: Collection[int] = ()
        self._tokenizer: Tokenizer = GPT2
        self.setReadOnly(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.viewport().setAutoFillBackground(False)
        self.setTabChangesFocus(True)
        follow(self, self._write)

    def show_ids(
        self, ids: Sequence[int], given: int, copied: Collection[int] = (), tokenizer: Tokenizer = GPT2
    ) -> None:
        """Show these tokens, the first ``given`` of them the prompt's, and those at the positions ``copied``
        underlined."""
        shown = list(ids), given, set(copied), tokenizer
        if shown != (self._ids, self._given, self._copied, self._tokenizer):
            self._ids, self._given, self._copied, self._tokenizer = shown
            self._write()

    def _pieces(self) -> Iterator[tuple[str, bool, bool]]:
        """Give pieces of the text, with whether they are of the prompt and whether they are copied. A character at the
        end that needs more tokens is left out."""
        here = [(place < self._given, place in self._copied) for place in range(len(self._ids))]
        ends = [place + 1 for place in range(len(here)) if here[place : place + 1] != here[place + 1 : place + 2]]
        decode = partial(self._tokenizer.decode, final=False)
        text = decode(self._ids)
        cuts = [0, *(len(decode(self._ids[:end])) for end in ends[:-1]), len(text)]
        for end, (start, stop) in zip(ends, pairwise(cuts), strict=False):
            yield text[start:stop], *here[end - 1]

    def _write(self) -> None:
        place = self.verticalScrollBar().value()
        self.clear()
        cursor, line = QTextCursor(self.document()), QTextBlockFormat()
        line.setLineHeight(LINE_PERCENT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        cursor.setBlockFormat(line)
        for text, is_prompt, is_copied in self._pieces():
            paint = QTextCharFormat()
            paint.setForeground(colour("muted" if is_prompt else "text"))
            if is_copied:
                mark_copied(paint)
            cursor.insertText(text, paint)
        self.verticalScrollBar().setValue(place)
