"""Scaling laws: four sizes trained with equal compute, a power law fitted to their losses, and two published laws.

Kaplan et al., "Scaling Laws for Neural Language Models" (2020); Hoffmann et al., "Training Compute-Optimal Large
Language Models" (2022). Imports no torch until sizes are trained.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gptstudio.data.encodings import Progress, unwatched
from gptstudio.i18n import Message, message
from gptstudio.labs import scaling_request
from gptstudio.labs.lab import BookSource, Example, Floats, Lab, Table
from gptstudio.labs.scaling_request import ScalingPoints, ScalingRequest

KAPLAN_EXPONENT = 0.076
"""alpha_N of L(N) = (N_c / N)^alpha_N, N without embeddings, trained to convergence (Kaplan et al., 2020, eq. 1.1)."""

CHINCHILLA = {"irreducible": 1.69, "a": 406.4, "alpha": 0.34, "b": 410.7, "beta": 0.28}
"""L(N, D) = irreducible + a / N^alpha + b / D^beta, N with embeddings (Hoffmann et al., 2022, §3.3 and D.3)."""

STUDENT = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447)
"""97.5th percentiles of Student's t distribution for 1, 2, … degrees of freedom, for two-sided 95 % intervals."""


@dataclass(frozen=True)
class PowerLaw:
    """L(N) = irreducible + coefficient · N^(-exponent), by least squares of ln(L - irreducible) on ln N.

    Attributes:
        error: standard error of the exponent; None with two points, which a line always fits.
        low, high: ends of the exponent's 95 % interval (Student's t, n - 2 degrees of freedom); None with two points.
        residual: standard deviation of the points about the line, in ln L, n - 2 degrees of freedom; None with two
            points.
        centre, spread: mean of ln N, and sum of the squared deviations from it.
        points: number of points, n.
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
        """Return the loss at the given numbers of parameters, (P,)."""
        line: Floats = self.irreducible + self.coefficient * np.exp(-self.exponent * np.log(parameters))
        return line

    def distance(self, parameters: Floats, losses: Floats) -> float:
        """Return the root mean square of the differences between points (n,) and the law, in nats per token."""
        return float(np.sqrt(np.mean((self.at(parameters) - losses) ** 2)))

    def band(self, parameters: Floats) -> tuple[Floats, Floats] | None:
        """Return the losses one standard error below and above the line, (P,) each; None with two points."""
        if self.residual is None:
            return None
        logs = np.log(parameters)
        off = self.residual * np.sqrt(1 / self.points + (logs - self.centre) ** 2 / self.spread)
        above = self.at(parameters) - self.irreducible
        return self.irreducible + above * np.exp(-off), self.irreducible + above * np.exp(off)


def fit(parameters: Sequence[float], losses: Sequence[float], irreducible: float = 0.0) -> PowerLaw | None:
    """Fit a power law to points; None for fewer than two different sizes, or for a loss not above ``irreducible``."""
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
    """Return a law with this exponent, shifted through the middle of the points (their mean in ln N and ln L), at
    the given numbers of parameters (P,): only its slope can be compared. None if the middle is not above
    ``irreducible``."""
    centre = float(np.log(np.asarray(parameters, float)).mean())
    middle = math.exp(float(np.log(np.asarray(losses, float)).mean()))
    if middle <= irreducible:
        return None
    curve: Floats = irreducible + (middle - irreducible) * np.exp(-exponent * (np.log(at) - centre))
    return curve


def chinchilla_loss(parameters: float, tokens: float) -> float:
    """Return the loss that the formula of Hoffmann et al. predicts for a number of parameters and tokens."""
    law = CHINCHILLA
    return float(law["irreducible"] + law["a"] / parameters ** law["alpha"] + law["b"] / tokens ** law["beta"])


CURVE_POINTS = 60
BEYOND = 1.35
"""Curves are drawn from the smallest size divided by this to the largest size times this."""
_trained: dict[tuple[Any, ...], ScalingPoints] = {}
"""Points of the settings trained so far, while the program runs: a few numbers each."""


@dataclass(frozen=True)
class ScalingCurves:
    """Curves over numbers of parameters (P,); None if a curve does not exist.

    Attributes:
        fitted, low, high: the power law, and the curves one standard error below and above it.
        kaplan, chinchilla: curves with the published exponents through the middle of the points.
    """

    parameters: Floats
    fitted: Floats | None
    low: Floats | None
    high: Floats | None
    kaplan: Floats | None
    chinchilla: Floats | None


@dataclass(frozen=True)
class ScalingAnswer:
    """Points, and the law fitted to them.

    Attributes:
        parameters, losses: (n,) of the points used for the fit, in ascending order of parameters; losses are means over
            the seeds.
        law: None for the reason in ``why_not``.
        other: the same fit with the other irreducible loss: 1.69 if the request has 0, otherwise 0.
        chinchilla_losses: (n,) losses that the formula of Hoffmann et al. predicts for these models and their tokens.
    """

    measured: ScalingPoints
    request: ScalingRequest
    parameters: Floats
    losses: Floats
    law: PowerLaw | None
    other: PowerLaw | None
    why_not: str
    curves: ScalingCurves | None
    chinchilla_losses: Floats


def answer(request: ScalingRequest, progress: Progress = unwatched) -> ScalingAnswer:
    """Fit the law to the recorded points, or to the points of the requested sizes, which are trained if necessary.

    Args:
        progress: called after each step; can stop the training by raising an exception.

    Raises:
        UserError: the text cannot be read or is too short, or there is not enough free memory.
    """
    return fitted(request, _measured(request, progress))


def kept(request: ScalingRequest) -> bool:
    """Return whether the points of a request are available without training."""
    return request.points == "recorded" or request.training in _trained


def _measured(request: ScalingRequest, progress: Progress) -> ScalingPoints:
    if request.points == "recorded":
        return scaling_request.recorded()
    if request.training not in _trained:
        from gptstudio.labs.scaling_training import train_sizes

        _trained[request.training] = train_sizes(request, progress)
    return _trained[request.training]


def fitted(request: ScalingRequest, measured: ScalingPoints) -> ScalingAnswer:
    """Fit the law to points with the options of the request."""
    counted = sorted((request.parameters_of(point), loss, point.tokens, point.all_parameters)
                     for point in measured.points if (loss := point.mean(request.measured)) is not None)
    parameters, losses = [float(each[0]) for each in counted], [each[1] for each in counted]
    law = fit(parameters, losses, request.irreducible) if counted else None
    instead = 0.0 if request.irreducible else CHINCHILLA["irreducible"]
    other = fit(parameters, losses, instead) if counted else None
    return ScalingAnswer(
        measured, request, np.array(parameters), np.array(losses), law, other,
        "" if law else _why_not(request, parameters, losses), _curves(parameters, losses, law) if counted else None,
        np.array([chinchilla_loss(everything, tokens) for _, _, tokens, everything in counted]))


def _why_not(request: ScalingRequest, parameters: list[float], losses: list[float]) -> Message:
    if not losses:
        return message("No size has a loss: all have diverged. Lower the learning rate.")
    if len(set(parameters)) < 2:
        return message("There is no line through one size. Train at least two different sizes, better four.")
    return message(
        "The irreducible loss ({irreducible}) must be below every loss; the lowest is {lowest}.",
        irreducible=f"{request.irreducible:.2f}", lowest=f"{min(losses):.3f}")


def _curves(parameters: list[float], losses: list[float], law: PowerLaw | None) -> ScalingCurves:
    at = np.geomspace(min(parameters) / BEYOND, max(parameters) * BEYOND, CURVE_POINTS)
    low, high = (law.band(at) if law else None) or (None, None)
    return ScalingCurves(
        at, law.at(at) if law else None, low, high,
        kaplan=through_middle(parameters, losses, KAPLAN_EXPONENT, 0, at),
        chinchilla=through_middle(parameters, losses, CHINCHILLA["alpha"], CHINCHILLA["irreducible"], at))


def code(request: ScalingRequest) -> str:
    """Return code that fits the available points: the recorded ones until these sizes were trained."""
    at_hand = _measured(request, unwatched) if kept(request) else scaling_request.recorded()
    return code_of(fitted(request, at_hand))


def code_of(found: ScalingAnswer) -> str:
    parameters = ", ".join(f"{each:.0f}" for each in found.parameters.tolist())
    losses = ", ".join(f"{each:.6f}" for each in found.losses.tolist())
    error = """
