"""A widget that asks for the height that its wrapped words need at the width it has."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget


class Tall(QWidget):
    """By Qt's own choice wrapped words ask for one line at least, and are cut off where text is large."""

    def minimumSizeHint(self) -> QSize:
        layout = self.layout()
        if layout is None:
            return QSize()
        least = layout.totalMinimumSize()
        height = layout.totalMinimumHeightForWidth(self.width()) if layout.hasHeightForWidth() else -1
        return QSize(least.width(), max(least.height(), height))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()
