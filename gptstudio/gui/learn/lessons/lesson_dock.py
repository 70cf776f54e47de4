"""Dock of a lesson: a column at the right of the window, which a narrow window folds to a bar at its foot."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtWidgets import QDockWidget, QMainWindow, QWidget

from gptstudio.gui.appearance import follow
from gptstudio.gui.learn.lessons.guide import Guide
from gptstudio.gui.theme import theme
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.parts import UNLIMITED, named

WIDTH = 300
"""Width of the column in pixels at the usual text size."""
WIDEST = 0.45
"""Share of the window that the column takes at most, however large its letters are."""
NARROW = 1100
"""Width of a window, in pixels at the usual text size, below which the column is folded."""


class LessonDock(QDockWidget):
    """Dock that makes the page narrower and covers nothing. The user can unfold it in a narrow window, where it stays
    open until it is folded again."""

    def __init__(self, window: QMainWindow, guide: Guide) -> None:
        super().__init__(tr("Lesson"))
        self._window, self._guide, self._unfolded = window, guide, False
        named(self, "lesson_dock", tr("Lesson"))
        self.setFeatures(QDockWidget.DockWidgetFeature.NoDockWidgetFeatures)
        self.setAllowedAreas(Qt.DockWidgetArea.RightDockWidgetArea | Qt.DockWidgetArea.BottomDockWidgetArea)
        self.setTitleBarWidget(QWidget())
        self.setWidget(guide)
        self.setFocusProxy(guide.next)
        guide.unfold.clicked.connect(lambda: self._choose(True))
        guide.fold.clicked.connect(lambda: self._choose(False))
        window.installEventFilter(self)
        theme.dress(self)
        follow(guide, self.fit)
        self.fit()

    def fit(self) -> None:
        """Stand at the right or at the foot of the window, as its width allows."""
        narrow = self._window.width() < NARROW * theme.zoom
        folded = narrow and not self._unfolded
        self._guide.show_folded(folded, narrow)
        width = round(min(WIDTH * theme.zoom, WIDEST * self._window.width()))
        self._guide.setMinimumWidth(0 if folded else width)
        self._guide.setMaximumWidth(UNLIMITED if folded else width)
        self.setMinimumHeight(self._guide.minimumHeight())
        sides = Qt.DockWidgetArea
        side = sides.BottomDockWidgetArea if folded else sides.RightDockWidgetArea
        if self._window.dockWidgetArea(self) != side:
            self._window.addDockWidget(side, self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._window and event.type() == QEvent.Type.Resize:
            QTimer.singleShot(0, self, self.fit)
        return super().eventFilter(watched, event)

    def _choose(self, unfolded: bool) -> None:
        self._unfolded = unfolded
        self.fit()
        self._guide.next.setFocus()
