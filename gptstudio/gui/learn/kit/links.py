"""Links between symbols of a formula and cells of a matrix or drawing: pointing at one highlights the other."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from itertools import permutations
from typing import NamedTuple

from gptstudio.gui.canvas.canvas import Cell, CellCanvas
from gptstudio.gui.learn.kit.formula import Formula
from gptstudio.gui.learn.kit.matrix import Matrix

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
