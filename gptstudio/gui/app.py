"""Start-up of the window: Qt first, torch only once the window is on the screen."""

from __future__ import annotations

import os
import signal
import sys

# Two torch threads that wait by spinning can stop each other for seconds on two busy cores.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

import pyqtgraph as pg
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from gptstudio.gui.theme import theme
from gptstudio.gui.window import MainWindow

LISTEN_EVERY_MS = 200


def main() -> int:
    """Opens the window and returns when it is closed; the exit code."""
    app = make_app()
    window = MainWindow()
    window.show()
    QTimer.singleShot(0, window.wake)
    listener = listen_to_signals(window)
    code = app.exec()
    listener.stop()
    return code


def make_app() -> QApplication:
    """The application with its name, its looks and its plots set up."""
    app = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(app, QApplication)
    app.setApplicationName("GPT Studio")
    app.setDesktopFileName("gptstudio")
    pg.setConfigOptions(antialias=True)
    theme.follow_system(app)
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
