"""Text in drawings: characters that XML forbids, even escaped, would make the whole file unreadable."""

from __future__ import annotations

import re

NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def characters(text: str) -> str:
    """Return ``text`` with a replacement character for each character that XML forbids."""
    return NO_XML.sub("\N{REPLACEMENT CHARACTER}", text)


def sound(drawing: bytes) -> bytes:
    """Return a drawing of Qt without the control characters, which Qt keeps although it escapes markup."""
    return characters(drawing.decode("utf-8", "replace")).encode()
