"""Projector mode: the window as a class sees it from the back row."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QObject, QSize, Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QMainWindow

from gptstudio.app.state import AppState
from gptstudio.gui.actions import Actions
from gptstudio.gui.fitting import screen_of
from gptstudio.gui.theme import theme

SCREEN = QSize(850, 512)
"""Pixels of a screen, of which text of the default size is as large a part as on a projector."""
SMALLEST, LARGEST = 1.5, 2.0
"""Bounds of the text size; the smallest is less where the system has enlarged everything."""


class Projector(QObject):
    """Fills the screen, folds the panels and enlarges text and curves, light on dark; restores everything after."""

    def __init__(self, window: QMainWindow, state: AppState, actions: Actions) -> None:
        super().__init__(window)
        self._window, self._state, self._actions = window, state, actions
        self._geometry = QByteArray()
        self._unfolded, self._all_controls = state.unfolded_pages, state.all_controls
        self._escape = QShortcut(QKeySequence("Escape"), window, context=Qt.ShortcutContext.ApplicationShortcut)
        self._escape.activated.connect(self.leave)
        self._escape.setEnabled(False)

    def toggle(self) -> None:
        """Enter or leave projector mode."""
        if theme.projecting:
            self.leave()
        else:
            self._enter()

    def _enter(self) -> None:
        window, state = self._window, self._state
        self._geometry = window.saveGeometry()
        self._unfolded, self._all_controls = state.unfolded_pages, state.all_controls
        state.unfolded_pages, state.all_controls = frozenset(), False
        screen = screen_of(window)
        zoom = min(LARGEST, screen.size().width() / SCREEN.width(), screen.size().height() / SCREEN.height())
        window.setWindowState(window.windowState() | Qt.WindowState.WindowFullScreen)
        theme.project(True, max(zoom, SMALLEST / screen.devicePixelRatio()))
        self._changed()

    def leave(self) -> None:
        """Restore size, panels, colours and text size; outside projector mode, do nothing."""
        if theme.projecting:
            self._window.setWindowState(self._window.windowState() & ~Qt.WindowState.WindowFullScreen)
            theme.project(False)
            self._window.restoreGeometry(self._geometry)
            self._state.unfolded_pages, self._state.all_controls = self._unfolded, self._all_controls
            self._changed()

    def _changed(self) -> None:
        self._escape.setEnabled(theme.projecting)
        self._actions.update()
