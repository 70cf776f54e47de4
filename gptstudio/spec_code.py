"""Specs as typed text: as options of the command line, and as arguments in Python. No torch.

Both omit values that equal those of a base spec, mostly the defaults. :mod:`gptstudio.cli.arguments` reads the options.
Command lines are quoted so that no part of a word is read as a command.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Collection, Iterable, Iterator
from itertools import groupby
from typing import Any, Literal

from gptstudio.errors import UserError
from gptstudio.fields import LISTS, FieldView, Spec, fields_of, write_list
from gptstudio.i18n import message

Shell = Literal["posix", "windows"]
BARE = re.compile(r"[A-Za-z0-9_./:=+\\-]+")
"""Pattern of a word that both cmd and PowerShell read unchanged."""
READ_IN_QUOTES = re.compile(r"[\"“”„$`%!]|\\$")
"""Characters that cmd or PowerShell interpret between double quotes, and a final backslash, which would escape the
closing quote."""


def native_shell() -> Shell:
    """Return the kind of shell of this system."""
    return "windows" if os.name == "nt" else "posix"


def shell_line(words: Iterable[str], shell: Shell = "posix") -> str:
    """Return a command line.

    A terminal treats control characters as keys, even between quotation marks: Tab completes, Ctrl-U deletes the line,
    and an escape sequence can end the pasting. Therefore ``printf`` produces them in POSIX shells.

    Raises:
        UserError: a word cannot be typed in this shell.
    """
    quote = _posix if shell == "posix" else _windows
    return " ".join(map(quote, words))


def _posix(word: str) -> str:
    if word.isprintable():
        return shlex.quote(word)
    parts = ((shown, "".join(chars)) for shown, chars in groupby(word, _may_be_pasted))
    return "".join(shlex.quote(part) if shown else f'"$(printf \'{_octal(part)}\')"' for shown, part in parts)


def _may_be_pasted(char: str) -> bool:
    """Return whether a character can be pasted; a line break stays inside the quotation marks."""
    return char.isprintable() or char == "\n"


def _octal(text: str) -> str:
    try:
        coded = text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        coded = b"\0"
    if 0 in coded:
        raise UserError(message(
            "The text contains a character that no command line can pass on (null, or half a surrogate pair). Copy it "
            "as Python instead."))
    return "".join(f"\\{byte:03o}" for byte in coded)


def _windows(word: str) -> str:
    """Return a word quoted so that cmd, PowerShell and the program's own parser agree on it."""
    if BARE.fullmatch(word):
        return word
    if not word or not word.isprintable() or READ_IN_QUOTES.search(word):
        raise UserError(message(
            "The Windows command line reads some of these characters as its own: {word}. Copy it as Python instead.",
            word=repr(word[:60])))
    return f'"{word}"'


NONE = "none"
"""Option value for an empty field."""
WIDEST = 100
"""Maximum number of characters of a call on one line."""


def options(spec: Spec, base: Spec, leave_out: Collection[str] = ()) -> list[str]:
    """Return the words of the options that turn ``base`` into ``spec``."""
    return [word for view in _different(spec, base, leave_out) for word in _option(view, getattr(spec, view.name))]


def arguments(spec: Spec, base: Spec, leave_out: Collection[str] = ()) -> dict[str, str]:
    """Return the keyword arguments that turn ``base`` into ``spec``: each name with its value as a Python literal."""
    return {view.name: repr(getattr(spec, view.name)) for view in _different(spec, base, leave_out)}


def call(function: str, *positional: str, **keywords: str) -> str:
    """Return a call in Python, with one line for each argument if a single line would be too long."""
    parts = [*positional, *(f"{name}={value}" for name, value in keywords.items())]
    line = f"{function}({', '.join(parts)})"
    if len(line) <= WIDEST and "\n" not in line:
        return line
    indented = "".join(f"    {part}\n".replace("\n", "\n    ").rstrip() + ",\n" for part in parts)
    return f"{function}(\n{indented})"


def _different(spec: Spec, base: Spec, leave_out: Collection[str]) -> Iterator[FieldView]:
    for view in fields_of(type(spec)):
        if view.name not in leave_out and getattr(spec, view.name) != getattr(base, view.name):
            yield view


def _option(view: FieldView, value: Any) -> Iterator[str]:
    name = view.name.replace("_", "-")
    if isinstance(value, bool):
        yield f"--{name}" if value else f"--no-{name}"
        return
    if view.kind == "texts":
        values = list(value) or [NONE]
    elif view.kind == "choices":
        values = [",".join(value)]
    else:
        values = [NONE if value is None else write_list(value) if view.kind in LISTS else str(value)]
    for each in values:  # a value that begins with a hyphen would be read as an option
        yield from (f"--{name}={each}",) if each.startswith("-") else (f"--{name}", each)
