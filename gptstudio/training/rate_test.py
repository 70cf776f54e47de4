"""Learning-rate range test (Smith, "Cyclical Learning Rates for Training Neural Networks", 2017, §3.3): some steps with
a learning rate that grows, the loss at each, and what follows from them. No torch.

The stop rule is fastai's (Howard and Gugger, "fastai: A Layered API for Deep Learning", 2020): an exponential average
with its bias corrected, and an end once it exceeds four times its lowest value. Over so few steps, this average lags
by a factor of ten in the learning rate (measured: preset workshop on The Verdict), so rates are recommended by a mean
over neighbouring steps, which lags by none.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from statistics import fmean

STEPS, LOWEST, HIGHEST = 60, 1e-6, 1.0
"""Number of steps, and the learning rates of the first and the last; the logarithms between are equally spaced."""
BETA = 0.98
STOP_FACTOR = 4.0
NEIGHBOURS = 2
"""Steps on either side whose losses are averaged with that of a step."""


@dataclass(frozen=True)
class RatePoint:
    """One step: its learning rate, the loss of its batch before the update, and the exponential average so far, both in
    nats per token."""

    rate: float
    loss: float
    smoothed: float


@dataclass(frozen=True)
class RateTest:
    """All steps of a test. ``diverged``: the loss ended it before the highest rate."""

    points: tuple[RatePoint, ...]
    diverged: bool

    @cached_property
    def means(self) -> list[float]:
        """The loss of each step, averaged with those of its neighbours."""
        return neighbour_means(self.points)

    @property
    def minimum(self) -> RatePoint:
        """The step with the lowest averaged loss."""
        return self.points[self.means.index(min(self.means))]

    @property
    def steepest(self) -> RatePoint:
        """The step up to the minimum from which the averaged loss falls most."""
        up_to = self.means[: self.points.index(self.minimum) + 1]
        falls = [after - before for before, after in pairwise(up_to)]
        return self.points[falls.index(min(falls))] if falls else self.minimum

    @property
    def band(self) -> tuple[float, float]:
        """Rates from which to choose: between that of the steepest descent and a tenth of that of the minimum, the two
        that fastai 2.0's ``lr_find`` returned."""
        ends = self.steepest.rate, self.minimum.rate / 10
        return min(ends), max(ends)

    @property
    def suggestion(self) -> float:
        """A tenth of the rate of the minimum, to one significant digit."""
        return float(f"{self.minimum.rate / 10:.0e}")


def rates() -> list[float]:
    """Return the learning rate of each step."""
    return [LOWEST * (HIGHEST / LOWEST) ** (step / (STEPS - 1)) for step in range(STEPS)]


def neighbour_means(points: Sequence[RatePoint]) -> list[float]:
    """Return the mean loss of each step and its neighbours, as many on either side as there are on both."""
    sides = [min(NEIGHBOURS, at, len(points) - 1 - at) for at in range(len(points))]
    return [fmean(point.loss for point in points[at - side : at + side + 1]) for at, side in enumerate(sides)]


def too_high(points: Sequence[RatePoint]) -> bool:
    """Return whether the smoothed loss has exceeded the lowest so far by the factor at which a test ends."""
    last = points[-1].smoothed
    return not math.isfinite(last) or last > STOP_FACTOR * min(point.smoothed for point in points)
