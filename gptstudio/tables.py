"""Tables as CSV that spreadsheets open without running what stands in them. No torch, no Qt."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from typing import TextIO

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
"""Characters that begin a formula in spreadsheets, at the start of a cell (OWASP, "CSV Injection")."""


def write(file: TextIO, rows: Iterable[Sequence[object]]) -> None:
    """Write rows of comma-separated values. Text that a spreadsheet would compute gets an apostrophe before it, which
    spreadsheets take for "this is text"; numbers stay as they are."""
    csv.writer(file).writerows([_cell(value) for value in row] for row in rows)


def _cell(value: object) -> object:
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value
