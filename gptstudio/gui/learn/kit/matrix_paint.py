"""Painting of a matrix: numbers, names, shades and marks, limited to the region that needs repainting."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product, starmap

import numpy as np
from PySide6.QtCore import QLine, QPointF, QRect, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPen

from gptstudio.gui.canvas.grid import Cell, Grid
from gptstudio.gui.canvas.writing import RIGHT, heading, write
from gptstudio.gui.theme import colour, theme

PAD = 8  # pixels between a number and the line at its right
CORNER = 3  # pixels between a tick and the lines around it
LEVELS = 16
STRONGEST = 0.38
"""Fraction of the hue in the strongest shade: text on it keeps a contrast of 4.5 to 1, also when the cell is lit."""
LIT = 0.1


@dataclass(frozen=True)
class Sheet:
    """Content of a matrix."""

    title: str = ""  # above the matrix
    texts: tuple[tuple[str, ...], ...] = ()  # of the cells, row by row
    rows: Sequence[str] = ()  # names, or empty
    columns: Sequence[str] = ()
    shades: np.ndarray | None = None  # (rows, columns), from -1 to 1; None if cells are not shaded
    equal: np.ndarray | None = None  # (rows, columns), True if a number agrees with the book's; None: not compared


@dataclass(frozen=True)
class Marks:
    """Temporary marks: the cell that is hovered, those lit by links, and the keyboard focus."""

    cell: Cell | None = None
    lit: frozenset[Cell] = frozenset()
    focused: bool = False


def tick_room(metrics: QFontMetrics) -> int:
    """At the left of each number: where there is no tick it stays empty, so that cells keep their size."""
    return CORNER + round(3.0 * _tick(metrics))


def _tick(metrics: QFontMetrics) -> float:
    return max(2.6, metrics.height() / 6.5)


def shares(values: np.ndarray) -> np.ndarray:
    """Each number from -1 to 1 by the greatest; 0 for what is not finite."""
    finite = np.where(np.isfinite(values), values, 0).astype(float)
    return finite / (np.abs(finite).max(initial=0) or 1)


def shade(share: float) -> QColor:
    """The ground of a cell: blue for more than zero, orange for less, the stronger the further away from it."""
    return _shade(theme.colours.surface, theme.colours.training, theme.colours.validation, round(share * LEVELS))


@cache
def _shade(ground: str, more: str, less: str, level: int) -> QColor:
    return mixed(QColor(ground), QColor(more if level > 0 else less), STRONGEST * abs(level) / LEVELS)


def mixed(ground: QColor, over: QColor, share: float) -> QColor:
    """``share`` of one colour over another."""
    pairs = (ground.red(), over.red()), (ground.green(), over.green()), (ground.blue(), over.blue())
    return QColor(*(round(a + (b - a) * share) for a, b in pairs))


def paint(painter: QPainter, region: QRect, sheet: Sheet, grid: Grid, marks: Marks) -> None:
    """The part of a matrix that lies in ``region``."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    rows, columns = grid.within(region)
    cells = list(starmap(Cell, product(rows, columns)))
    _paint_title(painter, sheet)
    _paint_names(painter, sheet, grid, marks.cell, rows, columns)
    painter.fillRect(grid.area(), colour("surface"))
    _paint_grounds(painter, sheet, grid, marks, cells)
    _paint_lines(painter, grid, marks.focused, rows, columns)
    _paint_numbers(painter, sheet, grid, rows, columns)
    if sheet.equal is not None:
        _paint_ticks(painter, [grid.rect(cell) for cell in cells if sheet.equal[cell]])
    _paint_lit(painter, grid, marks.lit, rows, columns)
    if marks.cell:
        painter.setPen(_pen("text", 2, round_ends=False))
        painter.drawRect(grid.rect(marks.cell))


def _paint_title(painter: QPainter, sheet: Sheet) -> None:
    painter.save()
    painter.setFont(heading(painter.font()))
    write(painter, QRect(1, 0, 1 << 14, painter.fontMetrics().height()), sheet.title)
    painter.restore()


