"""Sweeps: their queue, which is trained one run after the other, and their results."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from gptstudio.app import sweep_tasks
from gptstudio.app.state import AppState
from gptstudio.app.sweep_tasks import ListedSweep, Prepared, SweepForecast
from gptstudio.app.tasks import TaskError, TaskRunner
from gptstudio.gui.controllers.training import TrainingController
from gptstudio.history.sweep_results import SweepResults, write_csv
from gptstudio.i18n import message
from gptstudio.training.run_folder import RunFolder
from gptstudio.training.sweep_runner import MemberEnd, SweepFolder
from gptstudio.training.sweep_spec import SweepSpec


class SweepController(QObject):
    """Controller that lists the sweeps, and trains their queue while ``queue_running`` of the state is true."""

    listed = Signal(object)
    """Emitted with a list of :class:`ListedSweep`."""
    said = Signal(object, bool)
    """Emitted with a message, and True if it reports a problem."""
    added = Signal(object)
    """Emitted with the folder of a new sweep."""
    left = Signal()
    """Emitted when the window is closed."""
    planned = Signal(object)
    """Emitted with the :class:`SweepForecast` of the latest request."""

    def __init__(self, state: AppState, tasks: TaskRunner, training: TrainingController, parent: QObject) -> None:
        super().__init__(parent)
        self._state, self._tasks, self._training = state, tasks, training
        self._preparing = self.trains_now = False  # whether a run of the queue is prepared, or trained
        self._continues = False  # the next run follows even after a run of the queue that was stopped
        training.ended.connect(self._run_ended)

    def leave(self) -> None:
        """Train no further run, and stop all requests; the remaining runs are offered at the next start of the
        program."""
        self._state.queue_running = False
        self.left.emit()

    def wake(self) -> None:
        """List the sweeps, and offer to continue the queue that was left when the program ended."""

        def offer(found: list[ListedSweep]) -> None:
            self.listed.emit(found)
            left = sum(each.left for each in found)
            runs = sum(len(each.results.members) for each in found if each.results and each.left)
            if left and not self._state.queue_running and not any(each.elsewhere for each in found):
                self._training.say(message(
                    "{n} of {total} runs of your sweeps are left. Continue them on Runs, under Sweeps.",
                    n=f"{left:,}", total=f"{runs:,}"))

        self._tasks.run(sweep_tasks.list_sweeps, key="sweeps", done=offer)

    def list_sweeps(self) -> None:
        self._tasks.run(sweep_tasks.list_sweeps, key="sweeps", done=self.listed.emit,
                        failed=lambda error: self.said.emit(error.message, True))

    # The queue.

    def start(self) -> None:
        """Train the remaining runs one after the other, once any other run of this window has ended."""
        paused_or_ended = not (self._state.queue_running and self._state.running)
        self._continues |= self.trains_now and paused_or_ended
        self._state.queue_running = True
        self._next()

    def pause(self) -> None:
        """Train no further run. The run in training ends after its step and is saved, so that it can be continued."""
        self._state.queue_running = False
        if self.trains_now:
            self._training.stop()

    def add(self, spec: SweepSpec) -> None:
        """Add a new sweep to the queue, and train it."""

        def begin(folder: SweepFolder) -> None:
            self.added.emit(folder)
            self.list_sweeps()
            self.start()

        self._tasks.run(lambda _: sweep_tasks.create(spec), done=begin, failed=self._fail)

    def retry(self, sweep: SweepFolder) -> None:
        """Put the failed runs of a sweep back into the queue."""
        self._tasks.run(lambda _: sweep_tasks.retry(sweep), done=lambda _: self._changed(), failed=self._fail)

    def _changed(self) -> None:
        self.list_sweeps()
        self._next()

    def _next(self) -> None:
        noting_end = self.trains_now and self._tasks.busy("training")  # the run has ended, its task has not
        if not self._state.queue_running or self._state.running or self._preparing or noting_end:
            return
        self._preparing = True
        self._tasks.run(sweep_tasks.prepare_next, done=self._begin, failed=self._fail_to_prepare)

    def _begin(self, prepared: Prepared | MemberEnd | None) -> None:
        self._preparing = False
        if not self._state.queue_running or self._state.running:
            return
        if isinstance(prepared, Prepared):
            self.trains_now, self._continues = True, False
            self._training.start_other(
                prepared.member.spec, lambda task: sweep_tasks.train(task, prepared), self._take_end)
        else:
            self._state.queue_running = False
            if prepared:
                self.said.emit(prepared.message, True)
        self.list_sweeps()

    def _take_end(self, end: MemberEnd) -> None:
        """Continue the queue after the end of one of its runs was recorded, unless the run was stopped or must wait."""
        self.trains_now = False
        if end.verdict == "waits":
            self._state.queue_running = False
            self.said.emit(end.message, True)
        elif end.verdict == "stopped" and not self._continues:
            self._state.queue_running = False
        self.list_sweeps()
        self._next()

    def _run_ended(self) -> None:
        """Continue the queue after a run that is not part of it; the end of a run of the queue is not recorded yet."""
        if not self.trains_now:
            self._next()

    def _fail(self, error: TaskError) -> None:
        self.said.emit(error.message, True)
        self.list_sweeps()

    def _fail_to_prepare(self, error: TaskError) -> None:
        self._preparing, self._state.queue_running = False, False
        self._fail(error)

    # Forecast and export.

    def plan(self, spec: SweepSpec, like: RunFolder | None) -> None:
        """Request the time and the disk space that a sweep would take."""

        def failed(error: TaskError) -> None:
            self.planned.emit(SweepForecast(0, None, 0, 0, problem=error.message))

        device = self._state.device
        self._tasks.run(
            lambda _: sweep_tasks.outlook(spec, device, like), key="sweep outlook", done=self.planned.emit,
            failed=failed)

    def save_csv(self, results: SweepResults, path: Path, done: Callable[[], object]) -> None:
        self._tasks.run(lambda _: write_csv(results, path), done=lambda _: done(), failed=self._fail)
