"""Specs as they are typed: as options of the command line, and as arguments in Python. No torch.

Both leave out what is as in another spec, mostly the defaults. :mod:`gptstudio.cli.arguments` reads the options.
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
"""A word that both cmd and PowerShell take as it is."""
READ_IN_QUOTES = re.compile(r"[\"“”„$`%!]|\\$")
"""Characters that cmd or PowerShell read between double quotes, and the backslash that would quote the last of them."""


def native_shell() -> Shell:
    """Return the kind of shell of this system."""
    return "windows" if os.name == "nt" else "posix"


def shell_line(words: Iterable[str], shell: Shell = "posix") -> str:
    """Return a command line.

    A terminal takes control characters for keys, between quotation marks too: Tab completes, Ctrl-U begins again, an
    escape sequence can end the pasting. So POSIX shells are given them by ``printf``.

    Raises:
        UserError: a word cannot be typed there.
    """
    quote = _posix if shell == "posix" else _windows
    return " ".join(map(quote, words))


def _posix(word: str) -> str:
    if word.isprintable():
        return shlex.quote(word)
    parts = ((shown, "".join(chars)) for shown, chars in groupby(word, _may_be_pasted))
    return "".join(shlex.quote(part) if shown else f'"$(printf \'{_octal(part)}\')"' for shown, part in parts)


def _may_be_pasted(char: str) -> bool:
    """A line break stays inside the quotation marks."""
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
    """Return a word as cmd, PowerShell and the program's own reading of its command line agree on it."""
    if BARE.fullmatch(word):
        return word
    if not word or not word.isprintable() or READ_IN_QUOTES.search(word):
        raise UserError(message(
            "The Windows command line reads some of these characters as its own: {word}. Copy it as Python instead.",
            word=repr(word[:60])))
    return f'"{word}"'


NONE = "none"
"""Option value of a field that is empty."""
WIDEST = 100
"""Largest number of characters of a call on one line."""


def options(spec: Spec, base: Spec, leave_out: Collection[str] = ()) -> list[str]:
    """Return the words of the options that make ``spec`` of ``base``."""
    return [word for view in _different(spec, base, leave_out) for word in _option(view, getattr(spec, view.name))]


def arguments(spec: Spec, base: Spec, leave_out: Collection[str] = ()) -> dict[str, str]:
    """Return the keyword arguments that make ``spec`` of ``base``: each name with its value as a Python literal."""
    return {view.name: repr(getattr(spec, view.name)) for view in _different(spec, base, leave_out)}


def call(function: str, *positional: str, **keywords: str) -> str:
    """Return a call in Python, with a line for each argument where one line would be long."""
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
    for each in values:  # what begins with a hyphen would be taken for an option
        yield from (f"--{name}={each}",) if each.startswith("-") else (f"--{name}", each)
