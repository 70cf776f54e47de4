"""The feed-forward module as a drawing: thin, wide, wide, thin, and the layers between them."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QSizePolicy

from gptstudio.gui.canvas.cell_canvas import CellCanvas
from gptstudio.gui.canvas.grid import Cell
from gptstudio.gui.canvas.writing import CENTRE, draw_with, write
from gptstudio.gui.theme import colour, theme
from gptstudio.gui.translation import tr
from gptstudio.labs.feedforward import Module

BAR = 10  # pixels of width of what goes in and comes out, at the usual text size
LINES = 7  # height, in heights of a letter
PLACES = (0.08, 0.36, 0.64, 0.92)  # horizontal positions of the four tensors, as fractions of the width
THIN = 0.25  # a fourth: the width against four times the width


LAYERS = ("widen", "gelu", "narrow")  # between the tensors, from the left


class Hourglass(CellCanvas):
    """Diagram of a feed-forward module; its three layers can be hovered."""

    def __init__(self, name: str) -> None:
        super().__init__(name, tr("The feed-forward network"))
        self._module: Module | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_module(self, module: Module) -> None:
        self._module = module
        self.remeasure()

    def items(self) -> dict[Cell, QRectF]:
        return {
            Cell(0, index): QRectF(self._x(index), 0, self._x(index + 1) - self._x(index), self._high())
            for index in range(len(LAYERS))}

    def minimumSizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        words = [line for index in range(len(LAYERS)) for line in self._words(index)]
        widest = max((metrics.horizontalAdvance(line) for line in words), default=0) + BAR * theme.zoom
        return QSize(round(widest / (PLACES[2] - PLACES[1])), (LINES + 2) * metrics.height())

    def paint(self, painter: QPainter, _region: QRect) -> None:
        if not self._module:
            return
        for cell in self.items():
            self._paint_layer(painter, cell)
        for index, shape in enumerate(self._module.shapes):
            self._paint_tensor(painter, index, str(shape))

    def _paint_layer(self, painter: QPainter, cell: Cell) -> None:
        lit, index = cell == self.cell or cell in self.lit, cell.column
        (left, top_left), (right, top_right) = self._top(index), self._top(index + 1)
        shape = QPainterPath(QPointF(left, top_left))
        for x, y in ((right, top_right), (right, self._high() - top_right), (left, self._high() - top_left)):
            shape.lineTo(x, y)
        shape.closeSubpath()
        name = "validation" if LAYERS[index] == "gelu" else "training"
        painter.fillPath(shape, colour(name, 0.28 if lit else 0.14))
        if lit:
            painter.strokePath(shape, QPen(colour("accent"), 2))
        words, line = self._words(index), painter.fontMetrics().height()
        top = (self._high() - len(words) * line) / 2
        for number, text in enumerate(words):
            place = QRectF(left, top + number * line, right - left, line)
            write(painter, place, text, CENTRE, "muted" if number else "text")

    def _paint_tensor(self, painter: QPainter, index: int, shape: str) -> None:
        x, top = self._top(index)
        bar, line = BAR * theme.zoom, painter.fontMetrics().height()
        draw_with(painter, Qt.PenStyle.NoPen, colour("text"))
        painter.drawRoundedRect(QRectF(x - bar / 2, top, bar, self._high() - 2 * top), 2, 2)
        wide = painter.fontMetrics().horizontalAdvance(shape)
        left = min(max(x - wide / 2, 0), self.width() - wide)
        write(painter, QRectF(left, self._high() + line / 4, wide, line), shape, CENTRE)

    def _words(self, index: int) -> tuple[str, ...]:
        """Return the text of a layer: its name, its widths, its parameters."""
        if self._module is None:
            return ()
        thin, wide = (f"{shape[-1]:,}" for shape in self._module.shapes[:2])
        first, first_bias, second, second_bias = self._module.parameters
        return (
            (tr("Linear"), f"{thin} → {wide}", f"{first + first_bias:,}"),
            ("GELU", "0"),
            (tr("Linear"), f"{wide} → {thin}", f"{second + second_bias:,}"))[index]

    def _high(self) -> float:
        return LINES * self.fontMetrics().height()

    def _x(self, index: int) -> float:
        return PLACES[index] * self.width()

    def _top(self, index: int) -> tuple[float, float]:
        """Return the x position of a tensor, and the space above it."""
        return self._x(index), (self._high() * (1 - THIN) / 2 if index in (0, 3) else 0.0)
