"""Elements of an HTML page, and charts in it as SVG 1.1 in the colours of the page, also in dark mode and in print.

Trees of the standard library are used instead of a template engine: every text and every attribute is escaped when it
is written, regardless of its source. Texts from files are isolated from the text direction around them, and their
unreadable characters are replaced: control characters, lone surrogates, and marks that change the text direction.
"""

from __future__ import annotations

import math
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from gptstudio.history.columns import Numbers, thinned

UNREADABLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufdd0-\ufdef\ufffe\uffff]")
"""Control characters except tab and line feed, lone surrogates, directional marks (Unicode Standard Annex 9), and
noncharacters. Each is replaced by one character, so that positions in a text stay valid."""
Child = ET.Element | str | None


def readable(text: str) -> str:
    """Replace the unreadable characters of a text, keeping its length."""
    return UNREADABLE.sub("\N{REPLACEMENT CHARACTER}", text)


def cut(text: str, most: int) -> str:
    """Return the first ``most`` characters of a text, with an ellipsis if it is longer."""
    return text if len(text) <= most else text[:most] + "…"


def element(tag: str, *children: Child, **attributes: str | float) -> ET.Element:
    """Create an element. ``class_`` sets the attribute ``class``; in other names, ``_`` becomes a hyphen."""
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
    """Return a text from a file as an element with a text direction of its own."""
    return element("bdi", cut(text, most))


def row(*cells: Child, differs: bool = False) -> ET.Element:
    """Return a row of a table; ``differs``: in bold."""
    return element("tr", *(element("td", each) for each in cells), **({"class_": "differs"} if differs else {}))


def table(head: Iterable[str], rows: Iterable[ET.Element], kind: str = "wide") -> ET.Element:
    """Return a table of rows made by :func:`row`. ``kind``: class of the element around it."""
    heads = [element("th", words, scope="col") for words in head]
    return element("div", element("table", element("thead", element("tr", *heads)), element("tbody", *rows)),
                   class_=kind)


def muted(words: str) -> ET.Element:
    """Return a paragraph of an explanation."""
    return element("p", words, class_="muted")


def listed(pairs: Iterable[tuple[str, Child]], kind: str = "figures") -> ET.Element:
    """Return a description list of names and values."""
    return element("dl", *(element("div", element("dt", name), element("dd", value)) for name, value in pairs),
                   class_=kind)


def written(page: ET.Element) -> str:
    """Return a tree as HTML text."""
    return ET.tostring(page, encoding="unicode", method="html")


WIDTH, HALF, LEFT, RIGHT, BOTTOM, TOP, LINE = 880, 430, 58, 12, 38, 12, 15
"""Sizes in units of a drawing: full and half width, the four margins, and the height of a line of text."""
UNITS_A_POINT = 2
"""Width of a range, drawn as its lowest and highest point; a printer still shows it."""
MOST_LABELS = 24
"""Largest number of marks with labels; further ones are drawn as lines only."""
MOST_ROWS = 4
FARTHEST = 1e300
"""Largest absolute value in a drawing: the difference of two larger numbers overflows."""


@dataclass(frozen=True)
class ReportCurve:
    """A curve: its name, the CSS class with its colour, and its points."""

    name: str
    role: str
    x: Numbers
    y: Numbers


@dataclass(frozen=True)
class ReportMark:
    """Event at ``x``. ``tip``: a sentence about it. Without a label, it is drawn as a tick on the axis."""

    x: float
    label: str
    tip: str
    role: str = "note"


def number(value: float) -> str:
    """Return a number in the format of the axes: 1,000, 0.25, 4e-05."""
    whole = value.is_integer() and abs(value) < 1e7
    return f"{int(value):,}" if whole else f"{value:.3g}"


def loss_text(loss: float) -> str:
    """Return a loss with three decimals, or with three significant digits from a million on."""
    return f"{loss:.3f}" if abs(loss) < 1e6 else f"{loss:.3g}"


