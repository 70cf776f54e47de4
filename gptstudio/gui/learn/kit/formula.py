"""Typeset formula with symbols that can be hovered, its outlines, and links between symbols and cells of a matrix or
drawing: pointing at one highlights the other.

packaging/formulas.py typesets the formulas of all pages and writes resources/formulas.json, which this module reads.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import permutations
from typing import Any, NamedTuple

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontInfo, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QSizePolicy

from gptstudio import paths
from gptstudio.gui.canvas.canvas import ENDS, Canvas, Cell, CellCanvas
from gptstudio.gui.learn.kit.matrix import Matrix
from gptstudio.gui.theme import colour

SIZE = 100.0  # units of an outline per font height
MARGIN = 0.18 * SIZE  # margin of a formula, so that the mark of a symbol at its edge is not cut off
SYMBOL = re.compile(r"\\sym\{([^{}]+)\}(?=\{)")
COMMAND = re.compile(r"([A-Z])([^A-Z]*)")  # command of an SVG path, with its numbers


class Glyph(NamedTuple):
    """Outline as an SVG path of absolute commands that starts at (0, 0), and its position."""

    path: str
    x: float
    y: float


class Drawing(NamedTuple):
    """Typeset formula.

    ``box``: left, top, width and height. ``parts``: the glyphs that belong to no symbol, then the glyphs of each symbol
    in order, without the glyphs of symbols nested in it.
    """

    box: tuple[float, float, float, float]
    parts: list[list[Glyph]]


@dataclass(frozen=True)
class Symbol:
    """Linked part of a formula, including all parts nested in it."""

    key: str
    path: QPainterPath
    box: QRectF


@dataclass(frozen=True)
class Outlines:
    """Formula with its upper left corner at (0, 0); ``ink`` is all of it that belongs to no symbol."""

    width: float
    height: float
    ink: QPainterPath
    symbols: tuple[Symbol, ...]

    @property
    def keys(self) -> tuple[str, ...]:
        """Distinct keys of the symbols, in the order of the formula."""
        return tuple(dict.fromkeys(symbol.key for symbol in self.symbols))


@cache
def outlines(latex: str) -> Outlines:
    """Return the outlines of a formula in which ``\\sym{key}{...}`` marks the part linked to ``key``.

    Raises:
        ValueError: resources/formulas.json does not contain it.
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


LARGER = 1.4  # scale relative to the surrounding text, because the indices of a formula are small
LEAST = 0.5  # minimum scale factor when space is short
BESIDE, BELOW = 0.05 * SIZE, 0.1 * SIZE  # distance of a symbol's box from the symbol: at the sides, and above and below
LINE = 0.07 * SIZE  # thickness of the line under a highlighted symbol
DOT = 0.045 * SIZE


class Formula(Canvas):
    """Typeset formula that emits the linked symbol that is hovered or reached with arrow keys, and highlights symbols.

    A formula wider than the available space is scaled down.

    Raises:
        ValueError: packaging/formulas.py has not typeset it.
    """

    moves = (Qt.Key.Key_Left, Qt.Key.Key_Right, *ENDS)
    remembers = False

    def __init__(self, name: str, latex: str, spoken: str) -> None:
        self._set = outlines(latex)
        super().__init__(name, spoken, pointable=bool(self.keys))
        self.setToolTip(spoken)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    @property
    def keys(self) -> tuple[str, ...]:
        """Keys of the linked symbols, in their order."""
        return self._set.keys

    def boxes(self, key: str) -> list[QRectF]:
        """Return the rectangles of a key's symbols in the widget."""
        scale, found = self._scale(), [_around(symbol) for symbol in self._set.symbols if symbol.key == key]
        return [QRectF(box.topLeft() * scale, box.size() * scale) for box in found]

    def items(self) -> Mapping[str, QRectF]:
        return {key: self.boxes(key)[0] for key in self.keys}

    def item_at(self, point: QPointF) -> str | None:
        """Return the key of the smallest symbol at a point: of nested symbols, the inner one."""
        where = point / self._scale()
        hit = [symbol for symbol in self._set.symbols if _around(symbol).contains(where)]
        return min(hit, key=lambda symbol: symbol.box.width() * symbol.box.height()).key if hit else None

    def table(self) -> Sequence[Sequence[str]]:
        return ()

    def paint(self, painter: QPainter, _region: QRect) -> None:
        painter.scale(self._scale(), self._scale())
        painter.fillPath(self._set.ink, colour("text"))
        dots = QPen(colour("muted"), DOT, Qt.PenStyle.DotLine, Qt.PenCapStyle.RoundCap)
        for symbol in self._set.symbols:  # symbols have a dotted line below them
            painter.fillPath(symbol.path, colour("text"))
            painter.setPen(dots)
            painter.drawLine(_around(symbol).bottomLeft(), _around(symbol).bottomRight())
        for symbol in self._set.symbols:
            if symbol.key in self.lit or symbol.key == self.item:
                self._paint_lit(painter, symbol)

    def _paint_lit(self, painter: QPainter, symbol: Symbol) -> None:
        """Paint a highlighted symbol with a background and an underline."""
        place = _around(symbol)
        painter.fillRect(place, colour("accent", 0.14))
        painter.fillRect(QRectF(place.left(), place.bottom() - DOT, place.width(), LINE), colour("accent"))
        painter.fillPath(symbol.path, colour("accent"))

    def sizeHint(self) -> QSize:
        return self._size(self._natural())

    def minimumSizeHint(self) -> QSize:
        return self._size(LEAST * self._natural())

    def heightForWidth(self, width: int) -> int:
        return self._size(self._fitting(width)).height()

    def _size(self, scale: float) -> QSize:
        return QSize(round(self._set.width * scale) + 1, round(self._set.height * scale) + 1)

    def _natural(self) -> float:
        """Return the pixels per unit of an outline for the widget's font."""
        return QFontInfo(self.font()).pixelSize() * LARGER / SIZE

    def _fitting(self, width: int) -> float:
        return min(self._natural(), (width - 1) / self._set.width)

    def _scale(self) -> float:
        return max(1e-6, min(self._fitting(self.width()), (self.height() - 1) / self._set.height))


