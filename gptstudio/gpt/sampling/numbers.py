"""Number formats for the arithmetic shown by the stages, such that recomputing a line gives its result."""

from __future__ import annotations


def number(value: float) -> str:
    """Format a number with up to four decimals and no trailing zeros; in scientific notation if it is tiny or huge."""
    if value and not 0.001 <= abs(value) < 1e6:
        return f"{value:.4g}"
    return f"{value:.4f}".rstrip("0").rstrip(".")


def logit(value: float) -> str:
    """Format a logit with two decimals, as in the table of stages."""
    return f"{value:.2f}" if abs(value) < 1e5 else f"{value:.3g}"


def distinct_from(value: float, limit: float, digits: int = 3) -> str:
    """Format a value with as few digits as keep it on the same side of the limit."""
    for count in range(digits, 17):
        text = f"{value:.{count}g}"
        if (float(text) < limit) == (value < limit):
            return text
    return repr(float(value))
