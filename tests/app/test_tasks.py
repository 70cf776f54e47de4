"""The runner of tasks: work on threads, results delivered to the window's thread in a few lists, and a clean
shutdown."""

import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import psutil
import pytest
import warm_python
from pages.workers import looking
from PySide6.QtCore import QThread, QTimer

from gptstudio.app.tasks import CLOCK_MS, REPORT_EVERY_S, Task, TaskRunner
from gptstudio.errors import UserError
from gptstudio.training.control import Stopped


class Received:
    """Records the callbacks of one task, in order."""

    def __init__(self) -> None:
        self.lists: list[list[Any]] = []
        self.progress: list[tuple[int, int]] = []
        self.ends: list[tuple[str, Any]] = []

    @property
    def callbacks(self) -> dict[str, Callable[..., object]]:
        return {
            "items": self.lists.append, "progress": lambda done, total: self.progress.append((done, total)),
            "done": self.done, "failed": lambda error: self.ends.append(("failed", error)),
            "cancelled": self.cancelled,
        }

    def done(self, result: Any) -> None:
        self.ends.append(("done", result))

    def cancelled(self) -> None:
        self.ends.append(("cancelled", None))

    @property
    def items(self) -> list[Any]:
        return [item for items in self.lists for item in items]


@pytest.fixture
def runner(application, qtbot):
    made = TaskRunner()
    yield made
    assert made.finish()
    assert not running_threads(made)
    assert not looking(made)


@pytest.fixture
def received():
    return Received()


def running_threads(runner: TaskRunner) -> list[QThread]:
    return [each for each in runner.findChildren(QThread) if each.isRunning()]


def blocked(release: threading.Event) -> Callable[[Task], None]:
    def work(task: Task) -> None:
        while not release.wait(0.005):
            task.control.check()

    return work


@pytest.mark.slow
def test_that_two_thousand_emits_keep_the_process_alive_and_the_references_of_true():
    """PySide6 6.12.0 lost a reference to True at each emit, until Python aborted."""
    script = """
import sys
import time
from PySide6.QtCore import QCoreApplication, QObject, Signal
from gptstudio.app.tasks import TaskRunner

class Button(QObject):
    pressed = Signal(bool)

app, runner, button, received = QCoreApplication([]), TaskRunner(), Button(), []
button.pressed.connect(lambda on: None)
before = [sys.getrefcount(each) for each in (True, False, None)]
for n in range(2000):
    runner.run(lambda task, n=n: n, done=received.append)
    while len(received) <= n:
        time.sleep(0)  # else the other thread has to wait for its turn
        runner.deliver()
    button.pressed.emit(True)
    button.pressed.emit(False)
after = [sys.getrefcount(each) for each in (True, False, None)]
assert received == list(range(2000))
assert runner.finish()
print(max(abs(a - b) for a, b in zip(after, before)))
"""
    done = warm_python.run("-c", script)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) < 200


def test_that_items_arrive_unchanged_in_order_and_on_the_windows_thread(runner, received, qtbot):
    here, there = set(), set()
    sent = [{"a": 1}, 2, "three", None, True, 5.5, (6,), ValueError("seven"), object()]

    def work(task: Task) -> str:
        there.add(threading.get_ident())
        for item in sent:
            task.emit(item)
        return "result"

    runner.delivered.connect(lambda task, items: here.add(threading.get_ident()))
    runner.run(work, **received.callbacks)
    qtbot.waitUntil(lambda: len(received.ends) == 1)
    assert [a is b for a, b in zip(received.items, sent, strict=True)] == [True] * len(sent)
    assert received.ends == [("done", "result")]
    assert here == {threading.get_ident()}
    assert there.isdisjoint(here)


def test_that_ten_thousand_items_arrive_in_few_lists(runner, received, qtbot):
    def work(task: Task) -> None:
        for n in range(10_000):
            task.emit(n)
            if n % 100 == 0:
                time.sleep(0.003)

    began = time.monotonic()
    runner.run(work, **received.callbacks)
    qtbot.waitUntil(lambda: len(received.ends) == 1, timeout=20_000)
    ticks = (time.monotonic() - began) * 1000 / CLOCK_MS
    assert received.items == list(range(10_000))
    assert len(received.lists) <= ticks + 2


