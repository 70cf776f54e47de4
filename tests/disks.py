"""Disks that are full or read-only, as far as this machine lets them be made."""

import errno
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest


def disk_is_full(*_: object, **__: object) -> None:
    """Take the place of a function that writes, and fail as on a full disk."""
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def contents(folder: Path) -> dict[str, bytes]:
    """Return the bytes of every file below a folder, except those of the lock of a run, by its path in the folder."""
    found = (path for path in folder.rglob("*") if path.is_file() and path.name not in ("lock", "writer.json"))
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


@contextmanager
def mounted(place: Path, megabytes: int) -> Iterator[Path]:
    """Mount a separate disk at ``place``; skip the test where mounting is not allowed."""
    place.mkdir()
    mount = shutil.which("mount")
    command = [mount or "mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(place)]
    if not mount or subprocess.run(command, capture_output=True).returncode:
        pytest.skip("no disk can be mounted here")
    try:
        yield place
    finally:
        subprocess.run(["umount", "--lazy", str(place)], check=True)


def mount_again(place: Path, options: str) -> None:
    """Remount the same disk, with more room (``size=9m``) or read-only (``ro``)."""
    subprocess.run(["mount", "-o", f"remount,{options}", str(place)], check=True, capture_output=True)


@pytest.fixture
def small_disk(tmp_path) -> Iterator[Path]:
    """A disk of 5 MB."""
    with mounted(tmp_path / "disk", 5) as disk:
        yield disk


@pytest.fixture
def longest_file() -> Iterator[Callable[[int | None], None]]:
    """Yield a function that limits the length of files in bytes, like a disk that fills up; None restores the old
    limit."""
    resource = pytest.importorskip("resource")  # not on Windows
    before = resource.getrlimit(resource.RLIMIT_FSIZE)

    def limit(size: int | None) -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, before if size is None else (size, before[1]))

    yield limit
    limit(None)


@contextmanager
def unreadable(folder: Path, code: int = errno.EACCES) -> Iterator[None]:
    """Make a folder unreadable, as one of another user on a shared disk is, or with another ``code`` as one on a disk
    that fails."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("stat", "listdir", "scandir", "statvfs", "mkdir"):
            usual = getattr(os, name)

            def refuse(
                path: Any = ".", *rest: Any, usual: Callable[..., Any] = usual, name: str = name, **more: Any
            ) -> Any:
                inside = [] if isinstance(path, int) else Path(path).parents
                if folder in inside or (path == folder and (name != "stat" or code != errno.EACCES)):
                    raise OSError(code, os.strerror(code), str(path))
                return usual(path, *rest, **more)

            patch.setattr(os, name, refuse)
        yield
