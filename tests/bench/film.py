"""The cost of a picture of the film of a probe prompt in the window, in a run of 2,000 evaluations.

    python tests/bench/film.py [EVALUATIONS]

The events of such a run, with random probabilities of three probes, go through the real controller into the real window
of 1,280 x 800 pixels off screen; then the slider moves from reading to reading, and each is painted. At 30 pictures a
second, each may take 33 ms.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time

import numpy as np

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ["GPTSTUDIO_HOME"] = tempfile.mkdtemp(prefix="gptstudio-bench-")

EVERY, KNOWN, PICTURES = 5, 60, 300


def main() -> None:
    from PySide6.QtWidgets import QApplication, QSlider

    from gptstudio.app.shown_run import ShownRun
    from gptstudio.gui.app import make_app
    from gptstudio.gui.window import MainWindow
    from gptstudio.training.spec import TrainSpec

    evaluations = int(sys.argv[1]) if sys.argv[1:] else 2_000
    make_app()
    window = MainWindow()
    window.resize(1280, 800)
    window.show()
    window.wake()
    window.state.run = ShownRun(TrainSpec())
    window.training.restarted.emit()
    began = time.perf_counter()
    window.training.take(events(evaluations))
    view = window.train.view
    view.pane.setCurrentWidget(view.probes)
    _live(0.5)
    print(f"{evaluations:,} evaluations shown after {time.perf_counter() - began - 0.5:.2f} s")
    slider = window.findChild(QSlider, "probe_slider")
    times = []
    for index in np.linspace(0, slider.maximum(), PICTURES).astype(int).tolist():
        before = time.perf_counter()
        slider.setValue(index)
        QApplication.processEvents()
        times.append(1000 * (time.perf_counter() - before))
    times.sort()
    print(f"a picture takes {statistics.median(times):.1f} ms (median of {PICTURES}), "
          f"{times[int(0.99 * PICTURES)]:.1f} ms at most in 99 of 100")
    window.leave()


def events(evaluations: int) -> list[object]:
    from gptstudio.training.events import Evaluated, ProbeReading, ProbesRead, RunStarted, StepDone

    random = np.random.default_rng(1)
    made: list[object] = [RunStarted(
        run="/nowhere/run", device="cpu", dtype="fp32", path="fast", parameters=1, total_steps=evaluations * EVERY,
        steps_per_epoch=100, tokens_per_step=128)]
    ids = [tuple(random.choice(50_257, KNOWN, replace=False).tolist()) for _ in range(3)]
    for step in range(evaluations * EVERY):
        seen = 128 * (step + 1)
        made.append(StepDone(step=step, epoch=1 + step // 100, loss=5.0, learning_rate=4e-4, gradient_norm=1.0,
                             tokens_seen=seen, elapsed_s=0.1 * step))
        if step % EVERY == 0:
            made.append(Evaluated(step=step, tokens_seen=seen, train_loss=4.0, val_loss=5.0))
            shares = random.dirichlet(np.full(KNOWN, 0.3), 3)
            made.append(ProbesRead(step=step, tokens_seen=seen, probes=tuple(ProbeReading(
                text="Every effort moves you", ids=known, probabilities=tuple(each.tolist()), entropy_bits=6.0)
                for known, each in zip(ids, shares, strict=True))))
    return made


def _live(seconds: float) -> None:
    from PySide6.QtWidgets import QApplication

    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        QApplication.processEvents()


if __name__ == "__main__":
    main()
