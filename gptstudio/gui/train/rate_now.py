"""Current learning rate of a run: initial value from its spec, changes during pauses, as recorded in its journal."""

from __future__ import annotations

from gptstudio.training.events import LearningRateChanged, RunStarted
from gptstudio.training.spec import TrainSpec


class RateNow:
    """Of the run that is shown; None while there is none."""

    def __init__(self) -> None:
        self.value: float | None = None
        self._first: float | None = None
        self._changes: list[LearningRateChanged] = []

    def begin(self, spec: TrainSpec | None) -> None:
        """Another run is shown, or none."""
        self.value = self._first = spec.learning_rate if spec else None

    def take(self, message: RunStarted | LearningRateChanged) -> None:
        """A run that goes on from one of its steps has the learning rate that it had there."""
        if isinstance(message, RunStarted):
            self._changes = [each for each in self._changes if each.step < message.first_step]
        else:
            self._changes.append(message)
        self.value = self._changes[-1].learning_rate if self._changes else self._first
