"""TOML files that people write: reads text into values, and turns pydantic's errors into faults with their lines."""

from __future__ import annotations

import math
import re
import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Annotated, Any, TypeVar

from pydantic import ConfigDict, PlainValidator, StringConstraints, TypeAdapter, ValidationError, WrapValidator
from pydantic_core import ErrorDetails, PydanticCustomError

from gptstudio import formats
from gptstudio.errors import Fault
from gptstudio.i18n import Message, message

LONGEST_SHOWN = 60
T = TypeVar("T")

Key = tuple[int | str, ...]
"""Path to a value, such as ``("step", 2, "settings", "seed")``; steps are counted from 0."""
Tables = Mapping[str, tuple[Message, type]]
"""Description and dataclass of each table by its key; "" is the whole file."""


class FileError(ValueError):
    """Error for a file with faults, in order of their lines; ``keys`` are the invalid keys, or empty if the file is not
    TOML."""

    def __init__(self, faults: Iterable[Fault], keys: Iterable[Key] = ()):
        self.faults, self.keys = sorted(faults), list(keys)
        super().__init__("\n".join(fault.message() for fault in self.faults))


# Types of fields, and errors raised by validators.


def must_be(what: Message) -> WrapValidator:
    """Return a validator that describes the allowed values, regardless of which constraint of a field is violated."""
    def check(value: Any, handler: Callable[[Any], Any]) -> Any:
        try:
            return handler(value)
        except ValidationError as error:
            raise PydanticCustomError("must_be", "{what}", {"what": what}) from error
    return WrapValidator(check)


def number(value: Any) -> float:
    """Return a finite number as defined by TOML: integers have at most 64 bits, and booleans are not numbers."""
    if (type(value) is int and value.bit_length() <= 64) or (type(value) is float and math.isfinite(value)):
        return value
    raise ValueError("not a number")


def invalid(*problems: tuple[Key, str]) -> ValidationError:
    """Return an error with several problems: for each, the key within the validated value and a message."""
    return ValidationError.from_exception_data("", [
        {"type": PydanticCustomError("value_error", "{error}", {"error": ValueError(what)}), "loc": key, "input": None}
        for key, what in problems
    ])


TABLE = ConfigDict(extra="forbid")
"""``__pydantic_config__`` of a dataclass for a table of a file."""
Text = Annotated[str, StringConstraints(strict=True, strip_whitespace=True)]
NonEmptyText = Annotated[Text, StringConstraints(min_length=1)]
Name = Annotated[str, StringConstraints(strict=True, min_length=1)]
Number = Annotated[float, PlainValidator(number), must_be(message("a number"))]
Scalar = Annotated[
    float | str | bool, PlainValidator(lambda value: value if isinstance(value, (str, bool)) else number(value)),
    must_be(message("a number, text, true or false")),
]


