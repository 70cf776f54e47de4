"""The cost of a chart of a million points: a tick while it grows, a frame of pan and zoom, another smoothing or axis.

    python tests/bench/chart.py [rounds]

A tick is the new points, one refresh and all painting that follows from it, on a real widget of 1,900 x 500 pixels off
screen. The rounds are repeated, and their median is reported with the lowest and the highest: in wall-clock time and,
because other programs may be using the machine, in processor time of this process.
"""

from __future__ import annotations

import os
import statistics
import sys
import time
from collections.abc import Callable

import numpy as np

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtWidgets import QApplication

from gptstudio.gui.charts.chart import Chart
from gptstudio.gui.charts.curve import Series
from gptstudio.gui.charts.style import overlay
from gptstudio.gui.theme import theme
from gptstudio.history.columns import Axis, Columns

POINTS, PER_TICK, TICKS = 1_000_000, 10, 60
WIDTH, HEIGHT = 1900, 500


def main() -> None:
    rounds = int(sys.argv[1]) if sys.argv[1:] else 3
    theme.follow_system(QApplication(sys.argv[:1]))
    for curves in (1, 5):
        for strength in (0.0, 0.9):
            chart = filled(curves, strength)
            print(f"{curves} curve{'s' * (curves > 1)} of {POINTS:,} points, smoothing {strength:g}")
            report("a tick while it grows", rounds, lambda chart=chart: growing(chart))
            report("a frame of pan", rounds, lambda chart=chart: panning(chart))
            report("a frame of zoom", rounds, lambda chart=chart: zooming(chart))
            chart.view.show_all()
            report("a change of smoothing", rounds, lambda chart=chart: smoothing(chart))
            report("a change of the x axis", rounds, lambda chart=chart: switching(chart))
            chart.close()
            chart.deleteLater()


def filled(curves: int, strength: float) -> Chart:
    """Return a visible chart with noisy falling losses."""
    chart, random = Chart("Loss", "Loss"), np.random.default_rng(1)
    steps = np.arange(POINTS)
    for index in range(curves):
        losses = 3 + 0.3 * index + 7 * np.exp(-steps / 2e5) + random.normal(0, 0.3, POINTS)
        table = Columns("step", "tokens", "loss")
        table.extend(np.column_stack([steps, steps * 512, losses]))
        axes = {"step": Axis("step"), "tokens": Axis("tokens")}
        chart.curves.put(str(index), f"Run {index + 1}", overlay(index), Series(table, "loss", axes))
    chart.smooth(strength)
    chart.resize(WIDTH, HEIGHT)
    chart.show()
    QApplication.processEvents()
    return chart


def growing(chart: Chart) -> np.ndarray:
    """Return the milliseconds of each tick, (ticks, 2), while points are added."""
    chart.view.show_all()
    QApplication.processEvents()
    random = np.random.default_rng(2)

    def tick(_: int) -> None:
        for curve in chart.curves.values():
            steps = len(curve.series) + np.arange(PER_TICK)
            curve.series.y.table.extend(np.column_stack([steps, steps * 512, 3 + random.normal(0, 0.3, PER_TICK)]))
        chart.refresh()
        QApplication.processEvents()

    return timed(tick, TICKS)


def panning(chart: Chart) -> np.ndarray:
    """Return the milliseconds of each frame, (frames, 2), that pans by a fiftieth of the width, as a drag does."""
    return framed(chart, lambda box, frame: box.translateBy(x=POINTS / 4 / 50 * (1 if frame % 100 < 50 else -1)))


def zooming(chart: Chart) -> np.ndarray:
    """Return the milliseconds of each frame, (frames, 2), that zooms from all points to some hundreds and back, as the
    wheel does."""
    return framed(chart, lambda box, frame: box.scaleBy((0.9 if frame % 100 < 50 else 1 / 0.9, None)))


def framed(chart: Chart, move: Callable[[object, int], None]) -> np.ndarray:
    box = chart.plot.getPlotItem().getViewBox()
    box.setXRange(POINTS / 8, POINTS * 3 / 8, padding=0)

    def frame(number: int) -> None:
        move(box, number)
        box.moved.emit(0)
        QApplication.processEvents()

    return timed(frame, TICKS)


def smoothing(chart: Chart) -> np.ndarray:
    return timed(lambda number: (chart.smooth(0.9 + number / 100), QApplication.processEvents()), 6)


def switching(chart: Chart) -> np.ndarray:
    axes = [("tokens", "Tokens seen"), ("step", "Step")]
    return timed(lambda number: (chart.set_x(*axes[number % 2]), QApplication.processEvents()), 6)


def timed(action: Callable[[int], object], times: int) -> np.ndarray:
    """Return milliseconds, (times, 2): wall-clock time and processor time."""
    took = []
    for number in range(times):
        began = time.perf_counter(), time.process_time()
        action(number)
        took.append((time.perf_counter() - began[0], time.process_time() - began[1]))
    return 1000 * np.array(took)


def report(what: str, rounds: int, measure: Callable[[], np.ndarray]) -> None:
    took = [measure() for _ in range(rounds)]
    shown = []
    for kind, name in enumerate(("clock", "computed")):
        middles = [float(np.median(each[:, kind])) for each in took]
        slow = statistics.median(float(np.percentile(each[:, kind], 99)) for each in took)
        middle = statistics.median(middles)
        frames = f" = {1000 / middle:3.0f}/s" if "frame" in what else ""
        shown.append(f"{name} p50 {middle:6.2f}{frames} ({min(middles):.2f} to {max(middles):.2f}), p99 {slow:6.2f}")
    print(f"  {what:22}  {';  '.join(shown)}", flush=True)


if __name__ == "__main__":
    main()