rest = y - np.polyval([slope, level], x)
error = np.sqrt((rest**2).sum() / (len(x) - 2) / ((x - x.mean())**2).sum())""" if len(found.losses) > 2 else """
error = float("nan")  # a line always fits two points"""
    if not found.law:
        return f"import numpy as np\n\nN = np.array([{parameters}])\nL = np.array([{losses}])\nprint(N, L)  # no fit\n"
    return f"""import numpy as np

N = np.array([{parameters}])  # parameters
L = np.array([{losses}])  # validation loss, mean over the seeds
irreducible = {found.request.irreducible!r}
x, y = np.log(N), np.log(L - irreducible)
slope, level = np.polyfit(x, y, 1){error}
print(f"L(N) = {{irreducible}} + {{np.exp(level):.4g}} * N^({{slope:.4f}}), standard error {{error:.4f}}")
print(f"ten times as many parameters: {{10**slope - 1:+.2%}}")
"""


def table(found: ScalingAnswer) -> Table:
    columns = ("emb_dim", "n_layers", "n_heads", "parameters", "all_parameters", "learning_rate", "steps", "tokens",
               "epochs", "flops", "loss", "spread", "lowest", "train", "diverged")
    rows = [
        (p.emb_dim, p.n_layers, p.n_heads, p.parameters, p.all_parameters, p.learning_rate, p.steps, p.tokens,
         p.epochs, p.flops, *("" if each is None else each for each in (
             p.mean(), p.spread(), p.mean("lowest"), p.train)), p.diverged)
        for p in found.measured.points]
    return Table(columns, tuple(rows))


def values(found: ScalingAnswer) -> dict[str, float]:
    named: dict[str, float] = {"points": float(len(found.losses))}
    if law := found.law:
        named |= {"exponent": law.exponent, "coefficient": law.coefficient, "change_for_ten": law.for_ten}
        if law.error is not None and law.low is not None and law.high is not None:
            named |= {"exponent_error": law.error, "exponent_low": law.low, "exponent_high": law.high}
    return named | {"kaplan_exponent": KAPLAN_EXPONENT, "chinchilla_exponent": CHINCHILLA["alpha"]}


LAB = Lab(
    name="scaling", request=ScalingRequest, answer=answer,
    sources=(BookSource("5.2", "Training an LLM"),),
    examples=(Example(message("The recorded run"), ScalingRequest()),),
    figures=(), code=code, table=table, values=values, slow=lambda request: not kept(request), watched=True,
)
