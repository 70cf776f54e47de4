"""The names of models that texts and events carry, in the user's language.

They are kept in English, as :mod:`gptstudio.runs.source` makes them, so that a saved text says everywhere who wrote it.
"""

from __future__ import annotations

import re

from gptstudio.gui.words import tr
from gptstudio.words import words

NAMES = (
    words("{config}, untrained, seed {seed}"), words("{run}, step {n}"), words("{run}, as it is now"),
    words("{run}, as it was after step {n}"), words("{run}, before its first step"),
)


def name_in_words(name: str) -> str:
    """A model's name; one of another kind stays as it is."""
    for known in NAMES:
        found = re.fullmatch(re.sub(r"\\{(\w+)\\}", r"(?P<\1>.+)", re.escape(known)), name)
        if found:
            return tr(known, **found.groupdict())
    return name
