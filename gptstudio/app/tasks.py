"""Tasks that run off the window's thread, and the runner that owns all threads.

Work runs on a thread of a queue; the items that it emits arrive on the window's thread thirty times a second, and once
more when it has ended: many events cause few repaints.
"""

from __future__ import annotations

import sys
import time
import traceback
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Any, Literal

from PySide6.QtCore import QDeadlineTimer, QObject, QThread, QTimer, Signal

from gptstudio import log
from gptstudio.errors import UserError
from gptstudio.training.control import Control, Stopped
from gptstudio.training.executor import error_text

Queue = Literal["pool", "model", "training", "labs"]
THREADS: dict[Queue, int] = {"pool": 4, "model": 1, "training": 1, "labs": 1}
"""Number of threads of each queue; a queue with one thread runs its tasks in order. "labs" is for experiments that
train, so that no run waits for them."""
CLOCK_MS, REPORT_EVERY_S = 33, 0.1
MOST_AT_ONCE = 500
"""Maximum number of items to process at once, about 25 ms of the window's thread for the steps of a run. A backlog from
a busy computer is processed over several ticks of the timer, between which the window responds."""

Work = Callable[["Task"], Any]
"""Function that a task runs on a thread of its queue; its result is the result of the task."""


@dataclass(frozen=True)
class TaskError:
    """Reason why a task failed.

    Attributes:
        message: for the user.
        details: a traceback for developers; empty if the message is sufficient.
        unexpected: whether it is a defect of the program, not something that a user can fix.
    """

    message: str
    details: str = ""
    unexpected: bool = False


NO_ERROR = TaskError("")


class Task:
    """Unit of work. Its owner can cancel or forget it; it is also passed to the work, which emits items, reports
    progress and checks for cancellation."""

    def __init__(
        self, id: int, work: Work, queue: Queue, key: str, title: str, control: Control,
        callbacks: dict[str, Callable[..., object] | None], shows_details: bool,
    ):
        self.id, self.queue, self.key, self.title, self.control = id, queue, key, title, control
        self.progress: tuple[int, int] = (0, 0)
        """Last reported progress: done, total."""
        self._work, self._callbacks, self._shows_details = work, callbacks, shows_details
        self._inbox: deque[tuple[str, Any]] = deque()
        self._reported_s = 0.0
        self.forgotten = False

    @property
    def listens(self) -> bool:
        """True if the owner handles failures."""
        return self._callbacks.get("failed") is not None

    # For the owner.

    def cancel(self) -> None:
        """Ask the work to stop: it ends at its next check, or never starts."""
        self.control.stop()

    def forget(self) -> None:
        """Cancel the task, and call no more of its callbacks."""
        self.cancel()
        self._callbacks, self.forgotten = {}, True

    # For the work.

    def emit(self, item: Any) -> None:
        """Send an item to the window's thread."""
        self._inbox.append(("items", item))

    def report(self, done: int, total: int) -> None:
        """Report progress, at most ten times a second.

        Raises:
            Stopped: the task was cancelled.
        """
        self.control.check()
        now = time.monotonic()
        if now - self._reported_s >= REPORT_EVERY_S or 0 < total == done:
            self._reported_s = now
            self._inbox.append(("progress", (done, total)))

    # For the runner.

    def execute(self) -> None:
        """Run the work on a thread of the queue, and record how it ended."""
        try:
            if not self._callbacks.get("items"):  # a stream always starts: its end is an item
                self.control.check()
            ended: tuple[str, Any] = ("done", self._work(self))
        except Stopped:
            ended = ("cancelled", None)
        except Exception as error:  # noqa: BLE001 - every error is reported, or a caller would wait for ever
            ended = ("failed", self._error(error))
        self._inbox.append(ended)

    def deliver(self) -> tuple[list[Any], str, Any]:
        """Call the callbacks for at most ``MOST_AT_ONCE`` items that have arrived. Return the items, how the task ended
        (empty if it has not), and its result or error."""
        items, called = list[Any](), 0  # number of items already passed on
        for _ in range(min(len(self._inbox), MOST_AT_ONCE)):  # later items wait: the work may be faster
            kind, value = self._inbox.popleft()
            if kind == "items":
                items.append(value)
                continue
            if items[called:]:
                self._call("items", items[called:])
                called = len(items)
            if kind == "progress":
                self.progress = value
                self._call("progress", *value)
            else:
                self._call(kind, *([] if kind == "cancelled" else [value]))
                return items, kind, value
        if items[called:]:
            self._call("items", items[called:])
        return items, "", None

    def _call(self, name: str, *values: Any) -> None:
        callback = self._callbacks.get(name)
        if callback:
            try:
                callback(*values)
            except Exception:  # noqa: BLE001 - a defect in one listener must not affect the others
                sys.excepthook(*sys.exc_info())

    def _error(self, error: Exception) -> TaskError:
        ours = isinstance(error, UserError)
        if not ours:
            listens = self.listens
            if not listens:
                traceback.print_exception(error)
            log.unexpected(error, "nowhere" if not listens else "with details" if self._shows_details else "in words")
        details = "" if ours and not error.__cause__ else "".join(traceback.format_exception(error))
        return TaskError(error_text(error), details, unexpected=not ours)


