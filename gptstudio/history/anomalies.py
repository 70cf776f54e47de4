"""Anomalies in the curves of a run: a jump of the loss, or overfitting. Imports no torch.

Two rules, chosen so that an ordinary noisy curve triggers neither, whether it falls or has levelled off:

A jump. The loss of a step lies seven standard deviations above the value predicted by a straight line through the
previous steps. With their mean instead of a line, this is the rule by which OLMo 2 (Team OLMo, 2 OLMo 2 Furious, 2024)
counts spikes, over the last 1,000 steps; here over the last ``RECENT``, because a learner's run has hundreds, and its
curve falls steeply: earlier losses are higher, and scatter widely around their mean. Four deviations are enough if the
gradient norm lies seven above its mean as well. After a jump, monitoring restarts from the current loss.

Overfitting. The validation loss has not reached a new minimum for five evaluations, or for three that are far apart,
and the training loss has fallen further since then, by more than the noise of the curves can explain. The first half is
early stopping with patience (Prechelt, Early Stopping - But When?, 1998; Goodfellow, Bengio and Courville, Deep
Learning, 2016, algorithm 7.1); the second distinguishes it from a curve that has only levelled off. The noise is
measured from second differences, in which a straight trend cancels: their variance is six times that of independent
noise (1 + 4 + 1).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from operator import itemgetter, mul
from statistics import fmean
from typing import Literal, NamedTuple, TypeVar

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from gptstudio.history.columns import Columns, Numbers
from gptstudio.history.journal_reader import EVALUATION, STEP, EventBatch, batch_of
from gptstudio.i18n import message
from gptstudio.training.events import Evaluated, Event, RunStarted, StepDone

AT_ONCE = 20_000
"""Number of windows copied at once: 8 MB if each has 50 rows."""
MANY = 200
"""Number of rows above which rows that cannot be an anomaly are excluded together, before the others are checked."""
SURELY = 0.9
"""Fraction of a bound below which a figure is below the bound regardless of rounding."""


def of_windows(values: Numbers, width: int, begins: NDArray[np.intp], figure: Callable[[Numbers], Numbers]) -> Numbers:
    """Return a figure of each window of ``width`` values that begins at one of these rows; (n,), (m,) -> (m,).

    Args:
        figure: function that computes the figure, (windows, width) -> (windows,).
    """
    parts = [np.empty(0)]
    for begin in range(0, len(begins), AT_ONCE):
        parts.append(figure(sliding_window_view(values, width)[begins[begin : begin + AT_ONCE]]))
    return np.concatenate(parts)


Rise = TypeVar("Rise", float, Numbers)

RECENT = 50
"""Largest number of previous steps that a loss is compared with; ``FEWEST`` is the smallest."""
FEWEST = 20
JUMP = 7.0
"""Standard deviations that noise does not reach."""
JUMP_WITH_GRADIENT = 4.0
"""Standard deviations of the loss that are enough if the gradient norm jumps, too."""
LEAST_JUMP = 0.25
"""Smallest jump to report, in nats, even if the curve has almost no noise."""
LARGEST_NORM = 1e9
"""Largest gradient norm used; the squares of larger ones overflow."""


class Jump(NamedTuple):
    """A jump of the loss: its row, the expected loss, and the mean gradient norm before it."""

    row: int
    usual: float
    usual_norm: float


class JumpDetector:
    """Detector of jumps, from the losses and gradient norms of a run's steps, in order."""

    def __init__(self) -> None:
        self.restart()

    def restart(self) -> None:
        """Forget the previous steps, so that the next loss is not compared with them."""
        self._losses, self._norms = np.empty(0), np.empty(0)

    def take(self, losses: Numbers, norms: Numbers) -> list[Jump]:
        """Add the next steps; return the jumps among them. The squares of the losses must be finite."""
        before, found = len(self._losses), []
        self._losses, self._norms = np.append(self._losses, losses), np.append(self._norms, norms)
        possible = _possible(self._losses) if len(losses) > MANY else np.arange(RECENT, len(self._losses))
        first, begin = before, 0  # next row to check, and first row that it is compared with
        while jump := self._first_of(self._due(possible, first, begin), begin):
            found.append(jump._replace(row=jump.row - before))
            first, begin = jump.row + 1, jump.row
        kept = slice(max(begin, len(self._losses) - RECENT), None)
        self._losses, self._norms = self._losses[kept].copy(), self._norms[kept].copy()
        return found

    def _due(self, possible: NDArray[np.intp], first: int, begin: int) -> Iterable[int]:
        """Return the rows to check: all with few rows before them, and the possible jumps among the others."""
        full = begin + RECENT
        few = range(max(first, begin + FEWEST), min(full, len(self._losses)))
        return chain(few, map(int, possible[np.searchsorted(possible, max(first, full)) :]))

    def _first_of(self, rows: Iterable[int], begin: int) -> Jump | None:
        """Return the first jump among these rows. Rows before ``begin`` are not used for comparison."""
        for row in rows:
            recent = slice(max(begin, row - RECENT), row)
            if jump := _jump(row, float(self._losses[row]), float(self._norms[row]), self._losses[recent].tolist(),
                             self._norms[recent]):
                return jump
        return None


