"""Dropout: random numbers set to zero, the rest scaled up (Srivastava et al., 2014; book §3.5.2, exercise 4.3)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
import torch

from gptstudio.fields import Matrix, Problem, Spec, setting
from gptstudio.gpt.config import PRESETS, GPTConfig
from gptstudio.i18n import message
from gptstudio.labs import checks
from gptstudio.labs.draws import Draws
from gptstudio.labs.lab import BookSource, Example, Figure, Floats, Lab, Table

HIGHEST = 0.99
"""Highest dropout rate that a model's configuration accepts."""
LARGEST = 1e6
"""Largest number allowed in the matrix: multiplied by 100 = 1 / (1 - 0.99), it stays far below the limit of float32."""
SEEN = 24
"""Number of elements per token that the answer keeps of a dropout mask in a model."""


class DropoutRequest(Spec):
    """A matrix, the shape of a model, and the dropout rates."""

    part: Literal["matrix", "model"] = setting(
        "matrix", "Part",
        "matrix: a single matrix in detail. model: the three places where GPT uses dropout.", panel=False
    )
    numbers: Matrix = setting((), "Matrix", "Rows of numbers; all rows must have the same length.", panel=False)
    rate: float = setting(0.5, "Rate", "Fraction of the numbers that is dropped.", low=0, high=1, step=0.05)
    seed: int = setting(123, "Random seed", "The same random seed drops the same numbers.", low=0, high=2**63 - 1)
    training: bool = setting(True, "Training", "Off: evaluation mode; nothing is dropped.", panel=False)
    draws: int = setting(200, "Draws", "How many times the mask is drawn for the average.", low=1, high=10_000)
    preset: Literal["workshop", "book", "gpt2-small", "gpt2-medium", "gpt2-large", "gpt2-xl"] = setting(
        "gpt2-small", "Model", "The model whose shapes are shown."
    )
    tokens: int = setting(4, "Tokens", "How many tokens the model reads.", unit="tokens", low=1, high=8, step=1)
    drop_rate_emb: float | None = setting(
        None, "Embeddings", "After the embeddings, or leave empty to use Rate.", low=0, high=1, step=0.05, empty="same",
        panel=False,
    )
    drop_rate_attn: float | None = setting(
        None, "Attention", "On the attention weights, or leave empty to use Rate.", low=0, high=1, step=0.05,
        empty="same", panel=False,
    )
    drop_rate_shortcut: float | None = setting(
        None, "Shortcuts", "Before each shortcut addition, or leave empty to use Rate.", low=0, high=1, step=0.05,
        empty="same", panel=False,
    )

    @classmethod
    def relations(cls, values: Mapping[str, Any]) -> Iterator[Problem]:
        if "numbers" in values:
            yield from checks.matrix(cls, "numbers", values["numbers"], rows=(1, 8), columns=(1, 8), largest=LARGEST)
        for name in RATES:
            if (rate := values.get(name)) is not None and rate > HIGHEST:
                yield Problem(name, message(
                    "{name} is {rate}. At 1 every number would be dropped, and the scale factor 1 / (1 - 1) would be "
                    "infinite. It must be at most {highest}.",
                    name=checks.label(cls, name), rate=f"{rate:g}", highest=HIGHEST,
                ))

    @property
    def config(self) -> GPTConfig:
        """The chosen model with these dropout rates."""
        return PRESETS[self.preset].but(drop_rate=self.rate, **{name: getattr(self, name) for name in RATES[1:]})


Place = Literal["embedding", "attention", "shortcut"]
PLACES: tuple[Place, ...] = get_args(Place)
RATES = ("rate", "drop_rate_emb", "drop_rate_attn", "drop_rate_shortcut")


@dataclass(frozen=True)
class DropoutLayer:
    """Dropout layer of a model during one forward pass.

    Attributes:
        shape: shape of the tensor, for a batch of one.
        times: number of such tensors in the forward pass.
        dropped: number of elements of all these tensors that one draw drops.
        kept: part of the mask of the first tensor, (T, up to 24), or (T, T) for the first head; False: dropped.
    """

    name: Place
    rate: float
    shape: tuple[int, ...]
    times: int
    dropped: int
    kept: Floats

    @property
    def numbers(self) -> int:
        return self.times * math.prod(self.shape)


@dataclass(frozen=True)
class DropoutAnswer:
    """A matrix before and after dropout, (R, C) each; averages over many draws; the three dropout layers of a model."""

    values: Floats
    kept: Floats
    """False where the number was dropped."""
    scale: float
    """Factor that the kept numbers are multiplied by."""
    out: Floats
    mean_before: float
    mean_after: float
    average: Floats
    """(R, C): mean of each number over all draws, including the first."""
    running: Floats
    """(draws,): mean of the matrix, averaged over the draws so far."""
    spread: float
    """Standard deviation of the mean of a single draw."""
    places: tuple[DropoutLayer, ...]


