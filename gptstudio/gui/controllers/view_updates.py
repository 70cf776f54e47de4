"""Events of a run on their way to the views: at once, or together when the window is shown again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QObject

from gptstudio.app.state import AppState
from gptstudio.history.journal_blocks import FREQUENT
from gptstudio.training.events import RunStarted


class ViewUpdates(QObject):
    """Passes events on after the run has taken them. While the window is minimised they wait: of the frequent ones the
    last of each kind, which with the run itself is all that a view needs, so that a night of them takes no room."""

    def __init__(self, state: AppState, show: Callable[[list[Any]], object], parent: QObject) -> None:
        super().__init__(parent)
        self._state, self._show = state, show
        self.forget()
        state.on(self._follow_window, "minimised")

    def forget(self) -> None:
        """Discard the events that wait: another run is shown, or the same from its beginning."""
        self._due = False
        self._rare: list[Any] = []
        self._last: dict[type, Any] = {}

    def send(self, events: Sequence[Any]) -> None:
        """Pass events on; none where only what is done with the run has changed."""
        if not self._state.minimised:
            self._show(list(events))
            return
        self._due = True
        for event in events:
            if isinstance(event, FREQUENT):
                self._last[type(event)] = event
            else:
                self._rare.append(event)
                if isinstance(event, RunStarted):
                    self._last.clear()  # it may go on from before them

    def _follow_window(self) -> None:
        if self._due and not self._state.minimised:
            waiting = [*self._rare, *self._last.values()]
            self.forget()
            self._show(waiting)
