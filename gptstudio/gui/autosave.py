"""Saves the state of the window and the text on Generate from time to time, so that a power cut loses little."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer

from gptstudio.gui import session, session_text
from gptstudio.gui.window import MainWindow

EVERY_S = 20


class Autosave(QObject):
    """Writes what has changed since it was written last. A text that is being generated waits until it is whole."""

    def __init__(self, window: MainWindow, every_s: float = EVERY_S) -> None:
        super().__init__(window)
        self._window = window
        self._session: session.Session | None = None
        self._text = (0, 0)  # which one, and how many tokens it has
        self._clock = QTimer(self, interval=round(1000 * every_s))
        self._clock.timeout.connect(self.save)
        self._clock.start()

    def save(self) -> None:
        """Write both now, those that have changed."""
        now, nodes = session.of(self._window), self._window.state.document.snapshot.tree.nodes
        text = id(nodes), len(nodes)
        if now != self._session:
            session.keep(now)
            self._session = now
        if text != self._text and not self._window.state.generating:
            session_text.keep(self._window.state)
            self._text = text
