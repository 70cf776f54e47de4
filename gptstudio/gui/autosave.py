"""Saves the state of the window and the text on Generate from time to time, so that a power cut loses little."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer

from gptstudio.app import preferences
from gptstudio.gui import session, session_text
from gptstudio.gui.theme import theme
from gptstudio.gui.window import MainWindow

LOOK_S = 20
"""Seconds after which it is looked whether it is time."""


class Autosave(QObject):
    """Writes what has changed since it was written last. A text that is being generated waits until it is complete, and
    the state of the window until it leaves projector mode."""

    def __init__(self, window: MainWindow, every_s: float = 0) -> None:
        """``every_s``: seconds; 0: as the user prefers."""
        super().__init__(window)
        self._window = window
        self._session: session.Session | None = None
        self._text = (0, 0)  # which one, and how many tokens it has
        self._every_s, self._waited_s = every_s, 0.0
        self._clock = QTimer(self, interval=round(1000 * min(every_s or LOOK_S, LOOK_S)))
        self._clock.timeout.connect(self._look)
        self._clock.start()

    def _look(self) -> None:
        """Save, if the time that the user prefers is over."""
        every = self._every_s or preferences.current().autosave_s
        self._waited_s += self._clock.interval() / 1000
        if every and self._waited_s >= every:
            self._waited_s = 0.0
            self.save()

    def leave(self) -> None:
        """Save for the last time."""
        self._clock.stop()
        self.save()

    def save(self) -> None:
        """Write both now, those that have changed."""
        now, nodes = session.of(self._window), self._window.state.document.snapshot.tree.nodes
        text = id(nodes), len(nodes)
        if now != self._session and not theme.projecting:
            session.keep(now)
            self._session = now
        if text != self._text and not self._window.state.generating:
            session_text.keep(self._window.state)
            self._text = text
