"""A painting whose items are cells: each has a row and a column, and an arrow key leads to the one beside."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from PySide6.QtCore import QRectF, Qt

from gptstudio.gui.canvas.canvas import ARROWS, ENDS, KEYS, Canvas
from gptstudio.gui.canvas.grid import Cell


class CellCanvas(Canvas):
    """Canvas of cells, which others can mark too."""

    def __init__(self, name: str, accessible: str) -> None:
        super().__init__(name, accessible)
        self.lit: frozenset[Cell] = frozenset()

    @property
    def cell(self) -> Cell | None:
        """The cell that is pointed at."""
        return self.item  # type: ignore[no-any-return]

    def light(self, cells: Iterable[Cell]) -> None:
        """Mark these cells, and no others."""
        lit = frozenset(Cell(*cell) for cell in cells)
        if lit != self.lit:
            self.lit = lit
            self.update()

    def step(self, key: Qt.Key, start: Cell | None) -> Cell | None:
        """Return the cell beside, or at the end of the row; None where there is none."""
        cells: Mapping[Cell, QRectF] = self.items()
        if start is None:
            return next(iter(cells))
        if key in ENDS:
            row = [cell.column for cell in cells if cell.row == start.row]
            return Cell(start.row, max(row) if key == KEYS.Key_End else min(row)) if row else None
        down, right = ARROWS[key]
        aim = Cell(start.row + down, start.column + right)
        return aim if aim in cells else None