def test_that_items_between_reports_of_progress_arrive_once(runner, received):
    def work(task: Task) -> None:
        for n in range(4):
            task.report(n, 0)
            task.emit(n)
            time.sleep(REPORT_EVERY_S)  # otherwise the next report is left out
        task.report(4, 4)

    task = runner.run(work, **received.callbacks)
    while not received.ends:  # a busy window: all of it is delivered at once
        time.sleep(6 * REPORT_EVERY_S)
        runner.deliver()
    assert received.items == [0, 1, 2, 3]
    assert task.progress == (4, 4)


def test_that_progress_is_reported_at_most_ten_times_a_second_and_at_its_end(runner, received, qtbot):
    def work(task: Task) -> None:
        for n in range(400):
            task.report(n + 1, 400)
            time.sleep(0.001)

    began = time.monotonic()
    runner.run(work, **received.callbacks)
    qtbot.waitUntil(lambda: len(received.ends) == 1)
    assert len(received.progress) <= (time.monotonic() - began) / REPORT_EVERY_S + 2
    assert received.progress[-1] == (400, 400)


def test_that_a_result_does_not_wait_for_the_timer(runner, received, qtbot):
    runner.findChild(QTimer).setInterval(3_600_000)
    runner.run(lambda task: 1, **received.callbacks)
    qtbot.waitUntil(lambda: received.ends == [("done", 1)])
    assert not runner.busy()


def test_that_the_event_loop_keeps_running_while_a_task_floods_it(runner, qtbot):
    beats, arrived, stop = [], [], threading.Event()

    def work(task: Task) -> None:
        while not stop.is_set():
            task.emit(1)
            time.sleep(0)

    runner.run(work, items=lambda items: arrived.append(len(items)))
    beat = QTimer(interval=10)
    beat.timeout.connect(lambda: beats.append(len(arrived)))
    beat.start()
    qtbot.waitUntil(lambda: len(beats) > 30)  # a loop that only delivers would not reach it
    stop.set()
    qtbot.waitUntil(lambda: not runner.busy())
    beat.stop()
    assert sum(arrived) > 1_000
    assert len(set(beats)) > 3, "items came between the beats"


@pytest.mark.parametrize("queue", ["model", "training"])
def test_that_a_serial_queue_has_one_thread_and_keeps_the_order(runner, queue, qtbot):
    at_once, most, done, threads = [], [], [], set()

    def work(n: int) -> int:
        threads.add(QThread.currentThread())
        at_once.append(n)
        most.append(len(at_once))
        time.sleep(0.005)
        at_once.remove(n)
        return n

    for n in range(10):
        runner.run(lambda task, n=n: work(n), queue=queue, done=done.append)
    assert runner.busy(queue)
    qtbot.waitUntil(lambda: not runner.busy())
    assert done == list(range(10))
    assert max(most) == 1
    assert len(threads) == 1


def test_that_a_long_task_of_the_pool_holds_up_neither_the_next_nor_the_queues(runner, qtbot):
    release, done = threading.Event(), []
    runner.run(blocked(release))
    for queue in ("pool", "model", "training"):
        runner.run(lambda task: 1, queue=queue, done=done.append)
    qtbot.waitUntil(lambda: done == [1, 1, 1])
    assert len(runner.tasks) == 1
    release.set()
    qtbot.waitUntil(lambda: not runner.busy())


def test_that_the_newest_task_of_a_key_replaces_others_and_only_one_of_them_runs(runner, qtbot):
    began, done, cancelled, release = [], [], [], threading.Event()

    def work(n: int) -> Callable[[Task], int]:
        def at_work(task: Task) -> int:
            began.append(n)
            blocked(release)(task)
            return n

        return at_work

    runner.run(work(0), key="same", done=done.append, cancelled=lambda: cancelled.append(0))
    qtbot.waitUntil(lambda: began == [0])
    for n in range(1, 5):
        runner.run(work(n), key="same", done=done.append, cancelled=lambda n=n: cancelled.append(n))
    runner.run(work(9), key="other", done=done.append)
    qtbot.waitUntil(lambda: 4 in began and 9 in began)
    release.set()
    qtbot.waitUntil(lambda: not runner.busy())
    assert sorted(began) == [0, 4, 9], "those between were never begun"
    assert sorted(done) == [4, 9]
    assert cancelled == [], "whoever asks anew does not wait for the answer before"


