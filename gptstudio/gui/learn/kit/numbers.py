"""Numbers as text: for display in a cell or a sentence, and for editing."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from gptstudio.fields import read_list
from gptstudio.i18n import fixed, with_minus

MINUS = "−"
MOST_TERMS = 4
LONG = 1e6  # from this value on, numbers are shown with a power of ten


def shown(value: np.generic, digits: int) -> str:
    """Return a number with ``digits`` decimals, or a whole number without; −∞ for minus infinity, and – for NaN."""
    if not isinstance(value, np.floating):
        return with_minus(f"{int(value)}")
    large = LONG <= abs(value) < math.inf
    return with_minus(f"{value:.{digits}e}") if large else fixed(float(value), digits)


def behind_sign(value: float) -> str:
    """Return a number with four decimals for use after an operator: in brackets if it is negative."""
    return f"({fixed(value)})" if value < 0 else fixed(value)


def summed(terms: Sequence[str]) -> str:
    """Return terms joined by plus signs; of more than four, the first two and the last."""
    return " + ".join(terms if len(terms) <= MOST_TERMS else [*terms[:2], "…", terms[-1]])


def number_in(text: str) -> object:
    """Return a text as a number, or unchanged if it is not a number."""
    numbers = read_list("numbers", text.replace(MINUS, "-"))
    return numbers[0] if len(numbers) == 1 else text


def typed(value: np.generic) -> str:
    """Return the shortest text that reads back as the same number."""
    if not isinstance(value, np.floating):
        return str(int(value))
    return np.format_float_positional(value, trim="-") if 1e-6 < abs(value) < 1e15 or not value else str(value)


def table(values: np.ndarray, rows: Sequence[str], columns: Sequence[str]) -> list[list[str]]:
    """Return a row of texts for each row of the values, (R, C), with the names if there are any."""
    lines = [[typed(value) for value in row] for row in values]
    if columns:
        lines.insert(0, list(columns))
    if rows:
        names = ["", *rows] if columns else rows
        lines = [[name, *line] for name, line in zip(names, lines, strict=True)]
    return lines


def decimals(numbers: np.ndarray) -> int:
    """Return the smallest number of decimals that loses nothing, from 1 to at most 4."""
    return next((count for count in range(1, 4) if np.allclose(numbers, np.round(numbers, count), atol=1e-6)), 4)
