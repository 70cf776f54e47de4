"""Progress of a lesson: one mark for each step."""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QSizePolicy

from gptstudio.gui.canvas.canvas import Canvas
from gptstudio.gui.theme import colour
from gptstudio.gui.translation import tr


class Progress(Canvas):
    """Marks of the steps: finished ones are filled, the current one is taller, later ones are outlines."""

    def __init__(self) -> None:
        super().__init__("lesson_progress", pointable=False)
        self._count, self._now = 0, 0
        self._reached: Collection[int] = ()
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def show_steps(self, count: int, now: int, reached: Collection[int]) -> None:
        self._count, self._now, self._reached = count, now, reached
        self.setAccessibleName(tr("Step {n} of {count}", n=now + 1, count=count))
        self.remeasure()

    def sizeHint(self) -> QSize:
        unit = self.fontMetrics().height()
        return QSize(min(self._count, 12) * unit, unit)

    def minimumSizeHint(self) -> QSize:
        return QSize(3 * self.fontMetrics().height(), self.fontMetrics().height())

    def paint(self, painter: QPainter, _region: QRect) -> None:
        for step in range(self._count):
            self._paint(painter, step)

    def _paint(self, painter: QPainter, step: int) -> None:
        width, middle = self.width() / self._count, self.height() / 2
        half = self.height() * (0.32 if step == self._now else 0.18)
        gap = min(2.0, width / 4)
        mark = QRectF(step * width + gap, middle - half, width - 2 * gap, 2 * half)
        behind = step < self._now or step in self._reached
        painter.setPen(QPen(colour("accent" if behind or step == self._now else "muted"), 1))
        painter.setBrush(colour("accent") if behind else Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(mark, 2, 2)
