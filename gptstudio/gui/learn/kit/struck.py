"""A matrix in which numbers are struck out: hatched, so that one sees it without colours too."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QBrush, QPainter

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

    def paint(self, painter: QPainter, region: QRect) -> None:
        super().paint(painter, region)
        if self.struck.shape != self.values.shape:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        hatch = QBrush(colour("muted", 0.35), Qt.BrushStyle.BDiagPattern)
        for row, column in np.argwhere(self.struck).tolist():
            painter.fillRect(self.rect(Cell(row, column)).adjusted(1, 1, 0, 0), hatch)
