"""A painting whose items are cells: each has a row and a column, and an arrow key leads to the one beside."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QRectF, Qt

from gptstudio.gui.canvas.canvas import Canvas
from gptstudio.gui.canvas.grid import Cell
from gptstudio.gui.canvas.items import ARROWS, ENDS, KEYS


class CellCanvas(Canvas):
    """Canvas of cells."""

    @property
    def cell(self) -> Cell | None:
        """The cell that is pointed at."""
        return self.item  # type: ignore[no-any-return]

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
