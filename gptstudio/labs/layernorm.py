"""Layer normalisation: each row to mean 0 and variance 1, then scaled and shifted (Ba et al., 2016; book §4.2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from gptstudio.fields import Matrix, Problem, Spec, setting
from gptstudio.i18n import message
from gptstudio.labs import checks
from gptstudio.labs.draws import Draws
from gptstudio.labs.lab import BookSource, Example, Figure, Floats, Lab, Table

EPS = 1e-5
LARGEST = 1e6
"""Largest number allowed in the batch: its square stays far below the limit of float32."""
SEED, WIDTH_IN, WIDTH_OUT = 123, 5, 6


class LayerNormRequest(Spec):
    """A batch, and the parameters of its normalisation."""

    batch: Matrix = setting(
        (), "Batch", "Rows of numbers, one row per example; all rows must have the same length.", panel=False
    )
    unbiased: bool = setting(False, "Divide by n - 1", "Divides by n - 1 instead of n to compute the variance.")
    eps: float = setting(EPS, "Epsilon", "Added to the variance to avoid division by zero.", low=0, high=1)
    scale: float = setting(1.0, "Scale", "Each normalised number is multiplied by this.", low=-10, high=10, step=0.1)
    shift: float = setting(0.0, "Shift", "Added to each number after scaling.", low=-10, high=10, step=0.1)

    @classmethod
    def relations(cls, values: Mapping[str, Any]) -> Iterator[Problem]:
        if "batch" in values:
            yield from checks.matrix(cls, "batch", values["batch"], rows=(1, 8), columns=(2, 8), largest=LARGEST)


@dataclass(frozen=True)
class NormalisedSide:
    """Normalisation of the batch (B, D) along one dimension: of its rows (N = B), or of its columns (N = D).

    If all numbers are equal and eps is 0, or if the variance of a single number is divided by n - 1, the result is 0 /
    0, which is NaN, as in torch.

    Attributes:
        mean: (N,)
        by_n: (N,) variances, divided by the number of values n.
        by_less: (N,) variances, divided by n - 1.
        variance: (N,) the requested one of the two.
        normalised: (B, D).
        after_mean, after_variance: (N,) mean and variance of ``normalised``.
    """

    mean: Floats
    by_n: Floats
    by_less: Floats
    variance: Floats
    normalised: Floats
    after_mean: Floats
    after_variance: Floats


@dataclass(frozen=True)
class LayerNormAnswer:
    """The batch (B, D), its rows and columns normalised, and the output of LayerNorm with the statistics of its rows.

    Attributes:
        out: (B, D) the rows, normalised, scaled and shifted.
        out_mean, out_variance: (B,) mean and variance of each row of ``out``.
    """

    batch: Floats
    rows: NormalisedSide
    columns: NormalisedSide
    out: Floats
    out_mean: Floats
    out_variance: Floats


def answer(request: LayerNormRequest) -> LayerNormAnswer:
    x = torch.tensor(request.batch)
    rows, columns = _side(x, -1, request), _side(x, 0, request)
    out = request.scale * torch.from_numpy(rows.normalised) + request.shift
    return LayerNormAnswer(
        batch=x.numpy(), rows=rows, columns=columns, out=out.numpy(),
        out_mean=out.mean(dim=-1).numpy(), out_variance=_variance(out, -1, request.unbiased).numpy(),
    )


def _side(x: Tensor, dim: int, request: LayerNormRequest) -> NormalisedSide:
    mean, variance = x.mean(dim=dim), _variance(x, dim, request.unbiased)
    spread = torch.sqrt(variance + request.eps)
    normalised = (x - mean.unsqueeze(dim)) / spread.unsqueeze(dim)
    return NormalisedSide(
        mean=mean.numpy(), by_n=_variance(x, dim, False).numpy(), by_less=_variance(x, dim, True).numpy(),
        variance=variance.numpy(), normalised=normalised.numpy(), after_mean=normalised.mean(dim=dim).numpy(),
        after_variance=_variance(normalised, dim, request.unbiased).numpy(),
    )


def _variance(x: Tensor, dim: int, unbiased: bool) -> Tensor:
    if unbiased and x.shape[dim] == 1:  # 0 / 0; torch gives the same, with a warning
        return torch.full_like(x.mean(dim=dim), torch.nan)
    return x.var(dim=dim, unbiased=unbiased)


def _book_batches() -> tuple[Matrix, Matrix]:
    """Return the batch that the book draws, (2, 5), and the output of its layer, (2, 6)."""
    draws = Draws(SEED)
    batch = draws.randn(2, WIDTH_IN)
    weight, bias = draws.linear(WIDTH_IN, WIDTH_OUT)
    out = torch.relu(torch.nn.functional.linear(batch, weight, bias))
    return _as_matrix(batch), _as_matrix(out)


def _as_matrix(x: Tensor) -> Matrix:
    return tuple(tuple(row) for row in x.tolist())


def code(request: LayerNormRequest) -> str:
    rows = ",\n    ".join(f"[{', '.join(str(np.float32(value)) for value in row)}]" for row in request.batch)
    return f"""import torch

