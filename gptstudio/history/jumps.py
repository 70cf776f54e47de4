"""Jumps of the loss: the first of the two rules of :mod:`anomalies`. No torch."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from operator import mul
from statistics import fmean
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from gptstudio.history.columns import Numbers
from gptstudio.history.windows import MANY, SURELY, of_windows

Rise = TypeVar("Rise", float, Numbers)

RECENT = 50
"""Steps that a loss is compared with, and from how many on it is."""
FEWEST = 20
JUMP = 7.0
"""Standard deviations that no noise reaches."""
JUMP_WITH_GRADIENT = 4.0
"""Standard deviations of the loss where the norm of the gradient jumps, too."""
LEAST_JUMP = 0.25
"""Nats: a quarter, below which a jump is not worth a word, however quiet the curve was."""
LARGEST_NORM = 1e9
"""Of a gradient; the squares of larger ones are too large to be computed with."""


class Jump(NamedTuple):
    """A loss that has jumped: its row, the loss that was to be expected, and the mean norm of the gradient before."""

    row: int
    usual: float
    usual_norm: float


class JumpDetector:
    """Detector of jumps, from the losses of a run's steps and the norms of their gradients, in order."""

    def __init__(self) -> None:
        self.restart()

    def restart(self) -> None:
        """Compare the next loss with none of those before."""
        self._losses, self._norms = np.empty(0), np.empty(0)

    def take(self, losses: Numbers, norms: Numbers) -> list[Jump]:
        """Take the next steps; return the jumps among them. Losses are numbers that can be squared."""
        before, found = len(self._losses), []
        self._losses, self._norms = np.append(self._losses, losses), np.append(self._norms, norms)
        possible = _possible(self._losses) if len(losses) > MANY else np.arange(RECENT, len(self._losses))
        first, begin = before, 0  # the next to be looked at, and the first that it is compared with
        while jump := self._first_of(self._due(possible, first, begin), begin):
            found.append(jump._replace(row=jump.row - before))
            first, begin = jump.row + 1, jump.row
        kept = slice(max(begin, len(self._losses) - RECENT), None)
        self._losses, self._norms = self._losses[kept].copy(), self._norms[kept].copy()
        return found

    def _due(self, possible: NDArray[np.intp], first: int, begin: int) -> Iterable[int]:
        """Return the rows to be looked at: all that have few before them, and those of the others that may jump."""
        full = begin + RECENT
        few = range(max(first, begin + FEWEST), min(full, len(self._losses)))
        return chain(few, map(int, possible[np.searchsorted(possible, max(first, full)) :]))

    def _first_of(self, rows: Iterable[int], begin: int) -> Jump | None:
        """Return the first of these rows that is a jump. None is compared with what comes before ``begin``."""
        for row in rows:
            recent = slice(max(begin, row - RECENT), row)
            if jump := _jump(row, float(self._losses[row]), float(self._norms[row]), self._losses[recent].tolist(),
                             self._norms[recent]):
                return jump
        return None


def _jump(row: int, loss: float, norm: float, losses: list[float], norms: Numbers) -> Jump | None:
    """Compare a loss with those before."""
    if loss - sum(map(mul, _next_weights(len(losses)), losses)) <= LEAST_JUMP:
        return None  # nearly always, and thousands of times a second where steps are fast: the rest costs much more
    usual, usual_norm = _next(losses), _usual_norm(norms.tolist())
    norm_jumped = norm - usual_norm.mean > max(JUMP * usual_norm.deviation, usual_norm.mean)
    least = (JUMP_WITH_GRADIENT if norm_jumped else JUMP) * usual.deviation
    return Jump(row, usual.mean, usual_norm.mean) if loss - usual.mean > max(least, LEAST_JUMP) else None


def _possible(losses: Numbers) -> NDArray[np.intp]:
    """Return the rows with ``RECENT`` before them that may jump: all that do, and few others."""
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


def _explained(rise: Rise, count: int) -> Rise:
    """Return the variance of a line over ``count`` steps that rises by ``rise`` from its mean to the next step."""
    slope = rise * 2 / (count + 1)
    return slope * slope * (count * count - 1) / 12


def _next(losses: Sequence[float]) -> _Usual:
    """Return where the straight line through the losses leads at the step after them, and their scatter around it."""
    count, mean = len(losses), fmean(losses)
    expected = sum(map(mul, _next_weights(count), losses))
    around = sum((loss - mean) ** 2 for loss in losses) / count - _explained(expected - mean, count)
    return _Usual(expected, math.sqrt(max(0.0, around)))


def _usual_norm(norms: Sequence[float]) -> _Usual:
    norms = [min(norm, LARGEST_NORM) for norm in norms]
    mean = fmean(norms)
    return _Usual(mean, math.sqrt(sum((norm - mean) ** 2 for norm in norms) / len(norms)))