def _jump(row: int, loss: float, norm: float, losses: list[float], norms: Numbers) -> Jump | None:
    """Return the jump at a row by comparison with the previous losses and norms; None if there is none."""
    if loss - sum(map(mul, _next_weights(len(losses)), losses)) <= LEAST_JUMP:
        return None  # the usual case, thousands of times a second if steps are fast: the rest costs much more
    (usual, deviation), (usual_norm, norm_deviation) = _next(losses), _usual_norm(norms.tolist())
    norm_jumped = norm - usual_norm > max(JUMP * norm_deviation, usual_norm)
    least = (JUMP_WITH_GRADIENT if norm_jumped else JUMP) * deviation
    return Jump(row, usual, usual_norm) if loss - usual > max(least, LEAST_JUMP) else None


def _possible(losses: Numbers) -> NDArray[np.intp]:
    """Return the rows with ``RECENT`` rows before them that may be jumps: all jumps, and few others."""
    if len(losses) <= RECENT:
        return np.empty(0, np.intp)
    expected = np.correlate(losses, np.array(_next_weights(RECENT)), "valid")[:-1]
    excess = losses[RECENT:] - expected
    begins = np.flatnonzero(excess > SURELY * LEAST_JUMP)
    mean = of_windows(losses, RECENT, begins, lambda windows: windows.mean(axis=1))
    variance = of_windows(losses, RECENT, begins, lambda windows: windows.var(axis=1))
    around = variance - _explained(expected[begins] - mean, RECENT)
    deviation = np.sqrt(np.maximum(around, 0))
    return begins[excess[begins] > SURELY * JUMP_WITH_GRADIENT * deviation] + RECENT


@lru_cache
def _next_weights(count: int) -> tuple[float, ...]:
    """Return the weight of each of ``count`` losses in the next value of their straight line (least squares)."""
    middle, spread = (count - 1) / 2, count * (count * count - 1) / 12
    return tuple(1 / count + (place - middle) * (count - middle) / spread for place in range(count))


def _explained(rise: Rise, count: int) -> Rise:
    """Return the variance of a line over ``count`` steps that rises by ``rise`` from its mean to the next step."""
    slope = rise * 2 / (count + 1)
    return slope * slope * (count * count - 1) / 12


def _next(losses: Sequence[float]) -> tuple[float, float]:
    """Return the value of a straight line through the losses at the next step, and their standard deviation from the
    line."""
    count, mean = len(losses), fmean(losses)
    expected = sum(map(mul, _next_weights(count), losses))
    around = sum((loss - mean) ** 2 for loss in losses) / count - _explained(expected - mean, count)
    return expected, math.sqrt(max(0.0, around))


def _usual_norm(norms: Sequence[float]) -> tuple[float, float]:
    """Return the mean of the gradient norms, and their standard deviation."""
    norms = [min(norm, LARGEST_NORM) for norm in norms]
    mean = fmean(norms)
    return mean, math.sqrt(sum((norm - mean) ** 2 for norm in norms) / len(norms))


