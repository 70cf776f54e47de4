"""GELU and related activations: the value and the slope of each at a number (book §4.3).

GELU: Hendrycks and Gimpel, 2016. Swish, the gate of SwiGLU: Ramachandran et al., 2017; Shazeer, 2020.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional as F

from gptstudio.fields import Spec, setting
from gptstudio.gpt.model import GELU
from gptstudio.i18n import message
from gptstudio.labs.lab import BookSource, Example, Figure, Floats, Lab, Table

ROOT, CUBE = (2 / torch.pi) ** 0.5, 0.044715


class GELURequest(Spec):
    """Inputs at which the activation functions are computed."""

    x: float = setting(-1.0, "x", "The input for which each activation function is shown.", low=-10, high=10, step=0.1)
    reach: float = setting(5.0, "Range", "The curves run from minus this number to this number.", low=0.5, high=10,
                           step=0.5)
    points: int = setting(100, "Points",
        "Number of inputs at which the curves are computed.", low=2, high=1_000, step=1)
    misplaced: bool = setting(
        False, "Misplaced bracket",
        "Shows the tanh form as in one variant of the study notes: the root is multiplied by x alone, not by the term "
        "with the cube.",
    )


def _misplaced(x: Tensor) -> Tensor:
    """Return the tanh form as in one variant of the study notes: the root is multiplied by x alone."""
    return 0.5 * x * (1 + torch.tanh(ROOT * x + CUBE * torch.pow(x, 3)))


ACTIVATIONS: dict[str, tuple[Callable[[Tensor], Tensor], str]] = {
    "gelu_tanh": (GELU(), "F.gelu(x, approximate='tanh')"),
    "gelu": (F.gelu, "F.gelu(x)"),
    "relu": (torch.relu, "torch.relu(x)"),
    "swish": (F.silu, "x * torch.sigmoid(x)"),
    "misplaced": (_misplaced, f"0.5 * x * (1 + torch.tanh((2 / torch.pi) ** 0.5 * x + {CUBE} * x**3))"),
}
"""Activations, each with its code: the tanh form of GELU, the exact form, ReLU, Swish (the gate of SwiGLU), and the
tanh form with a misplaced bracket."""


@dataclass(frozen=True)
class ActivationCurve:
    """An activation at P points, and at the requested input.

    Attributes:
        y, slope: (P,) values, and derivatives by autograd.
        at, slope_at: value and derivative at the requested input.
    """

    y: Floats
    slope: Floats
    at: float
    slope_at: float


@dataclass(frozen=True)
class GELUAnswer:
    """Each activation at the inputs x (P,), and at the requested input ``at``.

    Attributes:
        curves: the activations by name, as in ``ACTIVATIONS``; ``misplaced`` only if requested.
        from_torch: the largest difference between the book's tanh form and torch's own GELU at these points.
        from_exact: largest difference between the tanh form and the exact one.
        bracket, bracket_at: largest difference between the tanh form and the one with a misplaced bracket, and the
            input where it occurs.
        lowest_at, lowest: minimum of GELU's tanh form, where its slope is 0: the input and the value.
    """

    x: Floats
    at: float
    curves: dict[str, ActivationCurve]
    from_torch: float
    from_exact: float
    bracket: float
    bracket_at: float
    lowest_at: float
    lowest: float


def answer(request: GELURequest) -> GELUAnswer:
    x = torch.linspace(-request.reach, request.reach, request.points)
    at = torch.tensor(request.x)
    tanh, bracket = GELU()(x), _misplaced(x)
    farthest = int((bracket - tanh).abs().argmax())
    return GELUAnswer(
        x=x.numpy(), at=request.x,
        curves={name: _curve(name, x, at) for name in _names(request)},
        from_torch=_apart(tanh, F.gelu(x, approximate="tanh")), from_exact=_apart(tanh, F.gelu(x)),
        bracket=_apart(tanh, bracket), bracket_at=float(x[farthest]), lowest_at=LOWEST_AT, lowest=LOWEST,
    )


def _names(request: GELURequest) -> list[str]:
    return [name for name in ACTIVATIONS if request.misplaced or name != "misplaced"]


def _curve(name: str, x: Tensor, at: Tensor) -> ActivationCurve:
    y, slope = _with_slope(ACTIVATIONS[name][0], torch.cat([x, at[None]]))
    return ActivationCurve(y[:-1].numpy(), slope[:-1].numpy(), float(y[-1]), float(slope[-1]))


@torch.enable_grad()
def _with_slope(activation: Callable[[Tensor], Tensor], x: Tensor) -> tuple[Tensor, Tensor]:
    x = x.requires_grad_()
    y = activation(x)
    (slope,) = torch.autograd.grad(y.sum(), x)
    return y.detach(), slope


def _apart(one: Tensor, other: Tensor) -> float:
    return float((one - other).abs().max())


def _turning_point() -> tuple[float, float]:
    """Return the minimum of GELU's tanh form (input and value), by bisection on the sign of the slope."""
    low, high = torch.tensor([-2.0], dtype=torch.float64), torch.tensor([0.0], dtype=torch.float64)
    for _ in range(50):
        middle = (low + high) / 2
        y, slope = _with_slope(GELU(), middle.clone())
        low, high = (middle, high) if slope < 0 else (low, middle)
    return float(middle), float(y)


def code(request: GELURequest) -> str:
    lines = "\n".join(f"    {name!r}: {ACTIVATIONS[name][1]}," for name in _names(request))
    return f"""import torch
from torch.nn import functional as F

x = torch.linspace({-request.reach}, {request.reach}, {request.points}, requires_grad=True)
curves = {{
{lines}
}}
slopes = {{name: torch.autograd.grad(y.sum(), x)[0] for name, y in curves.items()}}
for name in curves:
    print(name, curves[name], slopes[name])
"""


def table(answer: GELUAnswer) -> Table:
    columns = ["x"] + [f"{name} {what}" for name in answer.curves for what in ("value", "slope")]
    series = [each for curve in answer.curves.values() for each in (curve.y, curve.slope)]
    rows = tuple(tuple(float(value) for value in row) for row in zip(answer.x, *series, strict=True))
    return Table(tuple(columns), rows)


def values(answer: GELUAnswer) -> dict[str, float]:
    at = {name: curve.at for name, curve in answer.curves.items()}
    slopes = {f"{name}_slope": curve.slope_at for name, curve in answer.curves.items()}
    return {"x": answer.at, **at, **slopes, "lowest_at": answer.lowest_at, "bracket": answer.bracket}


LOWEST_AT, LOWEST = _turning_point()
THREE, FIVE = message("100 points from -3 to 3"), message("100 points from -5 to 5")

LAB = Lab(
    name="gelu", request=GELURequest, answer=answer,
    sources=(BookSource("4.3", "Implementing a feed forward network with GELU activations"),),
    examples=(Example(FIVE, GELURequest()), Example(THREE, GELURequest(reach=3.0))),
    figures=(
        Figure(("book", "where GELU's slope is 0"), lambda a: a.lowest_at, message("where GELU's slope is 0"), THREE,
               digits=2, also=-0.75),
    ),
    code=code, table=table, values=values,
)
