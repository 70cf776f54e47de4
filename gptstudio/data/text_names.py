"""Names of texts as a run's record keeps them, in English, as messages."""

from __future__ import annotations

import re

from gptstudio.data.texts import COMBINED, NAMES
from gptstudio.i18n import joined, message

OF_SEVERAL = re.compile(COMBINED.format(n=r"(?P<n>[\d,]+)", names="(?P<names>.+)"))
SHIPPED = re.compile(f"({'|'.join(map(re.escape, NAMES.values()))})")


def in_words(name: str) -> str:
    """Return the name of a run's text, or of its combined texts, so that the window can translate it."""
    several = OF_SEVERAL.fullmatch(name)
    if several:
        return message(COMBINED.source, n=several["n"], names=_shipped(several["names"]))
    return _shipped(name)


def _shipped(names: str) -> str:
    """Return names with a message for each text that ships."""
    known = {str(each): each for each in NAMES.values()}
    parts = [known.get(part, part) for part in SHIPPED.split(names) if part]
    return parts[0] if len(parts) == 1 else joined("", *parts)
