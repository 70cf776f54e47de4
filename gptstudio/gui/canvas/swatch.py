"""A small sample beside a word: a colour, a pattern, a line."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRect, QRectF, QSize
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QSizePolicy

from gptstudio.gui.canvas.canvas import Canvas

Paint = Callable[[QPainter, QRectF, int], None]
"""Paints into a rectangle; the last argument is the height of a letter."""


class Swatch(Canvas):
    """Sample that a function paints.

    Args:
        paint: the function.
        width, height: in heights of a letter; or in pixels, of which there are more in a higher line if it grows.
    """

    def __init__(
        self, paint: Paint, width: float, height: float, *, pixels: bool = False, grows: bool = False,
    ) -> None:
        super().__init__(pointable=False)
        self._paint, self._size, self._pixels = paint, (width, height), pixels
        fixed, preferred = QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred
        self.setSizePolicy(fixed, preferred if grows else fixed)

    def paint_with(self, paint: Paint) -> None:
        """Let another function paint it."""
        self._paint = paint
        self.update()

    def sizeHint(self) -> QSize:
        unit = 1 if self._pixels else self.fontMetrics().height()
        return QSize(*(round(length * unit) for length in self._size))

    def paint(self, painter: QPainter, _region: QRect) -> None:
        self._paint(painter, QRectF(self.rect()), self.fontMetrics().height())
