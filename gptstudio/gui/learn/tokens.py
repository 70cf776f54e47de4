"""Page of the tokens lab: a text as tokens with their IDs, and the merges that compose one word from bytes.

In the ladder of merges, each token is as wide as its bytes, so that its parts are directly above it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from PySide6.QtCore import QRect, QRectF, QSize
from PySide6.QtGui import QFontMetricsF, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gptstudio.gpt.tokenizer import GPT2, visible_text
from gptstudio.gui.canvas.canvas import Canvas
from gptstudio.gui.canvas.writing import CENTRE, RIGHT, rounded, small, write
from gptstudio.gui.learn.kit import LabPage
from gptstudio.gui.learn.page_parts import StepBar
from gptstudio.gui.plots.strip import RADIUS, Strip, StripBox
from gptstudio.gui.theme import colour
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.layouts import HeightForWidth, grows, vbox, with_layout
from gptstudio.gui.widgets.parts import scrolling_both_ways
from gptstudio.labs.tokens import BytePiece, MergeStep, TokensAnswer, TokensRequest, words_of

NEVER = "–"  # rank of two neighbours that are never merged


class MergeLadder(Canvas):
    """Merge steps so far. In each row the next pair to merge is framed; below the last row are the ranks of all its
    pairs, with the lowest one marked."""

    def __init__(self, name: str) -> None:
        super().__init__(name, tr("Merges of the word"), pointable=False)
        self._steps: tuple[MergeStep, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Minimum)

    def show_steps(self, steps: tuple[MergeStep, ...]) -> None:
        """Show the merges from single bytes to tokens."""
        self._steps = steps
        self.describe(" · ".join(map(shown, steps[-1].pieces)) if steps else "")
        self.remeasure()

    def table(self) -> Sequence[Sequence[str]]:
        return [[*map(shown, step.pieces)] for step in self._steps]

    def next_pair(self) -> QRect:
        """Return the rectangle of the next pair to merge, or of the end of the last row, including its rank."""
        if not self._steps:
            return QRect()
        step = self._steps[-1]
        places = self._places(len(self._steps) - 1, step)
        place = places[-1 if step.pair is None else step.pair + 1]
        return place.adjusted(0, 0, 0, self._lines() * self._rank_height()).toAlignedRect()

    def paint(self, painter: QPainter, _region: QRect) -> None:
        for row, step in enumerate(self._steps):
            self._paint_row(painter, row, step)
        if self._steps:
            self._paint_ranks(painter, self._steps[-1])

    def _paint_row(self, painter: QPainter, row: int, step: MergeStep) -> None:
        places, last = self._places(row, step), row == len(self._steps) - 1
        painter.setFont(small(self.font()))
        gutter = QRectF(0, places[0].top(), self._gutter() - 8, places[0].height())
        write(painter, gutter, str(row), RIGHT, "text" if last else "muted")
        painter.setFont(self.font())
        for piece, place in zip(step.pieces, places, strict=True):
            rounded(painter, place, RADIUS, colour("accent", 0.22) if len(piece) > 1 else colour("line", 0.55))
            write(painter, place, shown(piece), CENTRE)
        if step.pair is not None:
            both = places[step.pair].united(places[step.pair + 1])
            rounded(painter, both, RADIUS, edge=QPen(colour("accent"), 2))

    def _paint_ranks(self, painter: QPainter, step: MergeStep) -> None:
        """Paint the ranks under the joints of the last row, on alternating lines if bytes are narrower than ranks."""
        places, wide, lines = self._places(len(self._steps) - 1, step), self._rank(), self._lines()
        for i, rank in enumerate(step.ranks):
            joint, lowest = (places[i].right() + places[i + 1].left()) / 2, i == step.pair
            top = places[i].bottom() + 3 + i % lines * self._rank_height()
            place = QRectF(joint - wide / 2, top, wide, self._rank_height())
            font = small(self.font())
            font.setBold(lowest)
            painter.setFont(font)
            write(painter, place, NEVER if rank is None else str(rank), CENTRE, "accent" if lowest else "muted")
            if lowest:
                painter.drawLine(place.topLeft(), place.topRight())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.updateGeometry()

    def minimumSizeHint(self) -> QSize:
        if not self._steps:
            return QSize(0, 0)
        width = self._gutter() + len(self._steps[0].pieces) * self._least() + 2
        below = self._lines() * self._rank_height() + 6
        return QSize(round(width), round(len(self._steps) * self._pitch() + below))

    def _places(self, row: int, step: MergeStep) -> list[QRectF]:
        ends = list(accumulate(map(len, step.pieces)))
        left, byte, pitch = self._gutter(), self._byte(), self._pitch()
        return [
            QRectF(left + (end - len(piece)) * byte, row * pitch + 1, len(piece) * byte - 3, pitch - 4)
            for end, piece in zip(ends, step.pieces, strict=True)]

    def _pitch(self) -> float:
        return round(1.35 * QFontMetricsF(self.font()).height()) + 4

    def _rank_height(self) -> float:
        return QFontMetricsF(small(self.font())).height()

    def _byte(self) -> float:
        """Return the width of a byte: up to twice the width of a rank if there is space."""
        room = (self.width() - self._gutter()) // len(self._steps[0].pieces)
        return max(self._least(), min(2 * self._rank(), room))

    def _least(self) -> float:
        """Return the minimum width of a byte, which fits any letter."""
        return round(QFontMetricsF(self.font()).horizontalAdvance("W") + 8)

    def _lines(self) -> int:
        """Return the number of lines needed to show the ranks without overlap."""
        return math.ceil(self._rank() / self._byte())

    def _rank(self) -> float:
        return round(QFontMetricsF(small(self.font())).horizontalAdvance("50255") + 6)

    def _gutter(self) -> float:
        return round(QFontMetricsF(self.font()).horizontalAdvance("00") + 10)


def shown(piece: bytes) -> str:
    """Return bytes as text, or in hexadecimal if they are an incomplete character."""
    try:
        return visible_text(piece.decode())
    except UnicodeDecodeError:
        return piece.hex(" ").upper()


LINES = 2  # visible lines of the text
FIRST_MERGE = 256  # rank of the first learned merge; lower ones are the single bytes
MERGES = 50_000
SPECIAL = 50_256


GROUNDS = (("accent", 0.18), ("amber", 0.22))
"""Alternating backgrounds of the words."""


class Page(LabPage[TokensRequest, TokensAnswer]):
    """Page of the tokens lab: the text above, the merges of one word below."""

    def text(self) -> Sequence[QWidget | str]:
        return (
            tr("A model reads numbers. Byte pair encoding splits a text into tokens from a fixed vocabulary; each "
               "token's number is its ID."),
            tr("First the text is split into words, each with the space before it, shown as ␣. A word starts as single "
               "bytes. Of all adjacent pairs, the one whose merge was learned first is merged, again and again, until "
               "no learned merge applies."),
            tr("So no word is unknown: in the worst case it is split into bytes. Type anything, then click a word to "
               "see its merges."))

    def make_stage(self) -> QWidget:
        self.editor = self.text_editor("text", tr("Text"))
        self.strip = Strip("lab_tokens_strip", tr("Tokens of the text"))
        self.strip.chosen.connect(self._choose)
        self.explain(self.strip, self._words_of)
        self.counted = self.sentence("lab_tokens_counted", self._counts, "muted")
        self.steps = StepBar("lab_tokens_steps", tr("Merges applied"), tr("Previous merge"), tr("Next merge"),
                             lambda step: self.update_request(step=step))
        self.next = self.sentence("lab_tokens_next", self._next)
        self.ladder = MergeLadder("lab_tokens_ladder")
        text, word = map(self.controls.problem_of, ("text", "word"))
        self._area = scrolling_both_ways("lab_tokens_ladder_area")
        self._area.setWidget(self.ladder)
        self._area.verticalScrollBar().rangeChanged.connect(self._show_next_pair)  # when the ladder is laid out
        return with_layout(HeightForWidth(), vbox(
            self.editor, text, self.strip, self.counted, word, self.steps, self.next, grows(self._area)))

    def show_answer(self, answer: TokensAnswer) -> None:
        chosen = answer.words.index(answer.word) if answer.word in answer.words else -1
        self.strip.show_boxes([_box(answer.pieces, index, chosen) for index in range(len(answer.pieces))])
        self.steps.show_step(answer.step, max(0, len(answer.steps) - 1), self._title(answer))
        self.ladder.show_steps(answer.steps[: answer.step + 1])
        self._show_next_pair()

    def _show_next_pair(self) -> None:
        corner = self.ladder.next_pair().bottomRight()
        self._area.ensureVisible(corner.x(), corner.y())

    def update_request(self, **changes: Any) -> None:
        if changes.keys() & {"text", "special", "word"}:
            now = {**self._values, **changes}
            is_there = isinstance(now["text"], str) and now["word"] in words_of(now["text"], bool(now["special"]))
            changes["word"] = now["word"] if is_there else ""
        super().update_request(**changes)
        if self._values["text"] == "":  # no answer follows, and the word no longer exists
            self.ladder.show_steps(())
            self.next.setText("")
            self.steps.show_step(0, 0, tr("There is no word to show."))

    def _choose(self, index: int) -> None:
        if self.answer.pieces[index].id != SPECIAL:
            self.update_request(word=self.answer.words[self.answer.pieces[index].word])

    def _words_of(self, index: int) -> str:
        piece = self.answer.pieces[index]
        if piece.id == SPECIAL:
            return tr("The only special token, ID {id}: it marks the end of a text and is never split or merged.",
                      id=piece.id)
        return tr("{piece}  ·  ID {id}  ·  bytes {bytes}", piece=GPT2.visible(piece.id), id=piece.id,
                  bytes=piece.data.hex(" ").upper())

    def _counts(self, answer: TokensAnswer) -> str:
        counts = {"tokens": len(answer.pieces), "words": len(answer.words), "characters": len(answer.text),
                  "bytes": len(answer.text.encode())}
        counted = tr("Tokens: {tokens}  ·  words: {words}  ·  characters: {characters}  ·  bytes: {bytes}", **counts)
        same = tr("Decoded again: identical to the original text.")
        return f"{counted}\n{same if answer.decoded == answer.text else tr('Decoded again: another text.')}"

    def _title(self, answer: TokensAnswer) -> str:
        if not answer.steps:
            return tr("There is no word to show.")
        return tr("“{word}”, merges applied: {step} of {last}", word=visible_text(answer.word),
                  step=answer.step, last=len(answer.steps) - 1)

    def _next(self, answer: TokensAnswer) -> str:
        step = answer.shown
        if step is None:
            return ""
        if step.pair is None:
            return tr("No learned merge applies any more. Tokens of the word: {pieces}",
                      pieces="  ·  ".join(map(shown, step.pieces)))
        rank, left, right = step.ranks[step.pair] or 0, *step.pieces[step.pair : step.pair + 2]
        return tr("Next, “{left}” and “{right}” are merged into “{both}”: of all adjacent pairs it has the lowest "
                  "rank, {rank}. It was merge {number} of {all} to be learned.", left=shown(left), right=shown(right),
                  both=shown(left + right), rank=rank, number=f"{rank - FIRST_MERGE + 1:,}", all=f"{MERGES:,}")

    def fit_stage(self) -> None:
        super().fit_stage()
        self.editor.ensurePolished()
        line = self.editor.fontMetrics().lineSpacing()
        self.editor.setFixedHeight(LINES * line + 14)
        self._area.setMinimumHeight(9 * line)


def _box(pieces: Sequence[BytePiece], index: int, word: int) -> StripBox:
    """Return the box of a token. ``word``: index of the chosen word, which is underlined."""
    piece, special = pieces[index], pieces[index].id == SPECIAL
    return StripBox(
        GPT2.visible(piece.id), str(piece.id), ("text", 0.85) if special else GROUNDS[piece.word % 2],
        ink="surface" if special else "text", underline="accent" if piece.word == word else "",
        joined=index + 1 < len(pieces) and pieces[index + 1].word == piece.word)
