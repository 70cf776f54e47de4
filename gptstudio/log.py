"""Log of unexpected errors in a small file for developers, and notification of other handlers. No Qt, no torch.

An error is logged once, by a call of :func:`unexpected` where it is finally caught. Each handler of :data:`logger`
receives it as an :class:`UnexpectedError`: the file, and the window, which displays it.
"""

from __future__ import annotations

import logging
import platform
import sys
import threading
import time
import traceback
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from gptstudio import __version__, paths

logger = logging.getLogger("gptstudio")
logger.addHandler(logging.NullHandler())  # without other handlers, nothing is printed
logger.setLevel(logging.INFO)

FILE = "gptstudio.log"
LARGEST_BYTES, OLDER_FILES = 256 * 1024, 2
CALM_S = 3.0
"""Seconds without an error of the same kind after which its count starts again."""

LINES_IN_REPORT = 20

Said = Literal["nowhere", "in words", "with details"]
"""Form in which an error has already been shown to the user at the place where it occurred."""


@dataclass(frozen=True)
class UnexpectedError:
    """Unexpected error.

    Attributes:
        message: its type and its text.
        place: its identity: its type, and the lines of the program that it passed through.
        details: its traceback.
        said: form in which it has already been shown to the user.
        count: its number among consecutive errors of the same kind.
    """

    message: str
    place: str
    details: str
    said: Said = "nowhere"
    count: int = 1


def unexpected(error: BaseException, said: Said = "nowhere") -> None:
    """Log an error that was finally caught. An error that repeats (in a paint slot, for example) is logged at the 2nd,
    4th, 8th … time, in one line."""
    place = _place(error)
    count = _count(place)
    if count & (count - 1):
        return
    write_down()
    details = "".join(traceback.format_exception(error)) if count == 1 else ""
    fault = UnexpectedError(in_short(error), place, details, said, count)
    line = f"{fault.message}\n{details.rstrip()}" if details else f"{fault.message} ({count} times in a row)"
    logger.error("%s", line, extra={"fault": fault})


def in_short(error: BaseException) -> str:
    """Return the type and the text of an error: "KeyError: 'x'"."""
    return f"{type(error).__name__}: {error}".strip()


def _place(error: BaseException) -> str:
    """Return the type of an error, and its frames from where it was caught down to where it was raised."""
    lines = [f"{frame.f_code.co_filename}:{line}" for frame, line in traceback.walk_tb(error.__traceback__)]
    return " ".join([type(error).__name__, *lines])


_lock = threading.Lock()
_seen: dict[str, tuple[int, float]] = {}  # number of consecutive errors at each place, and time of the last one


def _count(place: str) -> int:
    with _lock:
        now = time.monotonic()
        before, last = _seen.get(place, (0, now))
        count = before + 1 if now - last < CALM_S else 1
        _seen[place] = count, now
        return count


# The file.


def write_down() -> None:
    """Start to log to the file. If it cannot be written, no file is used, and no error is raised."""
    file = paths.logs() / FILE
    ours = [each for each in logger.handlers if isinstance(each, logging.FileHandler)]
    if any(each.baseFilename == str(file.absolute()) for each in ours):
        return
    for other in ours:  # of another user folder
        logger.removeHandler(other)
        other.close()
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        logger.addHandler(_file(file))


def _file(path: Path) -> logging.Handler:
    from logging.handlers import RotatingFileHandler  # loading it takes a tenth of the time that the window takes

    made = RotatingFileHandler(path, maxBytes=LARGEST_BYTES, backupCount=OLDER_FILES, encoding="utf-8",
                               errors="backslashreplace")
    made.setFormatter(logging.Formatter("%(asctime)s %(process)d %(threadName)s %(levelname)s: %(message)s"))
    made.handleError = lambda record: None  # type: ignore[method-assign]  # noqa: ARG005 - a full disk, say
    return made


def last_lines() -> list[str]:
    """Return the last lines of the log file, or none if it cannot be read."""
    with suppress(OSError):
        return (paths.logs() / FILE).read_text(encoding="utf-8", errors="replace").splitlines()[-LINES_IN_REPORT:]
    return []


# For developers.


def about() -> str:
    """Return the program, its versions and its system in one line, without importing anything for it."""
    parts = [f"GPT Studio {__version__}", f"Python {platform.python_version()}", platform.platform()]
    for name, module in (("PyTorch", "torch"), ("Qt", "PySide6")):
        if module in sys.modules:
            parts.append(f"{name} {getattr(sys.modules[module], '__version__', '?')}")
    return ", ".join(parts)


def report(details: Iterable[str], device: str = "") -> str:
    """Return a report to copy: the details of the error, the program, its system and device, and the last lines of the
    log."""
    lines = "\n".join(last_lines())
    parts = (*details, f"{about()}\nDevice: {device or 'not known'}", lines and f"Last lines of the log:\n{lines}")
    return "\n\n".join(part.strip() for part in parts if part) + "\n"
