"""Translation of all visible text into the language of this start."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from gptstudio import i18n
from gptstudio.gpt.sizing import bytes_text
from gptstudio.i18n import Message

CONTEXT = "GPTStudio"
"""Context of all sentences in the translation files."""


def tr(text: str, /, **values: object) -> str:
    """Return ``text`` in the user's language, with ``{names}`` filled in.

    ``text`` may be a message, whose template and values are translated; so are messages among the values.
    """
    if isinstance(text, Message):
        values = text.values | values
        text = text.source
    shown = QCoreApplication.translate(CONTEXT, _sound(text))
    if not values:
        return shown
    values = {name: i18n.without_frames(each) for name, each in values.items()}
    return _sound(shown.format(**{
        name: tr(each) if isinstance(each, Message) else each for name, each in values.items()}))


def joined(between: str, *parts: str) -> str:
    """Return the texts joined, with messages translated."""
    return between.join(tr(part) if isinstance(part, Message) else part for part in parts)


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
