"""Layer normalisation: each row to mean 0 and variance 1, then scaled and shifted (Ba et al., 2016; seeds 4.2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from gptstudio.fields import Matrix, Problem, Spec, setting
from gptstudio.labs.draws import Draws
from gptstudio.labs.lab import Book, Figure, Lab, Source, Table, rectangular
from gptstudio.words import words

Floats = np.ndarray
EPS = 1e-5
SEED, WIDTH_IN, WIDTH_OUT = 123, 5, 6


class Ask(Spec):
    """A batch, and what is done to it."""

    batch: Matrix = setting((), "Batch", "Rows of numbers, one row for each example; all rows as long.", panel=False)
    unbiased: bool = setting(False, "Divide by n - 1", "The variance divides by n - 1 instead of n.")
    eps: float = setting(EPS, "eps", "Is added to the variance, so that nothing is divided by zero.", low=0, high=1)
    scale: float = setting(1.0, "Scale", "What each number is multiplied by afterwards.", low=-10, high=10, step=0.1)
    shift: float = setting(0.0, "Shift", "What is added afterwards.", low=-10, high=10, step=0.1)

    @classmethod
    def relations(cls, values: Mapping[str, Any]) -> Iterator[Problem]:
        if "batch" in values:
            yield from rectangular("batch", values["batch"], rows=(1, 8), columns=(2, 8))


@dataclass(frozen=True)
class Answer:
    """The batch (B, D) at each stage; means and variances (B,), those of the columns (D,)."""

    batch: Floats
    mean: Floats
    variance: Floats
    normalised: Floats
    out: Floats
    out_mean: Floats
    out_variance: Floats
    by_column: Floats
    """What batch normalisation makes of it: each column to mean 0 and variance 1."""


def answer(ask: Ask) -> Answer:
    x = torch.tensor(ask.batch)
    normalised = _normalise(x, -1, ask)
    out = ask.scale * normalised + ask.shift
    return Answer(
        batch=x.numpy(), mean=x.mean(dim=-1).numpy(), variance=_variance(x, -1, ask).squeeze(-1).numpy(),
        normalised=normalised.numpy(), out=out.numpy(),
        out_mean=out.mean(dim=-1).numpy(), out_variance=_variance(out, -1, ask).squeeze(-1).numpy(),
        by_column=_normalise(x, 0, ask).numpy(),
    )


def _normalise(x: Tensor, dim: int, ask: Ask) -> Tensor:
    spread = torch.sqrt(_variance(x, dim, ask) + ask.eps)
    return torch.nan_to_num((x - x.mean(dim=dim, keepdim=True)) / spread, nan=0.0)  # 0 / 0: a row of equal numbers


def _variance(x: Tensor, dim: int, ask: Ask) -> Tensor:
    """Of a single number, divided by n - 1, there is none: 0 then."""
    return torch.nan_to_num(x.var(dim=dim, keepdim=True, unbiased=ask.unbiased and x.shape[dim] > 1))


def _seeds_batches() -> tuple[Matrix, Matrix]:
    """The batch that the seeds draw, (2, 5), and what their layer makes of it, (2, 6)."""
    draws = Draws(SEED)
    batch = draws.randn(2, WIDTH_IN)
    weight, bias = draws.linear(WIDTH_IN, WIDTH_OUT)
    out = torch.relu(torch.nn.functional.linear(batch, weight, bias))
    return _as_matrix(batch), _as_matrix(out)


def _as_matrix(x: Tensor) -> Matrix:
    return tuple(tuple(row) for row in x.tolist())


def code(ask: Ask) -> str:
    rows = ",\n    ".join(str([round(value, 6) for value in row]) for row in ask.batch)
    return f"""import torch

x = torch.tensor([
    {rows},
])
mean = x.mean(dim=-1, keepdim=True)
var = x.var(dim=-1, keepdim=True, unbiased={ask.unbiased})
normalised = (x - mean) / torch.sqrt(var + {ask.eps})
out = {ask.scale} * normalised + {ask.shift}
print(out)
"""


def table(answer: Answer) -> Table:
    stages = {"batch": answer.batch, "normalised": answer.normalised, "out": answer.out, "by column": answer.by_column}
    rows = [(name, number, *map(float, row)) for name, x in stages.items() for number, row in enumerate(x)]
    return Table(("stage", "row", *(f"column {i}" for i in range(answer.batch.shape[1]))), tuple(rows))


def values(answer: Answer) -> dict[str, float]:
    return {
        "mean": float(np.abs(answer.out_mean).max()), "variance": float(answer.out_variance.max()),
        "largest": float(np.abs(answer.out).max()),
    }


INPUT, OUT = _seeds_batches()
AFTER_RELU = words("After a layer and ReLU, divided by n - 1")
ZERO, ONE = words("LayerNorm, its shift begun at zero"), words("LayerNorm, its shift begun at one")
NOT_BY_ZERO = 0.0

LAB = Lab(
    name="layernorm",
    ask=Ask,
    answer=answer,
    follows=(
        Source("000", "4.2 Normalizing activations with layer normalization"),
        Source("001", "三、Layer normalization"),
        Source("002", "4.2 Normalizing activations with layer normalization"),
        Source("003", "层归一化"),
        Source("004", "Normalizing activations with layer normalization"),
    ),
    books=(
        Book(AFTER_RELU, Ask(batch=OUT, unbiased=True, eps=NOT_BY_ZERO)),
        Book(ZERO, Ask(batch=INPUT)),
        Book(ONE, Ask(batch=INPUT, shift=1.0)),
    ),
    figures=(
        Figure(("layernorm", "out"), lambda a: a.batch, words("the batch"), AFTER_RELU),
        Figure(("layernorm", "mean"), lambda a: a.mean, words("the means of the rows"), AFTER_RELU),
        Figure(("layernorm", "variance_unbiased"), lambda a: a.variance, words("their variances"), AFTER_RELU),
        Figure(("layernorm", "normalised"), lambda a: a.normalised, words("the rows normalised"), AFTER_RELU),
        Figure(("layernorm", "layernorm_class_on_input"), lambda a: a.out, words("LayerNorm's output"), ZERO),
        Figure(("seed 002", "mean"), lambda a: a.out_mean, words("the means afterwards"), ONE, also=[1.0, 1.0]),
        Figure(("seed 002", "variance"), lambda a: a.out_variance, words("the variances"), ONE, also=[1.0, 1.0]),
    ),
    code=code,
    table=table,
    values=values,
)
