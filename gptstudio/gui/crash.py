"""Traces of a crash: a file with the stack traces, and a marker of a start that has not yet succeeded.

Uncaught Python exceptions are reported while the program continues. What ends the program (a fault in a library, a
kill) can only be detected at the next start: each start writes a marker, which is removed once the window has been
open for a while or was closed normally. If the markers of two starts remain, a third start may fail for the same
reason.
"""

from __future__ import annotations

import faulthandler
import os
import sys
import threading
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import IO

from gptstudio import log, paths

IN_A_ROW = 2
"""Number of starts in a row that crashed after which the next start asks."""

MOST_REPORTS = 5
"""Maximum number of crash files that are kept."""

SETTLED_AFTER_S = 10
"""Seconds after which a start counts as successful, even if an error follows."""

MARK, CRASH = "starting-{pid}.txt", "crash-{time}-{pid}.log"


class Watch:
    """Monitor of one start. Does nothing, and reports no error, if its folder is not writable."""

    def __init__(self) -> None:
        self._folder = paths.logs()
        self._mark = self._folder / MARK.format(pid=os.getpid())
        self._file: IO[str] | None = None
        self.crashed = 0
        """Number of starts in a row directly before this one that crashed."""

    def begin(self) -> None:
        """Install the error handlers; to be called as early as possible."""
        sys.excepthook, threading.excepthook = _log_exception, _log_thread_exception
        with suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            now = datetime.now().strftime("%Y%m%d-%H%M%S")
            self._file = (self._folder / CRASH.format(time=now, pid=os.getpid())).open("w", encoding="utf-8")
        with suppress(OSError, RuntimeError, ValueError):  # falls back to stderr, which a program may not have
            faulthandler.enable(self._file or sys.stderr, all_threads=True)

    def mark_start(self) -> None:
        """Mark this start, and count earlier ones that crashed; to be called once Qt has a screen: without one, Qt ends
        the program before it reads the last session."""
        with suppress(OSError):
            self.crashed = sum(_is_over(mark) for mark in self._folder.glob(MARK.format(pid="*")))
            self._mark.touch()

    def write_down(self) -> None:
        """Log this start and earlier crashes; to be called once the window is on the screen."""
        log.write_down()
        log.logger.info("Start: %s", log.about())
        if self.crashed:
            log.logger.warning("Earlier starts that ended in a crash: %d", self.crashed)
        _clear_away(self._folder)

    def settled(self) -> None:
        """Remove the markers of this start and of crashed ones, because this start was successful."""
        with suppress(OSError):
            for mark in self._folder.glob(MARK.format(pid="*")):
                if mark == self._mark or _is_over(mark):
                    mark.unlink(missing_ok=True)

    def over(self) -> None:
        """Remove the marker and the crash file, because the program ends normally."""
        faulthandler.disable()
        with suppress(OSError):
            self._mark.unlink(missing_ok=True)
            if self._file:
                self._file.close()
                os.unlink(self._file.name)


def _is_over(mark: Path) -> bool:
    """Return whether the program that left this marker has ended. Psutil checks this on every operating system."""
    import psutil

    number = mark.stem.rpartition("-")[2]
    return number.isdecimal() and (int(number) == os.getpid() or not psutil.pid_exists(int(number)))


def _clear_away(folder: Path) -> None:
    """Remove the files left by programs that ended abnormally, and all crash files but the newest."""
    with suppress(OSError):
        files = sorted(folder.glob(CRASH.format(time="*", pid="*")))
        over = [file for file in files if _is_over(file) and not file.stem.endswith(f"-{os.getpid()}")]
        empty = [file for file in over if not file.stat().st_size]
        reports = [file for file in over if file not in empty]
        for file in [*empty, *reports[:-MOST_REPORTS]]:
            file.unlink(missing_ok=True)


def _log_exception(kind: type[BaseException], error: BaseException, _trace: object) -> None:
    """Log an uncaught exception, for example from a slot; the window continues to work."""
    sys.__excepthook__(kind, error, error.__traceback__)
    if isinstance(error, Exception):
        log.unexpected(error)


def _log_thread_exception(args: threading.ExceptHookArgs) -> None:
    if args.exc_value is not None and not isinstance(args.exc_value, SystemExit):
        _log_exception(args.exc_type, args.exc_value, args.exc_traceback)