class ReportChart:
    """Drawing of several curves over one x axis. Values above ``highest`` are drawn at the upper edge."""

    def __init__(
        self, title: str, curves: Iterable[ReportCurve], marks: Sequence[ReportMark] = (), x_title: str = "",
        height: int = 250, highest: float = FARTHEST, width: int = WIDTH,
    ):
        self._right = width - RIGHT
        ranges = (self._right - LEFT) // UNITS_A_POINT
        self._curves = [ReportCurve(each.name, each.role, *thinned(each.x, each.y, ranges)) for each in curves]
        self._width, self._marks = width, sorted(marks, key=lambda mark: mark.x)
        self._title, self._x_title = title, x_title
        self._rows = self._place_labels()
        self._top = TOP + LINE * max((row + 1 for row in self._rows.values()), default=0)
        self._height = height + self._top
        self._low, self._high = _range([each.y for each in self._curves], highest)

    @property
    def is_empty(self) -> bool:
        return not any(np.isfinite(each.y).any() for each in self._curves)

    def drawn(self) -> ET.Element:
        """Return the figure: the drawing, and a caption with the names of its curves."""
        drawing = element(
            "svg", element("title", self._title), *self._axes(), *self._drawn_marks(), *self._drawn_curves(),
            viewBox=f"0 0 {self._width} {self._height}", role="img", aria_label=self._title)
        names = [element("span", element("i", class_=f"key {each.role}"), each.name) for each in self._curves]
        caption = element("figcaption", element("b", self._title), *(names if len(names) > 1 else []))
        return element("figure", caption, drawing, class_="chart")

    def _place_labels(self) -> dict[int, int]:
        """Return the row of each mark's label, so that no labels overlap; labels without room are left out."""
        ends: list[float] = []
        rows: dict[int, int] = {}
        for place, mark in enumerate(self._marks):
            if not mark.label or len(rows) == MOST_LABELS:
                continue
            x, wide = self._across(mark.x), _wide(mark.label)
            left = x - wide - 6 if self._side(x, mark.label) == "end" else x
            row = next((row for row, end in enumerate(ends) if end <= left), len(ends))
            if row < MOST_ROWS:
                ends[row : row + 1] = [left + wide + 6]
                rows[place] = row
        return rows

    def _side(self, x: float, label: str) -> str:
        return "end" if x + _wide(label) > self._right else "start"

    def _across(self, x: float) -> float:
        low, high = self._ends
        return LEFT + (min(max(x, low), high) - low) / ((high - low) or 1) * (self._right - LEFT)

    @property
    def _ends(self) -> tuple[float, float]:
        ends = [end for each in self._curves if each.x.size for end in (each.x[0], each.x[-1])]
        return (float(min(ends)), float(max(ends))) if ends else (0.0, 1.0)

    def _down(self, y: float) -> float:
        share = (min(max(y, self._low), self._high) - self._low) / (self._high - self._low)
        return self._height - BOTTOM - share * (self._height - BOTTOM - self._top)

    def _axes(self) -> Iterator[ET.Element]:
        floor = self._height - BOTTOM
        for value in ticks(self._low, self._high, 5):
            y = self._down(value)
            yield element("line", x1=LEFT, x2=self._right, y1=y, y2=y, class_="grid")
            yield element("text", number(value), x=LEFT - 7, y=y + 4, class_="end")
        for value in ticks(*self._ends, 7):
            x = self._across(value)
            yield element("line", x1=x, x2=x, y1=floor, y2=floor + 4, class_="axis")
            yield element("text", number(value), x=x, y=floor + 16, class_="middle")
        yield element("line", x1=LEFT, x2=self._right, y1=floor, y2=floor, class_="axis")
        if self._x_title:
            yield element("text", self._x_title, x=(LEFT + self._right) / 2, y=self._height - 3, class_="middle")

    def _drawn_marks(self) -> Iterator[ET.Element]:
        floor = self._height - BOTTOM
        for place, mark in enumerate(self._marks):
            x, row = self._across(mark.x), self._rows.get(place)
            if not mark.label:
                shape = element("path", d=f"M{x:.1f} {floor - 6}l4 6h-8z")
                yield element("g", element("title", mark.tip), shape, class_=f"mark {mark.role}")
                continue
            line = element("line", x1=x, x2=x, y1=self._top if row is None else TOP + LINE * row + 4, y2=floor)
            words = None if row is None else element(
                "text", mark.label, x=x, y=TOP + LINE * row, class_=self._side(x, mark.label))
            yield element("g", element("title", mark.tip), line, words, class_=f"mark {mark.role}")

    def _drawn_curves(self) -> Iterator[ET.Element]:
        for curve in self._curves:
            for piece in _pieces(curve.x, curve.y):
                points = [(self._across(float(x)), self._down(float(y))) for x, y in piece]
                if len(points) == 1:
                    yield element("circle", cx=points[0][0], cy=points[0][1], r=2.5, class_=f"dot {curve.role}")
                else:
                    yield element("polyline", points=" ".join(f"{x:.1f},{y:.1f}" for x, y in points),
                                  class_=f"curve {curve.role}")


def ticks(low: float, high: float, most: int) -> list[float]:
    """Return about ``most`` round numbers from ``low`` to ``high``."""
    rough = (high - low) / most
    if not rough > 0 or not math.isfinite(rough):
        return [low]
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(each * power for each in (1, 2, 5, 10) if each * power >= rough)
    first = math.ceil(low / step)
    return [float(f"{each * step:.10g}") for each in range(first, math.floor(high / step) + 1)]


def _range(columns: Iterable[Numbers], highest: float) -> tuple[float, float]:
    """Return the lowest and the highest value to draw, which are never equal."""
    finite = np.concatenate([[], *(each[np.isfinite(each)] for each in columns)])
    if not finite.size:
        return 0.0, 1.0
    low, high = (float(np.clip(each, -FARTHEST, highest)) for each in (finite.min(), finite.max()))
    if high <= low:
        return (low - abs(low) / 10, low + abs(low) / 10) if low else (0.0, 1.0)
    return low - (high - low) / 40, high + (high - low) / 40


def _pieces(x: Numbers, y: Numbers) -> Iterator[list[tuple[float, float]]]:
    """Yield the pieces of a curve between its gaps."""
    for run in np.split(np.arange(y.size), np.flatnonzero(np.diff(np.isfinite(y))) + 1):
        if run.size and np.isfinite(y[run[0]]):
            yield list(zip(x[run].tolist(), y[run].tolist(), strict=True))


def _wide(text: str) -> float:
    """Return the approximate width of a text."""
    return sum(12.0 if ord(char) > 0x2E80 else 6.6 for char in text)
