"""Setup that a frozen program needs before anything else; no other module depends on being frozen."""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import sys
import zipimport
from typing import TextIO


def begin() -> None:
    """Run as a child process if this process was started as one; otherwise set up the streams and the search path of
    the libraries."""
    keep_modules()
    multiprocessing.freeze_support()
    sys.stdout, sys.stderr = sys.stdout or _terminal(), sys.stderr or _terminal()
    give_libraries_back()


def keep_modules() -> None:
    """Keep importing modules from the files that this program was started from, even after an upgrade has replaced
    them.

    PyInstaller keeps modules inside the executable and, for Python's own, in a zip file next to it. For each module
    imported later, both are opened by name: after an upgrade, that opens the new version's files, where the old
    positions are meaningless. Neither reader can be set up otherwise. Windows does not let a running program be
    replaced.
    """
    importers = sys.modules.get("pyimod02_importers")
    if importers is None or not sys.platform.startswith("linux"):
        return
    importers.pyz_archive._filename = _kept_open(sys.executable)  # noqa: SLF001
    library = os.path.join(sys._MEIPASS, "base_library.zip")  # type: ignore[attr-defined]  # noqa: SLF001
    kept, read = {library: _kept_open(library)}, zipimport._get_data  # type: ignore[attr-defined]  # noqa: SLF001
    zipimport._get_data = lambda file, entry: read(kept.get(file, file), entry)  # type: ignore[attr-defined]  # noqa: SLF001


def _kept_open(path: str) -> str:
    """Return another path of a file, which remains valid after the file itself has been replaced."""
    return f"/proc/self/fd/{os.open(path, os.O_RDONLY | os.O_CLOEXEC)}"


def executable_file() -> tuple[int, int] | None:
    """Return the device and inode numbers of the frozen program's file, which differ once an upgrade has replaced it.
    None if the file is gone, or the program is not frozen."""
    if not getattr(sys, "frozen", False):
        return None
    try:
        found = os.stat(sys.executable)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def give_libraries_back() -> None:
    """Let programs started from here, such as the browser, use the system's libraries and not the bundled ones.

    The boot loader adds the bundled folder to ``LD_LIBRARY_PATH``. The dynamic linker has already read it and does not
    read it again.
    """
    own = os.environ.pop("LD_LIBRARY_PATH", None)
    before = os.environ.pop("LD_LIBRARY_PATH_ORIG", None)
    if own is not None and before:
        os.environ["LD_LIBRARY_PATH"] = before


def _terminal() -> TextIO:
    """Return an output stream for a windowed program: on Windows its parent's terminal, otherwise the null device."""
    to_parent = -1
    if sys.platform == "win32" and ctypes.windll.kernel32.AttachConsole(to_parent):
        return open("CONOUT$", "w", encoding="utf-8", errors="replace")
    return open(os.devnull, "w", encoding="utf-8")
