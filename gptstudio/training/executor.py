"""Execution of a run: its events are passed to sinks, and it ends exactly once, even after an error."""

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
"""Run: yields events and returns its outcome."""

Sink = Callable[[Event], None]
"""Receives every event, in order, on the run's thread."""

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""Error codes for lack of space: on the disk, in the user's quota, or in a file."""

class SinkWaits(UserError):
    """Raised once by a sink that cannot write at the moment; it keeps the events and tries again later."""


WORDS: dict[Outcome, str] = {"finished": message("Finished."), "stopped": message("Stopped.")}


def execute(stream: Stream, sinks: Sequence[Sink]) -> Ended:
    """Pass all events of ``stream`` to every sink, and return the final :class:`Ended`, which the sinks also receive.

    A failing sink is reported by a :class:`Warned` event and skipped from then on, unless it waits (a journal on a full
    disk), so that a run survives the loss of its record.
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
    except Exception as error:  # noqa: BLE001 - every end of a run is reported
        ended = _failed(error)
    _give(ended, working)
    return ended


def error_text(error: BaseException) -> str:
    """Return the message to the user for any error."""
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
    """Return the message for an error that ended some work; log the error unless the user can correct its cause."""
    if not isinstance(error, UserError):
        log.unexpected(error, said="in words")
    return error_text(error)


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
    """Pass an event to every sink, then warn the remaining sinks about failed ones; nothing follows the end."""
    errors, said = [], []
    for sink in list(sinks):
        try:
            sink(event)
        except SinkWaits as error:
            said.append(text_of(error))
        except Exception as error:  # noqa: BLE001 - a failing sink must not end the run
            sinks.remove(sink)
            errors.append(error)
    lost = message("Part of the run's data could not be saved and is left out from here on.")
    said += [joined(" ", lost, error_text(failure)) for failure in errors]
    for words in [] if isinstance(event, Ended) else said:
        _give(Warned(message=words), sinks)
