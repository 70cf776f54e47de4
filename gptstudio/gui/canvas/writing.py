"""Text in a painting: on which side it stands, in which font, and in which colour of the theme; and its ground."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QGradient, QPainter, QPen

from gptstudio.gui.theme import colour

CENTRE = Qt.AlignmentFlag.AlignCenter
LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
SMALLER = 0.82


def write(
    painter: QPainter, place: QRectF | QRect, text: str, side: Qt.AlignmentFlag = LEFT, ink: str = "text",
    width: float | None = None,
) -> None:
    """Write a line in a colour of the theme. ``width``: longer text is cut there, in pixels."""
    painter.setPen(colour(ink))
    painter.drawText(place, side, text if width is None else elided(painter, text, width))


def rounded(
    painter: QPainter, place: QRectF, radius: float, fill: QColor | QGradient | QBrush | None = None,
    edge: QPen | QColor | None = None,
) -> None:
    """Paint a rectangle with round corners, in these colours; without a colour there is no filling, or no edge."""
    draw_with(painter, Qt.PenStyle.NoPen if edge is None else edge, Qt.BrushStyle.NoBrush if fill is None else fill)
    painter.drawRoundedRect(place, radius, radius)


def elided(painter: QPainter, text: str, width: float) -> str:
    """Return a text that is cut where it is longer than ``width`` pixels."""
    return painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, round(width))


def heading(font: QFont) -> QFont:
    """Return the font of titles and of what counts."""
    made = QFont(font)
    made.setWeight(QFont.Weight.DemiBold)
    return made


def small(font: QFont) -> QFont:
    """Return the font of ids and the like."""
    made = QFont(font)
    made.setPointSizeF(SMALLER * font.pointSizeF())
    return made


def draw_with(
    painter: QPainter, line: QPen | QColor | Qt.PenStyle, fill: QBrush | QColor | QGradient | Qt.BrushStyle
) -> None:
    """Set what the next shapes are drawn and filled with."""
    painter.setPen(line)
    painter.setBrush(fill)
