"""The two sides of a comparison: what they are called, and their colours."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from gptstudio.gui.canvas.swatch import Swatch
from gptstudio.gui.canvas.writing import rounded
from gptstudio.gui.theme import colour
from gptstudio.i18n import message

NAMES = (message("Left"), message("Right"))
COLOURS = ("training", "validation")
"""Of the theme: two that anybody can tell apart."""


def side_swatch(side: int) -> Swatch:
    def paint(painter: QPainter, _place: QRectF, _letter: int) -> None:
        rounded(painter, QRectF(0.5, 0.5, 10, 10), 2, colour(COLOURS[side], 0.5), colour(COLOURS[side]))

    return Swatch(paint, 11, 11, pixels=True)
