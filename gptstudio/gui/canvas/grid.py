"""Positions of the cells of a matrix, and of the names around them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product, starmap
from typing import NamedTuple

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt

from gptstudio.gui.canvas.items import ARROWS, ENDS, KEYS


class Cell(NamedTuple):
    """A place in a matrix, both counted from 0."""

    row: int
    column: int


class CellPlaces(Mapping[Cell, QRectF]):
    """Rectangles of all cells of a table, row by row; each is computed when it is asked for."""

    def __init__(self, shape: tuple[int, ...], place: Callable[[Cell], QRectF]) -> None:
        """``shape``: how many rows, and how many columns."""
        self._shape, self._place = shape, place

    def __getitem__(self, cell: Cell) -> QRectF:
        if not all(0 <= at < count for at, count in zip(cell, self._shape, strict=True)):
            raise KeyError(cell)
        return self._place(cell)

    def __iter__(self) -> Iterator[Cell]:
        return starmap(Cell, product(*map(range, self._shape)))

    def __len__(self) -> int:
        return self._shape[0] * self._shape[1]

    def step(self, key: Qt.Key, start: Cell) -> Cell:
        """Return the cell beside one, or at the end of its row, never over an edge."""
        rows, columns = self._shape
        if key in ENDS:
            return Cell(start.row, columns - 1 if key == KEYS.Key_End else 0)
        down, right = ARROWS[key]
        return Cell(min(max(0, start.row + down), rows - 1), min(max(0, start.column + right), columns - 1))


@dataclass(frozen=True)
class Grid:
    """Cells of one size, in pixels of their widget.

    Attributes:
        rows, columns: how many.
        origin: the upper left corner of the first cell; names are above it and at its left.
        cell: the size of each.
    """

    rows: int = 0
    columns: int = 0
    origin: QPoint = field(default_factory=QPoint)
    cell: QSize = field(default_factory=lambda: QSize(1, 1))

    def rect(self, cell: Cell) -> QRect:
        return QRect(self._corner(cell), self.cell)

    def area(self) -> QRect:
        """All cells."""
        return QRect(self.origin, QSize(self.columns * self.cell.width(), self.rows * self.cell.height()))

    def row(self, index: int) -> QRect:
        """A row with its name."""
        area = self.area()
        return QRect(0, self._corner(Cell(index, 0)).y(), area.right() + 1, self.cell.height())

    def column(self, index: int) -> QRect:
        """A column with its name, and all that is above it."""
        area = self.area()
        return QRect(self._corner(Cell(0, index)).x(), 0, self.cell.width(), area.bottom() + 1)

    def at(self, point: QPoint) -> Cell | None:
        """The cell at a point."""
        if not self.area().contains(point):
            return None
        inside = point - self.origin
        return Cell(inside.y() // self.cell.height(), inside.x() // self.cell.width())

    def within(self, rect: QRect) -> tuple[range, range]:
        """The rows and the columns of which something lies in a rectangle."""
        first, last = rect.topLeft() - self.origin, rect.bottomRight() - self.origin
        high, wide = self.cell.height(), self.cell.width()
        return (
            range(max(0, first.y() // high), min(self.rows, last.y() // high + 1)),
            range(max(0, first.x() // wide), min(self.columns, last.x() // wide + 1)),
        )

    def _corner(self, cell: Cell) -> QPoint:
        return self.origin + QPoint(cell.column * self.cell.width(), cell.row * self.cell.height())
