"""Bar across the window for an unexpected error, shown once, with its details to copy."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication

from gptstudio import log
from gptstudio.gui.translation import joined, tr
from gptstudio.gui.widgets.layouts import FREE, Tall, hbox, holding, vbox
from gptstudio.gui.widgets.parts import button, label
from gptstudio.log import Fault

MOST_COPIED = 10
"""Maximum number of errors that are copied, the newest ones: with more, one usually causes the others."""

LONGEST = 300
"""Maximum number of characters of an error's own text; the details have all."""


class ErrorBar(Tall):
    """Bar that shows the errors that are logged, from any thread. It is hidden while there is none, and never blocks
    the
    window. ``device``: returns the device's name for the details."""

    error_logged = Signal(object)  # Fault
    report_requested = Signal()

    def __init__(self, device: Callable[[], str]) -> None:
        super().__init__()
        self._device = device
        self._faults: dict[str, Fault] = {}  # by place: what the bar is about
        self._put_away: set[str] = set()  # places of errors that continue after they were read
        self.words = label(role="problem", name="error_bar_message", wrap=True)
        self.copy = button(tr("Copy details"), "error_bar_copy_details", tr("To include in a problem report"), "quiet")
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.report()))
        self.report_button = button(tr("Report a problem…"), "error_bar_report", role="quiet",
                                    do=lambda: self.report_requested.emit())
        self.close_button = button(tr("Close"), "error_bar_close", tr("Closes this notice"), "quiet")
        self.close_button.clicked.connect(self.put_away)
        self._lay_out()
        self.hide()
        self.error_logged.connect(self.take)
        self._handler = _ErrorHandler(self.error_logged.emit)  # from any thread; slots run on the window's

    def leave(self) -> None:
        """The window goes: nothing is heard any more."""
        log.logger.removeHandler(self._handler)

    def take(self, fault: Fault) -> None:
        """Shows an error, unless it is shown with its details where it came up; one that comes again is counted."""
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
        """They were read."""
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

    def _lay_out(self) -> None:
        buttons = hbox(self.copy, self.report_button, self.close_button, FREE)
        holding(self, vbox(self.words, buttons, spacing=4, margins=(16, 8, 16, 4)))


def _what(fault: Fault) -> str:
    """Return what happened. If a message about it is shown elsewhere, it is not repeated."""
    if fault.said == "in words":
        return tr("An error stopped the current operation; the reason is shown there.")
    what = fault.message if len(fault.message) <= LONGEST else f"{fault.message[:LONGEST].rstrip()} …"
    what = " ".join(what.split()).rstrip(".")
    return tr("Unexpected error: {what}.", what=what)


class _ErrorHandler(logging.Handler):
    """Hears of errors on whatever thread they come up."""

    def __init__(self, report: Callable[[Fault], object]) -> None:
        super().__init__()
        self._report = report
        log.logger.addHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        fault = getattr(record, "fault", None)
        if fault:
            with suppress(RuntimeError):  # the window was deleted meanwhile
                self._report(fault)
