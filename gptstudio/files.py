"""Files that are whole or not there: written aside, flushed to the disk, then renamed. No torch."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

STRAY_AFTER_S = 24 * 3600
FORBIDDEN = r'\x00-\x1f\x7f/\\:*?"<>|'
PORTABLE = re.compile(rf"(?!(?i:con|prn|aux|nul|com\d|lpt\d)(\.|$))[^{FORBIDDEN}]*[^{FORBIDDEN}. ]")
"""A name that every system takes as one name. Windows takes none that ends in a dot or a blank, nor its devices'."""


def write_whole(path: Path, data: bytes) -> None:
    """Replaces ``path`` by ``data``; after a crash at any moment it holds the old bytes or the new."""
    aside = path.with_name(path.name + ".tmp")
    aside.write_bytes(data)
    flush(aside)
    os.replace(aside, path)
    flush(path.parent)


@contextmanager
def written_whole(path: Path) -> Iterator[IO[bytes]]:
    """A file to write piece by piece, which becomes ``path`` at the end; nothing of it stays if that is not reached.

    Several may write the same path at once, each into a file of its own.
    """
    handle, aside = tempfile.mkstemp(".tmp", path.name, path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(aside, path)
        flush(path.parent)
    except BaseException:
        with suppress(OSError):
            os.unlink(aside)
        raise


def clear_strays(folder: Path, pattern: str = "*.tmp") -> None:
    """Removes what was written aside in ``folder`` by a program that was killed: nobody has touched it for a day."""
    for path in folder.glob(pattern):
        with suppress(OSError):
            if time.time() - path.stat().st_mtime > STRAY_AFTER_S:
                shutil.rmtree(path) if path.is_dir() else path.unlink()


def flush(path: Path) -> None:
    """Waits until a file or a folder's list of names is on the disk."""
    if path.is_dir() and os.name == "nt":
        return  # Windows cannot open a folder for this, and keeps names by itself
    handle = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def sha256(path: Path) -> str:
    """The SHA-256 of a file, read in pieces."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def free_bytes(folder: Path) -> int:
    """Free disk below the nearest folder that exists."""
    while not folder.exists():
        folder = folder.parent
    return shutil.disk_usage(folder).free
