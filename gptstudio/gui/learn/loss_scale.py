"""A loss on a scale from one who is always right to one who knows nothing, and below it the same as a perplexity."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence

from PySide6.QtCore import QLineF, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy

from gptstudio.gui.canvas.canvas import Canvas
from gptstudio.gui.canvas.writing import CENTRE, draw_with, heading
from gptstudio.gui.theme import colour
from gptstudio.gui.translation import tr

LINES = 6  # of text, one above the other: title, this loss, the scale, losses, perplexities, what the ends mean
LEAST = 24  # the least width, in heights of a letter
GAP = 8
MOST = math.log(sys.float_info.max)  # from this loss on the perplexity is beyond what a computer's number can hold


class LossScale(Canvas):
    """Scale with the loss, which ends at the loss of random guessing."""

    def __init__(self, name: str) -> None:
        super().__init__(name, tr("Loss and perplexity on one scale"), pointable=False)
        self.loss, self.guessing = 0.0, 1.0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)

    def show_loss(self, loss: float, guessing: float) -> None:
        self.loss, self.guessing = loss, guessing
        self.describe(self.words())
        self.update()

    def words(self, _item: object = None) -> str:
        if math.isinf(self.loss):
            return tr("∞: a target was considered impossible")
        count = f"{math.exp(self.loss):,.1f}" if self.loss < MOST else "∞"
        return tr("{loss}: like choosing among {count} equally likely tokens", loss=f"{self.loss:.4f}", count=count)

    def table(self) -> Sequence[Sequence[str]]:
        return [(tr("loss"), str(self.loss)), (tr("random guessing"), str(self.guessing))]

    def minimumSizeHint(self) -> QSize:
        line = self.fontMetrics().height()
        return QSize(LEAST * line, round(LINES * 1.15 * line) + 2)

    def paint(self, painter: QPainter, _region: QRect) -> None:
        step = self._step()
        for line, words in enumerate((tr("loss"), tr("perplexity")), start=3):
            self._write(painter, self.font(), words, 0.0, line, "muted")
        self._write(painter, heading(self.font()), tr("On a scale"), 0.0, 0, "text")
        scale = QRectF(self._left(), 2.2 * step, self.width() - self._left(), 0.7 * step)
        draw_with(painter, Qt.PenStyle.NoPen, colour("accent", 0.16))
        painter.drawRoundedRect(scale, 4, 4)
        self._paint_ticks(painter, scale)
        self._paint_mark(painter, scale)

    def _paint_ticks(self, painter: QPainter, scale: QRectF) -> None:
        """Losses, and their perplexities, one for each power of ten; before all others the one who knows nothing."""
        powers = (power * math.log(10) for power in range(math.ceil(self.guessing / math.log(10))))
        free = [self._tick(painter, scale, self.guessing, tr("random guessing"), math.inf)]
        for loss in sorted(powers, reverse=True):
            free.append(self._tick(painter, scale, loss, "" if loss else tr("always right"), free[-1]))

    def _tick(self, painter: QPainter, scale: QRectF, loss: float, meaning: str, right: float) -> float:
        """Paint one tick of the scale if its figures fit to the left of ``right``; return their left edge."""
        figures = (f"{loss:.2f}" if loss else "0", f"{math.exp(loss):,.0f}")
        x, half = self._x(loss), max(map(painter.fontMetrics().horizontalAdvance, figures)) / 2
        if x + half + GAP > right:
            return right
        painter.setPen(QPen(colour("muted"), 1))
        painter.drawLine(QLineF(x, scale.top() - 3, x, scale.bottom() + 3))
        for line, words in enumerate((*figures, meaning), start=3):
            self._write(painter, self.font(), words, x, line, "muted")
        return x - half

    def _paint_mark(self, painter: QPainter, scale: QRectF) -> None:
        x, top, half = self._x(self.loss), scale.top(), 0.45 * scale.height()
        painter.setPen(QPen(colour("accent"), 3))
        painter.drawLine(QLineF(x, top, x, scale.bottom()))
        draw_with(painter, Qt.PenStyle.NoPen, colour("accent"))
        painter.drawPolygon(QPolygonF([QPointF(x - half, top - 1), QPointF(x + half, top - 1),
                                       QPointF(x, top + 1.5 * half)]))
        self._write(painter, heading(self.font()), self.words(), x, 1, "accent")

    def _write(self, painter: QPainter, font: QFont, words: str, x: float, line: int, ink: str) -> None:
        """On a line, its middle at ``x`` as far as the widget reaches."""
        painter.setFont(font)
        painter.setPen(colour(ink))
        wide = painter.fontMetrics().horizontalAdvance(words) + 1.0
        left = min(max(0.0 if x < self._left() else self._left(), x - wide / 2), self.width() - wide)
        painter.drawText(QRectF(max(0.0, left), line * self._step(), wide, self._step()), CENTRE, words)

    def _step(self) -> float:
        return 1.15 * self.fontMetrics().height()

    def _left(self) -> float:
        """Return the left edge of the scale, after the names of its lines."""
        return max(map(self.fontMetrics().horizontalAdvance, (tr("loss"), tr("perplexity")))) + 2.0 * GAP

    def _x(self, loss: float) -> float:
        """A fifth of the scale is for losses that are worse than guessing."""
        share = min(1.0, loss / (1.2 * self.guessing)) if math.isfinite(loss) else 1.0
        return self._left() + GAP + share * (self.width() - self._left() - 2 * GAP)
