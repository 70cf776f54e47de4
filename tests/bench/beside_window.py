"""The cost of an open window for training: the same steps run alternately without a window, in a window, and in a
minimized window.

    python tests/bench/beside_window.py [preset] [steps] [rounds]

Minimizing needs a screen (``QT_QPA_PLATFORM=xcb`` and a window manager).
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
        window.showNormal()
        alone = np.array(headless(spec))
        *shown, own_shown = in_the_window(app, window, spec)
        window.showMinimized()
        *minimised, own_minimised = in_the_window(app, window, spec)
        if number:  # the first round is a warm-up
            ratios.append((shown / alone, minimised / alone))
            print("s a step and processor time: headless {:.3f} {:.3f}, shown {:.3f} {:.3f}, minimised {:.3f} {:.3f}"
                  .format(*alone, *shown, *minimised), flush=True)
            print(f"of it the window's thread: shown {own_shown:.4f}, minimised {own_minimised:.4f}")
    for name, (wall, processor) in zip(("shown", "minimised"), np.median(ratios, axis=0) * 100 - 100, strict=True):
        print(f"{preset}: the window, {name}, adds {wall:.1f} % to a step and {processor:.1f} % to its processor time "
              f"(medians of {rounds} rounds of {steps} steps)")
    window.leave()


def headless(spec) -> tuple[float, float]:
    """Return seconds and processor time of a step, with evaluations and sample, on a separate thread as in the
    window."""
    from gptstudio.training.control import Control
    from gptstudio.training.launch import launch

    stamps: list[tuple[float, float]] = []
    folder = Path(tempfile.mkdtemp()) / "run"
    thread = Thread(target=launch, args=(spec, Control(), [_stamping(stamps)], folder))
    thread.start()
    thread.join()
    return _pace(stamps)


def in_the_window(app, window, spec) -> tuple[float, float, float]:
    """Return the same for a run that the window shows, and the processor time of the window's own thread between the
    third and the second-to-last step."""
    from PySide6.QtCore import QEventLoop

    from gptstudio.app import training_tasks

    stamps: list[tuple[float, float]] = []
    stamp, train = _stamping(stamps), training_tasks.train

    def stamped(task, _spec, _anyway) -> None:
        emit = task.emit
        task.emit = lambda event: (stamp(event), emit(event))
        train(task, spec)

    window.state.use_spec(spec)
    training_tasks.train = stamped
    window.training.start()
    own: list[tuple[int, float]] = []
    while window.tasks.busy("training"):
        app.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
        if 3 <= len(stamps) < spec.steps:
            own.append((len(stamps), time.thread_time()))
    training_tasks.train = train
    (first, before), (last, after) = own[0], own[-1]
    return *_pace(stamps), (after - before) / (last - first)


def _stamping(stamps: list[tuple[float, float]]):
    from gptstudio.training.events import StepDone

    def stamp(event) -> None:
        if isinstance(event, StepDone):
            stamps.append((time.perf_counter(), time.process_time()))

    return stamp


def _pace(stamps: list[tuple[float, float]]) -> tuple[float, float]:
    """Return the means between the second step and the last: the first one allocates memory."""
    (first, before), (last, after) = stamps[1], stamps[-1]
    return (last - first) / (len(stamps) - 2), (after - before) / (len(stamps) - 2)


def _live(app, ready) -> None:
    while not ready():
        app.processEvents()
        time.sleep(0.005)


if __name__ == "__main__":
    main()
