"""Text in paintings: alignment, font and theme colour; and shapes behind it."""

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
    """Write a line of text in a theme colour. ``width``: elide longer text, in pixels."""
    painter.setPen(colour(ink))
    painter.drawText(place, side, text if width is None else elided(painter, text, width))


def rounded(
    painter: QPainter, place: QRectF, radius: float, fill: QColor | QGradient | QBrush | None = None,
    edge: QPen | QColor | None = None,
) -> None:
    """Paint a rectangle with rounded corners; without a ``fill`` or ``edge``, the respective part is omitted."""
    draw_with(painter, Qt.PenStyle.NoPen if edge is None else edge, Qt.BrushStyle.NoBrush if fill is None else fill)
    painter.drawRoundedRect(place, radius, radius)


def elided(painter: QPainter, text: str, width: float) -> str:
    """Return a text, elided if it is longer than ``width`` pixels."""
    return painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, round(width))


def heading(font: QFont) -> QFont:
    """Return the font of titles and of emphasised text."""
    made = QFont(font)
    made.setWeight(QFont.Weight.DemiBold)
    return made


def small(font: QFont) -> QFont:
    """Return the font of secondary text, such as IDs."""
    made = QFont(font)
    made.setPointSizeF(SMALLER * font.pointSizeF())
    return made


def draw_with(
    painter: QPainter, line: QPen | QColor | Qt.PenStyle, fill: QBrush | QColor | QGradient | Qt.BrushStyle
) -> None:
    """Set the pen and the brush for the following shapes."""
    painter.setPen(line)
    painter.setBrush(fill)
