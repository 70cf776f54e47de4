"""Blinking of the text cursor, which ends after a while: each blink wakes the program and paints the text field."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QGuiApplication

STOP_AFTER_MS = 10_000
"""As in the text fields of GTK, which stop after ten seconds without a key."""


class CursorBlink(QObject):
    """Stops the blinking of all text cursors, which stay visible, until one moves or another field has the focus."""

    def __init__(self, parent: QObject, after_ms: int = STOP_AFTER_MS) -> None:
        super().__init__(parent)
        self._hints = QGuiApplication.styleHints()
        self._usual_ms = self._hints.cursorFlashTime()
        self._still = QTimer(self, interval=after_ms, singleShot=True)
        self._still.timeout.connect(lambda: self._hints.setCursorFlashTime(0))
        QGuiApplication.inputMethod().cursorRectangleChanged.connect(self._blink)
        self._blink()

    def _blink(self) -> None:
        if self._hints.cursorFlashTime() != self._usual_ms:
            self._hints.setCursorFlashTime(self._usual_ms)
        self._still.start()
