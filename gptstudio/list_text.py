"""Lists and matrices as text: numbers or words with commas between them, and semicolons between the rows."""

from __future__ import annotations

from typing import Any


def read_list(kind: str, text: str) -> Any:
    """Values typed in a row, nested for a matrix. What is no number stays as it was typed: the spec judges it."""
    if kind == "choices":
        return tuple(part.strip() for part in text.split(",")) if text.strip() else ()
    if kind == "matrix":
        return tuple(_row(float, row) for row in text.strip().strip(";").split(";")) if text.strip() else ()
    return _row(int if kind == "ints" else float, text) if text.strip() else ()


def write_list(values: Any) -> str:
    """The text that :func:`read_list` reads."""
    rows = values if values and isinstance(values[0], (tuple, list)) else [values]
    return "; ".join(", ".join(f"{v:.15g}" if isinstance(v, float) else str(v) for v in row) for row in rows)


def _row(kind: type, text: str) -> tuple[Any, ...]:
    return tuple(_number(kind, part.strip()) for part in text.split(","))


def _number(kind: type, text: str) -> Any:
    try:
        return kind(text)
    except ValueError:
        return text
