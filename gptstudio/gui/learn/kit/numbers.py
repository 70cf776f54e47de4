"""A number as a text: as it is shown, in a cell or in a sentence, and as it is typed."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from gptstudio.fields import read_list
from gptstudio.i18n import fixed, with_minus

MINUS = "−"
MOST_TERMS = 4
LONG = 1e6  # from here on as many digits as otherwise behind the point, and a power of ten


def shown(value: np.generic, digits: int) -> str:
    """Return a number with ``digits`` decimals, whole numbers without; −∞, and – for what is not a number."""
    if not isinstance(value, np.floating):
        return with_minus(f"{int(value)}")
    large = LONG <= abs(value) < math.inf
    return with_minus(f"{value:.{digits}e}") if large else fixed(float(value), digits)


def behind_sign(value: float) -> str:
    """Return a number with four decimals for a place after an operator: in brackets if it is negative."""
    return f"({fixed(value)})" if value < 0 else fixed(value)


def summed(terms: Sequence[str]) -> str:
    """Return terms with plus signs between them; of more than four the first two and the last."""
    return " + ".join(terms if len(terms) <= MOST_TERMS else [*terms[:2], "…", terms[-1]])


def number_in(text: str) -> object:
    """Return the number that a text is, or the text where it is none."""
    numbers = read_list("numbers", text.replace(MINUS, "-"))
    return numbers[0] if len(numbers) == 1 else text


def typed(value: np.generic) -> str:
    """The shortest text that is read back as the same number."""
    if not isinstance(value, np.floating):
        return str(int(value))
    return np.format_float_positional(value, trim="-") if 1e-6 < abs(value) < 1e15 or not value else str(value)


def table(values: np.ndarray, rows: Sequence[str], columns: Sequence[str]) -> list[list[str]]:
    """Return a line for each row of the values, (R, C), with the names there are."""
    lines = [[typed(value) for value in row] for row in values]
    if columns:
        lines.insert(0, list(columns))
    if rows:
        names = ["", *rows] if columns else rows
        lines = [[name, *line] for name, line in zip(names, lines, strict=True)]
    return lines


def decimals(numbers: np.ndarray) -> int:
    """Return the fewest decimals that lose nothing, from 1 to 4."""
    return next((count for count in range(1, 4) if np.allclose(numbers, np.round(numbers, count), atol=1e-6)), 4)
