"""A small button with a painted sign, in the theme's colours and as large as the text beside it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize
from PySide6.QtWidgets import QPushButton

from gptstudio.gui.appearance import follow
from gptstudio.gui.icons import SignIcon
from gptstudio.gui.widgets.parts import named


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
