"""Sums of layer normalisation as text, with their numbers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

LONG = 4
"""Maximum number of terms of a sum that are all written; a longer one is written as its first two and its last."""
MINUS = "−"


def number(value: float) -> str:
    """A number as the matrices show it."""
    return "–" if np.isnan(value) else f"{value:.4f}".replace("-", MINUS)


def behind_sign(value: float) -> str:
    """The same behind a sign of its own."""
    return f"({number(value)})" if value < 0 else number(value)


def _sum(terms: Sequence[str]) -> str:
    return " + ".join(terms if len(terms) <= LONG else [*terms[:2], "…", terms[-1]])


def mean_of(numbers: np.ndarray) -> str:
    return f"({_sum([behind_sign(each) for each in numbers])}) / {len(numbers)} = {number(numbers.mean())}"


def variance_of(numbers: np.ndarray, less: int) -> str:
    mean, divisor = numbers.mean(), len(numbers) - less
    squares = float(((numbers - mean) ** 2).sum())
    terms = _sum([f"({number(each)} {MINUS} {behind_sign(mean)})²" for each in numbers])
    result = number(squares / divisor) if divisor else "–"
    return f"({terms}) / {divisor} = {number(squares)} / {divisor} = {result}"
