"""What flows against the stream: stop, pause, step, the newest value of the dials, a look at the model. Safe to use
from any thread. No torch."""

from __future__ import annotations

import threading
from concurrent.futures import Future
from typing import Any

from gptstudio.errors import UserError
from gptstudio.gpt.sampling_params import SamplingParams


class Stopped(Exception):
    """The run was stopped in the middle of something that takes long and leaves nothing behind."""


class Control:
    """Held by whoever steers a run, and read by the run between two steps."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._stopping = self._paused = self._closed = False
        self._steps = 0  # single steps asked for and not yet taken
        self._snapshot_requests: list[Future[Any]] = []
        self.stepping = False
        """Whether the step that comes is a single one, to be examined."""
        self.learning_rate: float | None = None
        """The learning rate from the next step on, where it is to be another than before."""
        self.sampling_params: SamplingParams | None = None  # one name bound to one tuple: read and written whole

    # For whoever steers.

    def stop(self) -> None:
        """The run ends after the step it is in; a paused run ends at once."""
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
        """One step, examined, and then a pause; a run that is not paused pauses after it."""
        with self._changed:
            self._paused = True
            self._steps += 1
            self._changed.notify_all()

    def snapshot(self) -> Future[Any]:
        """A copy of the model as it is after the step that the run is in, once it has come so far.

        The future raises a UserError when the run ends before it could answer.
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
    def paused(self) -> bool:
        return self._paused and not self._stopping

    # For the run.

    def check(self) -> None:
        """To be called in the middle of what takes long.

        Raises:
            Stopped: the run is to end.
        """
        if self._stopping:
            raise Stopped

    def wait_while_paused(self) -> None:
        """Sleeps, without using the processor, until resumed, stopped, or asked for a step or a look."""
        with self._changed:
            self._changed.wait_for(lambda: not self.paused or self._steps or self._snapshot_requests)

    def take_step(self) -> bool:
        """Whether a step may be taken now; of the single steps, takes one."""
        with self._changed:
            self.stepping = self.paused and self._steps > 0
            if self.stepping:
                self._steps -= 1
            return self.stepping or not self.paused

    def take_snapshot_requests(self) -> list[Future[Any]]:
        """The snapshots asked for since last time; whoever takes them answers them."""
        with self._changed:
            taken, self._snapshot_requests = self._snapshot_requests, []
        return [request for request in taken if request.set_running_or_notify_cancel()]

    def close(self) -> None:
        """The run has ended: nobody waits for an answer any more."""
        with self._changed:
            self._closed = True
            self._refuse()

    def _refuse(self) -> None:
        for request in self._snapshot_requests:
            if request.set_running_or_notify_cancel():
                request.set_exception(UserError("The run has ended. Choose its saved model in the list of models."))
        self._snapshot_requests.clear()
