"""A trainer that is faster than the display: ten thousand steps a second through the real tasks into the real Train
view. The window stays responsive, memory grows only by the points of the curves, and Qt releases every reference that
it takes.

    GPTSTUDIO_FLOOD_S=60 python -m pytest tests/faults/test_fault_16_a_flood_of_steps.py

lets it flood for a minute. For the limits on responsiveness, see :mod:`gaps`.
"""

import gc
import os
import threading
import time

import psutil
import pytest
import warm_python
from gaps import Gaps
from left_behind import living
from pages.workers import on_the_way

from gptstudio.app import training_tasks
from gptstudio.training.events import Ended, Evaluated, PhaseChanged, RunStarted, StepDone

pytestmark = [pytest.mark.fault(16), pytest.mark.usefixtures("memory_returned")]

FLOOD_S = float(os.environ.get("GPTSTUDIO_FLOOD_S", "1"))
STEPS_A_SECOND = 10_000
LONGEST_S = 0.02
"""The longest time between two readings of the clock for which steps are reported."""
REACHED = 0.1
"""The least share of that rate that counts as a flood, on a machine with other busy programs."""
POINT_BYTES = 600
"""The most bytes that may remain of one step: a point in each of four curves, over four axes, with its share of the
pyramids used for zooming, in buffers that are doubled when they are full."""
BESIDE = 20 * 2**20
"""Additional memory for what is painted."""


class Fast:
    """A trainer that only reports, at a steady rate. Delays are left out, as in training: a step in transit takes 1 KB,
    which Python keeps for reuse, so catching up would cost memory that nothing needs."""

    def __init__(self) -> None:
        self.stop, self.sent = threading.Event(), 0

    def __call__(self, task) -> None:
        post = task.emit
        total = int(STEPS_A_SECOND * FLOOD_S * 2)
        post(RunStarted(run="/nowhere/run", device="test", dtype="fp32", path="fast", parameters=1, total_steps=total,
                        steps_per_epoch=1_000, tokens_per_step=32))
        post(PhaseChanged(phase="training"))
        due, last = 0.0, time.monotonic()
        while not self.stop.is_set():
            now = time.monotonic()
            due += min(now - last, LONGEST_S) * STEPS_A_SECOND
            last = now
            while self.sent < min(due, total):
                post(self._step(self.sent))
                if self.sent % 1_000 == 0:
                    seen = 32 * (self.sent + 1)
                    post(Evaluated(step=self.sent, tokens_seen=seen, train_loss=3.0, val_loss=3.1))
                self.sent += 1
            time.sleep(0.001)
        post(Ended(outcome="stopped", message="Stopped."))

    def _step(self, step: int) -> StepDone:
        return StepDone.model_construct(
            event="step_done", step=step, epoch=1 + step // 1_000, loss=3.0 + (step % 97) / 97, learning_rate=1e-3,
            gradient_norm=1.0 + (step % 31) / 31, tokens_seen=32 * (step + 1), elapsed_s=step / STEPS_A_SECOND,
        )


def steps_kept() -> int:
    """Return the number of step events in this process, without garbage."""
    gc.collect()
    return len(living(StepDone))


def test_that_a_flood_of_steps_leaves_the_window_responsive_and_memory_flat(user, fault, monkeypatch):
    train, process, fast = user.train, psutil.Process(), Fast()
    train.prepare()
    user.window.tasks.delivered.disconnect()  # the events are not kept anywhere
    kept = steps_kept()
    with monkeypatch.context() as patch:
        patch.setattr(training_tasks, "train", lambda task, spec, anyway: fast(task))
        train.start()
        user.wait(lambda: fast.sent)
    user.rest(min(1.0, FLOOD_S / 10))
    gc.collect()
    sent, before = fast.sent, process.memory_info().rss
    with Gaps() as gaps:
        user.rest(FLOOD_S)
    steps = fast.sent - sent
    fast.stop.set()
    user.wait(lambda: not user.busy("training"))
    grown = process.memory_info().rss - before
    print(f"{steps:,} steps in {FLOOD_S:g} s, {steps / FLOOD_S:,.0f} a second; {gaps.ticks:,} ticks, computed for "
          f"{gaps.computed * 1e3:.0f} ms and away for {gaps.passed * 1e3:.0f} ms at most; "
          f"{grown / 2**20:.1f} MB, {grown / max(1, steps):,.0f} bytes a step")
    assert steps >= REACHED * STEPS_A_SECOND * FLOOD_S, f"no flood: {steps:,} steps in {FLOOD_S:g} s"
    with fault.tried("awake"):
        gaps.assert_responsive()
    with fault.tried("memory"):
        assert grown < BESIDE + POINT_BYTES * steps
        assert steps_kept() <= kept + 1, "more than the last step is kept"
    with fault.tried("nothing is lost"):
        assert len(train.losses()) == fast.sent
        assert not on_the_way(user.window.tasks)
    with fault.tried("the window is as good as new"):
        train.prepare(steps=3)
        train.start()
        train.wait_ended()
        assert len(train.losses()) == 3


REFERENCES = """
import sys
from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication, QLabel
from gptstudio.app.tasks import TaskRunner

class Button(QObject):
    pressed = Signal(bool)

app = QApplication([])
runner, button, label = TaskRunner(), Button(), QLabel()
received = []
runner.delivered.connect(lambda task, items: received.extend(items))
button.pressed.connect(lambda on: None)
before = [sys.getrefcount(each) for each in (True, False, None)]
for n in range(10_000):
    button.pressed.emit(n % 2 == 0)
    runner.delivered.emit(None, [None, True])
    label.setText(str(n))
    label.setEnabled(n % 2 == 0)
received.clear()
after = [sys.getrefcount(each) for each in (True, False, None)]
runner.run(lambda task: task.emit(True))
assert runner.finish()
print(max(abs(a - b) for a, b in zip(after, before)))
"""


def test_that_ten_thousand_emits_and_texts_keep_the_process_alive_and_the_references_of_true():
    """PySide6 6.12.0 on Python 3.11 loses a reference to True at each emit and to None at each setText, until Python
    gives up: after 600 and 5,100."""
    done = warm_python.run("-c", REFERENCES, env=os.environ | {"QT_QPA_PLATFORM": "offscreen"})
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) < 200
