"""A formula, typeset, whose symbols can be pointed at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontInfo, QPainter, QPen
from PySide6.QtWidgets import QSizePolicy

from gptstudio.gui.canvas.canvas import Canvas
from gptstudio.gui.canvas.items import ENDS
from gptstudio.gui.learn.kit.outlines import SIZE, Symbol, outlines
from gptstudio.gui.theme import colour

LARGER = 1.4  # than the text around it: the indices of a formula are small
LEAST = 0.5  # minimum scale factor when space is short
BESIDE, BELOW = 0.05 * SIZE, 0.1 * SIZE  # distance of what belongs to a symbol: beside it, and above and below
LINE = 0.07 * SIZE  # the thickness of the line under one that is lit
DOT = 0.045 * SIZE


class Formula(Canvas):
    """Typeset formula; emits which of its linked symbols is hovered or reached with arrow keys; shows which are lit.

    A formula wider than the available space is painted smaller.

    Raises:
        ValueError: packaging/formulas.py has not typeset it.
    """

    moves = (Qt.Key.Key_Left, Qt.Key.Key_Right, *ENDS)
    remembers = False

    def __init__(self, name: str, latex: str, spoken: str) -> None:
        self._set = outlines(latex)
        super().__init__(name, spoken, pointable=bool(self.keys))
        self.setToolTip(spoken)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    @property
    def keys(self) -> tuple[str, ...]:
        """Of its linked symbols, in their order."""
        return self._set.keys

    def boxes(self, key: str) -> list[QRectF]:
        """Return the rectangles of the symbols of a key in the widget."""
        scale, found = self._scale(), [_around(symbol) for symbol in self._set.symbols if symbol.key == key]
        return [QRectF(box.topLeft() * scale, box.size() * scale) for box in found]

    def items(self) -> Mapping[str, QRectF]:
        return {key: self.boxes(key)[0] for key in self.keys}

    def item_at(self, point: QPointF) -> str | None:
        """Return the key of the smallest symbol at a point: of those that are nested, the inner one."""
        where = point / self._scale()
        hit = [symbol for symbol in self._set.symbols if _around(symbol).contains(where)]
        return min(hit, key=lambda symbol: symbol.box.width() * symbol.box.height()).key if hit else None

    def table(self) -> Sequence[Sequence[str]]:
        return ()

    def paint(self, painter: QPainter, _region: QRect) -> None:
        painter.scale(self._scale(), self._scale())
        painter.fillPath(self._set.ink, colour("text"))
        dots = QPen(colour("muted"), DOT, Qt.PenStyle.DotLine, Qt.PenCapStyle.RoundCap)
        for symbol in self._set.symbols:  # what can be pointed at has a row of dots below it
            painter.fillPath(symbol.path, colour("text"))
            painter.setPen(dots)
            painter.drawLine(_around(symbol).bottomLeft(), _around(symbol).bottomRight())
        for symbol in self._set.symbols:
            if symbol.key in self.lit or symbol.key == self.item:
                self._paint_lit(painter, symbol)

    def _paint_lit(self, painter: QPainter, symbol: Symbol) -> None:
        """On a ground of its own, and underlined."""
        place = _around(symbol)
        painter.fillRect(place, colour("accent", 0.14))
        painter.fillRect(QRectF(place.left(), place.bottom() - DOT, place.width(), LINE), colour("accent"))
        painter.fillPath(symbol.path, colour("accent"))

    def sizeHint(self) -> QSize:
        return self._size(self._natural())

    def minimumSizeHint(self) -> QSize:
        return self._size(LEAST * self._natural())

    def heightForWidth(self, width: int) -> int:
        return self._size(self._fitting(width)).height()

    def _size(self, scale: float) -> QSize:
        return QSize(round(self._set.width * scale) + 1, round(self._set.height * scale) + 1)

    def _natural(self) -> float:
        """Pixels for each unit of an outline, beside text of the widget's font."""
        return QFontInfo(self.font()).pixelSize() * LARGER / SIZE

    def _fitting(self, width: int) -> float:
        return min(self._natural(), (width - 1) / self._set.width)

    def _scale(self) -> float:
        return max(1e-6, min(self._fitting(self.width()), (self.height() - 1) / self._set.height))


def _around(symbol: Symbol) -> QRectF:
    return symbol.box.adjusted(-BESIDE, -BELOW, BESIDE, BELOW)