class Document:
    """Values of a TOML file in UTF-8, and the line of each key.

    Raises:
        FileError: the file is not valid TOML, or its format is newer; with the line of the first fault.
    """

    def __init__(self, data: bytes):
        try:
            text = data.decode("utf-8-sig")
            self.values, self._lines = tomllib.loads(text), _lines(text)
        except UnicodeDecodeError as error:
            line = data[:error.start].count(b"\n") + 1
            raise FileError([Fault(line, message("the file is not UTF-8. Save it in this encoding."))]) from error
        except RecursionError as error:
            raise FileError([
                Fault(1, message("the file is not valid TOML: brackets are nested too deeply."))]) from error
        except ValueError as error:  # tomllib gives the position only in its message
            what, at, _ = re.split(r" \(at (?:line (\d+), column \d+|end of document)\)$|$", str(error), maxsplit=1)
            line = int(at or max(1, len(text.splitlines())))
            raise FileError([Fault(line, message("the file is not valid TOML: {what}.", what=what))]) from error
        self._check_format()

    def _check_format(self) -> None:
        """Remove the format version from the values, and refuse a newer one: its content may have another meaning."""
        version = self.values.pop("format", formats.TOML)
        if type(version) is int and 1 <= version <= formats.TOML:
            return
        raise FileError([Fault(self.line("format"), message(
            "the file is for a newer version of GPT Studio (format {version}). Update GPT Studio to use it.",
            version=version,
        ) if type(version) is int and version > formats.TOML else message(
            "format is {value}; it must be a whole number between 1 and {most}.",
            value=abbreviate(_as_written(version)), most=formats.TOML))])

    def line(self, *key: int | str) -> int:
        """Return the line of a key or, if that is unknown, of the table or list that contains it."""
        while key and key not in self._lines:
            key = key[:-1]
        return self._lines.get(key, 1)

    def read(self, model: type[T], tables: Tables) -> T:
        """Return the values as an instance of the dataclass that declares them.

        Raises:
            FileError: with all faults.
        """
        try:
            values: T = _adapter(model).validate_python(self.values)  # type: ignore[arg-type]
            return values
        except ValidationError as error:
            errors = error.errors()
            faults = {Fault(self.line(*each["loc"]), self._in_words(each, tables)) for each in errors}
            raise FileError(faults, (each["loc"] for each in errors)) from error

    def _in_words(self, error: ErrorDetails, tables: Tables) -> str:
        kind, loc, context = error["type"], error["loc"], error.get("ctx", {})
        names = ["", *(part for part in loc if isinstance(part, str))]
        key = names[-1]
        if kind == "value_error":
            return context["error"].args[0]  # type: ignore[no-any-return]
        if kind == "missing":
            return message("{key} is missing.", key=key)
        if kind == "unexpected_keyword_argument":
            what, table = tables[names[-2]]
            parts = ", ".join(_adapter(table).json_schema()["properties"])
            return message(
                "'{key}' is not part of {what}; the parts are {parts}.", key=abbreviate(key), what=what, parts=parts)
        if kind == "string_too_short" and loc[-1] == key:
            return message("{key} is empty; enter some text.", key=key)
        value: Any = self.values
        for part in loc if loc[-1] == key else loc[:-1]:
            value = value[part]
        what = context.get("what") or EXPECTED["tuple_type" if loc[-1] != key else kind]
        return message("{key} is {value}; it must be {what}.", key=key, value=abbreviate(_as_written(value)), what=what)


@cache
def _adapter(table: Any) -> TypeAdapter[Any]:
    """Return the validator of a dataclass. Cached, because making one takes longer than reading a file with it."""
    return TypeAdapter(table)


EXPECTED = defaultdict(lambda: message("a table of settings"), {
    "string_type": message("text"), "tuple_type": message("a list of names in quotes, such as [\"name\"]"),
})
"""Description of the expected value, by the type of pydantic's error."""


def abbreviate(text: str) -> str:
    """Return content of a file for use in a sentence: printable, and abbreviated."""
    text = "".join(char if char.isprintable() else "?" for char in text)
    return text if len(text) <= LONGEST_SHOWN else text[:LONGEST_SHOWN - 1] + "…"


def _as_written(value: Any) -> str:
    """Return a value in TOML syntax, if it differs from Python's."""
    if isinstance(value, int) and value.bit_length() > 64:
        return message("a number with {count} bits", count=value.bit_length())
    return str(value).lower() if isinstance(value, bool) else repr(value) if isinstance(value, str) else str(value)


# Line numbers, which tomllib does not provide.

STRINGS_AND_COMMENTS = re.compile(
    r'"""(?:\\.|[^\\])*?"""'
    r"|'''.*?'''"
    r'|"(?:\\.|[^"\\\n])*"'
    r"|'[^'\n]*'"
    r"|#[^\n]*",
    re.DOTALL,
)
KEY = re.compile(r"\s*(\[?\[?)\s*([\w-]+(?:\s*\.\s*[\w-]+)*)\s*[\]=]")


def _lines(text: str) -> dict[Key, int]:
    """Return the line of each key and table of valid TOML."""
    found: dict[Key, int] = {}
    counts: dict[Key, int] = {}
    table: Key = ()
    # With strings and comments removed, nothing in them looks like a key, and every line keeps its number.
    bare = STRINGS_AND_COMMENTS.sub(lambda string: '""' + "\n" * string[0].count("\n"), text)
    for line, content in enumerate(bare.split("\n"), start=1):
        if match := KEY.match(content):
            parts = [part.strip() for part in match[2].split(".")]
            if match[1]:
                table = _table(parts, match[1] == "[[", counts)
                found[table] = line
            else:
                found.setdefault((*table, *parts), line)
    return found


def _table(parts: list[str], repeated: bool, counts: dict[Key, int]) -> Key:
    """Return the key prefix of a table; for a list of tables, the prefix of the newest table, which is counted here."""
    found: Key = ()
    for place, part in enumerate(parts, start=1):
        found = (*found, part)
        if repeated and place == len(parts):
            counts[found] = counts.get(found, 0) + 1
        if found in counts:
            found = (*found, counts[found] - 1)
    return found
