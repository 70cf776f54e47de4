"""Tables as CSV that spreadsheets open without running what stands in them. No torch, no Qt."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TextIO

from gptstudio import files

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
"""Characters that begin a formula in spreadsheets, at the start of a cell (OWASP, "CSV Injection")."""


NUMBER = re.compile(r"[+-]?(inf|nan|[\d,.]+([eE][+-]?\d+)?)( ?%)?")
"""Text that is a number, which may begin with a sign."""
BREAKS = str.maketrans({"\t": " ", "\n": " ", "\r": " "})
"""Characters that would end a cell or a row."""


def write(file: TextIO, rows: Iterable[Sequence[object]]) -> None:
    """Write rows of comma-separated values. Text that a spreadsheet would compute gets an apostrophe before it, which
    spreadsheets take for "this is text"; numbers stay as they are."""
    csv.writer(file).writerows([_cell(value) for value in row] for row in rows)


def save(path: Path, rows: Iterable[Sequence[object]]) -> None:
    """Write a file of such rows, whole or not at all.

    Raises:
        UserError: it cannot be written.
    """
    text = io.StringIO(newline="")
    write(text, rows)
    files.save_whole(path, text.getvalue().encode("utf-8", "replace"))  # a token may have half a character in it


def with_tabs(rows: Iterable[Sequence[str]]) -> str:
    """Return rows as text for the clipboard, with tabs between the cells, safe for a spreadsheet in the same way."""
    return "\n".join("\t".join(_text_cell(text.translate(BREAKS)) for text in row) for row in rows)


def _text_cell(text: str) -> str:
    return text if NUMBER.fullmatch(text) else str(_cell(text))


def _cell(value: object) -> object:
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value
