"""All heads of a layer side by side, small: one is chosen."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QImage, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QSizePolicy, QWidget

from gptstudio.gui.appearance import follow
from gptstudio.gui.plots import shades
from gptstudio.gui.theme import colour
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.parts import named

LEAST, MOST = 3.6, 9.0
"""Sides of a map, in heights of a letter."""
GAP = 6


class HeadMaps(QWidget):
    """Small maps of the weights of all heads, sized so that all are visible; emits ``chosen`` when one is selected."""

    chosen = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self._maps: list[_HeadMap] = []
        self._group = QButtonGroup(self)
        self._group.idClicked.connect(self.chosen)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def show_heads(self, weights: shades.Floats, spread: shades.Range) -> None:
        """``weights``: (H, R, T); not finite where a token cannot look."""
        if len(weights) != len(self._maps):
            self._make(len(weights))
        for made, each in zip(self._maps, weights, strict=True):
            made.show_shares(spread.shares(each))

    def choose(self, head: int) -> None:
        self._maps[head].setChecked(True)

    def button(self, head: int) -> QAbstractButton:
        return self._maps[head]

    def sizeHint(self) -> QSize:
        side = round(LEAST * self.fontMetrics().height())
        return QSize(3 * (side + GAP), side)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._place()

    def _make(self, count: int) -> None:
        for made in self._maps:
            made.deleteLater()
        self._maps = [_HeadMap(index, self) for index in range(count)]
        for index, made in enumerate(self._maps):
            self._group.addButton(made, index)
            made.show()
        self._place()

    def _place(self) -> None:
        letter = self.fontMetrics().height()
        least, most = round(LEAST * letter), round(MOST * letter)
        self.setMinimumHeight(self._height(least))
        side = next((side for side in range(most, least, -1) if self._height(side) <= self.height()), least)
        beside = self._beside(side)
        for index, made in enumerate(self._maps):
            row, column = divmod(index, beside)
            made.setGeometry(column * (side + GAP), row * (side + GAP), side, side)

    def _beside(self, side: int) -> int:
        return max(1, (self.width() + GAP) // (side + GAP))

    def _height(self, side: int) -> int:
        return -(-len(self._maps) // self._beside(side)) * (side + GAP)


class _HeadMap(QAbstractButton):
    def __init__(self, index: int, parent: QWidget) -> None:
        super().__init__(parent)
        named(self, f"head_{index}", tr("Head {n}", n=index + 1))
        self.setCheckable(True)
        self.setText(str(index + 1))
        self.setToolTip(self.accessibleName())
        self._shares: shades.Floats = np.empty((0, 0))
        self._image = QImage()
        follow(self, self._draw)

    def show_shares(self, shares: shades.Floats) -> None:
        self._shares = shares
        self._draw()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter, place = QPainter(self), QRectF(self.rect()).adjusted(1.5, 1.5, -1.5, -1.5)
        painter.fillRect(place, colour("surface"))
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, place.width() < self._image.width())
        painter.drawImage(place, self._image)
        chosen = self.isChecked()
        lit = chosen or self.hasFocus() or self.underMouse()
        painter.setPen(QPen(colour("accent" if lit else "line"), 2 if chosen else 1))
        painter.drawRect(place)
        painter.setPen(colour("text" if chosen else "muted"))
        corner = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop
        painter.drawText(place.adjusted(0, 1, -4, 0), corner, self.text())

    def _draw(self) -> None:
        self._image = shades.picture(self._shares)
        self.update()
