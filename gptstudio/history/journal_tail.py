"""Tail of a journal: lines added since the last read while another process writes it. No torch."""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO, NamedTuple

from pydantic import BaseModel, ConfigDict

PIECE = 2**20
"""Bytes after which one look ends, so that a window that opens a long journal stays awake."""


class JournalPosition(BaseModel):
    """Position in a journal: ``offset`` bytes are read, the last line of which was ``line``."""

    model_config = ConfigDict(frozen=True, ser_json_bytes="base64", val_json_bytes="base64")

    offset: int = 0
    line: bytes = b""


class News(NamedTuple):
    """Result of one read.

    Attributes:
        lines: complete lines, for ``History.extend``; none if all was read.
        restarted: the journal is not the one read so far: it was truncated or replaced. Discard everything read before;
            ``lines`` are its first.
        gone: there is no journal at this moment.
    """

    lines: list[bytes]
    restarted: bool = False
    gone: bool = False


class Tail:
    """Follows one journal. Nothing is kept open between two looks, so its folder can be moved or removed."""

    def __init__(self, path: Path, place: JournalPosition | None = None):
        self.path, self.place = path, place or JournalPosition()

    def read(self, at_most: int = PIECE) -> News:
        """The next whole lines, about ``at_most`` bytes of them."""
        try:
            with self.path.open("rb") as file:
                there = self._is_there(file)
                if not there:
                    self.place = JournalPosition()
                file.seek(self.place.offset)
                lines = file.readlines(at_most)
        except OSError:
            return News([], gone=True)
        if lines and not lines[-1].endswith(b"\n"):  # still being written
            lines.pop()
        if lines:
            self.place = JournalPosition(offset=self.place.offset + sum(map(len, lines)), line=lines[-1])
        return News(lines, restarted=not there)

    def _is_there(self, file: BinaryIO) -> bool:
        """Return whether the last line read is still in its place. A truncated journal that has grown again holds
        another line there, for no two steps end at the same time."""
        file.seek(self.place.offset - len(self.place.line))
        return file.read(len(self.place.line)) == self.place.line

