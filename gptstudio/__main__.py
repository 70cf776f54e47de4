"""``gptstudio``: the window; with a command, the command line; without a display, the main job in the terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from gptstudio.cli import app as cli
from gptstudio.gui import tour
from gptstudio.runs.events import Ended

# Before torch loads: threads that spin while they wait slow a busy machine down thirtyfold.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")


def main(argv: Sequence[str] | None = None) -> int:
    """Does what ``argv`` (sys.argv if not given) asks, and returns the exit code."""
    app = cli.build()
    app.command(tour.run, name="tour")
    return cli.run(app, studio, argv)


def studio() -> int | Ended:
    """Open the window."""
    if not has_display():
        return in_terminal("There is no display, so no window can open.")
    try:
        from gptstudio.gui.app import main as open_window
    except ImportError as error:  # Qt itself, or a system library that it needs
        return in_terminal(f"The window cannot open ({error}).")
    return open_window()


def has_display() -> bool:
    """Whether a window has somewhere to be: always so on Windows and macOS."""
    names = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    return not sys.platform.startswith("linux") or any(os.environ.get(name) for name in names)


def in_terminal(why: str) -> Ended:
    from gptstudio.cli.workshop import train_and_generate

    return train_and_generate(why)


if __name__ == "__main__":
    sys.exit(main())
