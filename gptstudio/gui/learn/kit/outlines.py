"""LaTeX to outlines: what is painted of a formula, and which of it belongs to a linked symbol.

packaging/formulas.py typesets the formulas of all pages and writes resources/formulas.json, which is read here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainterPath

from gptstudio import paths

SIZE = 100.0  # units of an outline for the height of the font
MARGIN = 0.18 * SIZE  # around a formula: what marks a symbol at its edge is not cut off
SYMBOL = re.compile(r"\\sym\{([^{}]+)\}(?=\{)")
COMMAND = re.compile(r"([A-Z])([^A-Z]*)")  # of an SVG path, with its numbers


class Glyph(NamedTuple):
    """Outline as an SVG path of absolute commands that begins at (0, 0), and where it stands."""

    path: str
    x: float
    y: float


class Drawing(NamedTuple):
    """A typeset formula.

    ``box`` is its left, top, width and height; ``parts`` has what belongs to no symbol, then what belongs to each, in
    their order, without what belongs to one nested in it.
    """

    box: tuple[float, float, float, float]
    parts: list[list[Glyph]]


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
    """Return the outlines of a formula in which ``\\sym{key}{...}`` is what ``key`` is linked to.

    Raises:
        ValueError: resources/formulas.json does not have it.
    """
    file = _file()
    if latex not in file["formulas"]:
        raise ValueError(f"run packaging/formulas.py, which typesets this formula: {latex}")
    found = file["formulas"][latex]
    left, top, width, height = map(float, found["box"].split())
    parts = [[
        Glyph(file["glyphs"][name], float(x), float(y)) for name, x, y in map(str.split, part)
    ] for part in found["parts"]]
    return outlines_of(latex, Drawing((left, top, width, height), parts))


@cache
def _file() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((paths.resources() / "formulas.json").read_text(encoding="utf-8"))
    return found


def outlines_of(latex: str, drawing: Drawing) -> Outlines:
    """Return the outlines of a typeset formula.

    Raises:
        ValueError: the group of a linked symbol is not closed.
    """
    spans = [(match.group(1), match.end(), _closing(latex, match.end())) for match in SYMBOL.finditer(latex)]
    place = QRectF(*drawing.box).adjusted(-MARGIN, -MARGIN, MARGIN, MARGIN)
    ink, *own = (_joined([
        _path(glyph.path).translated(glyph.x - place.left(), glyph.y - place.top()) for glyph in part
    ]) for part in drawing.parts)
    symbols = []
    for key, begin, end in spans:
        whole = _joined([path for (_, inner, _), path in zip(spans, own, strict=True) if begin <= inner < end])
        symbols.append(Symbol(key, whole, whole.boundingRect()))
    return Outlines(place.width(), place.height(), ink, tuple(symbols))


def _joined(parts: list[QPainterPath]) -> QPainterPath:
    whole = QPainterPath()
    whole.setFillRule(whole.fillRule().WindingFill)
    for path in parts:
        whole.addPath(path)
    return whole


def _closing(latex: str, begin: int) -> int:
    """Return the position of the brace that closes the group opened at ``begin``."""
    depth = 0
    for brace in re.finditer(r"\\.|[{}]", latex[begin:]):
        depth += {"{": 1, "}": -1}.get(brace.group(), 0)
        if not depth:
            return begin + brace.start()
    raise ValueError(f"a group is never closed: {latex}")


@cache
def _path(drawn: str) -> QPainterPath:
    path = QPainterPath()
    commands: dict[str, Callable[..., None]] = {
        "M": path.moveTo, "L": path.lineTo, "Q": path.quadTo, "C": path.cubicTo, "Z": path.closeSubpath}
    for command, numbers in COMMAND.findall(drawn):
        commands[command](*map(float, numbers.split()))
    return path
