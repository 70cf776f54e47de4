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

import math
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import mul
from statistics import fmean
from typing import Literal

from gptstudio.i18n import message
from gptstudio.training.events import Evaluated, Event, RunStarted, StepDone

RECENT = 50
"""Steps that a loss is compared with, and from how many on it is."""
FEWEST = 20
JUMP = 7.0
"""Standard deviations that no noise reaches."""
JUMP_WITH_GRADIENT = 4.0
"""Standard deviations of the loss where the norm of the gradient jumps, too."""
LEAST_JUMP = 0.25
"""Nats: a quarter, below which a jump is not worth a word, however quiet the curve was."""

PATIENCE = 5
"""Evaluations without a lower validation loss."""
LEAST_FALL = 0.1
"""Nats that the training loss must have fallen meanwhile."""
LARGEST_NORM = 1e9
"""Of a gradient; the squares of larger ones are too large to be computed with."""
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
        self._recent: deque[StepDone] = deque(maxlen=RECENT)
        self._evaluated: list[Evaluated] = []
        self._lowest = 0  # index of the first one of the lowest validation loss
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
                if event.val_loss < self._evaluated[self._lowest].val_loss:
                    self._lowest = len(self._evaluated) - 1
                return self._overfitting() if self._reported_at is None else None
        return None

    def _truncate(self, first_step: int) -> None:
        """Discard what came after the step from which a run is resumed."""
        self._recent.clear()
        self._evaluated = [each for each in self._evaluated if each.step < first_step]
        self._lowest = min(range(len(self._evaluated)), key=lambda i: self._evaluated[i].val_loss, default=0)
        if self._reported_at is not None and self._reported_at >= first_step:
            self._reported_at = None

    def _step(self, done: StepDone) -> Anomaly | None:
        if not _is_number(done.loss):
            return None  # the trainer itself ends such a run, with words
        anomaly = self._jump(done) if len(self._recent) >= FEWEST else None
        if anomaly:
            self._recent.clear()
        self._recent.append(done)
        return anomaly

    def _jump(self, done: StepDone) -> Anomaly | None:
        losses = [each.loss for each in self._recent]
        if done.loss - sum(map(mul, _next_weights(len(losses)), losses)) <= LEAST_JUMP:
            return None  # nearly always, and thousands of times a second where steps are fast: the rest costs much more
        usual = _next(losses)
        norms = _usual_norm(self._recent)
        norm_jumped = done.gradient_norm - norms.mean > max(JUMP * norms.deviation, norms.mean)
        least = (JUMP_WITH_GRADIENT if norm_jumped else JUMP) * usual.deviation
        if done.loss - usual.mean <= max(least, LEAST_JUMP):
            return None
        return Anomaly(
            done.step, done.tokens_seen, "jump",
            message(
                "At step {n}, the loss jumped from about {usual} to {loss} (gradient norm {norm}, before about "
                "{usual_norm}). A single jump is common, and the book's own code has them too; a gradient clip of 1 "
                "prevents most of them. If the loss stays high or jumps again, choose a lower learning rate.",
                n=f"{done.step + 1:,}", loss=f"{done.loss:.2f}", usual=f"{usual.mean:.2f}",
                norm=f"{done.gradient_norm:.1f}", usual_norm=f"{norms.mean:.1f}",
            ),
        )

    def _overfitting(self) -> Anomaly | None:
        if len(self._evaluated) - 1 - self._lowest < PATIENCE:
            return None
        recent = self._evaluated[-NOISE_WINDOW:]
        best, now = self._evaluated[self._lowest], fmean(each.train_loss for each in recent[-PATIENCE:])
        both = [each.train_loss for each in recent], [each.val_loss for each in recent]
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


@dataclass(frozen=True)
class _Usual:
    """Value that is to be expected, and the standard deviation of those before from it."""

    mean: float
    deviation: float


@lru_cache
def _next_weights(count: int) -> tuple[float, ...]:
    """Return the share of each of ``count`` losses in the next value of their straight line (least squares)."""
    middle, spread = (count - 1) / 2, count * (count * count - 1) / 12
    return tuple(1 / count + (place - middle) * (count - middle) / spread for place in range(count))


def _next(losses: Sequence[float]) -> _Usual:
    """Return where the straight line through the losses leads at the step after them, and their scatter around it."""
    count, mean = len(losses), fmean(losses)
    expected = sum(map(mul, _next_weights(count), losses))
    slope = (expected - mean) * 2 / (count + 1)
    around = sum((loss - mean) ** 2 for loss in losses) / count - slope * slope * (count * count - 1) / 12
    return _Usual(expected, math.sqrt(max(0.0, around)))


def _usual_norm(steps: Iterable[StepDone]) -> _Usual:
    norms = [min(step.gradient_norm, LARGEST_NORM) for step in steps]
    mean = fmean(norms)
    return _Usual(mean, math.sqrt(sum((norm - mean) ** 2 for norm in norms) / len(norms)))


def _noise(losses: list[float]) -> float:
    """The standard deviation of a curve's noise, whatever its slope. Infinite while there are too few to tell."""
    bends = [a - 2 * b + c for a, b, c in zip(losses, losses[1:], losses[2:], strict=False)]
    return math.sqrt(fmean(bend * bend for bend in bends) / 6) if len(bends) >= PATIENCE else math.inf
