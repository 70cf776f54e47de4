"""A number of a cell as a text: as it is shown, and as it is typed."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

LONG = 1e6
"""From here on as many digits as otherwise behind the point, and a power of ten."""


def shown(value: np.generic, digits: int) -> str:
    """With so many decimals, whole numbers without; −∞, and – for what is not a number."""
    if not isinstance(value, np.floating):
        return f"{int(value)}".replace("-", "−")
    if not math.isfinite(value):
        return "–" if math.isnan(value) else "∞" if value > 0 else "−∞"
    return f"{value:.{digits}{'f' if abs(value) < LONG else 'e'}}".replace("-", "−")


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
