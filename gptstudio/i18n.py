"""Translatable messages that are created without knowing the user's language: a template and its values. No Qt.

The window looks up the template in its language and fills it in again; everything else uses the message unchanged.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

ENGLISH, CHINESE = "en", "zh_CN"
LANGUAGES = {ENGLISH: "English", CHINESE: "简体中文"}
"""Available languages by code, each in its own name."""


class Message(str):
    """Text with the template and the values that it was made from.

    Attributes:
        source: template, with fields such as ``{name}``.
        values: values of these fields, which may themselves be :class:`Message`.
    """

    source: str
    values: dict[str, object]


def message(source: str, /, **values: object) -> Message:
    """Return ``source`` with ``values`` filled in, as ``str.format`` does."""
    values = {name: without_frames(each) for name, each in values.items()}
    made = Message(source.format(**values) if values else source)
    made.source, made.values = source, values
    return made


def without_frames(value: object) -> object:
    """Return a value as a message may keep it: for an error only its text, since its traceback keeps all objects of its
    functions alive, such as a model."""
    return text_of(value) if isinstance(value, BaseException) else value


def text_of(error: BaseException) -> str:
    """Return the text of an error, as a message if it was raised with one."""
    words = error.args[0] if error.args else ""
    return words if isinstance(words, Message) else str(error)


NAMED = re.compile(r"(?:[^{}]|\{\{|\}\}|\{[a-z_][a-z_0-9]*\})*")
"""Pattern of a template whose only fields are names: text from a file must not control how a value is formatted."""

DEEPEST = 5


def to_parts(text: Message) -> dict[str, object]:
    """Return a template and its values in a form for JSON."""
    values = {name: to_parts(each) if isinstance(each, Message) else str(each) for name, each in text.values.items()}
    return {"source": text.source, "values": values}


def from_parts(parts: object, depth: int = 0) -> Message | None:
    """Return the message from the result of :func:`to_parts`; None for anything else, or if a field is more than a
    plain name."""
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
    """Return a fraction as a percentage: "8.84 %" below a tenth, else "12.3 %". It is never rounded to 0 or 100, but
    "< 0.01 %", or "> −0.01 %" below 0.

    Args:
        sign: whether to put a plus sign before a fraction of 0 or more.
    """
    if sign or share < 0:
        *bound, number, unit = percent(abs(share)).split()
        if share < 0:
            bound = [{"<": ">", ">": "<"}[each] for each in bound]
        return " ".join((*bound, ("\N{MINUS SIGN}" if share < 0 else "+") + number, unit))
    if 0 < share < 0.0001:
        return "< 0.01 %"
    if 0.99995 <= share < 1:
        return "> 99.99 %"
    value = 100 * abs(share)  # without the sign of −0.0
    return f"{value:.2f} %" if share < 0.099995 or 0.9995 <= share < 1 else f"{value:.1f} %"


def with_minus(number: str) -> str:
    """Return a formatted number with a typographic minus sign instead of a hyphen."""
    return number.replace("-", "\N{MINUS SIGN}")


def fixed(value: float, digits: int = 4, between: str = "", sign: str = "") -> str:
    """Return a number with ``digits`` decimals; "−∞" or "∞" for infinity, and "–" for NaN.

    Args:
        between: separator of thousands.
        sign: "+" for a plus sign before a number of 0 or more.
    """
    if not math.isfinite(value):
        return "–" if math.isnan(value) else "∞" if value > 0 else "−∞"
    return with_minus(f"{value:{sign}{between}.{digits}f}")


def bits(value: float | None, digits: int = 2) -> str:
    """Return a number of bits, never rounded to 0; "–" for None."""
    least = 10.0**-digits
    return "–" if value is None else f"< {least:g}" if 0 < value < least / 2 else fixed(value, digits, ",")


def joined(between: str, *parts: str) -> Message:
    """Return the texts joined; each is translated separately."""
    joint = between.join(f"{{p{place}}}" for place in range(len(parts)))
    return message(joint, **{f"p{place}": part for place, part in enumerate(parts)})
