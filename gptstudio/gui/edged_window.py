"""A main window whose docks are parted by a line in the theme's colour, and where Tab comes to all at its place.

It has no style sheet, which would style all that is in the window a second time: its parts have their own.
"""

from __future__ import annotations

from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QMainWindow, QMenuBar, QProxyStyle, QStyle, QStyleOption, QWidget

from gptstudio.gui.theme import colour
from gptstudio.gui.widgets.deferred import focus_next
from gptstudio.gui.widgets.layouts import holding, vbox


class EdgedWindow(QMainWindow):
    """Its style is not that of the widgets in it."""

    def __init__(self) -> None:
        super().__init__()
        style = _EdgeStyle("Fusion")
        style.setParent(self)
        self.setStyle(style)
        self._menu_bar = QMenuBar(self)

    def menuBar(self) -> QMenuBar:
        """Return the menu bar; QMainWindow's own is none where something stands below it."""
        return self._menu_bar

    def put_above(self, widget: QWidget) -> None:
        """Put a widget below the menus and above the docks, where no dock moves it."""
        above = QWidget()
        above.setObjectName("above_docks")
        self.setMenuWidget(holding(above, vbox(self._menu_bar, widget, spacing=0)))

    def focusNextPrevChild(self, forward: bool) -> bool:
        return focus_next(self, forward)


class _EdgeStyle(QProxyStyle):
    """Draws what stands between a dock and its neighbour as a line of one pixel."""

    def pixelMetric(
        self, metric: QStyle.PixelMetric, option: QStyleOption | None = None, widget: QWidget | None = None
    ) -> int:
        if metric == QStyle.PixelMetric.PM_DockWidgetSeparatorExtent:
            return 1
        return super().pixelMetric(metric, option, widget)

    def drawPrimitive(
        self, element: QStyle.PrimitiveElement, option: QStyleOption, painter: QPainter, widget: QWidget | None = None
    ) -> None:
        if element == QStyle.PrimitiveElement.PE_IndicatorDockWidgetResizeHandle:
            painter.fillRect(option.rect, colour("line"))
        else:
            super().drawPrimitive(element, option, painter, widget)
