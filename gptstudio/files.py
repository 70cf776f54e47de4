"""Files that are either complete or absent: written to a temporary file, flushed to the disk, then renamed.

Tables are written as CSV that spreadsheets open without evaluating any cell. No torch, no Qt.
"""

from __future__ import annotations

import csv
import errno
import hashlib
import importlib.util
import io
import os
import re
import secrets
import shutil
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import chain, count
from pathlib import Path
from typing import IO, TextIO

from gptstudio.errors import os_errors
from gptstudio.i18n import message

fcntl = importlib.import_module("fcntl") if importlib.util.find_spec("fcntl") else None  # not on Windows

TEMP_AGE_S = 24 * 3600
ASIDE, MODELS = f".{'[0-9a-f]' * 16}.tmp", ".*.model.tmp"
"""Patterns of temporary names: of an incomplete file, and of the incomplete folder of a model."""
NO_FOLDERS = (errno.EINVAL, errno.EBADF, errno.ENOTSUP)
"""Error codes with which some disks, mostly network disks, refuse to flush a folder: they make names permanent
themselves."""
FORBIDDEN = r'\x00-\x1f\x7f/\\:*?"<>|'
PORTABLE = re.compile(rf"(?!(?i:con|prn|aux|nul|com\d|lpt\d)(\.|$))[^{FORBIDDEN}]*[^{FORBIDDEN}. ]")
"""Name that is valid on every system. Windows accepts neither a final dot or space nor the names of its devices."""


def portable(text: str, longest: int) -> str:
    """Return a text as a file name that is valid on every system: ``longest`` characters at most, plus an underscore
    before a reserved name."""
    name = re.sub(f"[{FORBIDDEN}]", "_", text)[:longest].strip(". ")
    return name if PORTABLE.fullmatch(name) else f"_{name}"


def write_whole(path: Path, data: bytes, new: bool = False) -> None:
    """Replace the contents of ``path`` by ``data``: after a crash at any time, the file holds either the old or the new
    bytes.

    Raises:
        FileExistsError: with ``new``, the file already exists, even if another program has only just created it.
    """
    with written_whole(path, new) as file:
        file.write(data)


def save_whole(path: Path, data: bytes) -> None:
    """Write a file that the user saves, completely or not at all.

    Raises:
        UserError: the file cannot be written.
    """
    with saving(path):
        write_whole(path, data)


@contextmanager
def saving(path: Path) -> Iterator[None]:
    """Context manager that writes a file that the user saves: an OSError becomes a UserError."""
    with os_errors(lambda why: message(
            "Could not save {path}: {why}. Choose another location.", path=path, why=why)):
        yield


@contextmanager
def written_whole(path: Path, new: bool = False) -> Iterator[IO[bytes]]:
    """Context manager for a file that is written in pieces and becomes ``path`` at the end; after an error, nothing of
    it remains.

    Several programs may write the same path at once, each into a temporary file of its own. ``new``: as for
    :func:`write_whole`.

    Raises:
        IsADirectoryError: ``path`` is a folder.
    """
    taken = False
    if os.path.isdir(path):  # also a path without a name, such as "." and "/"
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    aside = path.with_name(f".{secrets.token_hex(8)}.tmp")  # short: the name of ``path`` may have the maximum length
    try:
        with aside.open("xb") as file:
            _claim(file.fileno())
            yield file
            file.flush()
            os.fsync(file.fileno())
        if new:
            path.open("xb").close()  # reserve the name; a network share grants it to one program only
            taken = True
        os.replace(aside, path)
        taken = False
        flush(path.parent)
    except BaseException:
        for left in (aside, *([path] if taken else [])):
            with suppress(OSError):
                os.unlink(left)
        raise


def set_aside(path: Path) -> None:
    """Rename a file so that it is no longer found but kept.

    Raises:
        OSError: the file cannot be renamed. A missing file is not an error.
    """
    names = (path.with_name(f"{path.name}.aside{number}") for number in chain([""], count(2)))
    with suppress(FileNotFoundError):
        path.replace(next(name for name in names if not name.exists()))


def remove_temp_files(folder: Path, pattern: str = "*.tmp") -> None:
    """Remove temporary files in ``folder`` that a killed program left: not modified for a day by the file system's
    clock, and not claimed by a running program."""
    for path in found(folder, pattern):
        with suppress(OSError):
            if time.time() - path.stat().st_mtime > TEMP_AGE_S:
                with claimed(path):
                    shutil.rmtree(path) if path.is_dir() else path.unlink()


def free_cache(new: Path, pattern: str, most: int) -> None:
    """Remove old temporary files, and the least recently modified files next to ``new`` that match ``pattern``, so that
    at most ``most`` bytes remain."""
    with suppress(OSError):  # another program may free space at the same time
        remove_temp_files(new.parent)
        kept = [(path.stat(), path) for path in new.parent.glob(pattern) if path != new]
        total = new.stat().st_size
        for stat, path in sorted(kept, key=lambda each: each[0].st_mtime, reverse=True):
            total += stat.st_size
            if total > most:
                with suppress(OSError):  # Windows does not remove open files
                    path.unlink()


