"""A disk on which the Nth write, flush or rename fails: N = 1, 2, ... until the tested action succeeds."""

import errno
import io
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from gptstudio.training import checkpoint

real_fsync = os.fsync  # before any test replaces it


class Disk:
    """Counts the calls of all threads, and fails one. ``done`` contains (kind of call, path), including the call that
    failed."""

    def __init__(self, nth: int, number: int = errno.EIO):
        self.nth, self.number, self.done = nth, number, []
        self._thread, self._counting = threading.local(), threading.Lock()

    def does(self, what: str, path: object, real: Callable[[], Any]) -> Any:
        if getattr(self._thread, "within", False):
            return real()
        with self._counting:
            self.done.append((what, str(path)))
            fails = len(self.done) == self.nth
        if fails:
            raise OSError(self.number, os.strerror(self.number), str(path))
        self._thread.within = True
        try:
            return real()
        finally:
            self._thread.within = False

    @property
    def failed(self) -> bool:
        return len(self.done) >= self.nth

    @property
    def order(self) -> list[str]:
        """Return the kinds of calls in order, without repetitions."""
        kinds = [what for what, _ in self.done]
        return [kind for place, kind in enumerate(kinds) if kinds[place - 1 : place] != [kind]]


class _Written:
    """A file whose writes are counted."""

    def __init__(self, file: Any, path: object, disk: Disk):
        self._file, self._path, self._disk = file, path, disk

    def write(self, data: Any) -> int:
        return self._disk.does("write", self._path, lambda: self._file.write(data))

    def __enter__(self) -> "_Written":
        self._file.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._file.__exit__(*error)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


@contextmanager
def failing(nth: int, number: int = errno.EIO) -> Iterator[Disk]:
    """Let the Nth write, flush or rename of this process fail; all tensors of a file are one write."""
    disk = Disk(nth, number)
    opened, replace, rename, save_file = io.open, os.replace, os.rename, checkpoint.save_file

    def open_(file: Any, mode: str = "r", *more: Any, **named: Any) -> Any:
        made = opened(file, mode, *more, **named)
        return _Written(made, file, disk) if "b" in mode and set(mode) & set("wxa+") else made

    def fsync(handle: int) -> None:
        path = os.readlink(f"/proc/self/fd/{handle}")
        disk.does("flush folder" if os.path.isdir(path) else "flush", path, lambda: real_fsync(handle))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(io, "open", open_)
        patch.setattr(os, "fsync", fsync)
        patch.setattr(os, "replace", lambda a, b, **k: disk.does("rename", b, lambda: replace(a, b, **k)))
        patch.setattr(os, "rename", lambda a, b, **k: disk.does("rename", b, lambda: rename(a, b, **k)))
        patch.setattr(
            checkpoint, "save_file", lambda tensors, file: disk.does("write", file, lambda: save_file(tensors, file))
        )
        yield disk


def content(folder: Path) -> dict[str, bytes]:
    """Return all files below a folder by name, except those that name the writer."""
    found = (path for path in sorted(folder.rglob("*")) if path.is_file() and path.name not in ("lock", "writer.json"))
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}
