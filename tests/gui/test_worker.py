"""The worker: jobs on a thread of their own, messages in few lists on the window's thread."""

import subprocess
import sys
import threading
import time
from collections import deque

import psutil
import pytest
from pages.workers import looking
from PySide6.QtCore import QThread, QTimer

from gptstudio.gui.worker import CLOCK_MS, Failed, Worker


@pytest.fixture
def worker(application, qtbot):
    made = Worker("tested")
    made.came = []
    made.arrived.connect(made.came.append)
    yield made
    assert made.finish()
    assert not made.isRunning()
    assert not looking(made)


def told(worker) -> list:
    return [message for came in worker.came for message in came]


def test_that_two_thousand_emits_keep_the_process_and_its_truth():
    """PySide6 6.12.0 lost a reference to True at each emit, until Python gave up."""
    script = """
import sys
import time
from PySide6.QtCore import QCoreApplication, QObject, Signal
from gptstudio.gui.worker import Worker

class Button(QObject):
    pressed = Signal(bool)

app, worker, button, heard = QCoreApplication([]), Worker("tested"), Button(), []
worker.arrived.connect(lambda came: heard.extend(came))
button.pressed.connect(lambda on: None)
before = [sys.getrefcount(each) for each in (True, False, None)]
for n in range(2000):
    worker.submit(lambda post, n=n: post(n))
    while len(heard) <= n:
        time.sleep(0)  # else the other thread has to wait for its turn
        worker.deliver()
    button.pressed.emit(True)
    button.pressed.emit(False)
after = [sys.getrefcount(each) for each in (True, False, None)]
assert heard == list(range(2000))
assert worker.finish()
print(max(abs(a - b) for a, b in zip(after, before)))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) < 200


def test_that_messages_arrive_as_they_are_in_order_and_on_the_windows_thread(worker, qtbot):
    window_thread, here, there = threading.get_ident(), set(), set()
    messages = [{"a": 1}, 2, "three", None, True, 5.5, (6,), Failed("seven"), object()]
    worker.arrived.connect(lambda came: here.add(threading.get_ident()))

    def job(post):
        there.add(threading.get_ident())
        for message in messages:
            post(message)

    worker.submit(job)
    qtbot.waitUntil(lambda: len(told(worker)) == len(messages))
    assert [a is b for a, b in zip(told(worker), messages, strict=True)] == [True] * len(messages)
    assert here == {window_thread}
    assert there.isdisjoint(here)


def test_that_ten_thousand_events_come_in_few_lists(worker, qtbot):
    def job(post):
        for n in range(10_000):
            post(n)
            if n % 100 == 0:
                time.sleep(0.003)

    began = time.monotonic()
    worker.submit(job)
    qtbot.waitUntil(lambda: not worker.busy, timeout=20_000)
    ticks = (time.monotonic() - began) * 1000 / CLOCK_MS
    assert told(worker) == list(range(10_000))
    assert len(worker.came) <= ticks + 2


def test_that_a_job_that_is_faster_than_the_window_does_not_hold_it(worker):
    class Faster(deque):
        def popleft(self):
            self.append(0)  # before one message is taken the next is there
            return super().popleft()

    worker._inbox = Faster([1, 2])  # noqa: SLF001 - no real job is always faster
    worker.deliver()
    assert told(worker) == [1, 2]


def test_that_an_answer_does_not_wait_for_the_clock(worker, qtbot):
    worker.findChild(QTimer).setInterval(3_600_000)
    worker.submit(lambda post: post(1))
    qtbot.waitUntil(lambda: told(worker) == [1])
    assert not worker.busy


def test_that_nothing_arrives_after_the_end(worker, qtbot):
    worker.submit(lambda post: post(1))
    assert worker.finish()
    qtbot.wait(50)
    assert told(worker) == []


def test_that_the_event_loop_lives_while_a_job_floods_it(worker, qtbot):
    beats, arrived, stop = [], [], threading.Event()

    def job(post):
        while not stop.is_set():
            post(1)
            time.sleep(0)

    worker.arrived.connect(lambda came: arrived.append(len(came)))
    worker.submit(job)
    beat = QTimer(interval=10)
    beat.timeout.connect(lambda: beats.append(len(arrived)))
    beat.start()
    qtbot.waitUntil(lambda: len(beats) > 30)  # a loop that only delivers would not come to it
    stop.set()
    qtbot.waitUntil(lambda: not worker.busy)
    beat.stop()
    assert sum(arrived) > 1_000
    assert len(set(beats)) > 3, "messages came between the beats"


def test_that_jobs_are_done_one_after_the_other(worker, qtbot):
    at_once, most = [], []

    def job(post, n):
        at_once.append(n)
        most.append(len(at_once))
        time.sleep(0.005)
        at_once.remove(n)
        post(n)

    for n in range(10):
        worker.submit(lambda post, n=n: job(post, n))
    assert worker.busy
    qtbot.waitUntil(lambda: not worker.busy)
    assert told(worker) == list(range(10))
    assert max(most) == 1


def test_that_a_job_that_raises_is_told_and_the_next_one_is_done(worker, qtbot, capfd):
    def broken(post):
        post("before")
        raise ValueError("no such thing")

    worker.submit(broken)
    worker.submit(lambda post: post("after"))
    qtbot.waitUntil(lambda: not worker.busy)
    before, failed, after = told(worker)
    assert (before, after) == ("before", "after")
    assert isinstance(failed, Failed)
    assert str(failed) == "ValueError: no such thing"
    assert "Traceback" in capfd.readouterr().err


def test_that_an_idle_worker_has_no_clock(worker, qtbot):
    assert not looking(worker)
    worker.submit(lambda post: post(1))
    assert looking(worker)
    qtbot.waitUntil(lambda: not worker.busy)
    assert not looking(worker)
    assert worker.isRunning(), "it waits for the next job"


def test_that_nothing_is_begun_after_the_end(worker, qtbot):
    """As when a field was typed into just before the window was closed."""
    worker.submit(lambda post: post(1))
    qtbot.waitUntil(lambda: not worker.busy)
    assert worker.finish()
    worker.submit(lambda post: post(2))
    qtbot.wait(100)
    assert told(worker) == [1]
    assert not worker.isRunning()
    assert not worker.busy


def test_that_a_worker_that_was_never_asked_ends_at_once(application):
    idle = Worker("idle")
    assert idle.finish()
    assert not idle.isRunning()


def test_that_the_end_waits_for_the_job_and_not_for_ever(application):
    slow, go_on = Worker("slow"), threading.Event()
    slow.submit(lambda post: go_on.wait(20))
    assert not slow.finish(patience_ms=50)
    go_on.set()
    assert slow.finish()


def test_that_a_hundred_workers_leave_no_thread_behind(application, qtbot):
    def one():
        made, came = Worker("one of many"), []
        made.arrived.connect(came.extend)
        made.submit(lambda post: post(QThread.currentThread().objectName()))
        while not came:
            made.deliver()
        assert made.finish()
        assert came == ["one of many"]

    one()
    before = psutil.Process().num_threads()
    for _ in range(100):
        one()
    assert psutil.Process().num_threads() < before + 10
