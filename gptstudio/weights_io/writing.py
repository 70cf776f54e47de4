"""Large files, written completely or not at all, with progress and cancellation between two pieces. No torch.

Everything is written to a hidden folder next to the target, flushed, and then moved to its name.
"""

from __future__ import annotations

import glob
import os
import secrets
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from gptstudio import files
from gptstudio.data.encodings import Progress
from gptstudio.i18n import message
from gptstudio.units import MB, bytes_text
from gptstudio.weights_io.refusals import ExchangeError

SHOWN = 48
"""Characters of a name used for its temporary folder; even at four bytes each, every system allows them."""

PIECE = 8 * MB
BESIDE = 4 * MB
"""Upper limit for the number of bytes of the small files next to the weights."""


class Watched:
    """A file open for writing that reports its progress. An exception raised by ``progress`` ends the writing.

    Attributes:
        error: first exception raised by a write; torch, which writes from C++, replaces it with its own.
    """

    def __init__(self, file: IO[bytes], total: int, progress: Progress) -> None:
        self.error: BaseException | None = None
        self._file, self._total, self._progress = file, total, progress
        self._done = 0
        progress(0, total)

    def write(self, data: Any) -> int:
        """Write bytes, or an object with a buffer of bytes."""
        view = memoryview(data).cast("B")
        try:
            for begin in range(0, len(view), PIECE):
                self._done += self._file.write(view[begin : begin + PIECE])
                self._progress(min(self._done, self._total), self._total)
        except BaseException as error:
            self.error = self.error or error
            raise
        return len(view)

    def tell(self) -> int:
        """Return the number of bytes written."""
        return self._file.tell()

    def flush(self) -> None:
        """Flush all data to the disk."""
        self._file.flush()
        os.fsync(self._file.fileno())


@contextmanager
def watched(path: Path, total: int, progress: Progress) -> Iterator[Watched]:
    """Context manager with a new file at ``path``, flushed to the disk at the end. ``total``: number of bytes to
    write."""
    with path.open("wb") as file:
        watch = Watched(file, total, progress)
        try:
            yield watch
        except RuntimeError as error:
            raise watch.error or error from None
        watch.flush()


@contextmanager
def aside(target: Path) -> Iterator[Path]:
    """Context manager with a temporary folder next to ``target``. Its remaining content is removed at the end.

    Raises:
        ExchangeError: a file cannot be written.
    """
    begin = f".{target.name[:SHOWN]}"  # the whole name may have the maximum length already
    files.remove_temp_files(target.parent, f"{glob.escape(begin)}.*.tmp")
    place = target.with_name(f"{begin}.{secrets.token_hex(4)}.tmp")
    try:
        place.mkdir(parents=True)
        with files.claimed(place):
            yield place
    except OSError as error:
        raise ExchangeError(message(
            "Could not write {path}: {why}. Nothing was saved. Choose another location, or free some space.",
            path=target, why=error.strerror or error,
        )) from error
    finally:
        shutil.rmtree(place, ignore_errors=True)


def put(new: Path, target: Path, beside: Mapping[Path, Path] | None = None) -> None:
    """Move a complete file or folder to its name. A folder that it replaces is kept until then, and restored on
    failure.

    Args:
        beside: new files that belong to it, by their final paths: these are replaced first, or removed if there is no
            new file.
    """
    done: list[tuple[Path, Path]] = []

    def move(there: Path, here: Path) -> None:
        os.rename(there, here)
        done.append((here, there))

    try:
        for number, (place, fresh) in enumerate((beside or {}).items()):
            if os.path.lexists(place):
                move(place, new.with_name(f"old.{number}"))
            if fresh.exists():
                move(fresh, place)
        if target.is_dir():
            move(target, new.with_name("old"))
        os.replace(new, target)
    except OSError:
        for now, before in reversed(done):
            os.rename(now, before)
        raise
    files.flush(target.parent)


def check_free_space(target: Path, needed: int) -> None:
    """Check the free space, before anything is read or written.

    Raises:
        ExchangeError: there is not enough; the message has the figures.
    """
    free = files.free_bytes(target.parent)
    if free < needed + BESIDE:
        raise ExchangeError(message(
            "{path} needs {needed}, but only {free} are free there. Free some space, or choose another location.",
            path=target, needed=bytes_text(needed + BESIDE), free=bytes_text(free),
        ))
