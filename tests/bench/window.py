"""Times of the window: until it is shown, and how long its event loop is blocked while a model trains.

    python tests/bench/window.py [preset] [seconds]
    python tests/bench/window.py fast [seconds]     # 200 simulated steps a second, as on a GPU

With a screen (``QT_QPA_PLATFORM=xcb``) the pauses are those that people see.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from functools import partial

import numpy as np

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
FIRST_WINDOW = """
import gc, os, sys, time
began = time.perf_counter(), time.process_time()
gc.disable()  # as the program does before its first import
from gptstudio import __main__ as program
from gptstudio.app import preferences, state  # as the program does before it imports Qt
from gptstudio.gui import app

class Seen(app.MainWindow):
    def wake(self, new_session=False):
        wall, processor = time.perf_counter() - began[0], time.process_time() - began[1]
        import psutil

        memory = psutil.Process().memory_full_info()
        print(wall, processor, memory.rss / 1e6, memory.uss / 1e6, "torch" in sys.modules, flush=True)
        os._exit(0)

app.MainWindow = Seen
program.main([])
"""
EMPTY_WINDOW = """
import gc, os, time
began = time.perf_counter(), time.process_time()
gc.disable()
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QMainWindow

class Window(QMainWindow):
    def paintEvent(self, event):
        super().paintEvent(event)
        QTimer.singleShot(0, self.end)

    def end(self):
        print(time.perf_counter() - began[0], time.process_time() - began[1], flush=True)
        os._exit(0)

