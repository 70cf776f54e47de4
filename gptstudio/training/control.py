"""Thread-safe control of a run: stop, pause, step, new sampling parameters, snapshots of the model. No torch."""

from __future__ import annotations

import threading
from concurrent.futures import Future
from typing import Any

from gptstudio.data.encodings import Progress
from gptstudio.errors import UserError
from gptstudio.gpt.sampling.params import SamplingParams
from gptstudio.i18n import message


class Stopped(Exception):
    """The run was stopped during a long operation, which has no lasting effect."""


class Control:
    """Control of a run, set by the user and read by the run between two steps."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._stopping = self._paused = self._closed = False
        self._steps = 0  # requested single steps that are not yet done
        self._snapshot_requests: list[Future[Any]] = []
        self.stepping = False
        """True if the next step is a single step, to be inspected."""
        self.learning_rate: float | None = None
        """Learning rate from the next step on; None to keep the current one."""
        self.sampling_params: SamplingParams | None = None  # immutable, so it needs no lock

    # For the user of the run.

    def stop(self) -> None:
        """Stop the run after its current step; a paused run ends at once."""
        with self._changed:
            self._stopping = True
            self._changed.notify_all()

    def pause(self) -> None:
        with self._changed:
            self._paused = True

    def resume(self) -> None:
        with self._changed:
            self._paused, self._steps = False, 0
            self._changed.notify_all()

    def step(self) -> None:
        """Request one step with a report, followed by a pause; a run that is not paused pauses after it."""
        with self._changed:
            self._paused = True
            self._steps += 1
            self._changed.notify_all()

    def snapshot(self) -> Future[Any]:
        """Request a copy of the model after the current step, and return its future.

        The future raises a UserError if the run ends before it can answer.
        """
        request: Future[Any] = Future()
        with self._changed:
            self._snapshot_requests.append(request)
            if self._closed:
                self._refuse()
            self._changed.notify_all()
        return request

    @property
    def stopping(self) -> bool:
        return self._stopping

    @property
    def closed(self) -> bool:
        """True once the run has ended."""
        return self._closed

    @property
    def paused(self) -> bool:
        return self._paused and not self._stopping

    # For the run.

    def check(self) -> None:
        """Check for a stop during a long operation.

        Raises:
            Stopped: the run was stopped.
        """
        if self._stopping:
            raise Stopped

    def checking(self, progress: Progress) -> Progress:
        """Return a callback that checks for a stop before it calls ``progress``."""

        def checked(done: int, total: int) -> None:
            self.check()
            progress(done, total)

        return checked

    def check_agreed(self) -> None:
        """Check for a stop at a place where all processes of a run check together.

        Raises:
            Stopped: the run was stopped; raised in all processes.
        """
        self.check()

    def wait_while_paused(self, at_most_s: float | None = None) -> bool:
        """Block until the run is resumed or stopped, or a step or a snapshot is requested; return False if that did not
        happen within ``at_most_s`` seconds."""
        with self._changed:
            return bool(self._changed.wait_for(
                lambda: not self.paused or self._steps or self._snapshot_requests, at_most_s))

    def take_step(self) -> bool:
        """Return whether the next step may start; in a paused run, it uses one of the requested single steps."""
        with self._changed:
            self.stepping = self.paused and self._steps > 0
            if self.stepping:
                self._steps -= 1
            return self.stepping or not self.paused

    def take_snapshot_requests(self) -> list[Future[Any]]:
        """Return the snapshot requests since the last call; the caller must answer them."""
        with self._changed:
            taken, self._snapshot_requests = self._snapshot_requests, []
        return [request for request in taken if request.set_running_or_notify_cancel()]

    def close(self) -> None:
        """Mark the run as ended, and refuse pending snapshot requests."""
        with self._changed:
            self._closed = True
            self._refuse()

    def _refuse(self) -> None:
        for request in self._snapshot_requests:
            if request.set_running_or_notify_cancel():
                request.set_exception(UserError(message(
                    "The run has ended. Choose its saved model in the list of models.")))
        self._snapshot_requests.clear()
