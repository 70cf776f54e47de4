"""Dragging of a stage, shared by the list of sampling parameters and the header of the table."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter

from gptstudio.gui.theme import colour

Order = tuple[str, ...]


def moved(order: Order, stage: str, gap: int) -> Order:
    """The order with one stage put into a gap: 0 before the first, the number of stages behind the last."""
    ahead = [each for each in order[:gap] if each != stage]
    return (*ahead, stage, *(each for each in order[gap:] if each != stage))


def shifted(order: Order, stage: str, by: int, shown: Sequence[str]) -> Order:
    """The order with one stage before (-1) or behind (1) the next of those that are shown, where there is one."""
    at = shown.index(stage) + by
    if not 0 <= at < len(shown):
        return order
    return moved(order, stage, order.index(shown[at]) + (by > 0))


def paint_grip(painter: QPainter, place: QRectF) -> None:
    """Six dots: something that can be taken."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour("muted", 0.7))
    size = place.width() * 0.32
    for row in range(3):
        for column in range(2):
            x = place.left() + column * (place.width() - size)
            painter.drawEllipse(QRectF(x, place.top() + row * (place.height() - size) / 2, size, size))
    painter.restore()
