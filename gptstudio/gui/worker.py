"""The only file that knows QThread: a worker, its inbox, and the clock that empties it.

Work happens there, messages arrive here: a job puts them into the inbox from its own thread, and thirty times a
second, and once more when it is done, the window's thread takes all that came and emits them together. Many events,
few paints.
"""

from __future__ import annotations

import traceback
from collections import deque
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any, TypeVar

from PySide6.QtCore import QDeadlineTimer, QObject, QThread, QTimer, Signal

from gptstudio import log
from gptstudio.training.executor import reported

Post = Callable[[Any], None]
"""Puts a message into the inbox; safe from the job's thread."""

Job = Callable[[Post], None]

Answer = TypeVar("Answer")
Refusal = TypeVar("Refusal")

CLOCK_MS = 33
FOR_EVER = -1


class Failed(Exception):
    """Job that raised: a defect of the program, since runs report their own errors. It is logged, and shown by all
    listeners of the log."""


def attempt(
    work: Callable[[], Answer], refuse: Callable[[str], Refusal], *passing: type[Exception]
) -> Answer | Refusal:
    """Return what ``work`` returns, or the result of ``refuse`` for the error message; ``passing`` are raised.

    Unexpected errors are reported too, or the caller would wait forever.
    """
    try:
        return work()
    except passing:
        raise
    except Exception as error:  # noqa: BLE001  (whatever happens is reported)
        return refuse(reported(error))


class Worker(QThread):
    """Does jobs one after the other on a thread of its own."""

    arrived = Signal(object)  # a list of messages; Qt would take a Signal(list) apart and copy what is in it
    _done = Signal()  # a job; told on its thread, heard on the window's

    def __init__(self, name: str, parent: QObject | None = None):
        super().__init__(parent)
        self.setObjectName(name)
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        self._inbox: deque[Any] = deque()
        self._waiting = 0  # jobs asked for and not yet done; the window's thread alone counts
        self._finished = False
        self._clock = QTimer(self, interval=CLOCK_MS)
        self._clock.timeout.connect(self.deliver)
        self._done.connect(self._deliver_the_last)

    @property
    def busy(self) -> bool:
        return self._waiting > 0

    def submit(self, job: Job) -> None:
        """Does ``job`` after those asked for before; leaves it out when the window is going."""
        if self._finished:
            return
        self._waiting += 1
        self._jobs.put(job)
        if not self.isRunning():
            self.start()
        self._clock.start()

    def run(self) -> None:
        """Run the jobs. Called only by Qt, on the new thread."""
        while (job := self._jobs.get()) is not None:
            try:
                job(self._inbox.append)
            except Exception as error:  # noqa: BLE001  (would be lost in a QThread)
                traceback.print_exception(error)
                log.unexpected(error)
                self._inbox.append(Failed(log.in_short(error)))
            self._inbox.append(_DONE)
            self._done.emit()

    def deliver(self) -> None:
        """Emits what has arrived, in one list; the clock does this by itself."""
        messages = []
        for _ in range(len(self._inbox)):  # what comes meanwhile waits: a job may be faster than this
            message = self._inbox.popleft()
            if message is _DONE:
                self._waiting -= 1
            else:
                messages.append(message)
        if not self.busy:
            self._clock.stop()
        if messages:
            self.arrived.emit(messages)

    def _deliver_the_last(self) -> None:
        """An answer does not wait for the clock."""
        if not self._finished:
            self.deliver()

    def finish(self, patience_ms: int = FOR_EVER) -> bool:
        """End the thread after its current job; return True when it has ended.

        Waits without limit by default: a large model's last step and save can take a minute, and Qt aborts the process
        if a thread outlives its object.
        """
        self._finished = True
        self._jobs.put(None)
        ended = self.wait(QDeadlineTimer(patience_ms))
        self._clock.stop()
        return ended


_DONE = object()