app, window = QApplication([]), Window()
window.resize(1280, 800)
window.show()
app.exec()
"""
"""An empty window of Qt for Python, for comparison on a busy or slower machine."""


def main() -> None:
    preset, seconds = sys.argv[1] if sys.argv[1:] else "book", float(sys.argv[2]) if sys.argv[2:] else 40.0
    os.environ["GPTSTUDIO_HOME"] = tempfile.mkdtemp(prefix="gptstudio-bench-")
    if preset == "fast":
        event_loop_gap(train_fast(), "200 made-up steps a second", seconds)
        os._exit(0)
    first_window()
    window = train(preset)
    event_loop_gap(window, preset, seconds)
    pauses(window)
    window.leave()


def first_window(rounds: int = 9) -> None:
    """Print the seconds from the first import to the painted window, alternately with an empty window, in new
    processes."""
    ours, empty = [], []
    for _ in range(rounds):
        empty.append(_answer(EMPTY_WINDOW))
        ours.append(_answer(FIRST_WINDOW))
    for name, rows in (("empty window", empty), ("first window", ours)):
        wall, processor = (sorted(float(row[n]) for row in rows) for n in (0, 1))
        print(f"{name} after {wall[rounds // 2]:.3f} s (best {wall[0]:.3f}), "
              f"computing for {processor[rounds // 2]:.3f} (best {processor[0]:.3f})")
    resident, own = (sorted(float(row[n]) for row in ours)[rounds // 2] for n in (2, 3))
    print(f"resident {resident:.0f} MB, {own:.0f} of them its own; torch loaded: {ours[-1][4]}")


def _answer(script: str) -> list[str]:
    """Return the output of a script, with a separate home folder and compiled files, as an installed program
    has them."""
    with tempfile.TemporaryDirectory() as home:
        around = os.environ | {"GPTSTUDIO_HOME": home, "PYTHONDONTWRITEBYTECODE": ""}
        ended = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True, env=around)
    return ended.stdout.split()


def train(preset: str):
    """Return a window in which ``preset`` trains."""
    from gptstudio.gpt.config import PRESETS
    from gptstudio.gui.app import make_app
    from gptstudio.gui.window import MainWindow

    make_app()
    window = MainWindow()
    window.show()
    window.wake()
    window.state.select_model(PRESETS[preset])
    _live(lambda: window.train.start.isEnabled())
    window.train.start.click()
    _live(lambda: window.train.run_controls.progress.value() >= 1)
    return window


def train_fast(step_s: float = 0.005):
    """Return a window with a run whose steps compute nothing and take ``step_s`` seconds each."""
    from gptstudio.training import trainer

    def made_up(state, _batches, _clip=0.0) -> tuple[float, float]:
        time.sleep(step_s)
        return 10 / (1 + state.progress.step / 1000), 1.0

    trainer.training_step = made_up
    trainer.evaluate = lambda *_: (5.0, 6.0)
    from gptstudio.gui.window import MainWindow

    MainWindow.wake_before, MainWindow.wake = MainWindow.wake, _with_many_steps
    return train("workshop")


def _with_many_steps(window) -> None:
    window.wake_before()
    many = {"epochs": 1_000, "eval_freq": 100, "sample_tokens": 0, "health": False}
    window.state.train_values = {**window.state.train_values, **many}


def event_loop_gap(window, preset: str, seconds: float) -> None:
    """Print the delay of a 5 ms timer while ``preset`` trains, starting after the first second."""
    clock, began = Clock(5), time.perf_counter()
    _live(lambda: time.perf_counter() - began > seconds)
    after = np.array(clock.gaps_ms)[np.cumsum(clock.gaps_ms) > 1000]
    p50, p99 = np.percentile(after, [50, 99])
    print(
        f"{preset}: {window.train.run_controls.progress.value()} steps in "
        f"{time.perf_counter() - began:.0f} s; event-loop gap "
        f"p50 {p50:.1f} ms, p99 {p99:.1f} ms, longest {after.max():.1f} ms, over 100 ms: {(after > 100).sum()}"
    )
    clock.stop()


def pauses(window) -> None:
    """Print the longest gap of a 20 ms timer after user actions, while the model trains and all pages are open."""
    from gptstudio.app.state import PAGES
    from gptstudio.gui.theme import DARK, LIGHT, theme
    from gptstudio.labs.catalogue import ENTRIES

    clock = Clock(20)

    def measure(does: str, *actions) -> None:
        gaps = []
        for action in actions:
            clock.gaps_ms.clear()
            action()
            end = time.perf_counter() + 0.8
            _live(lambda end=end: time.perf_counter() > end)
            gaps.append(max(clock.gaps_ms))
        print(f"{does}: longest pause {max(gaps):.0f} ms; each: {', '.join(f'{gap:.0f}' for gap in gaps)}")

    go = window.state.show_page
    measure("a page for the first time", *(partial(go, page) for page in PAGES))
    measure("a page of Learn for the first time", *(partial(window.learn.open, name) for name in ENTRIES))
    measure("a page again", *(partial(go, page) for page in PAGES))
    for page in PAGES:
        go(page)
        measure(f"colours, text size on {page}", *(
            partial(theme.use, DARK), partial(theme.enlarge, 1.2), partial(theme.use, LIGHT),
            partial(theme.enlarge, None)))
    measure("a page that follows", *(partial(go, page) for page in PAGES))
    go("generate")
    measure("a megabyte pasted as the prompt", *(
        partial(paste, window.generate.prompt, each * (2**20 // len(each.encode()))) for each in PASTES))
    clock.stop()


PASTES = "Every effort moves you. ", "It rang late.\n", "a", " ", "北京是首都。"


def paste(editor, text: str) -> None:
    """Replace the content of a field by pasting."""
    from PySide6.QtWidgets import QApplication

    QApplication.clipboard().setText(text)
    editor.selectAll()
    editor.paste()


class Clock:
    """Records the intervals at which a timer fires."""

    def __init__(self, interval_ms: int) -> None:
        from PySide6.QtCore import Qt, QTimer

        self.gaps_ms: list[float] = []
        self._last = time.perf_counter()
        self._timer = QTimer(interval=interval_ms, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._tick)
        self._timer.start()

    def _tick(self) -> None:
        now = time.perf_counter()
        self.gaps_ms.append((now - self._last) * 1000)
        self._last = now

    def stop(self) -> None:
        self._timer.stop()


def _live(ready) -> None:
    """Run the event loop as in the program until ``ready`` is true."""
    from PySide6.QtCore import QEventLoop, QTimer

    loop, timer = QEventLoop(), QTimer(interval=10)
    timer.timeout.connect(lambda: loop.quit() if ready() else None)
    timer.start()
    loop.exec()


if __name__ == "__main__":
    main()
