"""Painted signs in the theme's colours, and small buttons with such a sign, as large as the text next to it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QIconEngine, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QPushButton

from gptstudio.gui.appearance import on_restyle
from gptstudio.gui.theme import colour
from gptstudio.gui.widgets.parts import named

SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><g stroke="{paint}" fill="{paint}" stroke-width="1.8" '
    'stroke-linecap="round" stroke-linejoin="round">{sign}</g></svg>'
)
SHAPES = {
    "play": '<path d="M5 4L13 8L5 12Z"/>',
    "pause": '<g stroke="none"><rect x="4" y="3" width="3" height="10"/><rect x="10" y="3" width="3" height="10"/></g>',
    "stop": '<rect x="4.5" y="4.5" width="7" height="7"/>',
    "redo": '<g fill="none"><path d="M12.5 6.5L6 6.5L6.25 6.5A3.25 3.25 0 0 0 6.25 13L10.5 13"/>'
            '<path d="M9.7 3.4L12.8 6.5L9.7 9.6"/></g>',
    "forward": '<path d="M6 4L12 8L6 12ZM3.5 5V11"/>',
    "peak": '<path d="M2 12.5L6.5 3.5L9.3 9.5L11 7L14 12.5" fill="none"/>',
    "end": '<path d="M3 4L9 8L3 12ZM12.5 4V12"/>',
    "below": '<path d="M3.5 6L8 10.5L12.5 6" fill="none"/>',
    "later": '<path d="M6 3.5L10.5 8L6 12.5" fill="none"/>',
    "restart": '<path d="M12.9 6.2A5.2 5.2 0 1 0 13.2 8.6M13.2 2.8V6.2H9.8" fill="none"/>',
    "folder": '<path d="M2 12.5V4H6.5L8 5.5H14V12.5Z" fill="none"/>',
    "download": '<path d="M8 2.5V9.5M5 7L8 10L11 7M3 13H13" fill="none"/>',
    "export": '<path d="M8 10V3M5 5.5L8 2.5L11 5.5M3 13H13" fill="none"/>',
    "rename": '<path d="M3 13L4 10L10.5 3.5L12.5 5.5L6 12Z" fill="none"/>',
    "delete": '<path d="M3 4.5H13M6 4.5V2.8H10V4.5M4.5 4.5L5.2 13H10.8L11.5 4.5" fill="none"/>',
    "search": '<circle cx="6.8" cy="6.8" r="4" fill="none"/><path d="M9.9 9.9L13.3 13.3"/>',
    "larger": '<path d="M8 3V13M3 8H13"/>',
    "smaller": '<path d="M3 8H13"/>',
    "settings": '<path d="M2.5 5H13.5M2.5 11H13.5" fill="none"/><circle cx="6" cy="5" r="1.8"/>'
                '<circle cx="10.5" cy="11" r="1.8"/>',
    "cancel": '<path d="M4 4L12 12M12 4L4 12"/>',
    "manual": '<path d="M8 4.2C6.5 3 4.5 3 2.5 3.2V12.3C4.5 12.1 6.5 12.1 8 13.3C9.5 12.1 11.5 12.1 13.5 12.3V3.2'
              'C11.5 3 9.5 3 8 4.2ZM8 4.2V13.3" fill="none"/>',
    "question": '<circle cx="8" cy="8" r="5.8" fill="none"/><path d="M6.2 6.6A1.9 1.9 0 1 1 8 8.6V9.2M8 11.2V11.3" '
                'fill="none"/>',
    "keys": '<path d="M1.5 4.5H14.5V11.5H1.5ZM4 7H4.1M6.7 7H6.8M9.3 7H9.4M12 7H12.1M5 9.3H11" fill="none"/>',
    "copy": '<path d="M6 5.5H13.5V13.5H6ZM3.5 10.5H2.5V2.5H10V3.5" fill="none"/>',
    "bookmark": '<path d="M4 2.5H12V13.5L8 10.8L4 13.5Z" fill="none"/>',
    "warning": '<path d="M8 2.6L14.2 13.2H1.8ZM8 6.6V9.4M8 11.3V11.4" fill="none"/>',
    "about": '<circle cx="8" cy="8" r="5.8" fill="none"/><path d="M8 7.6V11M8 5V5.1"/>',
}
MIRRORED = {"undo": "redo", "back": "forward", "start": "end", "earlier": "later"}
SIGNS = (*SHAPES, *MIRRORED)


class SignIcon(QIcon):
    """Icon that draws a sign each time it is painted: at any size, in the current colours."""

    def __init__(self, sign: str) -> None:
        super().__init__(_Engine(sign))


class _Engine(QIconEngine):
    def __init__(self, sign: str) -> None:
        super().__init__()
        self._sign = sign

    def clone(self) -> QIconEngine:
        return _Engine(self._sign)

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, _: QIcon.State) -> None:
        paint = colour("line" if mode == QIcon.Mode.Disabled else "text").name()
        drawing = SVG.format(paint=paint, sign=SHAPES[MIRRORED.get(self._sign, self._sign)])
        painter.save()
        painter.translate(QRectF(rect).center())
        side = min(rect.width(), rect.height()) / 16
        painter.scale(-side if self._sign in MIRRORED else side, side)
        QSvgRenderer(drawing.encode()).render(painter, QRectF(-8, -8, 16, 16))
        painter.restore()

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        made = QPixmap(size)
        made.fill(Qt.GlobalColor.transparent)
        with QPainter(made) as painter:
            self.paint(painter, made.rect(), mode, state)
        return made


class IconButton(QPushButton):
    """Small button with a sign. ``words``: its accessible name. ``tip``: its tooltip, by default ``words``."""

    def __init__(self, sign: str, name: str, words: str, tip: str = ""):
        super().__init__()
        self.sign = sign
        named(self, name, words)
        self.setProperty("role", "icon")
        self.setAutoDefault(False)
        self.setToolTip(tip or words)
        on_restyle(self, self._draw)
        self._draw()

    def show_sign(self, sign: str, words: str) -> None:
        self.setAccessibleName(words)
        if sign != self.sign:
            self.sign = sign
            self._draw()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.FontChange:
            self._draw()
        super().changeEvent(event)

    def _draw(self) -> None:
        side = self.fontMetrics().height()
        self.setIcon(SignIcon(self.sign))
        self.setIconSize(QSize(side, side))
