"""Numbers as the arithmetic of the stages shows them: recomputing a line gives its result."""

from __future__ import annotations


def number(value: float) -> str:
    """With up to four decimals, as many as it has; with powers of ten where it is tiny or huge."""
    if value and not 0.001 <= abs(value) < 1e6:
        return f"{value:.4g}"
    return f"{value:.4f}".rstrip("0").rstrip(".")


def logit(value: float) -> str:
    """With two decimals, as in the table of stages."""
    return f"{value:.2f}" if abs(value) < 1e5 else f"{value:.3g}"


def beside(value: float, limit: float, digits: int = 3) -> str:
    """With as few digits as leave it on its side of the limit."""
    for count in range(digits, 17):
        text = f"{value:.{count}g}"
        if (float(text) < limit) == (value < limit):
            return text
    return repr(float(value))
