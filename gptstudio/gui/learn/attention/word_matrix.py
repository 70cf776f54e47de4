"""A matrix whose rows are words: one of them is the query, and a click chooses another.

In a matrix that can be edited the cells are for typing, and only a click on a word chooses it.
"""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPen

from gptstudio.gui.canvas.grid import Cell
from gptstudio.gui.canvas.writing import draw_with
from gptstudio.gui.learn.kit import StruckMatrix
from gptstudio.gui.theme import theme

BAR = 5  # pixels at the left of the query's row, between its name and its first number


class WordMatrix(StruckMatrix):
    """Matrix with a marked query row; emits the row that is clicked, or chosen with the space bar."""

    chosen = Signal(int)

    query: int | None = None

    def mark(self, query: int | None) -> None:
        self.query = query
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        if self.editable and self._grid.at(event.position().toPoint()):
            return
        y = round(event.position().y())
        rows = range(self.values.shape[0] if self.query is not None else 0)
        for row in (row for row in rows if self._band(row).top() <= y <= self._band(row).bottom()):
            self.chosen.emit(row)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space and self.cell and self.query is not None:
            self.chosen.emit(self.cell.row)
        else:
            super().keyPressEvent(event)

    def paint(self, painter: QPainter, region: QRect) -> None:
        """The query's row has a bar at its left and a line around it."""
        super().paint(painter, region)
        if self.query is None or self.query >= self.values.shape[0]:
            return
        band = self._band(self.query)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        draw_with(painter, QPen(_mark(), 2), Qt.BrushStyle.NoBrush)
        painter.drawRect(band)
        painter.fillRect(QRect(band.left() - BAR, band.top(), BAR, band.height()), _mark())

    def _band(self, row: int) -> QRect:
        return self.rect(Cell(row, 0)).united(self.rect(Cell(row, self.values.shape[1] - 1)))


def _mark() -> QColor:
    """A hue that neither shades a cell nor lights one."""
    return QColor(theme.colours.components[5])
