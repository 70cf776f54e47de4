"""A mask as small squares: what is struck is empty and hatched, what is kept is full."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from gptstudio.gui.theme import colour, theme
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.parts import named

SIDE = 0.8
"""Of a square, in heights of a letter."""


class MaskView(QWidget):
    """View of the numbers that dropout keeps."""

    def __init__(self, name: str) -> None:
        super().__init__()
        named(self, name, tr("Dropped numbers"))
        self.kept = np.ones((1, 1), dtype=bool)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self._remeasure)

    def show_mask(self, kept: np.ndarray) -> None:
        """``kept``: (rows, columns), False where a number is struck."""
        self.kept = kept
        self.setAccessibleDescription(
            tr("Dropped: {struck} of {all} squares", struck=int((~kept).sum()), all=kept.size)
        )
        self._remeasure()

    def sizeHint(self) -> QSize:
        rows, columns = self.kept.shape
        return QSize(round(columns * self._side()) + 2, round(rows * self._side()) + 2)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, _event: QPaintEvent) -> None:
        side = self._side()
        with QPainter(self) as painter:
            painter.setPen(QPen(colour("line"), 1))
            hatch = QBrush(colour("text", 0.7), Qt.BrushStyle.BDiagPattern)
            for (row, column), kept in np.ndenumerate(self.kept):
                place = QRectF(column * side + 1, row * side + 1, side - 1, side - 1)
                painter.fillRect(place, colour("training", 0.55) if kept else hatch)
                painter.drawRect(place)

    def _side(self) -> float:
        return SIDE * self.fontMetrics().height()

    def _remeasure(self) -> None:
        self.updateGeometry()
        self.update()
