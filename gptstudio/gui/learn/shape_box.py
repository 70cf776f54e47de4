"""A tensor as a box: rows are its height, columns its width, layers its depth, each by its logarithm."""

from __future__ import annotations

import math

from PySide6.QtCore import QRect, QRectF, QSize
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QSizePolicy

from gptstudio.gui.canvas.canvas import Canvas
from gptstudio.gui.canvas.writing import CENTRE, write
from gptstudio.gui.theme import colour
from gptstudio.gui.translation import tr

FEW = 16  # maximum number of rows or columns of which each has a line
MOST_LAYERS = 8
LAYER = 3  # pixels from one layer to the next


class ShapeBox(Canvas):
    """Diagram of a tensor with a name and a shape; rows can be lit."""

    smooth = False

    def __init__(self, name: str) -> None:
        super().__init__(name, name, pointable=False)
        self.shape: tuple[int, ...] = (1, 1)
        self._title = ""
        self._lit = range(0)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_shape(self, title: str, shape: tuple[int, ...], lit: range = range(0)) -> None:
        """``lit``: the rows that are looked up."""
        self._title, self.shape, self._lit = title, shape, lit
        self.setAccessibleName(tr("{name} {shape}", name=title, shape=shape))
        self.remeasure()

    def sizeHint(self) -> QSize:
        metrics, box = self.fontMetrics(), self._box()
        texts = max(metrics.horizontalAdvance(text) for text in (self._title, str(self.shape)))
        return QSize(max(round(box.width()) + self._depth(), texts) + 4, round(box.height()) + self._depth()
                     + 2 * metrics.height() + 8)

    def paint(self, painter: QPainter, _region: QRect) -> None:
        high, box = self.fontMetrics().height(), self._box()
        write(painter, QRectF(0, 0, self.width(), high), self._title, CENTRE)
        write(painter, QRectF(0, self.height() - high, self.width(), high), str(self.shape), CENTRE, "muted")
        front = box.translated((self.width() - box.width() - self._depth()) // 2, high + 4 + self._depth())
        for layer in reversed(range(self._layers())):
            self._paint_layer(painter, front.translated(layer * LAYER, -layer * LAYER))
        self._paint_cells(painter, front)

    def _paint_layer(self, painter: QPainter, place: QRectF) -> None:
        painter.fillRect(place, colour("surface"))
        painter.fillRect(place, colour("accent", 0.12))
        painter.setPen(QPen(colour("muted"), 1))
        painter.drawRect(place)

    def _paint_cells(self, painter: QPainter, place: QRectF) -> None:
        rows, columns = self.shape[-2:]
        painter.setPen(QPen(colour("muted", 0.5), 1))
        for row in range(1, rows if rows <= FEW else 0):
            y = place.top() + row * place.height() / rows
            painter.drawLine(round(place.left()), round(y), round(place.right()), round(y))
        for column in range(1, columns if columns <= FEW else 0):
            x = place.left() + column * place.width() / columns
            painter.drawLine(round(x), round(place.top()), round(x), round(place.bottom()))
        if self._lit:
            height = max(3.0, len(self._lit) * place.height() / rows)
            top = min(place.top() + self._lit.start * place.height() / rows, place.bottom() - height)
            painter.fillRect(QRectF(place.left(), top, place.width(), height), colour("accent", 0.75))

    def _box(self) -> QRectF:
        """The front layer, at the origin."""
        rows, columns = self.shape[-2:]
        return QRectF(0, 0, self._length(columns), self._length(rows))

    def _length(self, count: int) -> int:
        return round((0.8 + 0.42 * math.log2(count)) * self.fontMetrics().height())

    def _layers(self) -> int:
        return min(MOST_LAYERS, math.prod(self.shape[:-2]))

    def _depth(self) -> int:
        return (self._layers() - 1) * LAYER
