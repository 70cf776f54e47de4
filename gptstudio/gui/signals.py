"""Ctrl-C, a polite kill and a terminal that was closed: the window stops and saves, without asking, wherever it is."""

from __future__ import annotations

import signal
import socket
from collections.abc import Callable

from PySide6.QtCore import QObject, QSocketNotifier
from PySide6.QtWidgets import QApplication

NAMES = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
"""Of these, each that the system has; the last is Windows' own, where a console is closed."""


class Signals(QObject):
    """A signal goes through a socket, of which Qt's loop hears like of a key: between two things that the window does,
    never in the middle of one, and also inside of a question. One that comes while the window is leaving changes
    nothing: the save that it waits for comes first, and then it is gone."""

    def __init__(self) -> None:
        super().__init__()
        self.number = 0
        """The first signal that came."""
        self.leave: Callable[[], object] = lambda: None
        self._far, self._near = socket.socketpair()
        for end in (self._far, self._near):
            end.setblocking(False)
        self._notifier = QSocketNotifier(self._near.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._received)
        self._wakeup = signal.set_wakeup_fd(self._far.fileno(), warn_on_full_buffer=False)
        self._before = {number: signal.signal(number, _left_to_qt) for number in _numbers()}

    @property
    def code(self) -> int:
        """The exit code of a program that one of them ended."""
        return 128 + self.number

    def stop(self) -> None:
        """Hears no more; a signal does again what it did before."""
        for number, handler in self._before.items():
            signal.signal(number, handler or signal.SIG_DFL)
        signal.set_wakeup_fd(self._wakeup)
        self._notifier.setEnabled(False)
        for end in (self._far, self._near):
            end.close()

    def _received(self) -> None:
        came = self._near.recv(64)
        if self.number or not came:
            return
        self.number = came[0]
        self.leave()
        QApplication.exit(self.code)


def _numbers() -> list[signal.Signals]:
    """Those to listen to. Who starts a program with ``nohup`` wants it to outlive the terminal."""
    known = [getattr(signal, name) for name in NAMES if hasattr(signal, name)]
    return [each for each in known if each.name != "SIGHUP" or signal.getsignal(each) != signal.SIG_IGN]


def _left_to_qt(*_: object) -> None:
    pass
