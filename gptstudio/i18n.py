"""Words for people that are made where nobody knows their language: a sentence, and what is to be filled in.

No Qt. The window looks the sentence up in its language and fills it in again; everybody else reads it as it is.
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
