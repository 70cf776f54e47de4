"""Two hundred runs started and stopped in the window, as quickly as it can be done: nothing of them stays behind."""

import gc
import threading

import psutil
import pytest
from PySide6.QtCore import QObject, QThread, QTimer

ROUNDS, FIRST = 200, 40
"""Over the first rounds caches fill; from there to the end nothing may grow."""
MB = 2**20


def left_behind(window) -> dict[str, float]:
    """Counts of whatever a run could leave."""
    gc.collect()
    process = psutil.Process()
    return {
        "threads": threading.active_count(),
        "of Qt": sum(each.isRunning() for each in window.findChildren(QThread)),
        "timers": sum(each.isActive() for each in window.findChildren(QTimer)),
        "parts of the window": len(window.findChildren(QObject)),
        "parts of the plot": len(window.train.view.charts.loss.plot.scene().items()),
        "files": process.num_fds() if psutil.POSIX else process.num_handles(),
    }


@pytest.mark.slow
@pytest.mark.timeout(600, method="thread")
def test_that_two_hundred_starts_and_stops_leave_nothing_behind(user, whole_window):
    train = user.window.train
    user.prepare(steps=5000, eval_freq=1000, sample_tokens=0)
    for count in range(ROUNDS):
        user.click(train.start)
        if count % 2:  # every other one comes as far as a step
            user.wait(lambda: train.view.last)
        user.click(train.stop_button)
        user.wait(lambda: not train.running and not user.window.trainer.busy and not user.window.desk.busy)
        if count + 1 == FIRST:
            before, held = left_behind(user.window), psutil.Process().memory_info().rss
    assert left_behind(user.window) == before
    assert psutil.Process().memory_info().rss - held < 30 * MB
