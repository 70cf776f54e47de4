"""The cost of an idle window: processor time on each page, and the timers that are active.

    python tests/bench/idle.py [seconds] [folder of runs]

Runs in a separate home folder; with a screen (``QT_QPA_PLATFORM=xcb`` and a window manager) also minimized. With a
folder of runs, the first of them is opened before each page is measured a second time.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ["GPTSTUDIO_HOME"] = tempfile.mkdtemp(prefix="gptstudio-bench-")
SETTLED_S = 20.0
"""Seconds after a change of page by which timers that fire once, such as that of a successful start, have fired."""


def main() -> None:
    import psutil

    from gptstudio.app.state import PAGES
    from gptstudio.gui.app import make_app
    from gptstudio.gui.session import Autosave
    from gptstudio.gui.window import MainWindow

    seconds = float(sys.argv[1]) if sys.argv[1:] else 60.0
    make_app()
    window = MainWindow()
    window.show()
    live(0.5)
    memory = psutil.Process().memory_full_info()
    rss, own = memory.rss / 1e6, memory.uss / 1e6
    print(f"before torch ({'torch' not in sys.modules}): resident {rss:.0f} MB, own {own:.0f}")
    window.wake()
    Autosave(window)
    while window.tasks.busy() or window.state.text_check is None:
        live(0.5)
    print(f"torch loaded: {'torch' in sys.modules}; resident {psutil.Process().memory_info().rss / 1e6:.0f} MB")
    live(SETTLED_S)
    for state in ("empty", "with a run") if sys.argv[2:] else ("empty",):
        if state != "empty":
            open_run(window, Path(sys.argv[2]))
        for page in PAGES:
            window.state.show_page(page)
            live(SETTLED_S * 0.6)
            measure(window, f"{page}, {state}", seconds)
        window.state.show_page("train")
        window.showMinimized()
        live(SETTLED_S / 4)
        measure(window, f"minimised, {state}", seconds)
        window.showNormal()
    window.leave()


def open_run(window, folder: Path) -> None:
    """Show the finished run of a folder on Train."""
    from gptstudio.training.run_folder import RunFolder

    run = RunFolder(folder)
    window.training.open_run(run, run.record().spec, live=False)
    while not window.state.run.started:
        live(0.5)


def measure(window, words: str, seconds: float) -> None:
    """Print the processor time of all threads over some idle seconds, and the events that woke the window."""
    ticks = Ticks()
    before, began = time.process_time(), time.monotonic()  # user and system time of all threads
    live(seconds)
    share = 100 * (time.process_time() - before) / (time.monotonic() - began)
    ticks.stop()
    print(f"{words}: {share:.2f} % of a core; {active(window)}; {ticks.summary()}", flush=True)


def active(window) -> str:
    """Return the active timers, with their intervals in ms."""
    from PySide6.QtCore import QTimer
    from PySide6.QtWidgets import QApplication

    owners = [*QApplication.instance().findChildren(QTimer), *window.findChildren(QTimer)]
    timers = [f"{type(each.parent()).__name__} {each.interval()}" for each in owners if each.isActive()]
    return "timers: " + (", ".join(timers) or "none")


class Ticks:
    """Counts the timer events that arrive at any object."""

    def __init__(self) -> None:
        from PySide6.QtCore import QEvent, QObject
        from PySide6.QtWidgets import QApplication

        self.by_type: Counter[str] = Counter()

        class Filter(QObject):
            def eventFilter(self, watched, event) -> bool:
                if event.type() == QEvent.Type.Timer:
                    parent = watched.parent()
                    counted[f"{type(watched).__name__} of {type(parent).__name__}"] += 1
                return False

        counted = self.by_type
        self._filter = Filter()
        QApplication.instance().installEventFilter(self._filter)

    def stop(self) -> None:
        from PySide6.QtWidgets import QApplication

        QApplication.instance().removeEventFilter(self._filter)

    def summary(self) -> str:
        return "timer events: " + (", ".join(f"{name} {n}" for name, n in self.by_type.most_common()) or "none")


def live(seconds: float) -> None:
    """Let the event loop run as it does in the program."""
    from PySide6.QtCore import QEventLoop, QTimer

    loop = QEventLoop()
    QTimer.singleShot(round(seconds * 1000), loop.quit)
    loop.exec()


if __name__ == "__main__":
    main()