class TaskRunner(QObject):
    """Runner of all tasks, with a pool of threads, and serial queues for the model, training and experiments."""

    changed = Signal()
    """Emitted when a task was added, has reported progress, or has ended."""
    delivered = Signal(object, object)
    """Emitted with a task and a list of its items."""
    failed = Signal(object, object)
    """Emitted with a failed task and its :class:`TaskError`; for a forgotten task only if the error is a defect."""
    _ended = Signal()  # emitted on the task's thread, received on the window's

    def __init__(self, parent: QObject | None = None):
        super().__init__(parent)
        self._tasks: dict[int, Task] = {}  # tasks that have not ended, the oldest first
        self._waiting: dict[str, Task] = {}  # by key: to start when the previous task has ended
        self._queues: dict[Queue, SimpleQueue[Task | None]] = {name: SimpleQueue() for name in THREADS}
        self._threads: dict[Queue, list[_Thread]] = {name: [] for name in THREADS}
        self._last_id, self._finished = 0, False
        self.clock = QTimer(self, interval=CLOCK_MS)  # processes what has arrived
        self.clock.timeout.connect(self.deliver)
        self._ended.connect(self._deliver_the_last)

    @property
    def tasks(self) -> list[Task]:
        """Tasks that have not ended, the oldest first."""
        return list(self._tasks.values())

    def busy(self, *queues: Queue) -> bool:
        """Return whether a task of these queues, or of any queue, has not ended."""
        return any(not queues or task.queue in queues for task in self._tasks.values())

    def run(
        self, work: Work, *, queue: Queue = "pool", key: str = "", title: str = "", control: Control | None = None,
        items: Callable[[list[Any]], object] | None = None, progress: Callable[[int, int], object] | None = None,
        done: Callable[[Any], object] | None = None, failed: Callable[[TaskError], object] | None = None,
        cancelled: Callable[[], object] | None = None, shows_details: bool = False,
    ) -> Task:
        """Run ``work`` on a thread of a queue. All callbacks are called on the window's thread, exactly one of
        ``done``, ``failed`` and ``cancelled`` at the end, unless the task is forgotten or the window is closed.

        Args:
            key: only the newest task with a key counts: the previous one is forgotten, and this one starts when that
                has ended.
            title: name of the task for the user; tasks without one are not shown.
            control: control of the work; by default a new one.
            items: called with a list of all items since the last call.
            progress: called with the amount done and the total, at most ten times a second.
            failed: without it, an unexpected error is shown across the window.
            shows_details: whether ``failed`` shows the details of an error as well as its message.
        """
        self._last_id += 1
        callbacks: dict[str, Callable[..., object] | None] = {
            "items": items, "progress": progress, "done": done, "failed": failed, "cancelled": cancelled}
        task = Task(self._last_id, work, queue, key, title, control or Control(), callbacks, shows_details)
        if not self._finished:
            before = [each for each in self._tasks.values() if key and each.key == key]
            self._tasks[task.id] = task
            for each in before:
                each.forget()
            if before:
                self._waiting[key] = task
                for never_begun in before[1:]:
                    self._tasks.pop(never_begun.id)
            else:
                self._begin(task)
            self.clock.start()
            self.changed.emit()
        return task

    def deliver(self) -> None:
        """Process everything that has arrived. The timer calls this."""
        news = False
        for task in self.tasks:
            if task.id not in self._tasks:  # ended while another was delivered
                continue
            progress = task.progress
            items, end, value = task.deliver()
            if end:
                self._tasks.pop(task.id, None)
                if following := self._waiting.pop(task.key, None):
                    self._begin(following)
            if items:
                self.delivered.emit(task, items)
            if end == "failed" and (value.unexpected or not task.forgotten):
                self.failed.emit(task, value)
            news = news or bool(end) or task.progress != progress
        if not self._tasks:
            self.clock.stop()
        if news:
            self.changed.emit()

    def finish(self, patience_ms: int = -1) -> bool:
        """Cancel all tasks, and end all threads after their current work; return whether they have ended.

        Waits without limit by default: a large model's last step and save can take a minute, and Qt aborts the process
        if a thread outlives its object.
        """
        self._finished = True
        for task in self.tasks:
            task.forget()
        for name, threads in self._threads.items():
            for _ in threads:
                self._queues[name].put(None)
        deadline = QDeadlineTimer(patience_ms)
        waits = [thread.wait(deadline) for threads in self._threads.values() for thread in threads]
        self.clock.stop()
        self._tasks.clear()
        return all(waits)

    def _begin(self, task: Task) -> None:
        self._queues[task.queue].put(task)
        threads = self._threads[task.queue]
        ahead = sum(each.queue == task.queue for each in self._tasks.values())
        if len(threads) < min(ahead, THREADS[task.queue]):
            threads.append(_Thread(f"{task.queue} {len(threads)}", self._queues[task.queue], self._ended.emit, self))
            threads[-1].start()

    def _deliver_the_last(self) -> None:
        """Deliver the remaining items immediately: a result does not wait for the timer."""
        if not self._finished:
            self.deliver()


class _Thread(QThread):
    """Thread of a queue."""

    def __init__(self, name: str, tasks: SimpleQueue[Task | None], ended: Callable[[], object], parent: QObject):
        super().__init__(parent)
        self.setObjectName(name)
        self._queue, self._ended = tasks, ended

    def run(self) -> None:
        """Execute tasks until None arrives. Called only by Qt, on the new thread."""
        while (task := self._queue.get()) is not None:
            task.execute()
            self._ended()
            del task  # releases its objects before the next task arrives