def _paint_names(painter: QPainter, sheet: Sheet, grid: Grid, cell: Cell | None, rows: range, columns: range) -> None:
    metrics, (row, column) = painter.fontMetrics(), cell or (None, None)
    for index in rows if sheet.rows else ():
        place = QRect(1, grid.rect(Cell(index, 0)).top(), grid.origin.x() - PAD - 1, grid.cell.height())
        _name(painter, metrics, place, sheet.rows[index], index == row)
    top = grid.origin.y() - metrics.height() - PAD // 2
    for index in columns if sheet.columns else ():
        left = grid.rect(Cell(0, index)).left() + 3
        place = QRect(left, top, grid.cell.width() - PAD - 3, metrics.height())
        _name(painter, metrics, place, sheet.columns[index], index == column)


def _name(painter: QPainter, metrics: QFontMetrics, place: QRect, text: str, strong: bool) -> None:
    write(painter, place, text, RIGHT, "accent" if strong else "muted", place.width())
    if strong:
        wide = min(place.width(), metrics.horizontalAdvance(text))
        painter.drawLine(place.right() - wide, place.bottom() + 1, place.right(), place.bottom() + 1)


def _paint_grounds(painter: QPainter, sheet: Sheet, grid: Grid, marks: Marks, cells: Sequence[Cell]) -> None:
    if sheet.shades is not None:
        for cell in cells:
            painter.fillRect(grid.rect(cell), shade(float(sheet.shades[cell])))
    if marks.cell:
        glow, area = colour("accent", LIT), grid.area()
        painter.fillRect(grid.row(marks.cell.row).intersected(area), glow)
        painter.fillRect(grid.column(marks.cell.column).intersected(area), glow)


def _paint_lines(painter: QPainter, grid: Grid, focused: bool, rows: range, columns: range) -> None:
    area = grid.area()
    painter.setPen(QPen(colour("line"), 1))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    lines = [QLine(area.left(), y, area.right() + 1, y) for y in (grid.rect(Cell(row, 0)).top() for row in rows)]
    lines += [QLine(x, area.top(), x, area.bottom() + 1) for x in (grid.rect(Cell(0, c)).left() for c in columns)]
    painter.drawLines(lines)
    painter.setPen(QPen(colour("accent" if focused else "line"), 1))
    painter.drawRect(area)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)


def _paint_numbers(painter: QPainter, sheet: Sheet, grid: Grid, rows: range, columns: range) -> None:
    painter.setPen(colour("text"))
    for row, column in product(rows, columns):
        painter.drawText(grid.rect(Cell(row, column)).adjusted(0, 0, -PAD, 0), RIGHT, sheet.texts[row][column])


def _paint_ticks(painter: QPainter, places: Sequence[QRect]) -> None:
    """A small tick in the corner of each cell that agrees."""
    size = _tick(painter.fontMetrics())
    painter.setPen(_pen("good", max(1.3, size / 2.4), round_ends=True))
    bends = [QPointF(x * size + CORNER, y * size + CORNER) for x, y in ((0.0, 0.9), (0.6, 1.5), (1.8, 0.0))]
    for place in places:
        painter.drawPolyline([QPointF(place.topLeft()) + bend for bend in bends])


def _paint_lit(painter: QPainter, grid: Grid, lit: frozenset[Cell], rows: range, columns: range) -> None:
    """A thick frame around cells that lie together."""
    painter.setPen(_pen("accent", 3, round_ends=False))
    for row, column in lit:
        if row in rows and column in columns:
            place = grid.rect(Cell(row, column))
            left, top, right, bottom = place.left(), place.top(), place.right() + 1, place.bottom() + 1
            for down, across, line in (
                (-1, 0, QLine(left, top, right, top)), (1, 0, QLine(left, bottom, right, bottom)),
                (0, -1, QLine(left, top, left, bottom)), (0, 1, QLine(right, top, right, bottom))):
                if (row + down, column + across) not in lit:
                    painter.drawLine(line)


def _pen(name: str, width: float, round_ends: bool) -> QPen:
    cap = Qt.PenCapStyle.RoundCap if round_ends else Qt.PenCapStyle.SquareCap
    join = Qt.PenJoinStyle.RoundJoin if round_ends else Qt.PenJoinStyle.MiterJoin
    return QPen(colour(name), width, Qt.PenStyle.SolidLine, cap, join)
