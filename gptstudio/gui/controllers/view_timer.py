"""Timer of what is read only to be shown."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

from gptstudio.app.state import AppState


class ViewTimer(QTimer):
    """Looks at once when it begins and then at each interval, but not while the window is minimised."""

    def __init__(self, state: AppState, look: Callable[[], object], interval_ms: int, parent: QObject):
        super().__init__(parent, interval=interval_ms)
        self._state, self._look = state, look
        self._wanted = False  # until it is ended
        self.timeout.connect(look)
        state.on(self._follow_window, "minimised")

    def begin(self) -> None:
        self._wanted = True
        self._follow_window()

    def end(self) -> None:
        self._wanted = False
        self.stop()

    def _follow_window(self) -> None:
        if self._state.minimised:
            self.stop()
        elif self._wanted:
            self.start()
            self._look()