def test_that_a_task_is_cancelled_while_it_waits_and_while_it_runs(runner, qtbot):
    running, waiting, release = Received(), Received(), threading.Event()
    first = runner.run(blocked(release), queue="model", **running.callbacks)
    second = runner.run(lambda task: 1, queue="model", done=waiting.done, cancelled=waiting.cancelled)
    second.cancel()
    first.cancel()
    qtbot.waitUntil(lambda: not runner.busy())
    assert (running.ends, waiting.ends) == ([("cancelled", None)], [("cancelled", None)])


def test_that_a_cancelled_stream_is_started_and_reports_its_end_itself(runner, received, qtbot):
    def stream(task: Task) -> None:
        task.emit("stopped" if task.control.stopping else "finished")

    release = threading.Event()
    runner.run(blocked(release), queue="training")
    runner.run(stream, queue="training", **received.callbacks).cancel()
    release.set()
    qtbot.waitUntil(lambda: received.items == ["stopped"])


def test_that_a_dropped_task_calls_nobody(runner, received, qtbot):
    task = runner.run(lambda task: task.emit(1), **received.callbacks)
    task.forget()
    qtbot.waitUntil(lambda: not runner.busy())
    assert (received.items, received.ends) == ([], [])


def test_that_a_dropped_task_reports_no_failure_unless_it_is_a_defect(runner, qtbot):
    failed, began = [], threading.Event()
    runner.failed.connect(lambda task, error: failed.append(str(error.message)))

    def failing(error: Exception) -> Callable[[Task], None]:
        def work(task: Task) -> None:
            began.set()
            while not task.control.stopping:
                time.sleep(0.001)
            raise error

        return work

    for error in (UserError("The run has ended."), ValueError("a defect")):
        began.clear()
        task = runner.run(failing(error))
        began.wait(20)
        task.forget()
        qtbot.waitUntil(lambda: not runner.busy())
    assert failed == ["Unexpected error: ValueError: a defect"]


def test_that_reporting_progress_ends_a_cancelled_task(runner, received, qtbot):
    def work(task: Task) -> None:
        while True:
            task.report(0, 1)

    runner.run(work, **received.callbacks).cancel()
    qtbot.waitUntil(lambda: received.ends == [("cancelled", None)])


def test_that_an_error_of_the_user_has_its_message_and_no_details(runner, received, qtbot, capfd):
    def refuse(task: Task) -> None:
        raise UserError("The file is empty.")

    runner.run(refuse, **received.callbacks)
    qtbot.waitUntil(lambda: len(received.ends) == 1)
    (kind, error), = received.ends
    assert (kind, error.message, error.details) == ("failed", "The file is empty.", "")
    assert capfd.readouterr().err == ""


def test_that_a_defect_is_reported_with_its_details_and_the_next_task_is_done(runner, received, qtbot, capfd):
    failed, after = [], []

    def broken(task: Task) -> None:
        task.emit("before")
        raise ValueError("no such thing")

    runner.failed.connect(lambda task, error: failed.append(task.title))
    runner.run(broken, queue="model", title="Broken", items=received.lists.append)
    runner.run(lambda task: 1, queue="model", done=after.append)
    qtbot.waitUntil(lambda: after == [1])
    assert (received.items, failed) == (["before"], ["Broken"])
    assert "ValueError: no such thing" in capfd.readouterr().err, "nobody asked to hear of it"
    runner.run(broken, **received.callbacks)
    qtbot.waitUntil(lambda: len(received.ends) == 1)
    assert received.ends[0][1].message == "Unexpected error: ValueError: no such thing"
    assert "Traceback" in received.ends[0][1].details


