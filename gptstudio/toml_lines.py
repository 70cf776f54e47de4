"""On which line of a TOML file a key stands: tomllib does not say."""

from __future__ import annotations

import re
from typing import Any

STRINGS_AND_COMMENTS = re.compile(
    r'"""(?:\\.|[^\\])*?"""'
    r"|'''.*?'''"
    r'|"(?:\\.|[^"\\\n])*"'
    r"|'[^'\n]*'"
    r"|#[^\n]*",
    re.DOTALL,
)
HEADER = re.compile(r"\s*(\[\[?)\s*([\w-]+(?:\s*\.\s*[\w-]+)*)\s*\]")
KEY = re.compile(r"\s*([\w-]+(?:\s*\.\s*[\w-]+)*)\s*=")

Key = tuple[Any, ...]
"""The way to a value: ``("step", 2, "settings", "seed")``; the steps are counted from 0."""


class Lines:
    """Knows the line of each key and table of a file that is right as TOML."""

    def __init__(self, text: str):
        self._lines: dict[Key, int] = {}
        self._counts: dict[Key, int] = {}
        table: Key = ()
        for number, line in enumerate(_without_strings(text).split("\n"), start=1):
            if header := HEADER.match(line):
                table = self._table(_parts(header[2]), repeated=header[1] == "[[")
                self._lines[table] = number
            elif key := KEY.match(line):
                self._lines.setdefault((*table, *_parts(key[1])), number)

    def of(self, key: Key) -> int:
        """The line of a key; where it has none of its own, that of what it is in."""
        while key and key not in self._lines:
            key = key[:-1]
        return self._lines.get(key, 1)

    def _table(self, parts: Key, repeated: bool) -> Key:
        """Return the key prefix of a table: in a list of tables, of the newest."""
        found: Key = ()
        for place, part in enumerate(parts, start=1):
            found = (*found, part)
            if repeated and place == len(parts):
                self._counts[found] = self._counts.get(found, 0) + 1
            if found in self._counts:
                found = (*found, self._counts[found] - 1)
        return found


def _parts(key: str) -> Key:
    return tuple(part.strip() for part in key.split("."))


def _without_strings(text: str) -> str:
    """The text with the same lines, and nothing in its strings and comments that could look like a key."""
    return STRINGS_AND_COMMENTS.sub(lambda found: '""' + "\n" * found[0].count("\n"), text)
