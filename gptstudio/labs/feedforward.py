"""Feed-forward module: each token separately, to four times the width, through GELU, and back (book §4.3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from gptstudio.errors import UserError
from gptstudio.fields import Problem, Spec, setting
from gptstudio.gpt import sizing
from gptstudio.gpt.config import PRESETS, GPTConfig
from gptstudio.gpt.model import GPTModel
from gptstudio.gpt.sampling.sampler import check_finite
from gptstudio.gpt.tokenizer import GPT2
from gptstudio.i18n import message
from gptstudio.inference import interpret
from gptstudio.inference.generator import check_vocabulary
from gptstudio.labs import checks
from gptstudio.labs.lab import BookSource, Example, Figure, Floats, Lab, Table
from gptstudio.training.model_source import UntrainedModel

Shape = tuple[int, ...]
QUIET = 0.01
"""Numbers closer to 0 than this contribute next to nothing to the sums of the second linear layer."""
BINS = 60
LONGEST = 5_000
"""Largest number of characters in the text."""


class FeedForwardRequest(Spec):
    """A single module, and a text for the same module in a model."""

    width: int = setting(
        768, "Width", "Numbers per token; inside the network there are four times as many.",
        unit="numbers", low=16, high=4_096, step=16,
    )
    batch: int = setting(2, "Number of texts", "How many texts go in at once (batch size).", low=1, high=16, step=1)
    tokens: int = setting(3, "Tokens per text", "How many tokens each text has.", low=1, high=256, step=1)
    text: str = setting("Every effort moves you", "Text", "The text the model reads.")
    layer: int = setting(1, "Layer",
        "The layer whose feed-forward network is shown; the first is 1.", low=1, high=1_000)

    @classmethod
    def relations(cls, values: Mapping[str, Any]) -> Iterator[Problem]:
        if "text" in values:
            empty = message("Text is empty. Type at least one character.")
            yield from checks.text(cls, "text", values["text"], LONGEST, empty)


@dataclass(frozen=True)
class Module:
    """A single feed-forward module of width D, outside a model.

    Attributes:
        shapes: shapes of the input (B, T, D), of the output of the first linear layer (B, T, 4D), of the output of
            GELU, and of the output of the module.
        parameters: numbers of parameters of the first weight, the first bias, the second weight, the second bias.
        attention: number of parameters of an attention module of the same width, without biases for queries, keys and
            values.
    """

    shapes: tuple[Shape, Shape, Shape, Shape]
    parameters: tuple[int, int, int, int]
    attention: int

    @property
    def total(self) -> int:
        return sum(self.parameters)


@dataclass(frozen=True)
class InModel:
    """Effect of GELU on the activations of one layer of a model, over all tokens.

    Attributes:
        layer, layers: number of the layer, from 1, and number of layers.
        read: number of tokens that the model read: the last ones if the text is longer than its context.
        width: 4D, the numbers per token.
        edges: (K + 1,) edges of the bins; one of them is 0.
        before, after: (K,) fraction of the numbers in each bin, before GELU and after it.
        negative: fraction below 0 before GELU.
        quiet_before, quiet: fraction closer to 0 than ``QUIET``, before GELU and after it.
        lowest_before, lowest: the smallest number before GELU and after it.
    """

    layer: int
    layers: int
    read: int
    width: int
    edges: Floats
    before: Floats
    after: Floats
    negative: float
    quiet_before: float
    quiet: float
    lowest_before: float
    lowest: float


@dataclass(frozen=True)
class FeedForwardAnswer:
    """The module on its own, and in a model."""

    module: Module
    outputs: InModel


def answer(request: FeedForwardRequest, model: GPTModel) -> FeedForwardAnswer:
    """Answer a request with the activations that its text causes in a layer of ``model``.

    Raises:
        UserError: the model has no such layer, cannot read the text, or its weights are broken.
    """
    if request.layer > model.cfg.n_layers:
        raise UserError(message(
            "Layer {layer} does not exist; the last layer of this model is {layers}. Choose another layer.",
            layer=request.layer, layers=model.cfg.n_layers,
        ))
    ids = GPT2.encode(request.text)
    check_vocabulary(model.cfg, ids)
    return FeedForwardAnswer(module(request), _count(interpret.activations(model, ids, request.layer - 1)))


def module(request: FeedForwardRequest) -> Module:
    """Return shapes and parameters in closed form, so that a page can show them before torch has built a module."""
    thin, wide = (request.batch, request.tokens, request.width), (request.batch, request.tokens, 4 * request.width)
    weight = request.width * 4 * request.width
    attention = sizing.parameters(GPTConfig(emb_dim=request.width, n_heads=1, n_layers=1)).attention
    return Module((thin, wide, wide, thin), (weight, 4 * request.width, weight, request.width), attention)


def _count(outputs: interpret.Activations) -> InModel:
    before, after = outputs.before, outputs.after
    check_finite(before)
    reach = max(float(np.abs(before).max()), QUIET)
    edges = np.linspace(-reach, reach, BINS + 1)  # an even number of bins: one edge is 0
    shares = [np.histogram(each, edges)[0] / each.size for each in (before, after)]
    return InModel(
        layer=outputs.layer + 1, layers=outputs.layers, read=len(before), width=before.shape[1],
        edges=edges, before=shares[0], after=shares[1], negative=float((before < 0).mean()),
        quiet_before=_quiet(before), quiet=_quiet(after),
        lowest_before=float(before.min()), lowest=float(after.min()),
    )


def _quiet(numbers: Floats) -> float:
    return float((np.abs(numbers) < QUIET).mean())


def code(request: FeedForwardRequest) -> str:
    return f"""import torch
