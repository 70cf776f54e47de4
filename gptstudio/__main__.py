"""``gptstudio``: opens the window; with a command, runs the command line; without a display, trains and generates in
the terminal."""

from __future__ import annotations

import atexit
import ctypes
import gc
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gptstudio.training.events import Ended


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command in ``argv`` (default: sys.argv), and return the exit code."""
    set_thread_waiting()
    if argv is None:
        search_less_for_garbage()
    if not (sys.argv[1:] if argv is None else argv) and has_display():
        with suppress(ImportError):  # studio reports the reason
            return window_alone()
    from gptstudio.cli import app as cli
    from gptstudio.gui import tour

    app = cli.build()
    app.command(tour.run, name="tour")
    app.command(selftest, name="--selftest")
    app.command(rehearse, name="--rehearse", show=False)
    return cli.run(app, studio, argv)


def set_thread_waiting() -> None:
    """Set in the environment how torch's threads wait for each other. Call this before importing torch, which reads it
    then. Only the program calls this: a program that imports GPT Studio controls its own environment.

    Threads that spin for a long time while they wait slow a busy machine down thirtyfold; threads that sleep at once
    take as long to wake up as a small matrix product takes. On Linux, a thousand spins (a setting of libgomp) bridge
    the time between two products; ten thousand took up to twice the CPU time and five times the wall-clock time next to
    two busy programs. At low priority, a thread may have to wait for a processor until other programs pause: then the
    threads that wait for it sleep at once.
    """
    waits_for_others = hasattr(os, "getpriority") and os.getpriority(os.PRIO_PROCESS, 0) > 0
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    os.environ.setdefault("GOMP_SPINCOUNT", "0" if waits_for_others else "1000")


def search_less_for_garbage() -> None:
    """Let Python search for garbage more rarely while modules are imported, and not at the end of the program, where
    it visits all objects of torch: this takes a third of the time that a short command needs."""
    gc.set_threshold(20_000)
    atexit.register(gc.freeze)


def window_alone() -> int:
    """Open the window without importing the command line, which takes a quarter of the startup time.

    Raises:
        ImportError: Qt or a system library that it needs is missing.
    """
    gc.disable()  # startup makes no garbage, and the search for it takes a tenth of the time; see gui/event_loop.py
    # PySide6 reads and keeps the source of each module that is imported after it, so most are imported before.
    from gptstudio.app import preferences, state  # noqa: F401
    try:
        from gptstudio.gui.app import main as open_window
    except ImportError:
        gc.enable()
        raise
    try:
        return open_window()
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 - every error is reported, and becomes the exit code
        from gptstudio.cli.app import exit_code_of

        return exit_code_of(error)


def studio(lesson: Path | None = None) -> int | Ended:
    """Open the window, with a lesson if a file is given.

    Raises:
        UserError: the lesson cannot be read; raised before a window opens. In an installed program, which is mostly
            started without a terminal by clicking the file, the window shows the error instead.
    """
    if lesson and (sys.stderr.isatty() or not getattr(sys, "frozen", False)):
        from gptstudio.labs.lesson import load

        load(lesson)
    if not has_display():
        return in_terminal("No display was found, so the window cannot open.")
    try:
        from gptstudio.gui.app import main as open_window
    except ImportError as error:  # Qt itself, or a system library that it needs
        return in_terminal(f"The window could not open ({error}).")
    return open_window(lesson)


def selftest(directory: Path | None = None, /) -> int:
    """Test an installation without showing a window: print one line per stage; exit code 0 if everything works.

    Args:
        directory: folder for selftest.png and selftest.txt; by default, a new temporary folder.
    """
    from gptstudio.gui.selftest import run

    return run(main, directory)


def rehearse(settings: Path, /, *, json: bool = False) -> int:
    """Run through the lesson of a settings file in a hidden window. Started by ``gptstudio settings --rehearse``."""
    from gptstudio.gui.lesson_driver import run

    return run(str(settings.absolute()), json)


def has_display() -> bool:
    """Return whether a display is available for a window; always true on Windows and macOS."""
    if not sys.platform.startswith("linux") or any(map(os.environ.get, ("QT_QPA_PLATFORM", "WAYLAND_DISPLAY"))):
        return True
    return bool(os.environ.get("DISPLAY")) and x_server_answers()


def x_server_answers() -> bool:
    """Return whether the X server of ``DISPLAY`` accepts connections. Checked before Qt, which would end the
    process."""
    try:
        xcb = ctypes.CDLL("libxcb.so.1")
    except OSError:
        return False  # Qt needs it as well
    xcb.xcb_connect.restype = ctypes.c_void_p
    xcb.xcb_connection_has_error.argtypes = [ctypes.c_void_p]
    xcb.xcb_disconnect.argtypes = [ctypes.c_void_p]
    connection = xcb.xcb_connect(None, None)
    answers = not xcb.xcb_connection_has_error(connection)
    xcb.xcb_disconnect(connection)
    return answers


def in_terminal(why: str) -> Ended:
    from gptstudio.cli.app import train_and_generate

    return train_and_generate(why)


if __name__ == "__main__":
    if getattr(sys, "frozen", False):
        from gptstudio import frozen

        frozen.begin()
    code = main()
    if "TORCHELASTIC_RUN_ID" in os.environ:
        from gptstudio.training import torchrun

        torchrun.leave(code)
    sys.exit(code)
