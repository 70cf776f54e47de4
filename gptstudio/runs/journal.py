"""Events <-> lines of JSON in a file. A journal can be read while it is written, and after it was cut off."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from pathlib import Path

from pydantic import ValidationError

from gptstudio.runs.events import CheckpointSaved, Event, from_json, to_json


class Journal:
    """A sink that appends each event as one line, at once. A line that was cut off by a crash is taken away first.

    Where the file is removed meanwhile and its folder is there, or made anew, a new one is begun.
    """

    def __init__(self, path: Path):
        self._path = path
        self._open()

    def __call__(self, event: Event) -> None:
        if not self._path.exists() and self._path.parent.is_dir():
            self._file.close()
            self._open()
        line = to_json(event).encode() + b"\n"
        begin = os.fstat(self._file.fileno()).st_size
        if self._file.write(line) != len(line):  # the disk was full in the middle of it
            self._file.truncate(begin)
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), self._file.name)

    def close(self) -> None:
        self._file.close()

    def _open(self) -> None:
        self._file = self._path.open("ab", buffering=0)  # a line is one write: it is there whole, whatever comes next
        self._file.truncate(_whole_lines(self._path))


def cut_back(path: Path, length: int) -> None:
    """Takes away what was written after the journal had ``length`` bytes, but for the note of the checkpoint that was
    saved then: what comes now is told from there."""
    if not path.is_file():
        return
    with path.open("r+b") as file:
        file.seek(length)
        line = file.readline()
        file.truncate(length + len(line) if _is_checkpoint(line) else length)


def read(path: Path) -> Iterator[Event]:
    """The events of a journal in order. Lines that are no events (a last one cut off) are left out."""
    if not path.is_file():
        return
    with path.open("rb") as lines:
        for line in lines:
            try:
                yield from_json(line)
            except ValidationError:
                continue


def _is_checkpoint(line: bytes) -> bool:
    try:
        return isinstance(from_json(line), CheckpointSaved)
    except ValidationError:
        return False


def _whole_lines(path: Path) -> int:
    """The length of a file up to its last line end."""
    with path.open("rb") as file:
        end = file.seek(0, os.SEEK_END)
        while end:
            begin = max(0, end - 65_536)
            file.seek(begin)
            found = file.read(end - begin).rfind(b"\n")
            if found >= 0:
                return begin + found + 1
            end = begin
    return 0
