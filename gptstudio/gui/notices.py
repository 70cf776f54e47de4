"""Bars across the window: another language was chosen, the program was replaced on disk, or an error occurred."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from gptstudio import frozen, log
from gptstudio.gui.language import VARIABLE, language, said_in
from gptstudio.gui.translation import joined, tr
from gptstudio.gui.widgets.layouts import FREE, HeightForWidth, grows, hbox, vbox, with_layout
from gptstudio.gui.widgets.parts import button, label
from gptstudio.i18n import LANGUAGES, message
from gptstudio.log import UnexpectedError

WAITS = message("The language changes to {language} at the next start.")
OVERRIDDEN = message(
    "The choice of {language} has no effect while the environment variable {variable} is set to another language. "
    "Remove the variable, then start GPT Studio again.")


class LanguageNotice(HeightForWidth):
    """Notice in the chosen and in the current language; hidden while these are the same."""

    def __init__(self, window: QWidget) -> None:
        super().__init__()
        self._window = window
        self.restarts = False
        """True if the window was closed in order to restart the program."""
        self.words = label(role="notice", name="language_notice", wrap=True)
        self.restart = button(
            tr("Restart now"), "language_notice_restart",
            tr("Saves everything, closes GPT Studio, and opens it again in the chosen language"), do=self._restart)
        self.done = button(tr("Close"), "language_notice_close", tr("Closes this notice"), "quiet", self.hide)
        with_layout(self, hbox(grows(self.words), self.restart, self.done, margins=(16, 8, 16, 4)))
        self.hide()
        language.chosen.connect(self._show_choice)

    def _show_choice(self) -> None:
        overridden = bool(os.environ.get(VARIABLE))
        self.restart.setVisible(not overridden)
        self.words.setText("\n".join(
            said_in(code, OVERRIDDEN if overridden else WAITS, language=LANGUAGES[language.next], variable=VARIABLE)
            for code in (language.next, language.code)))
        self.setVisible(language.next != language.code)

    def _restart(self) -> None:
        self.restarts = self._window.close()


class UpgradeNotice(HeightForWidth):
    """Notice that the program was replaced or removed on disk.

    The program's file is checked when the window becomes active, which costs nothing while the window is idle: programs
    are installed from another window.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__()
        self._window, self._started = window, frozen.executable_file()
        self.words = label(role="notice", name="upgrade_notice", wrap=True)
        self.done = button(tr("Close"), "upgrade_notice_close", tr("Closes this notice"), "quiet", self.hide)
        with_layout(self, hbox(grows(self.words), self.done, margins=(16, 8, 16, 4)))
        self.hide()
        if self._started:
            window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.WindowActivate and (now := frozen.executable_file()) != self._started:
            self._window.removeEventFilter(self)
            self.words.setText(tr(
                "GPT Studio was updated while it runs. This window keeps using the old version; save or finish what is "
                "running, then start GPT Studio again to use the new one.",
            ) if now else tr(
                "The program is no longer at {path}: it was removed or moved while it runs. This window keeps working; "
                "save or finish what is running.", path=sys.executable))
            self.show()
        return super().eventFilter(watched, event)


MOST_COPIED = 10
"""Maximum number of errors that are copied, the newest ones: if there are more, one usually causes the others."""

LONGEST = 300
"""Maximum number of characters of an error's message in the bar; the details have all of it."""


class ErrorBar(HeightForWidth):
    """Bar that shows errors that are logged on any thread; hidden while there are none, and never blocks the window.

    ``device``: returns the name of the device for the details.
    """

    error_logged = Signal(object)  # UnexpectedError
    report_requested = Signal()

    def __init__(self, device: Callable[[], str]) -> None:
        super().__init__()
        self._device = device
        self._faults: dict[str, UnexpectedError] = {}  # errors in the bar, by place
        self._put_away: set[str] = set()  # places of errors that were read, but may recur
        self.words = label(role="problem", name="error_bar_message", wrap=True)
        self.copy = button(tr("Copy details"), "error_bar_copy_details", tr("To include in a problem report"), "quiet",
                           lambda: QGuiApplication.clipboard().setText(self.report()))
        self.report_button = button(tr("Report a problem…"), "error_bar_report", role="quiet",
                                    do=lambda: self.report_requested.emit())
        self.close_button = button(
            tr("Close"), "error_bar_close", tr("Closes this notice"), "quiet", self.put_away)
        buttons = hbox(self.copy, self.report_button, self.close_button, FREE)
        with_layout(self, vbox(self.words, buttons, spacing=4, margins=(16, 8, 16, 4)))
        self.hide()
        self.error_logged.connect(self.take)
        self._handler = _ErrorHandler(self.error_logged.emit)  # called on any thread; slots run on the window's

    def leave(self) -> None:
        """Stop receiving log records, because the window is closed."""
        log.logger.removeHandler(self._handler)

    def take(self, fault: UnexpectedError) -> None:
        """Show an error, unless it is shown with its details elsewhere; if it occurs again, it is counted."""
        if fault.said == "with details":
            return
        if fault.count == 1:
            self._put_away.discard(fault.place)
        if fault.place in self._put_away:
            return
        known = self._faults.pop(fault.place, fault)
        self._faults[fault.place] = replace(fault, details=fault.details or known.details)
        for old in list(self._faults)[:-MOST_COPIED]:
            del self._faults[old]
        self._say()

    def put_away(self) -> None:
        """Hide the bar and forget its errors, which the user has read."""
        self._put_away |= self._faults.keys()
        self._faults.clear()
        self.hide()

    def report(self) -> str:
        """Return all details, for developers."""
        return log.report([each.details or each.message for each in self._faults.values()], self._device())

    def _say(self) -> None:
        *before, fault = self._faults.values()
        parts = [_what(fault)]
        if fault.count > 1:
            parts.append(tr("It occurred {count} times in a row.", count=f"{fault.count:,}"))
        if before:
            parts.append(tr("Other errors came before it; the details list them all."))
        parts.append(tr(
            "Everything you saved is safe, and you can continue working. The details help to fix the problem."))
        self.words.setText(joined(" ", *parts))
        self.show()


def _what(fault: UnexpectedError) -> str:
    """Return a sentence about an error; a message that is shown elsewhere is not repeated."""
    if fault.said == "in words":
        return tr("An error stopped the current operation; the reason is shown there.")
    what = fault.message if len(fault.message) <= LONGEST else f"{fault.message[:LONGEST].rstrip()} …"
    what = " ".join(what.split()).rstrip(".")
    return tr("Unexpected error: {what}.", what=what)


class _ErrorHandler(logging.Handler):
    """Log handler that passes on the errors of any thread."""

    def __init__(self, report: Callable[[UnexpectedError], object]) -> None:
        super().__init__()
        self._report = report
        log.logger.addHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        fault = getattr(record, "fault", None)
        if fault:
            with suppress(RuntimeError):  # the window may have been deleted
                self._report(fault)
