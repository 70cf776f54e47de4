"""Power law through a few points, its uncertainty, and the published laws beside it. No torch."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gptstudio.labs.lab import Floats

KAPLAN_EXPONENT = 0.076
"""alpha_N of L(N) = (N_c / N)^alpha_N, N without embeddings, trained to convergence (Kaplan et al., 2020, eq. 1.1)."""

CHINCHILLA = {"irreducible": 1.69, "a": 406.4, "alpha": 0.34, "b": 410.7, "beta": 0.28}
"""L(N, D) = irreducible + a / N^alpha + b / D^beta, N with embeddings (Hoffmann et al., 2022, §3.3 and D.3)."""

STUDENT = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447)
"""97.5th percentiles of Student's t distribution for 1, 2, … degrees of freedom: two sides of a 95 % interval."""


@dataclass(frozen=True)
class PowerLaw:
    """L(N) = irreducible + coefficient · N^(-exponent), by least squares of ln(L - irreducible) on ln N.

    Attributes:
        error: standard error of the exponent; None with two points, through which a line always fits.
        low, high: ends of the exponent's 95 % interval (Student's t, n - 2 degrees of freedom); None likewise.
        residual: standard deviation of the points about the line, in ln L, n - 2 degrees of freedom; None likewise.
        centre, spread: mean of ln N, and the sum of its squared deviations.
        points: n.
    """

    exponent: float
    coefficient: float
    irreducible: float
    error: float | None
    low: float | None
    high: float | None
    residual: float | None
    centre: float
    spread: float
    points: int

    @property
    def for_ten(self) -> float:
        """Relative change of the loss above ``irreducible`` for ten times as many parameters; negative: lower."""
        return float(10.0 ** -min(300.0, max(-300.0, self.exponent))) - 1

    def at(self, parameters: Floats) -> Floats:
        """Loss at these numbers of parameters, (P,)."""
        line: Floats = self.irreducible + self.coefficient * np.exp(-self.exponent * np.log(parameters))
        return line

    def distance(self, parameters: Floats, losses: Floats) -> float:
        """Root mean square of the differences between points (n,) and the law, in nats per token."""
        return float(np.sqrt(np.mean((self.at(parameters) - losses) ** 2)))

    def band(self, parameters: Floats) -> tuple[Floats, Floats] | None:
        """One standard error of the line below and above it, (P,) each; None with two points."""
        if self.residual is None:
            return None
        logs = np.log(parameters)
        off = self.residual * np.sqrt(1 / self.points + (logs - self.centre) ** 2 / self.spread)
        above = self.at(parameters) - self.irreducible
        return self.irreducible + above * np.exp(-off), self.irreducible + above * np.exp(off)


def fit(parameters: Sequence[float], losses: Sequence[float], irreducible: float = 0.0) -> PowerLaw | None:
    """Return the power law through points; None where there are fewer than two different sizes, or a loss that is
    not above ``irreducible``."""
    if len(set(parameters)) < 2 or min(losses) <= irreducible:
        return None
    x, y = np.log(np.asarray(parameters, float)), np.log(np.asarray(losses, float) - irreducible)
    centre, count = float(x.mean()), len(x)
    spread = float(((x - centre) ** 2).sum())
    slope = float(((x - centre) * (y - y.mean())).sum()) / spread
    level = float(y.mean()) - slope * centre
    error = low = high = residual = None
    if count > 2:
        residual = math.sqrt(float(((y - level - slope * x) ** 2).sum()) / (count - 2))
        error = residual / math.sqrt(spread)
        reach = STUDENT[min(count - 2, len(STUDENT)) - 1] * error
        low, high = -slope - reach, -slope + reach
    return PowerLaw(-slope, math.exp(min(700.0, level)), irreducible, error, low, high, residual, centre, spread, count)


def through_middle(
    parameters: Sequence[float], losses: Sequence[float], exponent: float, irreducible: float, at: Floats
) -> Floats | None:
    """Return a law of this exponent, moved to go through the middle of the points (their mean in ln N and ln L), at
    some numbers of parameters (P,): only its slope can be compared. None where that middle is not above
    ``irreducible``."""
    centre = float(np.log(np.asarray(parameters, float)).mean())
    middle = math.exp(float(np.log(np.asarray(losses, float)).mean()))
    if middle <= irreducible:
        return None
    curve: Floats = irreducible + (middle - irreducible) * np.exp(-exponent * (np.log(at) - centre))
    return curve


def chinchilla_loss(parameters: float, tokens: float) -> float:
    """Loss that the formula of Hoffmann et al. gives for so many parameters and tokens."""
    law = CHINCHILLA
    return float(law["irreducible"] + law["a"] / parameters ** law["alpha"] + law["b"] / tokens ** law["beta"])