x = torch.tensor([
    {rows},
])
mean = x.mean(dim=-1, keepdim=True)
var = x.var(dim=-1, keepdim=True, unbiased={request.unbiased})
normalised = (x - mean) / torch.sqrt(var + {request.eps})
out = {request.scale} * normalised + {request.shift}
print(out)
"""


def table(answer: LayerNormAnswer) -> Table:
    stages = {
        "batch": answer.batch, "normalised": answer.rows.normalised, "out": answer.out,
        "by column": answer.columns.normalised,
    }
    rows = [(name, number, *map(float, row)) for name, x in stages.items() for number, row in enumerate(x, start=1)]
    return Table(("stage", "row", *(f"column {i + 1}" for i in range(answer.batch.shape[1]))), tuple(rows))


def values(answer: LayerNormAnswer) -> dict[str, float]:
    return {
        "rows": len(answer.batch), "mean": float(np.abs(answer.out_mean).max()),
        "variance": float(answer.out_variance.max()), "largest": float(np.abs(answer.out).max()),
        "largest_by_column": float(np.abs(answer.columns.normalised).max()),
    }


INPUT, OUT = _book_batches()
BY_HAND = message("By hand, after ReLU")
ZERO, ONE = message("Shift starting at 0"), message("Shift starting at 1")

LAB = Lab(
    name="layernorm", request=LayerNormRequest, answer=answer,
    sources=(BookSource("4.2", "Normalizing activations with layer normalization"),),
    examples=(
        Example(BY_HAND, LayerNormRequest(batch=OUT, unbiased=True, eps=0.0)),
        Example(ZERO, LayerNormRequest(batch=INPUT)),
        Example(ONE, LayerNormRequest(batch=INPUT, shift=1.0)),
    ),
    figures=(
        Figure(("layernorm", "out"), lambda a: a.batch, message("batch"), BY_HAND),
        Figure(("layernorm", "mean"), lambda a: a.rows.mean, message("means of the rows"), BY_HAND),
        Figure(("layernorm", "variance_unbiased"), lambda a: a.rows.variance, message("variances of the rows"),
               BY_HAND),
        Figure(("layernorm", "normalised"), lambda a: a.rows.normalised, message("normalised rows"), BY_HAND),
        Figure(("book", "mean of the rows normalised"), lambda a: a.rows.after_mean,
               message("means of the normalised rows"), BY_HAND, also=[0.0, 0.0]),
        Figure(("book", "variance of the rows normalised"), lambda a: a.rows.after_variance,
               message("variances of the normalised rows"), BY_HAND, also=[1.0, 1.0]),
        Figure(("book", "batch_example"), lambda a: a.batch, message("batch"), ZERO,
               also=[[-0.1115, 0.1204, -0.3696, -0.2404, -1.1969], [0.2093, -0.9724, -0.7550, 0.3239, -0.1085]]),
        Figure(("layernorm", "layernorm_class_on_input"), lambda a: a.out, message("output of LayerNorm"), ZERO),
        Figure(("book", "mean of LayerNorm's output"), lambda a: a.out_mean, message("means of the output"), ZERO,
               also=[0.0, 0.0]),
        Figure(("book", "variance of LayerNorm's output"), lambda a: a.out_variance, message("variances of the output"),
               ZERO, also=[1.0, 1.0]),
        Figure(("book", "mean of LayerNorm's output"), lambda a: a.out_mean, message("means of LayerNorm's output"),
               ONE, also=[1.0, 1.0]),
        Figure(("book", "variance of LayerNorm's output"), lambda a: a.out_variance, message("variances of the output"),
               ONE, also=[1.0, 1.0]),
    ),
    code=code, table=table, values=values,
)
