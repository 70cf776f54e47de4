"""The window's own times: until it is shown, and how long its event loop is kept waiting while a model trains.

    python tests/bench/window.py [preset] [seconds]
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time

import numpy as np

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
FIRST_WINDOW = """
import gc, sys, time
began = time.perf_counter(), time.process_time()
gc.disable()  # as the program does before its first import
from gptstudio import __main__ as program
from gptstudio.gui import app

class Seen(app.MainWindow):
    def wake(self, new_session=False):
        wall, processor = time.perf_counter() - began[0], time.process_time() - began[1]
        print(f"{wall:.3f} s, {processor:.3f} s of it computing, torch loaded:", "torch" in sys.modules)
        self.close()

app.MainWindow = Seen
program.main([])
"""


def main() -> None:
    preset, seconds = sys.argv[1] if sys.argv[1:] else "book", float(sys.argv[2]) if sys.argv[2:] else 40.0
    first_window()
    os.environ["GPTSTUDIO_HOME"] = tempfile.mkdtemp(prefix="gptstudio-bench-")
    event_loop_gap(preset, seconds)


def first_window(rounds: int = 5) -> None:
    """Seconds from the first import to the painted window, in fresh processes."""
    for _ in range(rounds):
        took = subprocess.run([sys.executable, "-c", FIRST_WINDOW], check=True, capture_output=True, text=True)
        print("first window after", took.stdout.strip())


def event_loop_gap(preset: str, seconds: float) -> None:
    """How late a 5 ms timer fires while ``preset`` trains; after the first second of training."""
    from PySide6.QtCore import QEventLoop, Qt, QTimer

    from gptstudio.gpt.config import PRESETS
    from gptstudio.gui.app import make_app
    from gptstudio.gui.window import MainWindow

    app, window = make_app(), MainWindow()
    window.show()
    window.wake()
    window.state.select_model(PRESETS[preset])
    _live(app, lambda: window.train.start.isEnabled())
    window.train.start.click()
    _live(app, lambda: window.train.view.progress.value() >= 1)
    gaps, last = [], [time.perf_counter()]

    def tick() -> None:
        now = time.perf_counter()
        gaps.append((now - last[0]) * 1000)
        last[0] = now

    clock = QTimer(interval=5, timerType=Qt.TimerType.PreciseTimer)
    clock.timeout.connect(tick)
    clock.start()
    began = time.perf_counter()
    loop = QEventLoop()
    QTimer.singleShot(int(seconds * 1000), loop.quit)
    loop.exec()
    after = np.array(gaps)[np.cumsum(gaps) > 1000]
    p50, p99 = np.percentile(after, [50, 99])
    print(
        f"{preset}: {window.train.view.progress.value()} steps in {time.perf_counter() - began:.0f} s; event-loop gap "
        f"p50 {p50:.1f} ms, p99 {p99:.1f} ms, longest {after.max():.1f} ms, over 100 ms: {(after > 100).sum()}"
    )
    window.leave()


def _live(app, ready) -> None:
    while not ready():
        app.processEvents()
        time.sleep(0.005)


if __name__ == "__main__":
    main()