def test_that_a_listener_with_a_defect_does_not_keep_events_from_the_others(runner, received, qtbot, monkeypatch):
    seen = []
    monkeypatch.setattr(sys, "excepthook", lambda kind, error, trace: seen.append(kind))
    runner.run(lambda task: 1, queue="model", done=lambda result: 1 / 0)
    runner.run(lambda task: 2, queue="model", **received.callbacks)
    qtbot.waitUntil(lambda: received.ends == [("done", 2)])
    assert seen == [ZeroDivisionError]


def test_that_a_dialog_inside_a_listener_does_not_stop_the_events(runner, received, qtbot):
    """An answer may open a dialog: its event loop delivers the events that arrive meanwhile."""
    release, order = threading.Event(), []

    def ask(result: int) -> None:
        release.set()
        qtbot.waitUntil(lambda: order == [2])
        order.append(result)

    runner.run(lambda task: 1, done=ask)
    runner.run(lambda task: release.wait(20), done=lambda _: order.append(2))
    qtbot.waitUntil(lambda: order == [2, 1])


def test_that_a_change_of_the_list_of_tasks_is_reported(runner, qtbot):
    release, titles = threading.Event(), []
    runner.changed.connect(lambda: titles.append([(each.title, each.progress) for each in runner.tasks]))

    def work(task: Task) -> None:
        task.report(1, 2)
        blocked(release)(task)

    runner.run(work, title="Reading")
    qtbot.waitUntil(lambda: [("Reading", (1, 2))] in titles)
    release.set()
    qtbot.waitUntil(lambda: titles[-1] == [])


def test_that_an_idle_runner_has_no_timer(runner, qtbot):
    assert not looking(runner)
    runner.run(lambda task: 1)
    assert looking(runner)
    qtbot.waitUntil(lambda: not runner.busy())
    assert not looking(runner)


# Ending at any time.


def test_that_nothing_arrives_after_the_end_and_nothing_is_started(runner, received, qtbot):
    """This happens when the user types into a field just before closing the window."""
    runner.run(lambda task: task.emit(1), **received.callbacks)
    assert runner.finish()
    runner.run(lambda task: task.emit(2), **received.callbacks)
    qtbot.wait(50)
    assert (received.items, received.ends) == ([], [])
    assert not runner.busy()
    assert not running_threads(runner)


def test_that_an_unused_runner_ends_at_once(application):
    idle = TaskRunner()
    assert idle.finish()
    assert not idle.findChildren(QThread)


@pytest.mark.parametrize("queue", ["pool", "model", "training"])
def test_that_the_end_cancels_running_tasks_and_drops_waiting_ones(application, queue):
    runner, begun, ended = TaskRunner(), [], []

    def work(task: Task) -> None:
        begun.append(task.id)
        try:
            blocked(threading.Event())(task)
        except Stopped:
            ended.append(task.id)
            raise

    for _ in range(10):
        runner.run(work, queue=queue)
    while not begun:
        time.sleep(0.001)
    assert runner.finish()
    assert sorted(ended) == sorted(begun)
    assert len(begun) < 10


def test_that_the_end_waits_for_work_that_cannot_be_cancelled_but_not_forever(application):
    slow, begun, release = TaskRunner(), threading.Event(), threading.Event()

    def work(task: Task) -> None:
        begun.set()
        release.wait(20)

    slow.run(work)
    begun.wait(20)
    assert not slow.finish(patience_ms=50)
    release.set()
    assert slow.finish()


def test_that_thirty_runners_leave_no_thread_behind(application):
    def one() -> None:
        made, came = TaskRunner(), []
        for queue in ("pool", "model", "training"):
            made.run(lambda task: QThread.currentThread().objectName(), queue=queue, done=came.append)
        while len(came) < 3:
            made.deliver()
        assert made.finish()
        assert sorted(came) == ["model 0", "pool 0", "training 0"]

    one()
    before = psutil.Process().num_threads()
    for _ in range(30):
        one()
    assert psutil.Process().num_threads() < before + 10


def test_that_a_task_that_has_ended_holds_nothing(runner, received, qtbot):
    import gc
    import weakref

    class Model:
        pass

    model = Model()
    gone = weakref.ref(model)
    runner.run(lambda task, model=model: None, **received.callbacks)
    del model
    qtbot.waitUntil(lambda: len(received.ends) == 1)
    gc.collect()
    assert gone() is None
