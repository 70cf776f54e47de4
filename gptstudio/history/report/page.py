"""Elements of an HTML page. Trees of the standard library instead of a template engine: every text and every attribute
is escaped when they are written, wherever it came from, and curves are trees as well.

Texts out of files are isolated from the direction of what stands around them, and lose what can be neither seen nor
read: control characters, halves of characters, and the marks that turn the direction of a text.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterable

UNREADABLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufdd0-\ufdef\ufffe\uffff]")
"""Control characters but for tab and line end, lone surrogates, marks of direction (Unicode Standard Annex 9), and
what is no character at all. Each is replaced by one character, so that places in a text stay."""
Child = ET.Element | str | None


def readable(text: str) -> str:
    """Return a text of the same length without characters that cannot be read."""
    return UNREADABLE.sub("\N{REPLACEMENT CHARACTER}", text)


def cut(text: str, most: int) -> str:
    """Return the first ``most`` characters of a text, with an ellipsis where it is longer."""
    return text if len(text) <= most else text[:most] + "…"


def element(tag: str, *children: Child, **attributes: str | float) -> ET.Element:
    """Return an element. ``class_`` is the attribute ``class``; in other names, ``_`` stands for a hyphen."""
    made = ET.Element(tag, {
        name.rstrip("_").replace("_", "-"): readable(value if isinstance(value, str) else f"{value:g}")
        for name, value in attributes.items()})
    for child in children:
        if isinstance(child, ET.Element):
            made.append(child)
        elif child and len(made):
            made[-1].tail = (made[-1].tail or "") + readable(child)
        elif child:
            made.text = (made.text or "") + readable(child)
    return made


def isolated(text: str, most: int = 300) -> ET.Element:
    """Return a text out of a file, whose direction is its own."""
    return element("bdi", cut(text, most))


def table(head: Iterable[str], rows: Iterable[tuple[Iterable[Child], str]]) -> ET.Element:
    """Return a table. ``rows``: the cells of each, and its class."""
    body = (element("tr", *(element("td", each) for each in cells), **({"class_": kind} if kind else {}))
            for cells, kind in rows)
    heads = [element("th", words, scope="col") for words in head]
    return element("div", element("table", element("thead", element("tr", *heads)), element("tbody", *body)),
                   class_="wide")


def listed(pairs: Iterable[tuple[str, Child]], kind: str = "figures") -> ET.Element:
    """Return names, each with what it is."""
    return element("dl", *(element("div", element("dt", name), element("dd", value)) for name, value in pairs),
                   class_=kind)


def written(page: ET.Element) -> str:
    """Return a tree as HTML."""
    return ET.tostring(page, encoding="unicode", method="html")
