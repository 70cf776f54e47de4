"""Translatable messages that are created without knowing the user's language: a template and its values.

No Qt. The window looks up the template in its language and fills it in again; everything else uses it as it is.
"""

from __future__ import annotations

ENGLISH, CHINESE = "en", "zh_CN"
LANGUAGES = {ENGLISH: "English", CHINESE: "简体中文"}
"""The languages there are, as each of them calls itself."""


class Message(str):
    """A text that remembers how it was made.

    Attributes:
        source: the sentence, with ``{names}`` to fill in.
        values: what fills them; may be :class:`Message` again.
    """

    source: str
    values: dict[str, object]


def message(source: str, /, **values: object) -> Message:
    """``source`` with ``values`` filled in, as ``str.format`` would."""
    made = Message(source.format(**values) if values else source)
    made.source, made.values = source, values
    return made


JOINTS: set[str] = set()
"""Sources that only put texts together, and are of no language."""


def joined(between: str, *parts: str) -> Message:
    """Return the texts joined; each can be translated by itself."""
    joint = between.join(f"{{p{place}}}" for place in range(len(parts)))
    JOINTS.add(joint)
    return message(joint, **{f"p{place}": part for place, part in enumerate(parts)})
