"""Journal: events as lines of JSON in a file, which can be read while it is written, and if it is truncated.

Each line ends with a CRC-32 of the rest of it, so that changed lines are detected. Lines of earlier versions have none.
"""

from __future__ import annotations

import errno
import os
import zlib
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from pydantic import ValidationError
from pydantic_core import from_json as parse

from gptstudio.i18n import joined, message
from gptstudio.training.events import CheckpointSaved, Ended, Event, Warned, from_json, to_json
from gptstudio.training.executor import FULL, SinkWaits, error_text

MARK, DIGITS, END = b',"crc32":"', 8, b'"}\n'
SEAL = len(MARK) + DIGITS + len(END)


TAIL_BYTES = 65_536
"""More bytes than the last line of a journal has, even with an error and all its details."""
MOST_BYTES = 16 * 2**20
"""Maximum bytes of lines kept in memory while the disk is full: about 60,000 steps."""


class Journal:
    """Appends each event as a line, immediately. An incomplete line left by a crash is removed first.

    While the disk is full or fails, lines are kept in memory and written later. If there are too many, events are left
    out, except checkpoints and the end, and replaced by a warning.

    If the file is deleted but its folder exists, or is created again, a new file is started, provided that ``is_ours``
    returns True: the folder still belongs to this run.
    """

    def __init__(self, path: Path, is_ours: Callable[[], bool] = lambda: True):
        self._path, self._is_ours = path, is_ours
        self._waiting: deque[bytes] = deque()
        self._left_out = 0
        self._reported = False  # True after SinkWaits was raised
        self._failed = False  # True if the disk has failed since the file was opened
        self._open()

    def __call__(self, event: Event) -> None:
        error = self._write_waiting(reopens=True)  # makes room in memory
        self._keep(event)
        error = error or self._write_waiting()
        if error and not self._reported:
            self._reported = True
            raise SinkWaits(joined(" ", error_text(error), message(
                "Until then, the log of this run is kept in memory.")) if error.errno in FULL else message(
                "Could not write {path}: {why}. The log of this run is kept in memory until the disk works again.",
                path=self._path, why=error.strerror or error)) from error

    def _keep(self, event: Event) -> None:
        if sum(map(len, self._waiting)) > MOST_BYTES and not isinstance(event, CheckpointSaved | Ended):
            self._left_out += 1
            return
        if self._left_out:
            self._waiting.append(sealed(Warned(message=message(
                "{n} events are missing here: the disk could not be written for too long to keep them.",
                n=f"{self._left_out:,}"))))
            self._left_out = 0
        self._waiting.append(sealed(event))

    def _write_waiting(self, reopens: bool = False) -> OSError | None:
        """Write the waiting lines; return the error if the disk is full or fails. ``reopens``: whether to open the file
        again after a failure, or if it was deleted."""
        try:
            if reopens:
                self._reopen()
            while self._waiting:
                self._write(self._waiting[0])
                self._waiting.popleft()
        except OSError as error:
            self._failed |= error.errno not in FULL
            return error
        self._reported = False
        return None

    def _write(self, line: bytes) -> None:
        length = os.fstat(self._file.fileno()).st_size
        if self._file.write(line) != len(line):  # the disk became full within the line
            self._file.truncate(length)
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), self._file.name)

    def close(self) -> None:
        try:
            self._write_waiting(reopens=self._failed)
        finally:
            self._file.close()

    def _reopen(self) -> None:
        """Open the file again if it was deleted, or if the disk has failed, which may invalidate open files."""
        if (self._failed or not self._path.exists()) and self._path.parent.is_dir() and self._is_ours():
            before = self._file
            self._open()
            before.close()
            self._failed = False

    def _open(self) -> None:
        self._file = self._path.open("ab", buffering=0)  # each line is a single write
        self._file.truncate(_whole_lines(self._path))


def sealed(event: Event) -> bytes:
    """Return the line of an event, with its checksum."""
    body = to_json(event, parts=True).encode().removesuffix(b"}")
    return body + MARK + b"%08x" % zlib.crc32(body) + END


def is_changed(line: bytes) -> bool:
    """Return whether a complete line does not match its checksum."""
    body, seal = line[:-SEAL], line[-SEAL:]
    return seal.startswith(MARK) and seal[len(MARK) : -len(END)] != b"%08x" % zlib.crc32(body)


def event_of(line: bytes) -> Event | None:
    """Return the event in a line, or a warning if the line was changed; None if it is not an event: a truncated line,
    or an event of a later version."""
    if not is_changed(line):
        try:
            return from_json(line)
        except ValidationError:
            if not line.endswith(b"\n") or _is_json(line):
                return None
    return Warned(message=message(
        "A line in the log of this run is damaged (wrong checksum). It is left out here and in the curves; the "
        "checkpoints are not affected."
    ))


def truncate(path: Path, length: int) -> bool:
    """Truncate a journal to ``length`` bytes, but keep the events of checkpoints that directly follow. Return False if
    it was shorter."""
    if not path.is_file() or path.stat().st_size < length:
        return False
    with path.open("r+b") as file:
        file.seek(length)
        for line in file:
            if not isinstance(event_of(line), CheckpointSaved):
                break
            length += len(line)
        file.truncate(length)
    return True


def read(path: Path) -> Iterator[Event]:
    """Yield the events of a journal in order. Lines that are not events (such as a truncated last one) are left out;
    changed lines are replaced by a warning."""
    if not path.is_file():
        return
    with path.open("rb") as lines:
        yield from filter(None, map(event_of, lines))


def last_event(path: Path) -> Event | None:
    """Return the event in the last line of a journal, which is read from its end; None if there is none."""
    with suppress(OSError, IndexError), path.open("rb") as file:
        file.seek(max(0, file.seek(0, os.SEEK_END) - TAIL_BYTES))
        return event_of(file.readlines()[-1])
    return None


def _is_json(line: bytes) -> bool:
    try:
        parse(line)
    except ValueError:
        return False
    return True


def _whole_lines(path: Path) -> int:
    """Return the length of a file up to its last line end."""
    with path.open("rb") as file:
        end = file.seek(0, os.SEEK_END)
        while end:
            start = max(0, end - 65_536)
            file.seek(start)
            found = file.read(end - start).rfind(b"\n")
            if found >= 0:
                return start + found + 1
            end = start
    return 0
