"""Three optimizers in a valley: the steps of AdamW, SGD with momentum and Muon on a quadratic loss of two weights.

The weights are the diagonal of a 2 × 2 matrix, because Muon needs a matrix; its other elements stay 0. AdamW:
Loshchilov and Hutter, 2019. Momentum: Polyak, 1964. Muon: Jordan, 2024. The valley: Goh, "Why Momentum Really Works",
Distill, 2017.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import nn

from gptstudio.fields import Problem, Spec, setting
from gptstudio.i18n import message
from gptstudio.labs.lab import BookSource, Example, Floats, Lab, Table

BETAS, EPSILON = (0.9, 0.999), 1e-8
MUON_MOMENTUM, ITERATIONS = 0.95, 5
COEFFICIENTS = (3.4445, -4.7750, 2.0315)
"""Coefficients of the Newton–Schulz iteration (Jordan, 2024)."""


class OptimizersRequest(Spec):
    """A valley, a starting point in it, and the learning rate of each optimizer."""

    condition: float = setting(
        25.0, "Condition number", "How many times as steep the valley is across (y) as along (x).", low=1, high=1_000,
        step=1,
    )
    x: float = setting(-8.0, "Start x", "Where all three start, along the valley.", low=-10, high=10, step=0.1)
    y: float = setting(2.0, "Start y", "Where all three start, across the valley.", low=-10, high=10, step=0.1)
    adamw_rate: float = setting(0.5, "AdamW rate", "Learning rate of AdamW.", low=0, high=5, step=0.01)
    sgd_rate: float = setting(0.03, "SGD rate", "Learning rate of SGD.", low=0, high=1, step=0.001)
    momentum: float = setting(
        0.9, "Momentum", "How much of its previous step SGD keeps. 0: plain gradient descent.", low=0, high=0.999,
        step=0.01,
    )
    muon_rate: float = setting(0.5, "Muon rate", "Learning rate of Muon.", low=0, high=5, step=0.01)
    steps: int = setting(40, "Steps", "Number of steps that each takes.", low=1, high=200, step=1)
    step: int = setting(1, "Step shown", "The step whose numbers the table shows.", low=1, high=200, step=1)

    @classmethod
    def relations(cls, values: Mapping[str, Any]) -> Iterator[Problem]:
        if "steps" in values and values.get("step", 1) > values["steps"]:  # 1 if ``step`` itself is invalid
            yield Problem("step", message(
                "Step shown is {step}, but there are only {steps} steps.", step=values["step"], steps=values["steps"]))


@dataclass(frozen=True)
class Descent:
    """Descent of one optimizer, as torch computes it.

    Attributes:
        points: (S + 1, 2) the weights x and y before each step, and after the last.
        losses: (S + 1,) the loss at these points.
        directions: (S, 2) the vector that each step multiplies by the learning rate and subtracts.
        apart: largest difference between these weights and those of the formula.
        slowed: (S, 2) by the formula, the state of the optimizer after each step: m of AdamW, b of SGD, B of Muon.
        sizes: (S, 2) by the formula, the running average of squared gradients of AdamW; 0 for the others.
    """

    points: Floats
    losses: Floats
    directions: Floats
    apart: float
    slowed: Floats
    sizes: Floats


@dataclass(frozen=True)
class OptimizersAnswer:
    """Descents by name of optimizer, and the step shown, counted from 1."""

    condition: float
    step: int
    descents: dict[str, Descent]

    def gradient(self, name: str, step: int) -> Floats:
        """Return the gradient (2,) before a step, counted from 1."""
        gradient: Floats = self.descents[name].points[step - 1] * np.array([1.0, self.condition])
        return gradient


def answer(request: OptimizersRequest) -> OptimizersAnswer:
    made = {
        "adamw": lambda w: torch.optim.AdamW(w, request.adamw_rate, BETAS, weight_decay=0),
        "sgd": lambda w: torch.optim.SGD(w, request.sgd_rate, request.momentum),
        "muon": lambda w: torch.optim.Muon(w, request.muon_rate, 0, MUON_MOMENTUM),
    }
    return OptimizersAnswer(
        request.condition, request.step, {name: _descent(name, make, request) for name, make in made.items()})


@torch.enable_grad()
def _descent(
    name: str, make: Callable[[list[nn.Parameter]], torch.optim.Optimizer], request: OptimizersRequest
) -> Descent:
    steepness = torch.tensor([[1.0], [request.condition]])
    weights = nn.Parameter(torch.diag(torch.tensor([request.x, request.y])))
    optimizer = make([weights])
    points, losses = [], []
    for step in range(request.steps + 1):
        loss = (steepness * weights**2).sum() / 2
        points.append(weights.detach().diagonal().tolist())
        losses.append(loss.item())
        if step < request.steps:
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    places, rate = np.array(points), getattr(request, f"{name}_rate")
    with np.errstate(all="ignore"):  # diverged values are shown as they are
        plain, slowed, sizes = by_formula(name, request)
        directions = (places[:-1] - places[1:]) / rate if rate else np.zeros_like(places[1:])
        apart = np.abs(places - plain)
    return Descent(places, np.array(losses), directions, float(np.nanmax(apart)), slowed, sizes)


def by_formula(name: str, request: OptimizersRequest) -> tuple[Floats, Floats, Floats]:
    """Return weights (S + 1, 2) by the formula on the page in float64, and ``slowed`` and ``sizes`` of a descent."""
    weights, steepness = np.array([request.x, request.y]), np.array([1.0, request.condition])
    kept, sizes = np.zeros(2), np.zeros(2)
    points, slowed, squares = [weights], [], []
    for step in range(1, request.steps + 1):
        gradient = steepness * weights
        if name == "adamw":
            kept = BETAS[0] * kept + (1 - BETAS[0]) * gradient
            sizes = BETAS[1] * sizes + (1 - BETAS[1]) * gradient**2
            root = np.sqrt(sizes / (1 - BETAS[1] ** step)) + EPSILON
            direction = kept / (1 - BETAS[0] ** step) / root
        elif name == "sgd":
            kept = request.momentum * kept + gradient
            direction = kept
        else:
            kept = MUON_MOMENTUM * kept + (1 - MUON_MOMENTUM) * gradient
            direction = orthogonal(kept + (1 - MUON_MOMENTUM) * (gradient - kept))
        weights = weights - getattr(request, f"{name}_rate") * direction
        points.append(weights)
        slowed.append(kept)
        squares.append(sizes)
    return np.array(points), np.array(slowed), np.array(squares)


def orthogonal(diagonal: Floats) -> Floats:
    """Return the diagonal (2,) after five Newton–Schulz iterations on a diagonal matrix: the signs, times numbers near
    1. Computed in bf16, as in torch, because a different rounding can reverse a step near the minimum."""
    a, b, c = COEFFICIENTS
    made = torch.diag(torch.tensor(diagonal, dtype=torch.float32)).bfloat16()
    made = made / made.norm().clamp(min=1e-7)
    for _ in range(ITERATIONS):
        square = made @ made.T
        made = torch.addmm(made, torch.addmm(square, square, square, beta=b, alpha=c), made, beta=a)
    return made.diagonal().double().numpy()


def code(request: OptimizersRequest) -> str:
    return f"""import torch

