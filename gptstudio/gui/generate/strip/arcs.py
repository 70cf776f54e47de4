"""Arcs above a text, from a token to those that it attends to most."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPen

from gptstudio.gui.theme import colour

THINNEST, THICKEST = 1.0, 6.0
"""Pixels."""


class Arc(NamedTuple):
    """From one position to another; ``weight``: from 0 to 1, its thickness."""

    start: int
    end: int
    weight: float


def paint_arcs(
    painter: QPainter, arcs: Sequence[Arc], place_of: Callable[[int], QRectF | None], height: float
) -> None:
    """Paint arcs above boxes, whose places are looked up by position. ``height``: that of a box."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for arc in sorted(arcs, key=lambda each: each.weight):
        start, end = place_of(arc.start), place_of(arc.end)
        if start and end:
            width = THINNEST + arc.weight * (THICKEST - THINNEST)
            painter.setPen(QPen(colour("validation", 0.8), width, c=Qt.PenCapStyle.RoundCap))
            painter.drawPath(_path(start, end, height))


def _path(start: QRectF, end: QRectF, height: float) -> QPainterPath:
    """Return the way from the top of one box to that of another, over whatever is beside them."""
    one, other = (QPointF(box.center().x(), box.top()) for box in (start, end))
    rise = QPointF(0, 1.2 * height)  # a cubic curve reaches three quarters of it
    path = QPainterPath(one)
    path.cubicTo(one - rise, other - rise, other)
    return path
