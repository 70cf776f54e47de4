"""Start-up of the window: Qt first, torch only once the window is on the screen."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QApplication

from gptstudio.gui.language import language
from gptstudio.gui.theme import theme
from gptstudio.gui.window import MainWindow

LISTEN_EVERY_MS = 200


def main(lesson: Path | None = None) -> int:
    """Opens the window, and a lesson in it where one is given, and returns when it is closed; the exit code."""
    app = make_app()
    window = MainWindow()

    def wake() -> None:
        window.wake()
        if lesson:
            window.school.open_lesson(lesson)

    Painted(window, wake)
    window.show()
    listener = listen_to_signals(window)
    code = app.exec()
    listener.stop()
    return code


class Painted(QObject):
    """Does something as soon as a window has been painted for the first time, and nothing before."""

    def __init__(self, window: MainWindow, then: Callable[[], None]) -> None:
        super().__init__(window)
        self._then = then
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            watched.removeEventFilter(self)
            QTimer.singleShot(0, self._then)  # which the event loop comes to when all is painted
        return False


def make_app() -> QApplication:
    """The application with its name, its looks and its plots set up."""
    app = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(app, QApplication)
    app.setApplicationName("GPT Studio")
    app.setDesktopFileName("gptstudio")
    pg.setConfigOptions(antialias=True)
    theme.follow_system(app)
    language.begin()
    return app


def listen_to_signals(window: MainWindow) -> QTimer:
    """Ctrl-C and a polite kill stop and save, without asking. Python hears a signal only when it runs, so a
    clock wakes it."""

    def leave(*_: object) -> None:
        window.leave()
        QApplication.exit(130)

    signal.signal(signal.SIGINT, leave)
    signal.signal(signal.SIGTERM, leave)
    clock = QTimer(window, interval=LISTEN_EVERY_MS)
    clock.timeout.connect(lambda: None)
    clock.start()
    return clock
