"""What an open window costs training: the same steps without a window and in one, by turns.

    python tests/bench/beside_window.py [preset] [steps] [rounds]
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path
from threading import Thread

import numpy as np

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ["GPTSTUDIO_HOME"] = tempfile.mkdtemp(prefix="gptstudio-bench-")


def main() -> None:
    from gptstudio.gpt.config import PRESETS
    from gptstudio.gui.app import make_app
    from gptstudio.gui.window import MainWindow
    from gptstudio.training.spec import TrainSpec

    preset = sys.argv[1] if sys.argv[1:] else "book"
    steps, rounds = (int(sys.argv[i]) if sys.argv[i:] else usual for i, usual in ((2, 18), (3, 5)))
    spec = TrainSpec(config=PRESETS[preset], steps=steps, save_every_s=None)
    app, window = make_app(), MainWindow()
    window.show()
    window.wake()
    _live(app, lambda: not window.tasks.busy("pool"))
    ratios = []
    for number in range(rounds + 1):
        alone, shown = headless(spec), in_the_window(app, window, spec)
        if number:  # the first warms both up
            ratios.append(shown / alone)
            print(f"headless {alone:.3f} s a step, in the window {shown:.3f} s: {shown / alone:.3f}", flush=True)
    added = np.median(ratios) * 100 - 100
    print(f"{preset}: the window adds {added:.1f} % to a step (median of {rounds} rounds of {steps} steps)")
    window.leave()


def headless(spec) -> float:
    """Seconds a step, evaluations and the sample included, on a thread of its own as in the window."""
    from gptstudio.training.control import Control
    from gptstudio.training.launch import launch

    stamps: list[float] = []
    folder = Path(tempfile.mkdtemp()) / "run"
    thread = Thread(target=launch, args=(spec, Control(), [_stamping(stamps)], folder))
    thread.start()
    thread.join()
    return _pace(stamps)


def in_the_window(app, window, spec) -> float:
    """The same while the window shows it."""
    from PySide6.QtCore import QEventLoop

    from gptstudio.app import training_tasks

    stamps: list[float] = []
    stamp, train = _stamping(stamps), training_tasks.train

    def stamped(task) -> None:
        emit = task.emit
        task.emit = lambda event: (stamp(event), emit(event))
        train(spec)(task)

    window.state.use_spec(spec)
    training_tasks.train = lambda shown, anyway: stamped
    window.training.start()
    training_tasks.train = train
    while window.tasks.busy("training"):
        app.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
    return _pace(stamps)


def _stamping(stamps: list[float]):
    from gptstudio.training.events import StepDone

    return lambda event: stamps.append(time.perf_counter()) if isinstance(event, StepDone) else None


def _pace(stamps: list[float]) -> float:
    """Between the second step and the last: the first one takes memory."""
    return (stamps[-1] - stamps[1]) / (len(stamps) - 2)


def _live(app, ready) -> None:
    while not ready():
        app.processEvents()
        time.sleep(0.005)


if __name__ == "__main__":
    main()
