"""A matrix in which numbers are struck out: hatched, so that one sees it without colours too."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush, QPainter, QPaintEvent

from gptstudio.gui.canvas.grid import Cell
from gptstudio.gui.learn.kit.matrix import Matrix
from gptstudio.gui.theme import colour


class StruckMatrix(Matrix):
    """Matrix in which some numbers are struck out."""

    struck: np.ndarray = np.zeros((0, 0), dtype=bool)

    def strike(self, struck: np.ndarray) -> None:
        """``struck``: (rows, columns), True where a number is hatched."""
        self.struck = struck
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.struck.shape != self.values.shape:
            return
        with QPainter(self) as painter:
            hatch = QBrush(colour("muted", 0.35), Qt.BrushStyle.BDiagPattern)
            for row, column in np.argwhere(self.struck).tolist():
                painter.fillRect(self.rect(Cell(row, column)).adjusted(1, 1, 0, 0), hatch)
