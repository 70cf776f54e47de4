"""Translation of all visible text into the language of this start."""

from __future__ import annotations

import re

from PySide6.QtCore import QCoreApplication

from gptstudio import i18n
from gptstudio.i18n import Message
from gptstudio.units import bytes_text

CONTEXT = "GPTStudio"
"""Context of all sentences in the translation files."""


def tr(text: str, /, **values: object) -> str:
    """Return ``text`` in the user's language, with ``{names}`` filled in.

    ``text`` may be a message, whose template and values are translated; so are messages among the values.
    Right-to-left values, such as tokens and names of texts, are isolated: they do not reorder the sentence.
    """
    if isinstance(text, Message):
        values = text.values | values
        text = text.source
    shown = QCoreApplication.translate(CONTEXT, _sound(text))
    if not values:
        return shown
    values = {name: i18n.without_frames(each) for name, each in values.items()}
    return _sound(shown.format(**{
        name: tr(each) if isinstance(each, Message) else _isolated(each) for name, each in values.items()}))


def tr_for_file(text: str, /, **values: object) -> str:
    """Return the same as :func:`tr` for a file, without the invisible marks that isolate right-to-left values."""
    return tr(text, **values).translate(dict.fromkeys(map(ord, MARKS)))


def joined(between: str, *parts: str) -> str:
    """Return the texts joined, with messages translated and right-to-left texts isolated."""
    return between.join(str(_isolated(tr(part) if isinstance(part, Message) else part)) for part in parts)


MARKS = "\u2068\u2069"
"""The marks FIRST STRONG ISOLATE and POP DIRECTIONAL ISOLATE (Unicode Standard Annex 9)."""
RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]")
"""Blocks of the scripts that are written from right to left, such as Hebrew and Arabic."""


def _isolated(value: object) -> object:
    """Return right-to-left text between the marks, and anything else unchanged."""
    right_to_left = isinstance(value, str) and not value.isascii() and RIGHT_TO_LEFT.search(value)
    return f"{MARKS[0]}{value}{MARKS[1]}" if right_to_left else value


def _sound(text: str) -> str:
    """Replace the invalid characters that a file name may contain, which Qt does not accept."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


size = bytes_text
percent = i18n.percent


def millions(count: int) -> str:
    """Return a count such as '124.4 M', or below a million with all digits, such as '16,384'."""
    return tr("{n} M", n=f"{count / 1e6:,.1f}") if count >= 1e6 else f"{count:,}"


def duration(seconds: float) -> str:
    """Return a duration such as '8 s', '3 min 20 s' or '2 h 5 min'."""
    seconds = round(seconds)
    if seconds < 60:
        return tr("{s} s", s=seconds)
    if seconds < 3600:
        return tr("{m} min {s} s", m=seconds // 60, s=seconds % 60)
    return tr("{h} h {m} min", h=seconds // 3600, m=seconds % 3600 // 60)


def unbroken(text: str) -> str:
    """Return the text with a no-break space before each per cent sign."""
    return text.replace(" %", "\N{NO-BREAK SPACE}%")
