"""A small button with a painted sign, in the theme's colours and as large as the text beside it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPainterPath, QPen, QPixmap, QPolygonF
from PySide6.QtWidgets import QPushButton

from gptstudio.gui.appearance import follow
from gptstudio.gui.theme import colour
from gptstudio.gui.widgets.parts import named

Sign = Callable[[QPainter], None]


class IconButton(QPushButton):
    """``words`` are said by screen readers, ``tip`` on hover."""

    def __init__(self, sign: str, name: str, words: str, tip: str = ""):
        super().__init__()
        self.sign = sign
        named(self, name, words)
        self.setProperty("role", "icon")
        self.setAutoDefault(False)
        self.setToolTip(tip or words)
        follow(self, self._draw)
        self._draw()

    def show_sign(self, sign: str, words: str, tip: str = "") -> None:
        self.setAccessibleName(words)
        self.setToolTip(tip or words)
        if sign != self.sign:
            self.sign = sign
            self._draw()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.FontChange:
            self._draw()
        super().changeEvent(event)

    def _draw(self) -> None:
        side = self.fontMetrics().height()
        icon = QIcon()
        for mode, name in ((QIcon.Mode.Normal, "text"), (QIcon.Mode.Disabled, "line")):
            icon.addPixmap(_drawn(SIGNS[self.sign], side, self.devicePixelRatioF(), colour(name)), mode)
        self.setIcon(icon)
        self.setIconSize(QSize(side, side))


def _drawn(sign: Sign, side: int, ratio: float, paint: QColor) -> QPixmap:
    made = QPixmap(round(side * ratio), round(side * ratio))
    made.setDevicePixelRatio(ratio)
    made.fill(Qt.GlobalColor.transparent)
    painter = QPainter(made)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.scale(side / 16, side / 16)
    painter.setPen(QPen(paint, 1.8, c=Qt.PenCapStyle.RoundCap, j=Qt.PenJoinStyle.RoundJoin))
    painter.setBrush(paint)
    sign(painter)
    painter.end()
    return made


# The signs, on 16 x 16.


def _play(painter: QPainter) -> None:
    _triangle(painter, 5, 13)


def _pause(painter: QPainter) -> None:
    for left in (4, 10):
        painter.fillRect(QRectF(left, 3, 3, 10), painter.brush())


def _forward(painter: QPainter) -> None:
    _triangle(painter, 6, 12)
    painter.drawLine(QPointF(3.5, 5), QPointF(3.5, 11))


def _end(painter: QPainter) -> None:
    _triangle(painter, 3, 9)
    painter.drawLine(QPointF(12.5, 4), QPointF(12.5, 12))


def _later(painter: QPainter) -> None:
    painter.drawPolyline(QPolygonF([QPointF(6, 3.5), QPointF(10.5, 8), QPointF(6, 12.5)]))


def _redo(painter: QPainter) -> None:
    path = QPainterPath(QPointF(12.5, 6.5))
    path.lineTo(6, 6.5)
    path.arcTo(QRectF(3, 6.5, 6.5, 6.5), 90, 180)
    path.lineTo(10.5, 13)
    painter.strokePath(path, painter.pen())
    painter.drawPolyline(QPolygonF([QPointF(9.7, 3.4), QPointF(12.8, 6.5), QPointF(9.7, 9.6)]))


def _triangle(painter: QPainter, left: float, right: float) -> None:
    painter.drawPolygon(QPolygonF([QPointF(left, 4), QPointF(right, 8), QPointF(left, 12)]))


def _mirrored(sign: Sign) -> Sign:
    def draw(painter: QPainter) -> None:
        painter.translate(16, 0)
        painter.scale(-1, 1)
        sign(painter)

    return draw


SIGNS: dict[str, Sign] = {
    "play": _play, "pause": _pause, "redo": _redo, "undo": _mirrored(_redo),
    "forward": _forward, "back": _mirrored(_forward), "end": _end, "start": _mirrored(_end),
    "later": _later, "earlier": _mirrored(_later),
}
