"""Square cells in rows and columns, scaled to the available space, or larger with scrolling: their positions."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QResizeEvent, QWheelEvent

from gptstudio.gui.canvas.canvas import ScrollCanvas
from gptstudio.gui.canvas.grid import Cell, CellPlaces

LEAST, MOST = 160, 48
"""Pixels of the smallest view, and of the largest cell."""


class CellView(ScrollCanvas):
    """Ctrl with the wheel makes the cells larger, never smaller than all of them in view."""

    def __init__(self, name: str, accessible: str, least_side: float = 0.0) -> None:
        """``least_side``: pixels of a cell at first, even if not all cells are in view then."""
        super().__init__(name, accessible)
        self.shape = (0, 0)
        self._least_side = self._side = least_side
        self._aim: Cell | None = None
        for bar in (self.horizontalScrollBar(), self.verticalScrollBar()):
            bar.actionTriggered.connect(self._forget_aim)
        self.viewport().setAutoFillBackground(False)

    def show_shape(self, shape: tuple[int, int]) -> None:
        """So many rows and columns; another number of them has cells of the first size again."""
        if shape != self.shape:
            self.shape, self._side, self._aim = shape, self._least_side, None
        self.updateGeometry()
        self._settle()

    def zoom(self, factor: float) -> None:
        """Cells so many times as large; what is in the middle stays there."""
        middle, side = self.nearest(QPointF(self.area().center())), min(MOST, self.side() * factor)
        self._side = side if side > self._fitting() else 0.0
        self._aim = None
        self._settle()
        way = self.place(middle).center() - QRectF(self.area().adjusted(0, 0, -1, -1)).center()
        for bar, further in ((self.horizontalScrollBar(), way.x()), (self.verticalScrollBar(), way.y())):
            bar.setValue(round(bar.value() + further))

    def margins(self) -> tuple[int, int, int, int]:
        """Left, top, right and bottom: what is around the cells."""
        return 0, 0, 0, 0

    def area(self) -> QRect:
        """Return the part of the viewport that holds cells."""
        left, top, right, bottom = self.margins()
        room = self.viewport().size()
        return QRect(left, top, max(1, room.width() - left - right), max(1, room.height() - top - bottom))

    def side(self) -> float:
        """Of a cell, in pixels."""
        return max(self._fitting(), self._side)

    def whole(self) -> QRectF:
        """All cells, also those out of view."""
        rows, columns = self.shape
        area = self.area()
        left, top = area.left() - self.horizontalScrollBar().value(), area.top() - self.verticalScrollBar().value()
        return QRectF(left, top, columns * self.side(), rows * self.side())

    def shown(self) -> QRectF:
        return self.whole().intersected(QRectF(self.area()))

    def place(self, cell: Cell) -> QRectF:
        side, whole = self.side(), self.whole()
        return QRectF(whole.left() + cell[1] * side, whole.top() + cell[0] * side, side, side)

    def nearest(self, point: QPointF) -> Cell:
        """The cell at a point, or the nearest to it."""
        where = (point - self.whole().topLeft()) / self.side()
        rows, columns = self.shape
        return Cell(min(max(0, int(where.y())), rows - 1), min(max(0, int(where.x())), columns - 1))

    def item_at(self, point: QPointF) -> Cell | None:
        return self.nearest(point) if self.shown().contains(point) else None

    def items(self) -> CellPlaces:
        return CellPlaces(self.shape, self.place)

    def step(self, key: Qt.Key, start: Cell) -> Cell:
        return self.items().step(key, start)

    def go_to(self, cell: Cell) -> None:
        self._aim = None
        self._reveal_cell(cell)
        self.point_at(cell)

    def bring_into_view(self, cell: Cell) -> None:
        """Scroll to a cell; it stays in view when the size of the widget changes, until the user scrolls."""
        self._aim = cell
        self._reveal_cell(cell)

    def in_view(self) -> tuple[range, range]:
        """The rows and the columns of which something can be seen."""
        shown = self.shown()
        (top, left), (bottom, right) = self.nearest(shown.topLeft()), self.nearest(shown.bottomRight())
        return range(top, bottom + 1), range(left, right + 1)

    def minimumSizeHint(self) -> QSize:
        left, top, right, bottom = self.margins()
        return QSize(LEAST + left + right, LEAST + top + bottom)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._settle()
        if self._aim:
            self._reveal_cell(self._aim)

    def remeasure(self) -> None:
        self.updateGeometry()
        self._settle()

    def scrollContentsBy(self, _dx: int, _dy: int) -> None:
        self.viewport().update()

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom(1.25 if event.angleDelta().y() > 0 else 0.8)
        elif self.side() > self._fitting():
            super().wheelEvent(event)
        else:
            event.ignore()

    def _reveal_cell(self, cell: Cell) -> None:
        self.reveal(self.place(cell), QRectF(self.area()).adjusted(0, 0, -1, -1))

    def _forget_aim(self, _action: int) -> None:
        self._aim = None

    def _fitting(self) -> float:
        """The side with which all cells are in view."""
        area = self.area()
        return min(MOST, min(area.width(), area.height()) / max(1, *self.shape))

    def _settle(self) -> None:
        area, whole = self.area(), self.whole()
        self.set_range(self.horizontalScrollBar(), int(whole.width()), area.width(), self.side())
        self.set_range(self.verticalScrollBar(), int(whole.height()), area.height(), self.side())
        self.viewport().update()