def _around(symbol: Symbol) -> QRectF:
    return symbol.box.adjusted(-BESIDE, -BELOW, BESIDE, BELOW)


Cells = Callable[[Cell | None], Collection[Cell]]
"""Function that returns the cells of a symbol, given the hovered cell, or None."""


class Link(NamedTuple):
    key: str
    canvas: CellCanvas
    cells: Cells


class Links:
    """Links between symbols and cells that highlight each other; reports the text of the hovered formula or the
    arithmetic of the hovered cell."""

    def __init__(self, show: Callable[[str], None]) -> None:
        self._show = show
        self._links: list[Link] = []
        self._formulas: list[Formula] = []
        self._watched: list[CellCanvas] = []

    def add(self, key: str, canvas: CellCanvas, cells: Cells | None = None) -> None:
        """Link a symbol with cells, by default all of the canvas, so that each highlights the other."""
        self._links.append(Link(key, canvas, cells or (lambda _: canvas.items())))
        self.watch(canvas)

    def watch_formula(self, formula: Formula) -> None:
        self._formulas.append(formula)
        formula.pointed.connect(lambda key: self._symbol_pointed(formula, key))

    def watch(self, canvas: CellCanvas) -> None:
        if canvas not in self._watched:
            self._watched.append(canvas)
            canvas.pointed.connect(lambda cell: self._cell_pointed(canvas, cell))

    def _symbol_pointed(self, formula: Formula, key: str | None) -> None:
        """Highlight the cells of a symbol, and report the text of the formula."""
        for canvas in self._watched:
            meant = [link for link in self._links if link.canvas is canvas and link.key == key]
            canvas.light([cell for link in meant for cell in link.cells(None)])
        self._show(formula.toolTip() if key else "")

    def _cell_pointed(self, canvas: CellCanvas, cell: Cell | None) -> None:
        links = [link for link in self._links if link.canvas is canvas] if cell else []
        keys = {link.key for link in links if cell in link.cells(cell)}
        for formula in self._formulas:
            formula.light(keys)
        self._show(canvas.explain(cell) if cell and canvas.explain else "")


def lights_same(*matrices: Matrix) -> None:
    """While a cell of one of these matrices is hovered, highlight the same cell of the others."""
    for matrix, other in permutations(matrices, 2):
        lights(matrix, other, lambda cell: [cell])


def lights(matrix: Matrix, other: Matrix, cells: Callable[[Cell], Iterable[Cell]]) -> None:
    """While a cell of a matrix is hovered, highlight the related cells of another."""
    matrix.pointed.connect(lambda cell: other.light(cells(cell) if cell else ()))


def across(row: int, count: int) -> list[Cell]:
    """Return the first cells of a row."""
    return [Cell(row, column) for column in range(count)]


def down(column: int, count: int) -> list[Cell]:
    """Return the first cells of a column."""
    return [Cell(row, column) for row in range(count)]


def row_of(matrix: Matrix, row: int) -> list[Cell]:
    return across(row, matrix.values.shape[1])


def column_of(matrix: Matrix, column: int) -> list[Cell]:
    return down(column, matrix.values.shape[0])


def whole_column(matrix: Matrix, column: int) -> Cells:
    """Return the cells of a symbol that represents a column, independent of the hovered cell."""
    return lambda _: column_of(matrix, column)
