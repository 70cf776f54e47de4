"""Gradient flow through many layers, without and with shortcut connections (He et al., 2016; book §4.4)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

import numpy as np
import torch
from pydantic import field_validator
from torch import Tensor, nn
from torch.nn import functional as F

from gptstudio.fields import Numbers, Problem, Spec, setting
from gptstudio.gpt.model import GELU
from gptstudio.i18n import message
from gptstudio.labs import checks
from gptstudio.labs.draws import Draws
from gptstudio.labs.lab import BookSource, Example, Figure, Floats, Lab, Table

Layer = tuple[Tensor, Tensor]
"""Weight (N, outputs, inputs) and bias (N, 1, outputs) of one layer in N networks."""

ACTIVATIONS: dict[str, tuple[Callable[[Tensor], Tensor], str]] = {
    "tanh GELU": (GELU(), 'nn.GELU(approximate="tanh")'), "exact GELU": (F.gelu, "nn.GELU()"),
    "ReLU": (torch.relu, "nn.ReLU()"), "none": (nn.Identity(), "nn.Identity()"),
}
"""Activation functions, each with its code."""
DEEPEST, WIDEST, MOST_SEEDS = 40, 64, 500
LARGEST = 1_000.0
"""Largest input: even after forty layers with shortcuts, its square stays below the limit of float32."""
AT_ONCE = 50
"""Number of networks computed together: five hundred of the largest ones would not fit into a laptop's memory."""
FAST_ENOUGH = 1_000_000
"""Amount of work that takes less than 50 ms on a slow processor: one per number drawn, and a thousand per layer."""


class ShortcutsRequest(Spec):
    """A chain of layers, and its input; the loss is the mean square of the output."""

    layer_sizes: tuple[int, ...] = setting(
        (3, 3, 3, 3, 3, 1), "Layer sizes", "The width of the input, then that of each layer: one layer per comma."
    )
    input: Numbers = setting((1.0, 0.0, -1.0), "Input", "Must have as many numbers as the first of the layer sizes.")
    activation: Literal["tanh GELU", "exact GELU", "ReLU", "none"] = setting(
        "tanh GELU", "Activation",
        "The activation function of each layer. Our own GELU is the tanh form, torch's is the exact form."
    )
    shown: Literal["both", "without", "with"] = setting("both", "Shortcuts", "Which of the two networks is shown.")
    seed: int = setting(123, "Random seed",
        "The same random seed gives the same initial weights.", low=0, high=2**31 - 1, step=1)
    seeded: Literal["before each", "once for both"] = setting(
        "before each", "Set seed",
        "before each: both networks have the same weights. once for both: the network with shortcuts is built second "
        "and gets different weights.",
    )
    seeds: int = setting(
        1, "Number of seeds",
        "How many random seeds are used, counting up from the first. With more than one, bands are shown.",
        low=1, high=MOST_SEEDS, step=10,
    )

    @field_validator("seeded", mode="before")
    @classmethod
    def _of_version_0_1(cls, seeded: Any) -> Any:
        return "before each" if seeded == "anew for each" else seeded

    @classmethod
    def relations(cls, values: Mapping[str, Any]) -> Iterator[Problem]:
        sizes, given = values.get("layer_sizes"), values.get("input")
        yield from checks.numbers(cls, "input", given or (), -LARGEST, LARGEST)
        if sizes is None:
            return
        if not 2 <= len(sizes) <= DEEPEST + 1:
            yield Problem("layer_sizes", message(
                "Layer sizes gives {count} layers; the number of layers must be between 1 and {most}.",
                count=max(0, len(sizes) - 1), most=DEEPEST,
            ))
            return
        yield from checks.numbers(cls, "layer_sizes", sizes, 1, WIDEST)
        if given is not None and len(given) != sizes[0]:
            yield Problem("input", message(
                "Input: the number of values is {count}, but the first of Layer sizes is {size}. The two must match.",
                count=len(given), size=sizes[0],
            ))


@dataclass(frozen=True)
class Network:
    """Mean absolute gradients of the weights by layer for N seeds, (N, L), and all gradients of the first seed."""

    means: Floats
    gradients: tuple[Floats, ...]

    @property
    def first(self) -> Floats:
        """Mean absolute gradients of the first seed, (L,)."""
        means: Floats = self.means[0]
        return means

    @property
    def bands(self) -> Floats:
        """10th, 50th and 90th percentiles over the random seeds, (3, L)."""
        bands: Floats = np.percentile(self.means, [10, 50, 90], axis=0)
        return bands


@dataclass(frozen=True)
class ShortcutsAnswer:
    """Networks without and with shortcuts. ``joined``, (L,): whether input and output of a layer have the same
    shape."""

    sizes: tuple[int, ...]
    joined: Floats
    without: Network
    with_shortcuts: Network


def answer(request: ShortcutsRequest) -> ShortcutsAnswer:
    seeds = range(request.seed, request.seed + request.seeds)
    pairs = [_pair(request, seeds[start : start + AT_ONCE]) for start in range(0, len(seeds), AT_ONCE)]
    joined = np.array([a == b for a, b in pairwise(request.layer_sizes)])
    without, with_shortcuts = (
        Network(np.concatenate([part.means for part in parts]), parts[0].gradients)
        for parts in zip(*pairs, strict=True))
    return ShortcutsAnswer(request.layer_sizes, joined, without, with_shortcuts)


