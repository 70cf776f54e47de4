"""Reader of TOML tables that notes all problems at once, each with its line."""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Mapping
from typing import Any, NamedTuple, TypeGuard

from gptstudio.i18n import message
from gptstudio.toml_lines import Key, Lines

LONGEST_SHOWN = 60


class Fault(NamedTuple):
    """One thing wrong with a file, and where; line 0 for the file as a whole."""

    line: int
    what: str

    def message(self) -> str:
        """A line to show."""
        return message("line {line}: {what}", line=self.line, what=self.what) if self.line else self.what


class NotToml(ValueError):
    """A text that cannot be taken apart at all; ``fault`` says where."""

    def __init__(self, fault: Fault):
        super().__init__(fault.message())
        self.fault = fault


class Reader:
    """Reader of one table. Every requested key is known; :meth:`close` notes the unknown ones.

    Attributes:
        faults: problems found so far, in the whole file.
    """

    def __init__(self, values: Mapping[str, Any], lines: Lines, where: Key = (), faults: list[Fault] | None = None):
        self.values, self._lines, self._where = values, lines, where
        self.faults: list[Fault] = [] if faults is None else faults
        self._known: list[str] = []

    def note(self, what: str, *key: Any) -> None:
        """A fault at a key of this table, or at the table itself."""
        self.faults.append(Fault(self._lines.of((*self._where, *key)), what))

    def line(self, key: str) -> int:
        """Return the line of a key of this table."""
        return self._lines.of((*self._where, key))

    def text(self, key: str, needed: bool = False) -> str:
        """A text without the spaces around it."""
        found = self._get(key, "")
        if not isinstance(found, str):
            self._refuse(key, message("text"))
        elif needed and key not in self.values:
            self.note(message("{key} is missing.", key=key))
        elif needed and not found.strip():
            self.note(message("{key} is empty; enter some text.", key=key), key)
        return found.strip() if isinstance(found, str) else ""

    def texts(self, key: str) -> tuple[str, ...]:
        found = self._get(key, [])
        if isinstance(found, list) and all(isinstance(each, str) and each for each in found):
            return tuple(found)
        self._refuse(key, message("a list of names in quotes, such as [\"name\"]"))
        return ()

    def whole(self, key: str, low: int, high: int) -> int:
        """A whole number that must be there."""
        found = self._get(key, None)
        if found is None:
            self.note(message("{key} is missing.", key=key))
        elif not _is_number(found) or int(found) != found or not low <= found <= high:
            self._refuse(key, message("a whole number between {low} and {high}", low=low, high=high))
        else:
            return int(found)
        return low

    def number(self, key: str) -> float | None:
        found = self._get(key, None)
        if found is None or _is_number(found):
            return found
        self._refuse(key, message("a number"))
        return None

    def single(self, key: str) -> float | str | bool | None:
        """A number, a text, or true or false."""
        found = self._get(key, None)
        if found is None or isinstance(found, (str, bool)) or _is_number(found):
            return found
        self._refuse(key, message("a number, text, true or false"))
        return None

    def table(self, key: str) -> Reader:
        found = self._get(key, {})
        if not isinstance(found, Mapping):
            self._refuse(key, message("a table of settings"))
            found = {}
        return Reader(found, self._lines, (*self._where, key), self.faults)

    def tables(self, key: str) -> list[Reader]:
        found = self._get(key, [])
        if isinstance(found, list) and all(isinstance(each, Mapping) for each in found):
            return [Reader(each, self._lines, (*self._where, key, n), self.faults) for n, each in enumerate(found)]
        self.note(message(
            "{key} is not a list of steps; each step begins with [[{key}]] on its own line.", key=key), key)
        return []

    def close(self, what: str) -> None:
        """Note the keys of this table that were never requested."""
        for key in self.values:
            if key not in self._known:
                self.note(message(
                    "'{key}' is not part of {what}; the parts are {parts}.",
                    key=abbreviate(key), what=what, parts=", ".join(self._known),
                ), key)

    def _get(self, key: str, otherwise: Any) -> Any:
        self._known.append(key)
        return self.values.get(key, otherwise)

    def _refuse(self, key: str, allowed: str) -> None:
        shown = abbreviate(_as_written(self.values[key]))
        self.note(message("{key} is {value}; it must be {what}.", key=key, value=shown, what=allowed), key)


def decoded(data: bytes) -> str:
    """The text of a file in UTF-8.

    Raises:
        NotToml: with the first line that is none.
    """
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[:error.start].count(b"\n") + 1
        raise NotToml(Fault(line, message("the file is not UTF-8. Save it in this encoding."))) from error


def parse(text: str) -> Reader:
    """The topmost table of a text.

    Raises:
        NotToml: with the first place that is none.
    """
    try:
        return Reader(tomllib.loads(text), Lines(text))
    except (ValueError, RecursionError) as error:
        raise NotToml(_not_toml(error, text)) from error


def _not_toml(error: Exception, text: str) -> Fault:
    """Return the fault of invalid TOML; tomllib gives the position only in its message."""
    if isinstance(error, RecursionError):
        return Fault(1, message("the file is not valid TOML: brackets are nested too deeply."))
    found = re.search(r" \(at (?:line (\d+), column \d+|end of document)\)$", str(error))
    what = str(error)[:found.start()] if found else str(error)
    line = int(found[1]) if found and found[1] else len(text.splitlines())
    return Fault(max(1, line), message("the file is not valid TOML: {what}.", what=what))


def abbreviate(text: str) -> str:
    return text if len(text) <= LONGEST_SHOWN else text[:LONGEST_SHOWN - 1] + "…"


def _is_number(value: Any) -> TypeGuard[float]:
    """Return whether a value is a number as TOML defines it: integers have at most 64 bits."""
    if isinstance(value, bool):
        return False
    return value.bit_length() <= 64 if isinstance(value, int) else isinstance(value, float) and math.isfinite(value)


def _as_written(value: Any) -> str:
    """As TOML writes it, where that is not as Python does."""
    if isinstance(value, int) and value.bit_length() > 64:
        return message("a number with {count} bits", count=value.bit_length())
    return str(value).lower() if isinstance(value, bool) else repr(value) if isinstance(value, str) else str(value)
