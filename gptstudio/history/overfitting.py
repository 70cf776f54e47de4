"""Overfitting: the second of the two rules of :mod:`anomalies`. No torch."""

from __future__ import annotations

import math
from statistics import fmean
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gptstudio.history.columns import Columns, Numbers
from gptstudio.history.event_batches import EVALUATION
from gptstudio.history.windows import MANY, SURELY, of_windows

PATIENCE = 5
"""Evaluations without a lower validation loss."""
LEAST_FALL = 0.1
"""Nats that the training loss must have fallen meanwhile."""
NOISE_MARGIN = 6.0
"""Times the noise that it must have fallen at least."""
NOISE_WINDOW = 20
"""Evaluations that the noise is measured over."""


class Overfitting(NamedTuple):
    """Overfitting that shows at a row; step, tokens and loss are those of the lowest validation loss before."""

    row: int
    step: int
    tokens_seen: int
    val_loss: float


class OverfittingDetector:
    """Detector of overfitting, from the evaluations of a run in order. It is reported once."""

    def __init__(self) -> None:
        self._evaluations = Columns(*EVALUATION)
        self._lowest = 0  # row of the first one of the lowest validation loss
        self._reported_at: float | None = None  # the step of the evaluation at which it was

    def truncate(self, first_step: int) -> None:
        """Discard what came after the step from which a run is resumed."""
        self._evaluations.truncate_from(first_step)
        losses = self._evaluations["val_loss"]
        self._lowest = int(losses.argmin()) if len(losses) else 0
        if self._reported_at is not None and self._reported_at >= first_step:
            self._reported_at = None

    def take(self, rows: Numbers) -> Overfitting | None:
        """Take the next evaluations, (rows, values of ``Evaluated``), whose losses can be squared."""
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
        """Return for each new row the first one of the lowest validation loss up to it."""
        losses = self._evaluations["val_loss"]
        least = np.minimum.accumulate([losses[self._lowest] if before else np.inf, *losses[before:]])
        is_lower = losses[before:] < least[:-1]
        rows: NDArray[np.intp] = np.where(is_lower, np.arange(before, len(losses)), self._lowest)
        return np.maximum.accumulate(rows)

    def _possible(self, before: int, lowest: NDArray[np.intp]) -> NDArray[np.intp]:
        """Return the new rows at which it may show: all at which it does, and of many others few."""
        rows = np.arange(before, len(self._evaluations))
        rows = rows[rows - lowest >= PATIENCE]
        if len(rows) <= MANY:
            return rows
        train = self._evaluations["train_loss"]
        now = of_windows(train, PATIENCE, rows - PATIENCE + 1, lambda windows: windows.mean(axis=1))
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

    def _train_loss_fell(self, best: int, row: int) -> bool:
        """Return whether the training loss has fallen from one row to another by more than the noise can explain."""
        recent = slice(max(0, row - NOISE_WINDOW + 1), row + 1)
        train, val = (self._evaluations[name][recent].tolist() for name in ("train_loss", "val_loss"))
        fall = self._evaluations["train_loss"][best] - fmean(train[-PATIENCE:])
        return bool(fall >= max(LEAST_FALL, NOISE_MARGIN * max(_noise(train), _noise(val))))


def _noise(losses: list[float]) -> float:
    """The standard deviation of a curve's noise, whatever its slope. Infinite while there are too few to tell."""
    bends = [a - 2 * b + c for a, b, c in zip(losses, losses[1:], losses[2:], strict=False)]
    return math.sqrt(fmean(bend * bend for bend in bends) / 6) if len(bends) >= PATIENCE else math.inf


def _noises(windows: Numbers) -> Numbers:
    """Return the noise of many curves, (curves, losses) -> (curves,)."""
    noises: Numbers = np.sqrt((np.diff(windows, 2, axis=1) ** 2).mean(axis=1) / 6)
    return noises
