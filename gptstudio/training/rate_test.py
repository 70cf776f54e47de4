"""Learning-rate range test (Smith, "Cyclical Learning Rates for Training Neural Networks", 2017, §3.3): some steps with
a learning rate that grows, the loss at each, and what follows from them. No torch.

Smoothing and stop rule are fastai's (Howard and Gugger, "fastai: A Layered API for Deep Learning", 2020): an
exponential average with its bias corrected, and an end once it exceeds four times its lowest value.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

STEPS, LOWEST, HIGHEST = 60, 1e-6, 1.0
"""Number of steps, and the learning rates of the first and the last; the logarithms between are equally spaced."""
BETA = 0.98
STOP_FACTOR = 4.0


@dataclass(frozen=True)
class RatePoint:
    """One step: its learning rate, the loss of its batch before the update, and the average so far, both in nats per
    token."""

    rate: float
    loss: float
    smoothed: float


@dataclass(frozen=True)
class RateTest:
    """All steps of a test. ``diverged``: the loss ended it before the highest rate."""

    points: tuple[RatePoint, ...]
    diverged: bool

    @property
    def minimum(self) -> RatePoint:
        """The step with the lowest smoothed loss."""
        return min(self.points, key=lambda point: point.smoothed)

    @property
    def steepest(self) -> RatePoint:
        """The step up to the minimum from which the smoothed loss falls most."""
        up_to = self.points[: self.points.index(self.minimum) + 1]
        return min(pairwise(up_to), key=lambda two: two[1].smoothed - two[0].smoothed)[0]

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


def too_high(points: Sequence[RatePoint]) -> bool:
    """Return whether the smoothed loss has exceeded the lowest so far by the factor at which a test ends."""
    last = points[-1].smoothed
    return not math.isfinite(last) or last > STOP_FACTOR * min(point.smoothed for point in points)
