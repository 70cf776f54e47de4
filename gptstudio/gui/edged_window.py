"""A main window whose edges have the colours of the theme, though it has no style sheet of the theme itself."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QDockWidget, QMainWindow

from gptstudio.gui.theme import colour

EDGES = """
    QMainWindow::separator { background: transparent; width: 1px; }
    QTabWidget::pane { border: none; border-top: 1px solid transparent; }
    QScrollArea, QScrollArea > QWidget > QWidget { background: transparent; border: none; }
"""
"""A style sheet without colours: another one would style all that is in the window again."""


class EdgedWindow(QMainWindow):
    """Paints its ground, and a line between each dock and what is beside it."""

    def __init__(self) -> None:
        super().__init__()
        self.setStyleSheet(EDGES)

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.fillRect(event.rect(), colour("window"))
            for dock in self.findChildren(QDockWidget, options=Qt.FindChildOption.FindDirectChildrenOnly):
                if dock.isVisible():
                    painter.fillRect(self._edge(dock), colour("line"))

    def _edge(self, dock: QDockWidget) -> QRect:
        around = dock.geometry()
        if self.dockWidgetArea(dock) == Qt.DockWidgetArea.BottomDockWidgetArea:
            return QRect(around.left(), around.top() - 1, around.width(), 1)
        left = self.dockWidgetArea(dock) == Qt.DockWidgetArea.LeftDockWidgetArea
        return QRect(around.right() + 1 if left else around.left() - 1, around.top(), 1, around.height())