steepness = torch.tensor([[1.0], [{request.condition}]])
optimizers = {{
    "adamw": lambda w: torch.optim.AdamW(w, {request.adamw_rate}, {BETAS}, weight_decay=0),
    "sgd": lambda w: torch.optim.SGD(w, {request.sgd_rate}, {request.momentum}),
    "muon": lambda w: torch.optim.Muon(w, {request.muon_rate}, 0, {MUON_MOMENTUM}),
}}
weights = {{name: torch.diag(torch.tensor([{request.x}, {request.y}])).requires_grad_() for name in optimizers}}
for name, make in optimizers.items():
    optimizer = make([weights[name]])
    for step in range({request.steps}):
        optimizer.zero_grad()
        ((steepness * weights[name] ** 2).sum() / 2).backward()
        optimizer.step()
    print(name, weights[name].diagonal().tolist())
"""


def table(answer: OptimizersAnswer) -> Table:
    names = tuple(answer.descents)
    columns = ("step", *(f"{name} {what}" for name in names for what in ("x", "y", "loss")))
    rows = []
    for step in range(len(answer.descents[names[0]].losses)):
        descents = [answer.descents[name] for name in names]
        rows.append((step, *(float(value) for each in descents for value in (*each.points[step], each.losses[step]))))
    return Table(columns, tuple(rows))


def values(answer: OptimizersAnswer) -> dict[str, float]:
    last = {f"{name}_loss": float(each.losses[-1]) for name, each in answer.descents.items()}
    shown = {
        f"{name}_{axis}": float(each.points[answer.step][place])
        for name, each in answer.descents.items() for place, axis in enumerate("xy")
    }
    return last | shown


LAB = Lab(
    name="optimizers", request=OptimizersRequest, answer=answer,
    sources=(BookSource("5.2", "Training an LLM"),),
    examples=(
        Example(message("A long valley"), OptimizersRequest()),
        Example(message("A round bowl"), OptimizersRequest(condition=1.0, x=-6.0, y=4.0)),
        Example(message("Without momentum"), OptimizersRequest(momentum=0.0)),
        Example(message("Rate too high for SGD"), OptimizersRequest(sgd_rate=0.155)),
    ),
    figures=(), code=code, table=table, values=values,
    slow=lambda _: True,  # the first optimizer makes torch import more modules
)
