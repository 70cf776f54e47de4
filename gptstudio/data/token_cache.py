"""Token ids in a file, with a check sum behind them, read when they are asked for. No torch.

A file that is mapped into memory ends the program (SIGBUS) where something cuts it off meanwhile; one that is read says
so, and one that is removed is read on, for it stays open.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from io import FileIO
from pathlib import Path
from threading import Lock
from typing import IO

import numpy as np

from gptstudio.data.texts import TextError
from gptstudio.i18n import message

SUM_BYTES = 4
PIECE = 2**22


def type_of(vocabulary: int) -> np.dtype:
    """Return the type of a stored token ID: GPT-2's vocabulary fits into 16 bits, and the file is the same on every
    machine."""
    return np.dtype("<u2" if vocabulary <= 2**16 else "<u4")


class TokenCache:
    """Ids in a file, (N,). A slice is a stretch of the same file; ``numpy.asarray`` reads it."""

    def __init__(self, file: FileIO, lock: Lock, kind: np.dtype, start: int, stop: int):
        self._file, self._lock, self._type, self._start, self._stop = file, lock, kind, start, max(start, stop)

    def __len__(self) -> int:
        return self._stop - self._start

    def __getitem__(self, wanted: slice) -> TokenCache:
        """The ids from ``wanted.start`` to ``wanted.stop``; steps are not looked at."""
        start, stop, _ = wanted.indices(len(self))
        return TokenCache(self._file, self._lock, self._type, self._start + start, self._start + stop)

    def __array__(self, dtype: np.dtype | None = None, copy: bool | None = None) -> np.ndarray:
        """A copy of its own.

        Raises:
            TextError: the file became shorter, or its disk went away.
        """
        ids = np.empty(len(self), self._type)
        try:
            with self._lock:
                self._file.seek(self._start * self._type.itemsize)
                done = self._file.readinto(ids.view(np.uint8).data) if len(ids) else 0
        except OSError as error:
            raise self._lost(error.strerror or str(error)) from error
        if done != ids.nbytes:
            raise self._lost(message("it was truncated while in use"))
        return ids if dtype is None else ids.astype(dtype)

    def _lost(self, why: str) -> TextError:
        return TextError(message(
            "The tokens of the text, saved in {file}, can no longer be read: {why}. Start again; the tokens are then "
            "recreated.", file=self._file.name, why=why,
        ))


def write(file: IO[bytes], stretches: Iterable[np.ndarray]) -> None:
    """Write ids as :func:`read` takes them."""
    crc32 = 0
    for ids in stretches:
        file.write(ids.data)
        crc32 = zlib.crc32(ids.data, crc32)
    file.write(crc32.to_bytes(SUM_BYTES, "little"))


def read(path: Path, vocabulary: int) -> TokenCache | None:
    """Return the ids in a file; None where they are not what was written.

    Args:
        vocabulary: number of tokens of the tokenizer that they are of.

    Raises:
        OSError: it cannot be read.
    """
    file, kind = path.open("rb", buffering=0), type_of(vocabulary)
    size = path.stat().st_size - SUM_BYTES
    if size < 0 or size % kind.itemsize or _crc32(file, size) != file.read(SUM_BYTES):
        file.close()
        return None
    return TokenCache(file, Lock(), kind, 0, size // kind.itemsize)


def _crc32(file: IO[bytes], size: int) -> bytes:
    crc32 = 0
    while size and (piece := file.read(min(PIECE, size))):
        crc32 = zlib.crc32(piece, crc32)
        size -= len(piece)
    return crc32.to_bytes(SUM_BYTES, "little")