def _pair(request: ShortcutsRequest, seeds: Sequence[int]) -> tuple[Network, Network]:
    """Return the networks without and with shortcuts, one of each per seed."""
    drawn = [_draw(request, seed) for seed in seeds]
    first, second = ([_stack(layer) for layer in zip(*nets, strict=True)] for nets in zip(*drawn, strict=True))
    return _network(first, request, shortcut=False), _network(second, request, shortcut=True)


def _draw(request: ShortcutsRequest, seed: int) -> tuple[list[Any], list[Any]]:
    """Draw the weights and biases of both networks, in the order in which the book builds them."""
    draws, pairs = Draws(seed), list(pairwise(request.layer_sizes))
    first = [draws.linear(inputs, outputs) for inputs, outputs in pairs]
    per_network = request.seeded == "before each"
    return first, first if per_network else [draws.linear(inputs, outputs) for inputs, outputs in pairs]


def _stack(layer: Sequence[tuple[Tensor, Tensor]]) -> Layer:
    weights, biases = zip(*layer, strict=True)
    return torch.stack(weights).requires_grad_(), torch.stack(biases).unsqueeze(1)


def _network(layers: Sequence[Layer], request: ShortcutsRequest, shortcut: bool) -> Network:
    activation, _ = ACTIVATIONS[request.activation]
    x = torch.tensor(request.input).expand(len(layers[0][0]), 1, -1)  # (N, 1, inputs)
    for weight, bias in layers:
        y = activation(torch.baddbmm(bias, x, weight.transpose(1, 2)))  # (N, 1, outputs)
        x = x + y if shortcut and x.shape == y.shape else y
    loss = x.square().mean(dim=(1, 2)).sum()  # no network's loss depends on another's weights
    gradients = torch.autograd.grad(loss, [weight for weight, _ in layers])
    means = torch.stack([gradient.abs().mean(dim=(1, 2)) for gradient in gradients], dim=1)
    return Network(means.numpy(), tuple(gradient[0].numpy() for gradient in gradients))


def code(request: ShortcutsRequest) -> str:
    again = f"torch.manual_seed({request.seed})\n" if request.seeded == "before each" else ""
    return f"""import torch
from torch import nn

def gradients(sizes, shortcut):
    layers = [nn.Sequential(nn.Linear(a, b), {ACTIVATIONS[request.activation][1]}) for a, b in zip(sizes, sizes[1:])]
    x = torch.tensor([{list(request.input)}])
    for layer in layers:
        y = layer(x)
        x = x + y if shortcut and x.shape == y.shape else y
    nn.functional.mse_loss(x, torch.zeros_like(x)).backward()
    return [layer[0].weight.grad.abs().mean().item() for layer in layers]

sizes = {list(request.layer_sizes)}
torch.manual_seed({request.seed})
without = gradients(sizes, shortcut=False)
{again}with_shortcuts = gradients(sizes, shortcut=True)
print(without, with_shortcuts, sep="\\n")
"""


def table(answer: ShortcutsAnswer) -> Table:
    columns = ("layer", "inputs", "outputs", "shortcut", *(
        f"{net} {what}" for net in ("without", "with") for what in ("first seed", "10 %", "median", "90 %")
    ))
    nets = (answer.without, answer.with_shortcuts)
    numbers = np.vstack([row for net in nets for row in (net.first, *net.bands)]).T.tolist()  # (L, 8)
    return Table(columns, tuple(
        (i, answer.sizes[i], answer.sizes[i + 1], bool(joined), *numbers[i]) for i, joined in enumerate(answer.joined)
    ))


def values(answer: ShortcutsAnswer) -> dict[str, float]:
    """Return the values of the first seed; ``ratio``: gradient of the first layer divided by that of the last."""
    found = {"layers": float(len(answer.joined)), "shortcuts": float(answer.joined.sum())}
    for name, net in (("without", answer.without), ("with", answer.with_shortcuts)):
        first, last = float(net.first[0]), float(net.first[-1])
        found |= {f"first_{name}": first, f"last_{name}": last, f"ratio_{name}": first / last if last else float("nan")}
    return found


TANH = message("tanh GELU")
EXACT = message("exact GELU")
ONCE = message("Seed set once for both networks")


def _figure(row: str, name: str, example: str) -> Figure:
    place = ("shortcuts", "mean_abs_gradient_layers_0_to_4", row)
    with_shortcuts = "with shortcut" in row
    return Figure(place, lambda a: (a.with_shortcuts if with_shortcuts else a.without).first, name, example,
                  relative=1e-5)


LAB = Lab(
    name="shortcuts", request=ShortcutsRequest, answer=answer,
    sources=(BookSource("4.4", "Adding shortcut connections"),),
    examples=(
        Example(TANH, ShortcutsRequest()),
        Example(EXACT, ShortcutsRequest(activation="exact GELU")),
        Example(ONCE, ShortcutsRequest(seeded="once for both")),
    ),
    figures=(
        _figure("tanh GELU, without shortcut", message("without shortcuts, layers 0 to 4"), TANH),
        _figure("tanh GELU, with shortcut", message("with shortcuts, layers 0 to 4"), TANH),
        _figure("exact GELU, without shortcut", message("without shortcuts, exact GELU"), EXACT),
        _figure("exact GELU, with shortcut", message("with shortcuts, exact GELU"), EXACT),
        _figure(
            "tanh GELU, with shortcut, built second after one seed", message("with shortcuts, built second"), ONCE
        ),
    ),
    code=code, table=table, values=values,
    slow=lambda request: request.seeds * sum(1_000 + a * b for a, b in pairwise(request.layer_sizes)) > FAST_ENOUGH,
)
