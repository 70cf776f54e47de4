"""Execution of a run: its events are passed to sinks, and it ends exactly once, also after an error."""

from __future__ import annotations

import errno
import os
import traceback
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from pathlib import Path

from gptstudio import devices, files, log
from gptstudio.errors import UserError, text_of
from gptstudio.i18n import joined, message
from gptstudio.training.control import Stopped
from gptstudio.training.events import Ended, Event, Outcome, Warned

Stream = Generator[Event, None, Outcome]
"""A run: yields events, returns how it ended."""

Sink = Callable[[Event], None]
"""Receiver of every event, in order, on the run's thread."""

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""Error codes for a lack of space: on the disk, for this user, or in one file."""

class SinkWaits(UserError):
    """A sink cannot write now. It keeps what it is given, and tries again; raised once."""


WORDS: dict[Outcome, str] = {"finished": message("Finished."), "stopped": message("Stopped.")}


def execute(stream: Stream, sinks: Sequence[Sink]) -> Ended:
    """Drain ``stream`` into every sink and return the one :class:`Ended`, which the sinks receive as well.

    A sink that fails is reported in a :class:`Warned` and skipped from then on, unless it waits (a journal on a full
    disk): a run is not lost because its record is.
    """
    working = list(sinks)
    try:
        with closing(stream):
            while True:
                try:
                    event = next(stream)
                except StopIteration as stop:
                    ended = Ended(outcome=stop.value, message=WORDS[stop.value])
                    break
                _give(event, working)
    except (KeyboardInterrupt, Stopped):
        ended = Ended(outcome="stopped", message=WORDS["stopped"])
    except Exception as error:  # noqa: BLE001 - however a run ends, its end is told
        ended = _failed(error)
    _give(ended, working)
    return ended


def in_words(error: BaseException) -> str:
    """One sentence for a person about any error."""
    if isinstance(error, UserError):
        return text_of(error)
    if isinstance(error, MemoryError) or "can't allocate memory" in str(error) or "out of memory" in str(error):
        return message("There is not enough memory. Choose a smaller model, batch size or context length, or close "
                       "other programs.")
    if devices.failed(error):
        return message(
            "{what} Choose the CPU (cpu). To use the device again, restart GPT Studio.",
            what=devices.failure_in_words(error),
        )
    if isinstance(error, OSError) and error.errno in FULL and error.filename:
        return message(
            "Could not write {path}: {why}. Free space there: {n} bytes. Free some space and try again.",
            path=error.filename, why=error.strerror or error, n=f"{_free_bytes(error.filename):,}",
        )
    if isinstance(error, OSError) and error.errno in FULL:
        return message("The disk is full. Free some space and try again.")
    if isinstance(error, OSError):
        why = error.strerror or str(error)
        return message("{why}: {path}.", why=why, path=error.filename) if error.filename else f"{why}."
    return message("Unexpected error: {what}", what=f"{type(error).__name__}: {error}".strip())


def reported(error: BaseException) -> str:
    """Return the message for an error that ended some work, to be shown with it; log the error, unless the user can
    correct its cause."""
    if not isinstance(error, UserError):
        log.unexpected(error, said="in words")
    return in_words(error)


def _free_bytes(path: str | bytes) -> int:
    try:
        return files.free_bytes(Path(os.fsdecode(path)).absolute().parent)
    except OSError:
        return 0


def _failed(error: Exception) -> Ended:
    details = "".join(traceback.format_exception(error))
    return Ended(
        outcome="failed", message=reported(error), details=details, user_error=isinstance(error, UserError),
        error=(devices.DeviceLost if devices.failed(error) else type(error)).__name__,
        instead=str(getattr(error, "instead", None) or ""),
    )


def _give(event: Event, sinks: list[Sink]) -> None:
    """Give to every sink first, and then tell those still working of the others; nothing follows the end."""
    errors, said = [], []
    for sink in list(sinks):
        try:
            sink(event)
        except SinkWaits as error:
            said.append(text_of(error))
        except Exception as error:  # noqa: BLE001 - no sink may end the run, whatever is wrong with it
            sinks.remove(sink)
            errors.append(error)
    lost = message("Part of the run's data could not be saved and is left out from here on.")
    said += [joined(" ", lost, in_words(failure)) for failure in errors]
    for words in [] if isinstance(event, Ended) else said:
        _give(Warned(message=words), sinks)
