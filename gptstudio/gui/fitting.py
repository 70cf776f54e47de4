"""Windows that are no larger than the screen: what then does not fit scrolls."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QScreen, QShowEvent
from PySide6.QtWidgets import QApplication, QDialog, QFrame, QScrollArea, QStyle, QVBoxLayout, QWidget

SCROLL = "window_scroll"
BORDER = 4
"""Pixels of a window's frame at each side, which is not known before the window is shown."""


def screen_of(widget: QWidget) -> QScreen:
    """Return the screen that the middle of a widget's window is on.

    PySide 6.11 takes what QWidget.screen() returns for a child of the widget, and invalidates it when that is deleted;
    the next window that is made on the screen then crashes.
    """
    middle = widget.window().frameGeometry().center()
    return QApplication.screenAt(middle) or QApplication.primaryScreen()


def fit_to_screen(window: QWidget) -> None:
    """Make a window no larger than its screen has room for, title bar and panels of the desktop left out."""
    title = QApplication.style().pixelMetric(QStyle.PixelMetric.PM_TitleBarHeight)
    over = window.parentWidget()
    screen = screen_of(over or window)
    room = screen.availableSize() - QSize(2 * BORDER, title + 2 * BORDER)
    if over:  # which the user may have drawn over several screens
        room = room.expandedTo(over.window().size())
    if layout := window.layout():
        layout.activate()  # where the text has just grown
    least = window.minimumSizeHint().expandedTo(window.minimumSize())
    if least != least.boundedTo(room) and isinstance(window, QDialog):
        _let_scroll(window)
        window.setMinimumSize(0, 0)
    if window.size() != window.size().boundedTo(room) and not window.isFullScreen():
        window.resize(window.size().boundedTo(room))


class Dialog(QDialog):
    """A dialog that fits its screen whenever it is shown."""

    def showEvent(self, event: QShowEvent) -> None:
        fit_to_screen(self)
        super().showEvent(event)


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

