"""LaTeX to outlines: what is painted of a formula, and which of it belongs to a linked symbol.

Ziamath sets the formula as SVG. Each linked symbol is given a colour of its own there, by which its outlines are known
again afterwards.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from xml.etree.ElementTree import Element

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainterPath, QPainterPathStroker

SIZE = 100.0
"""Units of an outline for the height of the font."""
MARGIN = 0.18 * SIZE
"""Around a formula: what marks a symbol at its edge is not cut off."""
SYMBOL = re.compile(r"\\sym\{([^{}]+)\}(?=\{)")
DRAWN = re.compile(r"[A-Za-z]|-?[\d.]+(?:e-?\d+)?")


@dataclass(frozen=True)
class Symbol:
    """One place of a formula that is linked, with all that is nested in it."""

    key: str
    path: QPainterPath
    box: QRectF


@dataclass(frozen=True)
class Outlines:
    """A formula with its upper left corner at (0, 0); ``ink`` is all of it that belongs to no symbol."""

    width: float
    height: float
    ink: QPainterPath
    symbols: tuple[Symbol, ...]

    @property
    def keys(self) -> tuple[str, ...]:
        """Each once, in the order of the formula."""
        return tuple(dict.fromkeys(symbol.key for symbol in self.symbols))


@cache
def outlines(latex: str) -> Outlines:
    """Sets a formula in which ``\\sym{key}{...}`` is what ``key`` is linked to.

    Raises:
        ValueError: it cannot be set, or would show what it was written with.
    """
    spans = [(match.group(1), match.end(), _closing(latex, match.end())) for match in SYMBOL.finditer(latex)]
    colours = iter(range(1, len(spans) + 1))
    drawing = _set(SYMBOL.sub(lambda _: rf"\textcolor{{{_colour(next(colours))}}}", latex))
    left, top, width, height = map(float, drawing.attrib["viewBox"].split())
    place = QRectF(left, top, width, height).adjusted(-MARGIN, -MARGIN, MARGIN, MARGIN)
    paths = {"": QPainterPath()} | {_colour(index + 1): QPainterPath() for index in range(len(spans))}
    for colour, path in _paths(drawing, ""):
        paths[colour if colour in paths else ""].addPath(path.translated(-place.topLeft()))
    for path in paths.values():
        path.setFillRule(path.fillRule().WindingFill)
    ink, *own = paths.values()
    symbols = []
    for key, begin, end in spans:
        whole = QPainterPath()
        whole.setFillRule(whole.fillRule().WindingFill)
        for (_, inner, _), path in zip(spans, own, strict=True):
            if begin <= inner < end:
                whole.addPath(path)
        symbols.append(Symbol(key, whole, whole.boundingRect()))
    return Outlines(place.width(), place.height(), ink, tuple(symbols))


def _closing(latex: str, begin: int) -> int:
    """Return the position of the brace that closes the group opened at ``begin``."""
    depth = 0
    for brace in re.finditer(r"\\.|[{}]", latex[begin:]):
        depth += {"{": 1, "}": -1}.get(brace.group(), 0)
        if not depth:
            return begin + brace.start()
    raise ValueError(f"a group is never closed: {latex}")


def _colour(number: int) -> str:
    return f"#{number:06x}"


def _set(latex: str) -> Element:
    """The formula as SVG, every outline where it stands, without references."""
    from ziamath.config import config  # takes a tenth of a second: only whoever opens a page waits for it
    from ziamath.zmath import Latex

    config.svg2 = False
    try:
        made = Latex(latex, SIZE)
    except Exception as wrong:
        raise ValueError(f"this formula cannot be set: {latex}") from wrong
    if "\\" in made.mathmlstr():
        raise ValueError(f"this formula has a command that is not known: {latex}")
    return made.svgxml()


def _paths(element: Element, inherited: str) -> Iterator[tuple[str, QPainterPath]]:
    """Each outline below an element with its colour. What is drawn as a line becomes the outline of the line."""
    fill, stroke = element.get("fill", inherited), element.get("stroke")
    if element.tag in ("svg", "g"):
        for child in element:
            yield from _paths(child, fill)
        return
    path = _path(element)
    if stroke is None:
        yield fill, path
        return
    pen = QPainterPathStroker()
    pen.setWidth(float(element.get("stroke-width", "1")))
    yield stroke, pen.createStroke(path)


def _path(element: Element) -> QPainterPath:
    path = QPainterPath()
    if element.tag == "rect":
        path.addRect(QRectF(*(float(element.attrib[name]) for name in ("x", "y", "width", "height"))))
    elif element.tag == "path":
        _draw(path, element.attrib["d"])
    else:
        raise ValueError(f"an outline of a formula is drawn as {element.tag}")
    return path


def _draw(path: QPainterPath, drawn: str) -> None:
    """Follows the commands of an SVG path, all of them absolute."""
    commands: dict[str, Callable[..., None]] = {
        "M": path.moveTo, "L": path.lineTo, "Q": path.quadTo, "C": path.cubicTo, "Z": path.closeSubpath,
    }
    command, numbers = "", list[float]()
    for part in [*DRAWN.findall(drawn), "end"]:
        if not part[0].isalpha():
            numbers.append(float(part))
            continue
        if command:
            commands[command](*numbers)
        command, numbers = part, []
