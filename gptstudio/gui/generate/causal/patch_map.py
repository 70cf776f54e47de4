"""Heat map of activation patching: a row for each layer, a column for each position or head."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPen

from gptstudio.gui.canvas.grid import Cell
from gptstudio.gui.generate.interpret.heat_map import HeatMap
from gptstudio.gui.theme import colour


class CellMap(HeatMap):
    """Heat map of which one cell is chosen, by a click or Enter; emits which. ``say``: what is said of a cell."""

    cell_chosen = Signal(object)  # Cell

    def __init__(self, name: str, accessible: str, say: Callable[[Cell], str]) -> None:
        super().__init__(name, accessible)
        self.cell: Cell | None = None
        """That is chosen."""
        self._say = say

    def words(self, cell: Cell) -> str:
        return self._say(cell)

    def choose(self, cell: Cell | None) -> None:
        """Mark a cell, without telling."""
        self.cell = cell
        self.viewport().update()

    def step(self, key: Qt.Key, start: Cell | None) -> Cell:
        return super().step(key, start or self.cell)

    def activate(self, cell: Cell) -> bool:
        self.choose(cell)
        self.cell_chosen.emit(cell)
        return True

    def paint_marks(self, painter: QPainter, shown: QRectF) -> None:
        super().paint_marks(painter, shown)
        if self.cell:
            painter.setPen(QPen(colour("validation"), 2))
            painter.drawRect(self.place(self.cell))
