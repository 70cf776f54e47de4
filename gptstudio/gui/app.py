"""Start of the program, Qt first and torch only once the window is on the screen, and its end by a signal.

At Ctrl-C, a termination signal or a closed terminal, the window stops its work and saves without asking.
"""

from __future__ import annotations

import os
import signal
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from typing import cast

from PySide6.QtCore import QEvent, QObject, QProcess, QSocketNotifier, Qt, QTimer
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication, QMessageBox

from gptstudio import log, paths
from gptstudio.app import kept_model, preferences
from gptstudio.errors import UserError
from gptstudio.gui import session
from gptstudio.gui.appearance import fit_to_screen
from gptstudio.gui.crash import IN_A_ROW, SETTLED_AFTER_S, Watch
from gptstudio.gui.language import language
from gptstudio.gui.session import Autosave
from gptstudio.gui.theme import theme
from gptstudio.gui.translation import joined, tr
from gptstudio.gui.window import MainWindow

NAMES = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
"""Signals that end the program, as far as the system has them; SIGBREAK, for a closed console, is Windows' own."""


class Signals(QObject):
    """Receiver of system signals through a socket, so that Qt's event loop handles them between two events, never
    within one, and also while a question is open.

    A signal that arrives while the window is closing changes nothing: the window saves, and then closes.
    """

    def __init__(self) -> None:
        super().__init__()
        self.number = 0
        """Number of the first signal that arrived; 0 before."""
        self.leave: Callable[[], object] = lambda: None
        self._far, self._near = socket.socketpair()
        for end in (self._far, self._near):
            end.setblocking(False)
        self._notifier = QSocketNotifier(self._near.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._received)
        self._wakeup = signal.set_wakeup_fd(self._far.fileno(), warn_on_full_buffer=False)
        self._before = {number: signal.signal(number, lambda *_: None) for number in _numbers()}

    @property
    def code(self) -> int:
        """Exit code of a program that was ended by a signal."""
        return 128 + self.number

    def stop(self) -> None:
        """Stop handling signals, and restore the previous handlers."""
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
    """Return the signals to handle. SIGHUP is left out if it is ignored: ``nohup`` lets a program outlive its
    terminal."""
    known = [getattr(signal, name) for name in NAMES if hasattr(signal, name)]
    return [each for each in known if each.name != "SIGHUP" or signal.getsignal(each) != signal.SIG_IGN]


def main(lesson: Path | None = None) -> int:
    """Open the window as it was left, with a lesson if one is given, and wait until it is closed.

    Returns:
        The exit code: 0, or 128 plus the number of the signal that ended the program.
    """
    watch = Watch()
    watch.begin()
    make_app()
    watch.mark_start()
    signals = Signals()
    new_session = watch.crashed >= IN_A_ROW and confirms_new_session()
    restarts = not signals.number and open_window(watch, signals, new_session, lesson)
    signals.stop()
    watch.over()
    if restarts and not signals.number:
        start_again()
    return signals.code if signals.number else 0


def start_again() -> None:
    """Start the program again with the same arguments, in a separate process. This one has saved everything by now."""
    os.environ["PYINSTALLER_RESET_ENVIRONMENT"] = "1"  # a packaged program then starts as an independent process
    program, *arguments = command_line()
    started, _ = QProcess.startDetached(program, arguments, "")
    if not started:
        log.logger.error("Could not start again: %s", program)


def command_line() -> list[str]:
    """Return the program and the arguments with which this process was started."""
    return [sys.executable, *(sys.argv if getattr(sys, "frozen", False) else sys.orig_argv)[1:]]


def open_window(watch: Watch, signals: Signals, new_session: bool, lesson: Path | None) -> bool:
    """Open the window, wait until it is closed, and return whether to start the program again. ``new_session``: restore
    nothing of the last session."""
    if new_session:
        session.set_aside()
    first, left = session.is_first(), session.read()  # reading sets aside a file of a newer version
    left.dress()
    window = MainWindow()
    if left.geometry:
        left.place(window)
    else:
        fit_to_screen(window)

    def wake() -> None:
        if left.spec is None:
            window.state.texts = (preferences.current().text,)
        left.put_back(window)
        autosave.begin()
        asked = window.settings_locks.settings.train
        if first or asked:
            window.state.all_controls = asked == "all"
        window.wake(new_session)
        report_newer_files(window)
        if lesson:
            window.learning.open_lesson(lesson)
        elif first and not window.settings_locks.settings.lesson:  # the lesson of the settings opens in a moment
            window.welcome.show()
        elif new_session:
            window.learning.note_before(None)
        else:
            window.learning.resume_interrupted(language.code)
        watch.write_down()
        QTimer.singleShot(SETTLED_AFTER_S * 1000, window, watch.settled)

    Painted(window, wake)
    autosave = Autosave(window)
    signals.leave = window.leave
    window.show()
    QApplication.exec()
    autosave.leave()
    watch.settled()
    if window.after_close:
        try:
            window.after_close()
        except UserError as error:
            log.logger.error("%s", error)
    return window.language_notice.restarts or window.after_close is not None


def confirms_new_session() -> bool:
    """Ask the user, after several failed starts, whether to start without the last session; return the answer."""
    question = QMessageBox(
        QMessageBox.Icon.Question, tr("GPT Studio"),
        tr(
        "GPT Studio quit unexpectedly twice in a row while starting. It can start without restoring the last session "
        "(model, settings, window). Those settings are set aside, not deleted. Your runs, models and texts are not "
        "affected."),
    )
    question.setObjectName("new_session_question")
    without = question.addButton(tr("Start without the last session"), QMessageBox.ButtonRole.AcceptRole)
    as_it_was = question.addButton(tr("Restore the last session"), QMessageBox.ButtonRole.RejectRole)
    question.setDefaultButton(without)
    question.setEscapeButton(without)
    theme.dress(question)
    question.exec()
    return question.clickedButton() is not as_it_was


def report_newer_files(window: MainWindow) -> None:
    """Show which files were set aside because a newer version wrote them, without blocking the window."""
    if kept_model.newer_files:
        notice = QMessageBox(
            QMessageBox.Icon.Information, tr("GPT Studio"), joined("\n\n", *map(tr, kept_model.newer_files)),
            QMessageBox.StandardButton.Ok, window)
        notice.setObjectName("newer_files_notice")
        notice.setTextFormat(Qt.TextFormat.PlainText)  # it contains a path
        notice.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        notice.setModal(False)
        kept_model.newer_files.clear()
        notice.show()


class Painted(QObject):
    """Event filter that calls a function once, as soon as a window has been painted for the first time."""

    def __init__(self, window: MainWindow, then: Callable[[], None]) -> None:
        super().__init__(window)
        self._then = then
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            watched.removeEventFilter(self)
            QTimer.singleShot(0, self._then)  # runs once everything is painted
        return False


def make_app() -> QApplication:
    """Return the application, with its name, icon, theme, preferences and language set up."""
    app = cast(QApplication, QApplication.instance() or QApplication(sys.argv[:1]))
    app.setApplicationName("GPT Studio")
    app.setDesktopFileName("gptstudio")
    app.setWindowIcon(QIcon(str(paths.resources() / "icons" / "gptstudio" / "128.png")))
    theme.follow_system(app)
    preferences.read()
    language.begin()
    return app
