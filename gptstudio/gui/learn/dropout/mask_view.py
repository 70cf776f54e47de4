"""A mask as small squares: what is struck is empty and hatched, what is kept is full."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QPainter, QPen
from PySide6.QtWidgets import QSizePolicy

from gptstudio.gui.canvas.canvas import Canvas
from gptstudio.gui.theme import colour
from gptstudio.gui.translation import tr

SIDE = 0.8
"""Of a square, in heights of a letter."""


class MaskView(Canvas):
    """View of the numbers that dropout keeps."""

    smooth = False

    def __init__(self, name: str) -> None:
        super().__init__(name, tr("Dropped numbers"), pointable=False)
        self.kept = np.ones((1, 1), dtype=bool)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_mask(self, kept: np.ndarray) -> None:
        """``kept``: (rows, columns), False where a number is struck."""
        self.kept = kept
        self.describe(tr("Dropped: {struck} of {all} squares", struck=int((~kept).sum()), all=kept.size))
        self.remeasure()

    def minimumSizeHint(self) -> QSize:
        rows, columns = self.kept.shape
        return QSize(round(columns * self._side()) + 2, round(rows * self._side()) + 2)

    def table(self) -> Sequence[Sequence[str]]:
        return [[str(int(kept)) for kept in row] for row in self.kept]

    def paint(self, painter: QPainter, _region: QRect) -> None:
        side = self._side()
        painter.setPen(QPen(colour("line"), 1))
        hatch = QBrush(colour("text", 0.7), Qt.BrushStyle.BDiagPattern)
        for (row, column), kept in np.ndenumerate(self.kept):
            place = QRectF(column * side + 1, row * side + 1, side - 1, side - 1)
            painter.fillRect(place, colour("training", 0.55) if kept else hatch)
            painter.drawRect(place)

    def _side(self) -> float:
        return SIDE * self.fontMetrics().height()

