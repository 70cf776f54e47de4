"""A small button with a painted sign, in the theme's colours and as large as the text beside it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QPushButton

from gptstudio.gui.appearance import follow
from gptstudio.gui.theme import colour
from gptstudio.gui.widgets.parts import named

SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><g stroke="{paint}" fill="{paint}" stroke-width="1.8" '
    'stroke-linecap="round" stroke-linejoin="round">{sign}</g></svg>'
)
SHAPES = {
    "play": '<path d="M5 4L13 8L5 12Z"/>',
    "pause": '<g stroke="none"><rect x="4" y="3" width="3" height="10"/><rect x="10" y="3" width="3" height="10"/></g>',
    "redo": '<g fill="none"><path d="M12.5 6.5L6 6.5L6.25 6.5A3.25 3.25 0 0 0 6.25 13L10.5 13"/>'
            '<path d="M9.7 3.4L12.8 6.5L9.7 9.6"/></g>',
    "forward": '<path d="M6 4L12 8L6 12ZM3.5 5V11"/>',
    "end": '<path d="M3 4L9 8L3 12ZM12.5 4V12"/>',
    "later": '<path d="M6 3.5L10.5 8L6 12.5" fill="none"/>',
}
MIRRORED = {"undo": "redo", "back": "forward", "start": "end", "earlier": "later"}
SIGNS = (*SHAPES, *MIRRORED)


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
            icon.addPixmap(_drawn(self.sign, side, self.devicePixelRatioF(), colour(name)), mode)
        self.setIcon(icon)
        self.setIconSize(QSize(side, side))


def _drawn(sign: str, side: int, ratio: float, paint: QColor) -> QPixmap:
    made = QPixmap(round(side * ratio), round(side * ratio))
    made.setDevicePixelRatio(ratio)
    made.fill(Qt.GlobalColor.transparent)
    with QPainter(made) as painter:
        painter.scale(side / 16, side / 16)
        if sign in MIRRORED:
            painter.translate(16, 0)
            painter.scale(-1, 1)
        drawing = SVG.format(paint=paint.name(), sign=SHAPES[MIRRORED.get(sign, sign)])
        QSvgRenderer(drawing.encode()).render(painter, QRectF(0, 0, 16, 16))
    return made