def answer(request: DropoutRequest) -> DropoutAnswer:
    x = torch.tensor(request.numbers)
    rate, draws = request.rate if request.training else 0.0, Draws(request.seed)
    kept = draws.dropout(torch.ones_like(x), rate) > 0
    scale = 1 / (1 - rate)
    rest = draws.dropout(torch.ones(request.draws - 1, *x.shape), rate)
    all_draws = x * torch.cat([(kept * scale)[None], rest])
    means = all_draws.mean(dim=(1, 2), dtype=torch.float64)
    out = all_draws[0]
    return DropoutAnswer(
        values=x.numpy(), kept=kept.numpy(), scale=scale, out=out.numpy(), mean_before=float(x.double().mean()),
        mean_after=float(out.double().mean()), average=all_draws.mean(dim=0).numpy(),
        running=(means.cumsum(0) / torch.arange(1, request.draws + 1)).numpy(),
        spread=math.sqrt(rate / (1 - rate) * float((x.double() ** 2).sum())) / x.numel(), places=_places(request),
    )


def _places(request: DropoutRequest) -> tuple[DropoutLayer, ...]:
    """Return the dropout layers of a model that is seeded right before its forward pass, drawn in the model's order."""
    config, draws = request.config, Draws(request.seed)
    tokens = min(request.tokens, config.context_length)
    wide, square = (1, tokens, config.emb_dim), (1, config.n_heads, tokens, tokens)
    rates = (config.embedding_dropout, config.attention_dropout, config.shortcut_dropout)
    used = dict(zip(PLACES, rates if request.training else (0.0, 0.0, 0.0), strict=True))
    kept: dict[Place, list[torch.Tensor]] = {name: [] for name in PLACES}
    block: tuple[Place, ...] = ("attention", "shortcut", "shortcut")
    for name in (PLACES[0], *block * config.n_layers):
        kept[name].append(draws.dropout(torch.ones(square if name == "attention" else wide), used[name]) > 0)
    return tuple(_place(name, used[name], masks) for name, masks in kept.items())


def _place(name: Place, rate: float, kept: list[torch.Tensor]) -> DropoutLayer:
    dropped = sum(each.numel() - int(each.count_nonzero()) for each in kept)
    seen = kept[0][0, 0] if name == "attention" else kept[0][0, :, :SEEN]
    return DropoutLayer(name, rate, tuple(kept[0].shape), len(kept), dropped, seen.numpy())


def code(request: DropoutRequest) -> str:
    if request.part == "model":
        return _code_of_model(request)
    rows = "\n".join(f"    {[round(number, 6) for number in row]}," for row in request.numbers)
    return f"""import torch

example = torch.tensor([
{rows}
])
dropout = torch.nn.Dropout({request.rate}).{"train" if request.training else "eval"}()
torch.manual_seed({request.seed})
out = dropout(example)
many = [out, *dropout(example.expand({request.draws - 1}, -1, -1))]
average = torch.stack(many).mean(dim=0)
print(out, average, sep="\\n")
"""


def _code_of_model(request: DropoutRequest) -> str:
    """Return code that draws the dropout masks of one forward pass in order and prints how many values each drops."""
    config = request.config
    tokens = min(request.tokens, config.context_length)
    emb, attn, shortcut = config.embedding_dropout, config.attention_dropout, config.shortcut_dropout
    return f"""import torch

wide, square = (1, {tokens}, {config.emb_dim}), (1, {config.n_heads}, {tokens}, {tokens})
places = [("embedding", wide, {emb})]
for layer in range({config.n_layers}):
    places += [("attention", square, {attn}), ("shortcut", wide, {shortcut}), ("shortcut", wide, {shortcut})]
dropped = dict.fromkeys(["embedding", "attention", "shortcut"], 0)
torch.manual_seed({request.seed})
for name, shape, rate in places:
    out = torch.nn.functional.dropout(torch.ones(shape), rate, training={request.training})
    dropped[name] += int((out == 0).sum())
print(dropped)
"""


def table(answer: DropoutAnswer) -> Table:
    stages = {"before": answer.values, "after": answer.out, "average": answer.average}
    rows = [(name, number, *map(float, row)) for name, x in stages.items() for number, row in enumerate(x)]
    return Table(("stage", "row", *(f"column {i}" for i in range(answer.values.shape[1]))), tuple(rows))


def values(answer: DropoutAnswer) -> dict[str, float]:
    zeros = answer.kept.size - int(np.count_nonzero(answer.kept))
    return {
        "zeros": float(zeros), "share": zeros / answer.kept.size, "scale": answer.scale, "mean": answer.mean_after,
        "mean_before": answer.mean_before, "average": float(answer.running[-1]),
        **{f"dropped_{place.name}": float(place.dropped) for place in answer.places},
    }


ONES = ((1.0,) * 6,) * 6
HALF, THREE = message("Ones, half dropped"), message("Three separate rates")
BOOK_INPUT = DropoutRequest(numbers=ONES)

LAB = Lab(
    name="dropout", request=DropoutRequest, answer=answer,
    sources=(
        BookSource("3.5.2", "Masking additional attention weights with dropout"),
        BookSource("exercise 4.3", "Using separate dropout parameters"),
    ),
    examples=(
        Example(HALF, BOOK_INPUT),
        Example(THREE, BOOK_INPUT.but(
            part="model", rate=0.1, drop_rate_emb=0.1, drop_rate_attn=0.1, drop_rate_shortcut=0.1
        )),
    ),
    figures=(Figure(("dropout", "out"), lambda a: a.out, message("output")),),
    code=code, table=table, values=values,
)
