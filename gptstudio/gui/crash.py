"""What is left behind when the program goes down: a file of where it was, and a mark that it had only just begun.

Python's own faults are caught and told of while the program goes on. What ends it (a fault in a library, a kill) can
only be seen the next time: a start leaves a mark, which is taken away once the window has lived for a while, or was
left as it should be. Where the marks of two starts are still there, the third may be lost to what those were lost to.
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
"""After so many starts that went down the next one asks."""

KEPT = 5
"""So many files of crashes are kept."""

SETTLED_AFTER_S = 10
"""A window that has lived so long has started well, whatever comes later."""

MARK, CRASH = "starting-{pid}.txt", "crash-{time}-{pid}.log"


class Watch:
    """Over one start. Where its folder cannot be written it does without, and nobody is troubled."""

    def __init__(self) -> None:
        self._folder = paths.logs()
        self._mark = self._folder / MARK.format(pid=os.getpid())
        self._file: IO[str] | None = None
        self.crashed = 0
        """Starts in a row before this one that went down as they began."""

    def begin(self) -> None:
        """As early as can be."""
        sys.excepthook, threading.excepthook = _told, _told_of_thread
        with suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            self.crashed = sum(_is_over(mark) for mark in self._folder.glob(MARK.format(pid="*")))
            self._mark.touch()
            now = datetime.now().strftime("%Y%m%d-%H%M%S")
            self._file = (self._folder / CRASH.format(time=now, pid=os.getpid())).open("w", encoding="utf-8")
        with suppress(OSError, RuntimeError, ValueError):  # without a file on stderr, which a program may not have
            faulthandler.enable(self._file or sys.stderr, all_threads=True)

    def write_down(self) -> None:
        """Once the window is on the screen: tells the log of this start, and of how the last ones ended."""
        log.write_down()
        log.logger.info("Start: %s", log.about())
        if self.crashed:
            log.logger.warning("Earlier starts that crashed while starting: %d", self.crashed)
        _clear_away(self._folder)

    def settled(self) -> None:
        """This start went well, and so none in a row was bad."""
        with suppress(OSError):
            for mark in self._folder.glob(MARK.format(pid="*")):
                if mark == self._mark or _is_over(mark):
                    mark.unlink(missing_ok=True)

    def over(self) -> None:
        """The program ends as it should: it leaves nothing."""
        faulthandler.disable()
        with suppress(OSError):
            self._mark.unlink(missing_ok=True)
            if self._file:
                self._file.close()
                os.unlink(self._file.name)


def _is_over(mark: Path) -> bool:
    """Whether the program that left this mark has ended. Psutil asks the way that each system wants it."""
    import psutil

    number = mark.stem.rpartition("-")[2]
    return number.isdecimal() and (int(number) == os.getpid() or not psutil.pid_exists(int(number)))


def _clear_away(folder: Path) -> None:
    """What programs left that ended without a word, as when they were killed; and all crashes but the newest."""
    with suppress(OSError):
        files = sorted(folder.glob(CRASH.format(time="*", pid="*")))
        over = [file for file in files if _is_over(file) and not file.stem.endswith(f"-{os.getpid()}")]
        empty = [file for file in over if not file.stat().st_size]
        told = [file for file in over if file not in empty]
        for file in [*empty, *told[:-KEPT]]:
            file.unlink(missing_ok=True)


def _told(kind: type[BaseException], error: BaseException, _trace: object) -> None:
    """An exception that nobody caught, in a slot say: the window goes on."""
    sys.__excepthook__(kind, error, error.__traceback__)
    if isinstance(error, Exception):
        log.unexpected(error)


def _told_of_thread(args: threading.ExceptHookArgs) -> None:
    if args.exc_value is not None and not isinstance(args.exc_value, SystemExit):
        _told(args.exc_type, args.exc_value, args.exc_traceback)