from torch import nn

width = {request.width}
feed_forward = nn.Sequential(
    nn.Linear(width, 4 * width), nn.GELU(approximate="tanh"), nn.Linear(4 * width, width)
)
x = torch.rand({request.batch}, {request.tokens}, width)
wide = feed_forward[0](x)
out = feed_forward[2](feed_forward[1](wide))
parameters = sum(each.numel() for each in feed_forward.parameters())
negative = (wide < 0).float().mean()
print(x.shape, wide.shape, out.shape, parameters, negative)
"""


def table(answer: FeedForwardAnswer) -> Table:
    outputs = answer.outputs
    bins = zip(outputs.edges[:-1], outputs.edges[1:], outputs.before, outputs.after, strict=True)
    return Table(("from", "to", "fraction before GELU",
        "fraction after GELU"), tuple(tuple(map(float, row)) for row in bins))


def values(answer: FeedForwardAnswer) -> dict[str, float]:
    return {
        "parameters": answer.module.total, "attention": answer.module.attention,
        "negative": answer.outputs.negative, "quiet_before": answer.outputs.quiet_before, "quiet": answer.outputs.quiet,
    }


LAB = Lab(
    name="feedforward", request=FeedForwardRequest, answer=answer,
    sources=(
        BookSource("4.3", "Implementing a feed forward network with GELU activations"),
        BookSource("exercise 4.1", "Number of parameters in feed forward and attention modules"),
    ),
    examples=(Example(message("GPT-2's width, two texts of three tokens"), FeedForwardRequest()),),
    figures=(
        Figure(("sizes", "one feed-forward module, emb_dim 768"), lambda a: a.module.total,
               message("parameters of a feed-forward network")),
        Figure(("sizes", "one attention module, emb_dim 768"), lambda a: a.module.attention,
               message("parameters of an attention module")),
        Figure(("book", "out.shape"), lambda a: list(a.module.shapes[3]), message("shape of the output"),
               also=[2, 3, 768]),
    ),
    code=code, table=table, values=values, model=UntrainedModel(PRESETS["workshop"]), slow=lambda _: True,
    trained=message("This model is untrained. With a trained one, the chart shows what training changed."),
)
