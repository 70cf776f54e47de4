"""Translatable messages that are created without knowing the user's language: a template and its values.

No Qt. The window looks up the template in its language and fills it in again; everything else uses it as it is.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

ENGLISH, CHINESE = "en", "zh_CN"
LANGUAGES = {ENGLISH: "English", CHINESE: "简体中文"}
"""The languages there are, as each of them calls itself."""


class Message(str):
    """A text that remembers how it was made.

    Attributes:
        source: the sentence, with ``{names}`` to fill in.
        values: their values, which may be :class:`Message` as well.
    """

    source: str
    values: dict[str, object]


def message(source: str, /, **values: object) -> Message:
    """``source`` with ``values`` filled in, as ``str.format`` would."""
    values = {name: without_frames(each) for name, each in values.items()}
    made = Message(source.format(**values) if values else source)
    made.source, made.values = source, values
    return made


def without_frames(value: object) -> object:
    """Return a value as a message may keep it: of an error its words, since its traceback keeps all alive that the
    functions in it held, such as a model."""
    if not isinstance(value, BaseException):
        return value
    words = value.args[0] if value.args else ""
    return words if isinstance(words, Message) else str(value)


NAMED = re.compile(r"(?:[^{}]|\{\{|\}\}|\{[a-z_][a-z_0-9]*\})*")
"""A template with names as its only placeholders: text from a file must not control how a value is formatted."""

DEEPEST = 5


def to_parts(text: Message) -> dict[str, object]:
    """Return a template and its values as JSON can hold them."""
    values = {name: to_parts(each) if isinstance(each, Message) else str(each) for name, each in text.values.items()}
    return {"source": text.source, "values": values}


def from_parts(parts: object, depth: int = 0) -> Message | None:
    """Return the message of what :func:`to_parts` gave; None for anything else, and for formats beyond plain names."""
    if not isinstance(parts, Mapping) or depth > DEEPEST:
        return None
    source, given = parts.get("source"), parts.get("values")
    if not (isinstance(source, str) and NAMED.fullmatch(source) and isinstance(given, Mapping)):
        return None
    values = {str(name): from_parts(each, depth + 1) or str(each) for name, each in given.items()}
    try:
        return message(source, **values)
    except (LookupError, ValueError, TypeError):
        return None


def percent(share: float, sign: bool = False) -> str:
    """Return a share in percent: "8.84 %" below a tenth, else "12.3 %", and never a rounded 0 or 100.

    Args:
        sign: with a plus sign where the share is not below 0.
    """
    if sign or share < 0:
        return ("\N{MINUS SIGN}" if share < 0 else "+") + percent(abs(share))
    if 0 < share < 0.0001:
        return "< 0.01 %"
    if 0.99995 <= share < 1:
        return "> 99.99 %"
    return f"{100 * share:.2f} %" if share < 0.099995 or 0.9995 <= share < 1 else f"{100 * share:.1f} %"


def with_minus(number: str) -> str:
    """Return a formatted number with the minus sign of print instead of a hyphen."""
    return number.replace("-", "\N{MINUS SIGN}")


def fixed(value: float, digits: int = 4, between: str = "", sign: str = "") -> str:
    """Return a number with ``digits`` decimals; "−∞", and "–" for what is not a number.

    Args:
        between: a sign between thousands.
        sign: "+" for a plus sign where the number is not below 0.
    """
    if not math.isfinite(value):
        return "–" if math.isnan(value) else "∞" if value > 0 else "−∞"
    return with_minus(f"{value:{sign}{between}.{digits}f}")


def bits(value: float | None, digits: int = 2) -> str:
    """Return a number of bits, never a rounded 0; "–" for None."""
    least = 10.0**-digits
    return "–" if value is None else f"< {least:g}" if 0 < value < least / 2 else fixed(value, digits, ",")


def joined(between: str, *parts: str) -> Message:
    """Return the texts joined; each can be translated by itself."""
    joint = between.join(f"{{p{place}}}" for place in range(len(parts)))
    return message(joint, **{f"p{place}": part for place, part in enumerate(parts)})
