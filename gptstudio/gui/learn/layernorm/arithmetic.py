"""Arithmetic of layer normalisation as text, with its numbers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gptstudio.gui.canvas.grid import Cell
from gptstudio.gui.learn.kit import MINUS, behind_sign, fixed
from gptstudio.gui.translation import tr
from gptstudio.labs.layernorm import LayerNormAnswer, LayerNormRequest, Side

LONG = 4  # maximum number of terms of a sum that are all written; a longer one is written as its first two and its last
ROOT, TIMES = "√", "×"


def _sum(terms: Sequence[str]) -> str:
    return " + ".join(terms if len(terms) <= LONG else [*terms[:2], "…", terms[-1]])


def mean_of(numbers: np.ndarray) -> str:
    return f"({_sum([behind_sign(each) for each in numbers])}) / {len(numbers)} = {fixed(numbers.mean())}"


def variance_of(numbers: np.ndarray, less: int) -> str:
    mean, divisor = numbers.mean(), len(numbers) - less
    squares = float(((numbers - mean) ** 2).sum())
    terms = _sum([f"({fixed(each)} {MINUS} {behind_sign(mean)})²" for each in numbers])
    result = fixed(squares / divisor) if divisor else "–"
    return f"({terms}) / {divisor} = {fixed(squares)} / {divisor} = {result}"


def distance(answer: LayerNormAnswer, cell: Cell) -> str:
    x, mean = answer.batch[cell], answer.rows.mean[cell.row]
    return tr("Difference from the mean of its row: {sum}. Double-click to change it.",
              sum=f"{fixed(x)} {MINUS} {behind_sign(mean)} = {fixed(x - mean)}")


def normalising(x: float, side: Side, cell: Cell, index: int, eps: float) -> str:
    """Arithmetic of a cell that is normalised by the mean and the variance of ``index``: its row, or its column."""
    spread = fixed(side.variance[index]) + (f" + {np.format_float_positional(eps)}" if eps else "")
    root = f"{ROOT}({spread})"
    return f"({fixed(x)} {MINUS} {behind_sign(side.mean[index])}) / {root} = {fixed(side.normalised[cell])}"


def scaling(request: LayerNormRequest, answer: LayerNormAnswer, cell: Cell) -> str:
    hat, y = answer.rows.normalised[cell], answer.out[cell]
    return f"{request.scale:g} {TIMES} {behind_sign(hat)} + {request.shift:g} = {fixed(y)}".replace("-", MINUS)