PATIENCE = 5
"""Largest number of evaluations without a lower validation loss that are waited for; ``LEAST_PATIENCE`` is the
smallest, and in between they span ``PATIENCE_STEPS`` steps."""
LEAST_PATIENCE = 3
PATIENCE_STEPS = 45
LEAST_FALL = 0.1
"""Smallest fall of the training loss in that time, in nats."""
NOISE_MARGIN = 6.0
"""Smallest ratio of this fall to the noise."""
NOISE_WINDOW = 20
"""Number of evaluations for measuring the noise."""


class Overfitting(NamedTuple):
    """Overfitting that shows at a row; step, tokens and loss belong to the lowest validation loss before it."""

    row: int
    step: int
    tokens_seen: int
    val_loss: float


class OverfittingDetector:
    """Detector of overfitting, from the evaluations of a run in order. Overfitting is reported once."""

    def __init__(self) -> None:
        self._evaluations = Columns(*EVALUATION)
        self._lowest = 0  # first row with the lowest validation loss
        self._reported_at: float | None = None  # step of the evaluation that was reported

    def truncate(self, first_step: int) -> None:
        """Discard the evaluations from ``first_step`` on, because a run was resumed there."""
        self._evaluations.truncate_from(first_step)
        losses = self._evaluations["val_loss"]
        self._lowest = int(losses.argmin()) if len(losses) else 0
        if self._reported_at is not None and self._reported_at >= first_step:
            self._reported_at = None

    def take(self, rows: Numbers) -> Overfitting | None:
        """Add the next evaluations, (rows, values of ``Evaluated``); return overfitting that shows in them. The squares
        of the losses must be finite."""
        if not len(rows):
            return None
        before, values = len(self._evaluations), self._evaluations
        values.extend(rows)
        lowest = self._lowest_up_to_each(before)
        self._lowest = int(lowest[-1])
        for row in self._possible(before, lowest) if self._reported_at is None else ():
            best = int(lowest[row - before])
            if self._train_loss_fell(best, row):
                self._reported_at = float(values["step"][row])
                return Overfitting(int(row) - before, int(values["step"][best]), int(values["tokens_seen"][best]),
                                   float(values["val_loss"][best]))
        return None

    def _lowest_up_to_each(self, before: int) -> NDArray[np.intp]:
        """Return, for each new row, the first row with the lowest validation loss so far."""
        losses = self._evaluations["val_loss"]
        least = np.minimum.accumulate([losses[self._lowest] if before else np.inf, *losses[before:]])
        is_lower = losses[before:] < least[:-1]
        rows: NDArray[np.intp] = np.where(is_lower, np.arange(before, len(losses)), self._lowest)
        return np.maximum.accumulate(rows)

    def _possible(self, before: int, lowest: NDArray[np.intp]) -> NDArray[np.intp]:
        """Return the new rows that may show overfitting: all that do, and, if there are many rows, few others."""
        rows = np.arange(before, len(self._evaluations))
        patience = self._patience(rows)
        is_late = rows - lowest >= patience
        rows, patience = rows[is_late], patience[is_late]
        if len(rows) <= MANY:
            return rows
        train, now = self._evaluations["train_loss"], np.empty(len(rows))
        for count in range(LEAST_PATIENCE, PATIENCE + 1):
            now[patience == count] = of_windows(
                train, count, rows[patience == count] - count + 1, lambda windows: windows.mean(axis=1))
        fall = train[lowest[rows - before]] - now
        is_enough = fall > SURELY * LEAST_FALL
        rows, fall = rows[is_enough], fall[is_enough]
        full = rows >= NOISE_WINDOW - 1
        for name in ("train_loss", "val_loss"):
            noise = np.zeros(len(rows))
            noise[full] = of_windows(self._evaluations[name], NOISE_WINDOW, rows[full] - NOISE_WINDOW + 1, _noises)
            is_enough = fall > SURELY * NOISE_MARGIN * noise
            rows, fall, full = rows[is_enough], fall[is_enough], full[is_enough]
        return rows

    def _patience(self, rows: NDArray[np.intp]) -> NDArray[np.intp]:
        """Return the number of evaluations to wait for at each of these rows."""
        steps = self._evaluations["step"]
        apart = np.maximum(steps[rows] - steps[np.maximum(rows - 1, 0)], 1)
        return np.clip(np.ceil(PATIENCE_STEPS / apart), LEAST_PATIENCE, PATIENCE).astype(np.intp)

    def _train_loss_fell(self, best: int, row: int) -> bool:
        """Return whether the training loss fell between two rows by more than the noise can explain."""
        recent = slice(max(0, row - NOISE_WINDOW + 1), row + 1)
        train, val = (self._evaluations[name][recent].tolist() for name in ("train_loss", "val_loss"))
        fall = self._evaluations["train_loss"][best] - fmean(train[-int(self._patience(np.array(row))) :])
        return bool(fall >= max(LEAST_FALL, NOISE_MARGIN * max(_noise(train), _noise(val))))


