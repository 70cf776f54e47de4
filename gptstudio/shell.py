"""Command lines as text to be pasted: what stands in a word is never read as a command."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterable
from itertools import groupby
from typing import Literal

from gptstudio.errors import UserError
from gptstudio.i18n import message

Shell = Literal["posix", "windows"]
BARE = re.compile(r"[A-Za-z0-9_./:=+\\-]+")
"""A word that both cmd and PowerShell take as it is."""
READ_IN_QUOTES = re.compile(r"[\"“”„$`%!]|\\$")
"""Characters that cmd or PowerShell read between double quotes, and the backslash that would quote the last of them."""


def native() -> Shell:
    """Return the kind of shell of this system."""
    return "windows" if os.name == "nt" else "posix"


def line(words: Iterable[str], shell: Shell = "posix") -> str:
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
