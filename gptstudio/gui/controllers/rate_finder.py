"""Tests of learning rates: one at a time, in the background, while nothing trains."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QObject, Signal

from gptstudio.app import training_tasks
from gptstudio.app.state import AppState
from gptstudio.app.tasks import Task, TaskError, TaskRunner
from gptstudio.training.spec import TrainSpec


class RateFinder(QObject):
    """Tests the learning rates of the run that Start would begin. A run that begins cancels the test."""

    began = Signal()
    stepped = Signal(object)
    """Emitted with a list of ``RatePoint``."""
    found = Signal(object)
    """Emitted with the ``RateTest``."""
    failed = Signal(str)
    """Emitted with the reason, as a message; empty if it was cancelled."""

    def __init__(self, state: AppState, tasks: TaskRunner, parent: QObject | None = None):
        super().__init__(parent)
        self._state, self._tasks = state, tasks
        self._task: Task | None = None
        self.spec: TrainSpec | None = None
        """The settings of the last test."""
        state.on(self._give_way, "run_state")

    @property
    def busy(self) -> bool:
        return self._task is not None

    @property
    def outdated(self) -> bool:
        """True if other settings than the learning rate and its schedule have changed since the test began."""
        now, then = self._state.spec, self.spec
        apart = ("learning_rate", "schedule", "warmup_steps", "min_learning_rate")
        return bool(now and then and any(
            getattr(now, name) != getattr(then, name) for name in type(now).model_fields if name not in apart))

    def start(self) -> None:
        """Begin a test, in place of one under way."""
        if self._task:
            self._task.forget()
        if not self._state.spec or self._state.running:
            return
        self.spec = self._state.spec
        self._task = self._tasks.run(
            training_tasks.find_rate(self.spec), items=self.stepped.emit, done=self._end, failed=self._fail,
            cancelled=lambda: self._fail(None))
        self.began.emit()

    def cancel(self) -> None:
        """End the test after the step that it is in."""
        if self._task:
            self._task.cancel()

    def _give_way(self) -> None:
        if self._state.running:
            self.cancel()

    def _end(self, test: Any) -> None:
        self._task = None
        self.found.emit(test)

    def _fail(self, error: TaskError | None) -> None:
        self._task = None
        self.failed.emit(error.message if error else "")