def _noise(losses: list[float]) -> float:
    """Return the standard deviation of a curve's noise, independent of its slope; infinite for too few values."""
    bends = [a - 2 * b + c for a, b, c in zip(losses, losses[1:], losses[2:], strict=False)]
    return math.sqrt(fmean(bend * bend for bend in bends) / 6) if len(bends) >= PATIENCE else math.inf


def _noises(windows: Numbers) -> Numbers:
    """Return the noise of each of many curves, (curves, losses) -> (curves,)."""
    noises: Numbers = np.sqrt((np.diff(windows, 2, axis=1) ** 2).mean(axis=1) / 6)
    return noises


HIGHEST = 1e150
"""The squares of higher losses overflow."""
LOSS, NORM = STEP.index("loss"), STEP.index("gradient_norm")
BOTH_LOSSES = [EVALUATION.index("train_loss"), EVALUATION.index("val_loss")]


LABELS = {"jump": message("jump"), "overfitting": message("overfitting")}


@dataclass(frozen=True)
class Anomaly:
    """An anomaly in the curves. ``message`` is one sentence for the user."""

    step: int
    tokens_seen: int
    kind: Literal["jump", "overfitting"]
    message: str

    @property
    def label(self) -> str:
        """Kind in a word, as a message."""
        return LABELS[self.kind]


class FoundAnomaly(NamedTuple):
    """An anomaly, and the number of steps and evaluations of a batch after which it shows."""

    steps: int
    evaluations: int
    anomaly: Anomaly


class AnomalyDetector:
    """Detector of the anomalies of one run, from its events in order, or from batches of them."""

    def __init__(self) -> None:
        self._jumps, self._overfitting = JumpDetector(), OverfittingDetector()

    def update(self, event: Event) -> Anomaly | None:
        """Add the next event of the run; return the anomaly that it reveals, if any."""
        if not isinstance(event, (RunStarted, StepDone, Evaluated)):
            return None
        return next((found.anomaly for found in self.take(batch_of([event]))), None)

    def take(self, batch: EventBatch) -> list[FoundAnomaly]:
        """Add the next batch of the run; return the anomalies that it reveals, in order."""
        found = [*self._find_jumps(batch), *self._find_overfitting(batch)]
        if batch.rare and isinstance(started := batch.rare[-1].event, RunStarted):
            self._jumps.restart()
            self._overfitting.truncate(started.first_step)
        return sorted(found, key=itemgetter(0, 1))

    def _find_jumps(self, batch: EventBatch) -> Iterator[FoundAnomaly]:
        rows = _rows_of_numbers(batch.steps, [LOSS])  # for other losses, the trainer ends the run with an error
        for jump in self._jumps.take(batch.steps[rows, LOSS], batch.steps[rows, NORM]) if len(rows) else ():
            row = int(rows[jump.row])
            before = np.searchsorted(batch.evaluations[:, -1], row, side="right") if len(batch.evaluations) else 0
            [step] = batch.steps_at(slice(row, row + 1))
            yield FoundAnomaly(row + 1, int(before), _jumped(step, jump))

    def _find_overfitting(self, batch: EventBatch) -> Iterator[FoundAnomaly]:
        rows = _rows_of_numbers(batch.evaluations, BOTH_LOSSES)
        if len(rows) and (found := self._overfitting.take(batch.evaluations[rows, : len(EVALUATION)])):
            row = int(rows[found.row])
            yield FoundAnomaly(int(batch.evaluations[row, -1]), row + 1, _overfitted(found))


def _rows_of_numbers(table: Numbers, losses: list[int]) -> NDArray[np.intp]:
    """Return the rows with losses that can be computed with, including their squares, and sums of several."""
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