@contextmanager
def claimed(path: Path) -> Iterator[None]:
    """Context manager that claims a temporary file or folder, so that :func:`remove_temp_files` of any program leaves
    it alone, however old it is. The system releases the claim of a killed program.

    Raises:
        OSError: another program has claimed it.
    """
    if not fcntl:  # Windows does not remove open files
        yield
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        _claim(handle)
        yield
    finally:
        os.close(handle)


def _claim(handle: int) -> None:
    """Hold a lock until the file is closed. Network disks may not support locks: temporary files there expire after a
    day."""
    if fcntl:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if isinstance(error, BlockingIOError):
                raise


def flush(path: Path) -> None:
    """Wait until a file or a folder's list of names is on the disk."""
    folder = path.is_dir()
    if folder and os.name == "nt":
        return  # Windows cannot open a folder for this, and makes names permanent itself
    handle = os.open(path, os.O_RDONLY if folder else os.O_RDWR)
    try:
        os.fsync(handle)
    except OSError as error:
        if not (folder and error.errno in NO_FOLDERS):
            raise
    finally:
        os.close(handle)


def sha256(path: Path) -> str:
    """Return the SHA-256 of a file, read in pieces."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def encodable(text: Path | str) -> str:
    """Return a path or a text with a question mark for each character that cannot be encoded: some systems allow any
    bytes in a name or an argument, even invalid characters."""
    return str(text).encode("utf-8", "replace").decode()


def is_encodable(text: Path | str) -> bool:
    """Return whether a path or a text can be encoded."""
    return encodable(text) == str(text)


def unused(folder: Path, name: str, joint: str = "_", ending: str = "") -> Path:
    """Return the first path that does not exist: the name itself, or the name with a number appended."""
    numbers = (f"{joint}{number}" if number > 1 else "" for number in count(1))
    return next(path for path in (folder / f"{name}{number}{ending}" for number in numbers) if not os.path.exists(path))


def make_unused_folder(parent: Path, name: str) -> Path:
    """Make a folder with this name or, if it is in use, with a number appended. No other process gets the same folder.

    Raises:
        OSError: the folder cannot be made.
    """
    parent.mkdir(parents=True, exist_ok=True)
    while True:
        path = unused(parent, name)
        with suppress(FileExistsError):  # another process has made it in the meantime
            path.mkdir()
            return path


def move_to_unused(folder: Path, parent: Path, name: str) -> Path:
    """Rename a folder that is not empty, with a number appended if the name is in use, and return its path. Another
    process never gets the same path, since no system moves a folder onto one that is not empty.

    Raises:
        OSError: the folder cannot be moved.
    """
    while True:
        path = unused(parent, name)
        try:
            return folder.rename(path)
        except OSError:
            if not path.exists():
                raise


def found(folder: Path, pattern: str) -> list[Path]:
    """Return the paths in a folder that match a pattern; none if the folder cannot be read."""
    with suppress(OSError):
        return list(folder.glob(pattern))
    return []


def check_folder(folder: Path) -> None:
    """Check that a folder can be read; a missing one counts as empty.

    Raises:
        UserError: it cannot be read.
    """
    with os_errors(lambda why: message("Could not read {path}: {why}.", path=folder, why=why)), suppress(
            FileNotFoundError):
        os.listdir(folder)


def free_bytes(folder: Path) -> int:
    """Return the free bytes on the disk of a folder, or of its nearest parent that exists and can be read."""
    try:
        return shutil.disk_usage(folder).free
    except OSError:
        if folder == folder.parent:
            raise
        return free_bytes(folder.parent)


FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
"""Characters at the start of a cell that begin a formula in spreadsheets (OWASP, "CSV Injection")."""


NUMBER = re.compile(r"[+-]?(inf|nan|[\d,.]+([eE][+-]?\d+)?)( ?%)?")
"""Pattern of a number, which may begin with a sign."""
BREAKS = str.maketrans({"\t": " ", "\n": " ", "\r": " "})
"""Replacements of the characters that would end a cell or a row."""


def write_csv(file: TextIO, rows: Iterable[Sequence[object]]) -> None:
    """Write rows of comma-separated values. Text that a spreadsheet would evaluate gets an apostrophe before it, which
    marks it as text; numbers are written unchanged."""
    csv.writer(file).writerows([_cell(value) for value in row] for row in rows)


def save_csv(path: Path, rows: Iterable[Sequence[object]]) -> None:
    """Write a CSV file of these rows, completely or not at all.

    Raises:
        UserError: the file cannot be written.
    """
    text = io.StringIO(newline="")
    write_csv(text, rows)
    save_whole(path, text.getvalue().encode("utf-8", "replace"))  # a token may contain part of a character


def tab_separated(rows: Iterable[Sequence[str]]) -> str:
    """Return rows as text for the clipboard, with tabs between the cells, as safe for a spreadsheet as
    :func:`write_csv`."""
    return "\n".join("\t".join(_text_cell(text.translate(BREAKS)) for text in row) for row in rows)


def _text_cell(text: str) -> str:
    return text if NUMBER.fullmatch(text) else str(_cell(text))


def _cell(value: object) -> object:
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value
