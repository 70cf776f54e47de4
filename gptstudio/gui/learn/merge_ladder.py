"""The merges of one word below each other: each piece as wide as its bytes, so that one sees what became of which."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import accumulate

from PySide6.QtCore import QRect, QRectF, QSize
from PySide6.QtGui import QFontMetricsF, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy

from gptstudio.gpt.tokenizer import visible_text
from gptstudio.gui.canvas.canvas import Canvas
from gptstudio.gui.canvas.writing import CENTRE, RIGHT, rounded, small, write
from gptstudio.gui.plots.strip import RADIUS
from gptstudio.gui.theme import colour
from gptstudio.gui.translation import tr
from gptstudio.labs.tokens import MergeStep

NEVER = "–"  # under two neighbours that never become one


class MergeLadder(Canvas):
    """Merge steps so far. In each row the pair that is merged next is framed; below the last row are the ranks of all
    its pairs, the lowest marked."""

    def __init__(self, name: str) -> None:
        super().__init__(name, tr("Merges of the word"), pointable=False)
        self._steps: tuple[MergeStep, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Minimum)

    def show_steps(self, steps: tuple[MergeStep, ...]) -> None:
        """From single bytes on."""
        self._steps = steps
        self.describe(" · ".join(map(shown, steps[-1].pieces)) if steps else "")
        self.remeasure()

    def table(self) -> Sequence[Sequence[str]]:
        return [[*map(shown, step.pieces)] for step in self._steps]

    def next_pair(self) -> QRect:
        """Return the rectangle of the pair to be merged next, or of the end of the last row, with the rank below it."""
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
        """Under the last row, where two pieces meet; on lines by turns where bytes are narrower than ranks."""
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
        """Return the width of a byte: up to twice the minimum if there is space."""
        room = (self.width() - self._gutter()) // len(self._steps[0].pieces)
        return max(self._least(), min(2 * self._rank(), room))

    def _least(self) -> float:
        """Return the minimum width of a byte, which fits any letter."""
        return round(QFontMetricsF(self.font()).horizontalAdvance("W") + 8)

    def _lines(self) -> int:
        """Of ranks, so that none lies over another."""
        return math.ceil(self._rank() / self._byte())

    def _rank(self) -> float:
        return round(QFontMetricsF(small(self.font())).horizontalAdvance("50255") + 6)

    def _gutter(self) -> float:
        return round(QFontMetricsF(self.font()).horizontalAdvance("00") + 10)


def shown(piece: bytes) -> str:
    """As text, or in hex where it is half a character."""
    try:
        return visible_text(piece.decode())
    except UnicodeDecodeError:
        return piece.hex(" ").upper()
