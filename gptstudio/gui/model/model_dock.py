"""The dock of the Model panel, which is as wide as it was dragged, or as its letters need."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QDockWidget, QMainWindow, QWidget

from gptstudio.gui.appearance import follow
from gptstudio.gui.theme import theme
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.parts import named, scrolling


class ModelDock(QDockWidget):
    """Dock at the side of a window. Qt would keep it as wide as larger letters made it."""

    def __init__(self, panel: QWidget) -> None:
        super().__init__(tr("Model"))
        named(self, "model_dock", tr("Model"))
        self.setFeatures(QDockWidget.DockWidgetFeature.NoDockWidgetFeatures)
        self.setAllowedAreas(Qt.DockWidgetArea.LeftDockWidgetArea | Qt.DockWidgetArea.RightDockWidgetArea)
        self.setWidget(scrolling(panel, "model_scroll"))
        self.setTitleBarWidget(QWidget())  # the panel names itself
        self._width = 0  # as it was before the letters grew
        self._shown_width, self._shown_zoom = -1, theme.zoom
        follow(self, self._keep_width)

    def _keep_width(self) -> None:
        if theme.zoom == self._shown_zoom:
            return
        if self.width() != self._shown_width:  # it was dragged since
            self._width = self.width()
        self._shown_zoom = theme.zoom
        QTimer.singleShot(0, self, self._resize)  # once the letters have their new size

    def _resize(self) -> None:
        window = self.window()
        if isinstance(window, QMainWindow):
            window.resizeDocks([self], [self._width], Qt.Orientation.Horizontal)
        self._shown_width = self.width()
