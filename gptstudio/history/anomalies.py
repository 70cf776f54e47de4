"""Anomalies in a run's curves: the loss has jumped, or the model is overfitting. No torch.

Two rules, chosen so that an ordinary noisy curve that falls, or has levelled off, triggers neither:

A jump. A step's loss lies seven standard deviations above where the straight line through the steps before it leads.
With their mean instead of a line, this is the rule by which OLMo 2 (Team OLMo, 2 OLMo 2 Furious, 2024) counts spikes,
there over the last 1,000 steps; here over the last ``RECENT``, because a learner's run has hundreds, and its curve
falls steeply: the steps before are higher, and around their mean they scatter widely. Four deviations are enough where
the norm of the gradient lies seven above its mean as well. After a jump, monitoring restarts from the current loss.

Overfitting. The validation loss has not reached a new minimum for ``PATIENCE`` evaluations, and the training loss has
fallen further since then, by more than the noise of the curves can explain. The first half is early stopping with
patience (Prechelt, Early Stopping - But When?, 1998; Goodfellow, Bengio and Courville, Deep Learning, 2016, algorithm
7.1); the second distinguishes it from a curve that has only levelled off. The noise is measured from second
differences, in which a straight trend cancels: their variance is six times that of independent noise (1 + 4 + 1).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from operator import itemgetter
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gptstudio.history.columns import Numbers
from gptstudio.history.event_batches import EVALUATION, STEP, EventBatch, batch_of
from gptstudio.history.jumps import Jump, JumpDetector
from gptstudio.history.overfitting import Overfitting, OverfittingDetector
from gptstudio.i18n import message
from gptstudio.training.events import Evaluated, Event, RunStarted, StepDone

HIGHEST = 1e150
"""The square of a higher loss is no number any more."""
LOSS, NORM = STEP.index("loss"), STEP.index("gradient_norm")
BOTH_LOSSES = [EVALUATION.index("train_loss"), EVALUATION.index("val_loss")]


@dataclass(frozen=True)
class Anomaly:
    """Anomaly in the curves. ``message`` is one sentence for the user."""

    step: int
    tokens_seen: int
    kind: Literal["jump", "overfitting"]
    message: str


class Found(NamedTuple):
    """An anomaly, and the number of steps and evaluations of a batch after which it shows."""

    steps: int
    evaluations: int
    anomaly: Anomaly


class AnomalyDetector:
    """Detector of the anomalies of one run, from its events in order, or from batches of them."""

    def __init__(self) -> None:
        self._jumps, self._overfitting = JumpDetector(), OverfittingDetector()

    def update(self, event: Event) -> Anomaly | None:
        """Take the next event of the run; return the anomaly that it shows."""
        if not isinstance(event, (RunStarted, StepDone, Evaluated)):
            return None
        return next((found.anomaly for found in self.take(batch_of([event]))), None)

    def take(self, batch: EventBatch) -> list[Found]:
        """Take the next messages of the run; return the anomalies that they show, in order."""
        found = [*self._find_jumps(batch), *self._find_overfitting(batch)]
        if batch.rare and isinstance(started := batch.rare[-1].event, RunStarted):
            self._jumps.restart()
            self._overfitting.truncate(started.first_step)
        return sorted(found, key=itemgetter(0, 1))

    def _find_jumps(self, batch: EventBatch) -> Iterator[Found]:
        rows = _rows_of_numbers(batch.steps, [LOSS])  # the trainer itself ends a run of other losses, with words
        for jump in self._jumps.take(batch.steps[rows, LOSS], batch.steps[rows, NORM]) if len(rows) else ():
            row = int(rows[jump.row])
            before = np.searchsorted(batch.evaluations[:, -1], row, side="right") if len(batch.evaluations) else 0
            [step] = batch.steps_at(slice(row, row + 1))
            yield Found(row + 1, int(before), _jumped(step, jump))

    def _find_overfitting(self, batch: EventBatch) -> Iterator[Found]:
        rows = _rows_of_numbers(batch.evaluations, BOTH_LOSSES)
        if len(rows) and (found := self._overfitting.take(batch.evaluations[rows, : len(EVALUATION)])):
            row = int(rows[found.row])
            yield Found(int(batch.evaluations[row, -1]), row + 1, _overfitted(found))


def _rows_of_numbers(table: Numbers, losses: list[int]) -> NDArray[np.intp]:
    """Return the rows whose losses can be computed with: also their squares, and sums of several."""
    return np.flatnonzero((np.abs(table[:, losses]) < HIGHEST).all(axis=1)) if len(table) else np.empty(0, np.intp)


def _jumped(done: StepDone, jump: Jump) -> Anomaly:
    return Anomaly(
        done.step, done.tokens_seen, "jump",
        message(
            "At step {n}, the loss jumped from about {usual} to {loss} (gradient norm {norm}, before about "
            "{usual_norm}). A single jump is common, and the book's own code has them too; a gradient clip of 1 "
            "prevents most of them. If the loss stays high or jumps again, choose a lower learning rate.",
            n=f"{done.step + 1:,}", loss=f"{done.loss:.2f}", usual=f"{jump.usual:.2f}",
            norm=f"{done.gradient_norm:.1f}", usual_norm=f"{jump.usual_norm:.1f}",
        ),
    )


def _overfitted(found: Overfitting) -> Anomaly:
    return Anomaly(
        found.step, found.tokens_seen, "overfitting",
        message(
            "After step {n}, the validation loss ({loss}) stopped improving while the training loss kept falling: "
            "the model is memorising the training text (overfitting).",
            n=f"{found.step + 1:,}", loss=f"{found.val_loss:.2f}",
        ),
    )
