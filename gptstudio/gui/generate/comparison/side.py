"""The two sides of a comparison: what they are called, and their colours."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from gptstudio.gui.theme import colour, theme
from gptstudio.i18n import message

NAMES = (message("Left"), message("Right"))
COLOURS = ("training", "validation")
"""Of the theme: two that anybody can tell apart."""


class SideSwatch(QWidget):
    """The colour of a side, beside its name."""

    def __init__(self, side: int) -> None:
        super().__init__()
        self._name = COLOURS[side]
        self.setFixedSize(11, 11)
        theme.changed.connect(self.update)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(colour(self._name))
        painter.setBrush(colour(self._name, 0.5))
        painter.drawRoundedRect(QRectF(0.5, 0.5, 10, 10), 2, 2)
