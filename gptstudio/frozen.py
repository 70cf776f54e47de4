"""Setup that a frozen program needs before anything else: no other module depends on being frozen."""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import sys
from typing import TextIO


def begin() -> None:
    """Becomes the child that it was started as, if so; else gets streams and the system's own libraries."""
    keep_modules()
    multiprocessing.freeze_support()
    sys.stdout, sys.stderr = sys.stdout or _terminal(), sys.stderr or _terminal()
    give_libraries_back()


def keep_modules() -> None:
    """Import modules from the file that this program was started from, also once an upgrade has replaced it.

    PyInstaller keeps them inside the executable, and opens that by its name for each module that is imported later: in
    the new version's file, where the old positions mean nothing. Windows does not let a running program be replaced.
    """
    importers = sys.modules.get("pyimod02_importers")
    if importers is not None and sys.platform.startswith("linux"):
        started = os.open(sys.executable, os.O_RDONLY | os.O_CLOEXEC)
        importers.pyz_archive._filename = f"/proc/self/fd/{started}"  # noqa: SLF001 - it has no other way


def executable_file() -> tuple[int, int] | None:
    """Return device and number of the file that a frozen program is at; another once an upgrade has replaced it. None
    if the file is gone, or the program is not frozen."""
    if not getattr(sys, "frozen", False):
        return None
    try:
        found = os.stat(sys.executable)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def give_libraries_back() -> None:
    """Lets programs that are started from here, such as the browser, take the system's libraries and not ours.

    The boot loader names our folder in ``LD_LIBRARY_PATH``. The linker has read it by now and keeps to it.
    """
    own = os.environ.pop("LD_LIBRARY_PATH", None)
    before = os.environ.pop("LD_LIBRARY_PATH_ORIG", None)
    if own is not None and before:
        os.environ["LD_LIBRARY_PATH"] = before


def _terminal() -> TextIO:
    """Return an output stream for a windowed program on Windows: its parent terminal, or the null device."""
    to_parent = -1
    if sys.platform == "win32" and ctypes.windll.kernel32.AttachConsole(to_parent):
        return open("CONOUT$", "w", encoding="utf-8", errors="replace")
    return open(os.devnull, "w", encoding="utf-8")
