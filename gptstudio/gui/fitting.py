"""Windows that are no larger than the screen: what then does not fit scrolls."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize
from PySide6.QtWidgets import QFrame, QMainWindow, QScrollArea, QStyle, QVBoxLayout, QWidget

SCROLL = "window_scroll"
BORDER = 4
"""Pixels of a window's frame at each side, which is not known before the window is shown."""


def fit_to_screen(window: QWidget) -> None:
    """Make a window no larger than its screen has room for, title bar and panels of the desktop left out."""
    title = window.style().pixelMetric(QStyle.PixelMetric.PM_TitleBarHeight)
    room = window.screen().availableSize() - QSize(2 * BORDER, title + 2 * BORDER)
    if layout := window.layout():
        layout.activate()  # where the text has just grown
    least = window.minimumSizeHint().expandedTo(window.minimumSize())
    if least != least.boundedTo(room) and not isinstance(window, QMainWindow):
        _let_scroll(window)
        window.setMinimumSize(0, 0)
    if window.size() != window.size().boundedTo(room):
        window.resize(window.size().boundedTo(room))


def fit_when_shown(window: QWidget) -> None:
    """Fit a window to the screen the first time that it is shown."""
    window.installEventFilter(_fitter)


def _let_scroll(window: QWidget) -> None:
    """Put all that is in a window into a scroll area."""
    layout = window.layout()
    if layout is None or window.findChild(QScrollArea, SCROLL):
        return
    area, inside = QScrollArea(), QWidget()
    inside.setLayout(layout)
    area.setObjectName(SCROLL)
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.viewport().setAutoFillBackground(False)
    inside.setAutoFillBackground(False)
    area.setWidget(inside)
    around = QVBoxLayout(window)
    around.setContentsMargins(0, 0, 0, 0)
    around.addWidget(area)


class _Fitter(QObject):
    def eventFilter(self, window: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Show and isinstance(window, QWidget):
            window.removeEventFilter(self)
            fit_to_screen(window)
        return False


_fitter = _Fitter()
