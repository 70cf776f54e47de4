"""Events <-> lines of JSON in a file. A journal can be read while it is written, and after it was cut off.

Each line ends with the CRC-32 of what stands before it there, so that one that was changed is not taken for what was
written. The lines of earlier versions have none.
"""

from __future__ import annotations

import errno
import os
import zlib
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path

from pydantic import ValidationError
from pydantic_core import from_json as parse

from gptstudio.i18n import joined, message
from gptstudio.training.events import CheckpointSaved, Ended, Event, Warned, from_json, to_json
from gptstudio.training.executor import FULL, SinkWaits, in_words

MARK, DIGITS, END = b',"crc32":"', 8, b'"}\n'
SEAL = len(MARK) + DIGITS + len(END)


MOST_BYTES = 16 * 2**20
"""Most bytes of lines that wait for room on the disk: about 60,000 steps."""


class Journal:
    """Append each event as one line, at once. An incomplete line left by a crash is removed first.

    While the disk is full, lines are kept in memory, and written once there is room. If there are too many, those of
    steps are left out, and a warning stands in their place.

    If the file is removed meanwhile and its folder exists, or is created again, a new one is begun, if ``is_ours`` says
    that the folder is still this run's.
    """

    def __init__(self, path: Path, is_ours: Callable[[], bool] = lambda: True):
        self._path, self._is_ours = path, is_ours
        self._waiting: deque[bytes] = deque()
        self._left_out = 0
        self._reported = False  # that lines wait
        self._open()

    def __call__(self, event: Event) -> None:
        if not self._path.exists() and self._path.parent.is_dir() and self._is_ours():
            self._file.close()
            self._open()
        error = self._write_waiting()  # which makes room for more in memory
        self._keep(event)
        error = error or self._write_waiting()
        if error and not self._reported:
            self._reported = True
            raise SinkWaits(joined(" ", in_words(error), message(
                "Until then, the log of this run is kept in memory."))) from error

    def _keep(self, event: Event) -> None:
        if sum(map(len, self._waiting)) > MOST_BYTES and not isinstance(event, CheckpointSaved | Ended):
            self._left_out += 1
            return
        if self._left_out:
            self._waiting.append(sealed(Warned(message=message(
                "{n} events are missing here: the disk was full for too long to keep them.", n=f"{self._left_out:,}"))))
            self._left_out = 0
        self._waiting.append(sealed(event))

    def _write_waiting(self) -> OSError | None:
        """Write what waits; return the error if the disk is full.

        Raises:
            OSError: for another reason it cannot be written.
        """
        try:
            while self._waiting:
                self._write(self._waiting[0])
                self._waiting.popleft()
        except OSError as error:
            if error.errno not in FULL:
                raise
            return error
        self._reported = False
        return None

    def _write(self, line: bytes) -> None:
        length = os.fstat(self._file.fileno()).st_size
        if self._file.write(line) != len(line):  # the disk was full in the middle of it
            self._file.truncate(length)
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), self._file.name)

    def close(self) -> None:
        try:
            self._write_waiting()
        finally:
            self._file.close()

    def _open(self) -> None:
        self._file = self._path.open("ab", buffering=0)  # a line is one write: it is there whole, whatever comes next
        self._file.truncate(_whole_lines(self._path))


def sealed(event: Event) -> bytes:
    """The line of an event in a journal."""
    body = to_json(event, parts=True).encode().removesuffix(b"}")
    return body + MARK + b"%08x" % zlib.crc32(body) + END


def is_changed(line: bytes) -> bool:
    """Return whether a complete line differs from its seal."""
    body, seal = line[:-SEAL], line[-SEAL:]
    return seal.startswith(MARK) and seal[len(MARK) : -len(END)] != b"%08x" % zlib.crc32(body)


def event_of(line: bytes) -> Event | None:
    """The event in a line, and a warning in the place of one that was changed; None for what is no event: a line that
    was cut off, or one of a later version."""
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
    """Remove everything written after the journal had ``length`` bytes, except the events of the checkpoints that were
    saved then: new events follow there. Return whether it still had that length."""
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
    """The events of a journal in order. Lines that are no events (a last one cut off) are left out; in the place of
    one that was changed stands a warning."""
    if not path.is_file():
        return
    with path.open("rb") as lines:
        yield from filter(None, map(event_of, lines))


def _is_json(line: bytes) -> bool:
    try:
        parse(line)
    except ValueError:
        return False
    return True


def _whole_lines(path: Path) -> int:
    """The length of a file up to its last line end."""
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
