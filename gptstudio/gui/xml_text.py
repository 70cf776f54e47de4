"""Text in drawings: characters that no XML can hold, not even escaped, would make the whole file unreadable."""

from __future__ import annotations

import re

NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def characters(text: str) -> str:
    """``text`` with a replacement character for each that no XML can hold."""
    return NO_XML.sub("\N{REPLACEMENT CHARACTER}", text)


def sound(drawing: bytes) -> bytes:
    """A drawing that Qt wrote: it escapes markup, and leaves control characters in."""
    return characters(drawing.decode("utf-8", "replace")).encode()
