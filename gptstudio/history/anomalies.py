"""Anomalies in a run's curves: the loss has jumped, or the model is overfitting. No torch.

Two rules, chosen so that an ordinary noisy curve that falls, or has levelled off, triggers neither:

A jump. A step's loss lies seven standard deviations above the mean of the steps before it. This is the rule by which
OLMo 2 (Team OLMo, 2 OLMo 2 Furious, 2024) counts spikes, there over the last 1,000 steps; here over the last
``RECENT``, because a learner's run has hundreds. On a falling curve the steps before are higher, and the rule triggers
later. After a jump, monitoring restarts from the current loss.

Overfitting. The validation loss has not reached a new minimum for ``PATIENCE`` evaluations, and the training loss has
fallen further since then, by more than the noise of the curves can explain. The first half is early stopping with
patience (Prechelt, Early Stopping - But When?, 1998; Goodfellow, Bengio and Courville, Deep Learning, 2016, algorithm
7.1); the second distinguishes it from a curve that has only levelled off. The noise is measured from second
differences, in which a straight trend cancels: their variance is six times that of independent noise (1 + 4 + 1).
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import fmean
from typing import Literal

from gptstudio.i18n import message
from gptstudio.training.events import Evaluated, Event, RunStarted, StepDone

RECENT = 50
"""Steps that a loss is compared with, and from how many on it is."""
FEWEST = 20
JUMP = 7.0
"""Standard deviations above the mean that no noise reaches."""
LEAST_JUMP = 0.25
"""Nats: a quarter, below which a jump is not worth a word, however quiet the curve was."""

PATIENCE = 5
"""Evaluations without a lower validation loss."""
LEAST_FALL = 0.1
"""Nats that the training loss must have fallen meanwhile."""
HIGHEST = 1e150
"""The square of a higher loss is no number any more."""
NOISE_MARGIN = 6.0
"""Times the noise that it must have fallen at least."""
NOISE_WINDOW = 20
"""Evaluations that the noise is measured over."""


@dataclass(frozen=True)
class Anomaly:
    """Anomaly in the curves. ``message`` is one sentence for the user."""

    step: int
    tokens_seen: int
    kind: Literal["jump", "overfitting"]
    message: str


class AnomalyDetector:
    """Detector of the anomalies of one run, from its events in order."""

    def __init__(self) -> None:
        self._recent: deque[float] = deque(maxlen=RECENT)  # losses of steps
        self._evaluated: list[Evaluated] = []
        self._reported_at: int | None = None  # the step at which overfitting was reported

    def update(self, event: Event) -> Anomaly | None:
        """Take the next event of the run; return the anomaly that it shows."""
        match event:
            case RunStarted():
                self._truncate(event.first_step)
            case StepDone():
                return self._step(event)
            case Evaluated() if _is_number(event.train_loss) and _is_number(event.val_loss):
                self._evaluated.append(event)
                return self._overfitting() if self._reported_at is None else None
        return None

    def _truncate(self, first_step: int) -> None:
        """Discard what came after the step from which a run is resumed."""
        self._recent.clear()
        self._evaluated = [each for each in self._evaluated if each.step < first_step]
        if self._reported_at is not None and self._reported_at >= first_step:
            self._reported_at = None

    def _step(self, done: StepDone) -> Anomaly | None:
        if not _is_number(done.loss):
            return None  # the trainer itself ends such a run, with words
        usual = fmean(self._recent) if len(self._recent) >= FEWEST else math.inf
        jumped = done.loss - usual > LEAST_JUMP and done.loss - usual > JUMP * _deviation(self._recent, usual)
        if jumped:
            self._recent.clear()
        self._recent.append(done.loss)
        if not jumped:
            return None
        return Anomaly(
            done.step, done.tokens_seen, "jump",
            message(
                "At step {n}, the loss jumped from about {usual} to {loss}: often the learning rate is too high, or "
                "the batch is unusual.",
                n=f"{done.step + 1:,}", loss=f"{done.loss:.2f}", usual=f"{usual:.2f}",
            ),
        )

    def _overfitting(self) -> Anomaly | None:
        lowest = min(range(len(self._evaluated)), key=lambda i: self._evaluated[i].val_loss)
        since = self._evaluated[lowest + 1 :]
        if len(since) < PATIENCE:
            return None
        best, now = self._evaluated[lowest], fmean(each.train_loss for each in since[-PATIENCE:])
        both = ([each.train_loss for each in self._evaluated], [each.val_loss for each in self._evaluated])
        noise = max(map(_noise, both))
        if best.train_loss - now < max(LEAST_FALL, NOISE_MARGIN * noise):
            return None
        self._reported_at = self._evaluated[-1].step
        return Anomaly(
            best.step, best.tokens_seen, "overfitting",
            message(
                "After step {n}, the validation loss ({loss}) stopped improving while the training loss kept falling: "
                "the model is memorising the training text (overfitting).",
                n=f"{best.step + 1:,}", loss=f"{best.val_loss:.2f}",
            ),
        )


def _is_number(loss: float) -> bool:
    """Return whether a loss can be computed with: also its square, and sums of several."""
    return abs(loss) < HIGHEST


def _deviation(losses: Iterable[float], mean: float) -> float:
    """Return the standard deviation, much faster than ``statistics.pstdev``, which is exact."""
    return math.sqrt(fmean((loss - mean) ** 2 for loss in losses))


def _noise(losses: list[float]) -> float:
    """The standard deviation of a curve's noise, whatever its slope. Infinite while there are too few to tell."""
    recent = losses[-NOISE_WINDOW:]
    bends = [a - 2 * b + c for a, b, c in zip(recent, recent[1:], recent[2:], strict=False)]
    return math.sqrt(fmean(bend * bend for bend in bends) / 6) if len(bends) >= PATIENCE else math.inf
