"""QR code of a short text, dark on white in every theme, so that any phone reads it from the screen."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

QUIET = 4
"""Light modules around the code, as ISO/IEC 18004 asks for."""
MODULE = 5
"""Pixels of the side of a module."""


class QrCode(QWidget):
    """Picture of a QR code with its quiet zone; hidden while there is no text."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.rows: list[bytes] = []
        """The modules, row by row; 1: dark."""
        self.hide()

    def show_text(self, text: str, words: str) -> None:
        """Show the code of a text. ``words``: what it is, for a screen reader."""
        import segno

        self.rows = [bytes(row) for row in segno.make_qr(text, error="m", encoding="utf-8").matrix]
        self.setAccessibleName(words)
        self.setAccessibleDescription(text)
        self.setFixedSize(self.sizeHint())
        self.update()
        self.show()

    def sizeHint(self) -> QSize:
        side = (len(self.rows) + 2 * QUIET) * MODULE
        return QSize(side, side)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(Qt.GlobalColor.white))
        for y, row in enumerate(self.rows):
            for x, dark in enumerate(row):
                if dark:
                    at = QRect((x + QUIET) * MODULE, (y + QUIET) * MODULE, MODULE, MODULE)
                    painter.fillRect(at, QColor(Qt.GlobalColor.black))
