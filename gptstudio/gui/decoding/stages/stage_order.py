"""Dragging of a stage, shared by the list of sampling parameters and the header of the table."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter

from gptstudio.gpt.sampling_params import Stage
from gptstudio.gui.theme import colour

Order = tuple[Stage, ...]


def moved(order: Order, stage: Stage, gap: int) -> Order:
    """The order with one stage put into a gap: 0 before the first, 5 behind the last."""
    ahead = [each for each in order[:gap] if each != stage]
    return (*ahead, stage, *(each for each in order[gap:] if each != stage))


def shifted(order: Order, stage: Stage, by: int) -> Order:
    """One place sooner (-1) or later (1), where there is one."""
    at = order.index(stage)
    return moved(order, stage, max(0, at - 1) if by < 0 else at + 2)


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
