"""Translation of all visible text, also while it is displayed.

A translated text is remembered by its content, so that a label that shows it can be translated again when the language
changes, and no widget has to store its own texts.
"""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from gptstudio import i18n
from gptstudio.gpt.sizing import bytes_text
from gptstudio.i18n import Message

CONTEXT = "GPTStudio"
"""Context of all sentences in the translation files."""

REMEMBERED = 1_000
"""So many ways in which one sentence was filled in are remembered: counters must not crowd out what stays."""

_said: dict[str, Message] = {}
_lately: dict[str, dict[str, None]] = {}  # sentence -> how it read, in order


def tr(text: str, /, **values: object) -> str:
    """Return ``text`` in the user's language, with ``{names}`` filled in.

    The result is a :class:`Message`, which remembers how it was made. ``text`` may be a message itself, in any
    language, and so may the values: they are translated again.
    """
    return _remembered(_said_in_language(text, values))


def translated(text: str) -> str:
    """Return a message in the user's language, for a file that is written on any thread: it is not remembered."""
    return _said_in_language(text, {})


def _said_in_language(text: str, values: dict[str, object]) -> Message:
    source = text
    if isinstance(text, Message):
        source, values = text.source, text.values | values
    values = {name: i18n.without_frames(each) for name, each in values.items()}
    shown = source if source in i18n.JOINTS else QCoreApplication.translate(CONTEXT, _sound(source))
    if values:
        filled = {name: _said_in_language(value, {}) if isinstance(value, Message) else value
                  for name, value in values.items()}
        shown = _sound(shown.format(**filled))
    made = Message(shown)
    made.source, made.values = source, values
    return made


def joined(between: str, *parts: str) -> str:
    """Return the texts joined; each can be translated again by itself."""
    return tr(i18n.joined(between, *parts))


def recall(text: str) -> Message | None:
    """Return the origin of a text that :func:`tr` returned recently; None for any other text."""
    return text if isinstance(text, Message) else _said.get(text)


def retranslated(text: str) -> str:
    """A text that :func:`tr` gave, in the language that is now in force; any other text as it is."""
    words = recall(text)
    return tr(words) if words is not None else text


def _sound(text: str) -> str:
    """The name of a file may have bytes that are no characters; Qt wants characters."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def _remembered(made: Message) -> Message:
    lately = _lately.setdefault(made.source, {})
    lately.pop(made, None)
    lately[made] = None  # the newest is the last
    if len(lately) > REMEMBERED:
        oldest = next(iter(lately))
        lately.pop(oldest, None)
        _said.pop(oldest, None)
    _said[made] = made
    return made


size = bytes_text
percent = i18n.percent


def millions(count: int) -> str:
    """'124.4 M'; below a million every digit: '16,384'."""
    return tr("{n} M", n=f"{count / 1e6:,.1f}") if count >= 1e6 else f"{count:,}"


def duration(seconds: float) -> str:
    """'8 s', '3 min 20 s', '2 h 5 min'."""
    seconds = round(seconds)
    if seconds < 60:
        return tr("{s} s", s=seconds)
    if seconds < 3600:
        return tr("{m} min {s} s", m=seconds // 60, s=seconds % 60)
    return tr("{h} h {m} min", h=seconds // 3600, m=seconds % 3600 // 60)


def unbroken(text: str) -> str:
    """Return the text with each per cent sign kept on the line of its figure."""
    return text.replace(" %", "\N{NO-BREAK SPACE}%")
