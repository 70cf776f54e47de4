"""Learning-rate range test (Smith, "Cyclical Learning Rates for Training Neural Networks", 2017, §3.3): the losses of
some steps with growing learning rates, and the rates they suggest. No torch.

The stop rule is fastai's (Howard and Gugger, "fastai: A Layered API for Deep Learning", 2020): the test ends when a
bias-corrected exponential average exceeds four times its minimum. Over these few steps, the average lags by a factor of
ten in the learning rate (measured: preset workshop on The Verdict), so the suggestions use a mean over neighbouring
steps, which has no lag.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from statistics import fmean

STEPS, LOWEST, HIGHEST = 60, 1e-6, 1.0
"""Number of steps, and the learning rates of the first and the last, which are logarithmically spaced."""
BETA = 0.98
STOP_FACTOR = 4.0
NEIGHBOURS = 2
"""Number of neighbours on each side that are included in the mean loss of a step."""


@dataclass(frozen=True)
class RatePoint:
    """Step of the test: its learning rate, the loss of its batch before the update, and the exponential average of the
    losses, both in nats per token."""

    rate: float
    loss: float
    smoothed: float


@dataclass(frozen=True)
class RateTest:
    """Steps of a test. ``diverged``: True if the loss ended the test before the highest rate."""

    points: tuple[RatePoint, ...]
    diverged: bool

    @cached_property
    def means(self) -> list[float]:
        """Loss of each step, averaged with its neighbours."""
        return neighbour_means(self.points)

    @property
    def minimum(self) -> RatePoint:
        """Step with the lowest averaged loss."""
        return self.points[self.means.index(min(self.means))]

    @property
    def steepest(self) -> RatePoint:
        """Step up to the minimum after which the averaged loss falls most."""
        up_to = self.means[: self.points.index(self.minimum) + 1]
        falls = [after - before for before, after in pairwise(up_to)]
        return self.points[falls.index(min(falls))] if falls else self.minimum

    @property
    def band(self) -> tuple[float, float]:
        """Range of suggested rates, between the rate of steepest descent and a tenth of the rate of the minimum, the
        two that fastai 2.0's ``lr_find`` returned."""
        ends = self.steepest.rate, self.minimum.rate / 10
        return min(ends), max(ends)

    @property
    def suggestion(self) -> float:
        """Suggested rate: a tenth of the rate of the minimum, to one significant digit."""
        return float(f"{self.minimum.rate / 10:.0e}")


def rates() -> list[float]:
    """Return the learning rate of each step."""
    return [LOWEST * (HIGHEST / LOWEST) ** (step / (STEPS - 1)) for step in range(STEPS)]


def neighbour_means(points: Sequence[RatePoint]) -> list[float]:
    """Return the mean loss of each step and its neighbours; near the ends, with fewer neighbours on both sides."""
    sides = [min(NEIGHBOURS, at, len(points) - 1 - at) for at in range(len(points))]
    return [fmean(point.loss for point in points[at - side : at + side + 1]) for at, side in enumerate(sides)]


def too_high(points: Sequence[RatePoint]) -> bool:
    """Return whether the smoothed loss exceeds its minimum by the factor that ends a test, or is not finite."""
    last = points[-1].smoothed
    return not math.isfinite(last) or last > STOP_FACTOR * min(point.smoothed for point in points)
