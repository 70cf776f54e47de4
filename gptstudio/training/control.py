"""Control of a run: stop, pause, step, new sampling parameters, a snapshot of the model. Thread-safe. No torch."""

from __future__ import annotations

import threading
from concurrent.futures import Future
from typing import Any

from gptstudio.errors import UserError
from gptstudio.gpt.sampling.params import SamplingParams
from gptstudio.i18n import message


class Stopped(Exception):
    """The run was stopped in the middle of something that takes long and leaves nothing behind."""


class Control:
    """Control of a run: set by its user, and read by the run between two steps."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._stopping = self._paused = self._closed = False
        self._steps = 0  # single steps asked for and not yet taken
        self._snapshot_requests: list[Future[Any]] = []
        self.stepping = False
        """True if the next step is a single one, to be inspected."""
        self.learning_rate: float | None = None
        """Learning rate from the next step on; None to keep the current one."""
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
        """Check for a stop, during long operations.

        Raises:
            Stopped: the run is to end.
        """
        if self._stopping:
            raise Stopped

    def check_agreed(self) -> None:
        """The same, where all processes of a run check at the same place.

        Raises:
            Stopped: the run is to end, in each of them.
        """
        self.check()

    def wait_while_paused(self, at_most_s: float | None = None) -> bool:
        """Sleep, without using the processor, until resumed, stopped, or asked for a step or a look; False if nothing
        of that came for ``at_most_s``."""
        with self._changed:
            return bool(self._changed.wait_for(
                lambda: not self.paused or self._steps or self._snapshot_requests, at_most_s))

    def take_step(self) -> bool:
        """Return whether a step may be taken now; consume one of the single steps."""
        with self._changed:
            self.stepping = self.paused and self._steps > 0
            if self.stepping:
                self._steps -= 1
            return self.stepping or not self.paused

    def take_snapshot_requests(self) -> list[Future[Any]]:
        """Return the snapshots requested since the last call; the caller must answer them."""
        with self._changed:
            taken, self._snapshot_requests = self._snapshot_requests, []
        return [request for request in taken if request.set_running_or_notify_cancel()]

    def close(self) -> None:
        """Mark the run as ended: pending snapshot requests are refused."""
        with self._changed:
            self._closed = True
            self._refuse()

    def _refuse(self) -> None:
        for request in self._snapshot_requests:
            if request.set_running_or_notify_cancel():
                request.set_exception(UserError(message(
                    "The run has ended. Choose its saved model in the list of models.")))
        self._snapshot_requests.clear()
