"""Table of numbers as coloured cells, with names around them and a legend on the right."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QBrush, QFontMetricsF, QImage, QKeyEvent, QPainter, QPen, QResizeEvent, QWheelEvent

from gptstudio.gui.canvas.canvas import ENDS, Cell, CellPlaces, ScrollCanvas
from gptstudio.gui.canvas.tint import ink_on
from gptstudio.gui.canvas.writing import CENTRE, LEFT, RIGHT, draw_with, elided, write
from gptstudio.gui.plots import shades
from gptstudio.gui.plots.shades import Floats, Range
from gptstudio.gui.theme import colour
from gptstudio.gui.translation import tr
from gptstudio.i18n import with_minus

LEAST, MOST = 160, 48
"""Minimum side of the cell area, and maximum side of a square cell, in pixels."""
LINES_FROM = 9
"""Side of a cell in pixels above which lines between cells are drawn."""
NAMES, WIDEST_NAMES = 5.5, 0.3
"""Maximum length of a name: in line heights for square cells, otherwise as a fraction of the width."""
ZOOMS = {Qt.Key.Key_Plus: 1.25, Qt.Key.Key_Equal: 1.25, Qt.Key.Key_Minus: 0.8}


class Scale(Protocol):
    """Mapping of values to positions on a scale."""

    def shares(self, values: Floats) -> Floats:
        """Return positions on the scale from 0 to 1, in the same shape; NaN if a value is not on the scale."""

    def legend(self, most: int) -> list[tuple[float, str]]:
        """Return at most ``most`` positions on the scale, with their labels."""


@dataclass(frozen=True)
class Grid:
    """Values, names and marks of a grid.

    Attributes:
        values: (rows, columns); values that are not finite are hatched.
        rows, columns: their names.
        scale: scale of the colours; ``diverging``: colours for negative and positive values.
        square: cells are square and can be enlarged; otherwise they fill the area.
        most: maximum width and height of a cell that is not square, in line heights.
        row_title, column_title: titles of the rows and the columns.
        legend: whether to draw a legend.
        texts: texts in cells.
        crossed, dotted, framed: cells with a cross, with a dot in a corner, and with a frame.
        entry: cell that is current when Tab gives the focus to the grid.
        say: text for a cell; by default names and value.
    """

    values: Floats = field(default_factory=lambda: np.empty((0, 0)))
    rows: Sequence[str] = ()
    columns: Sequence[str] = ()
    scale: Scale = field(default_factory=Range)
    diverging: bool = False
    square: bool = True
    most: tuple[float, float] = (math.inf, math.inf)
    row_title: str = ""
    column_title: str = ""
    legend: bool = True
    texts: Mapping[Cell, str] = field(default_factory=dict)
    crossed: Collection[Cell] = ()
    dotted: Collection[Cell] = ()
    framed: Collection[Cell] = ()
    entry: Cell | None = None
    say: Callable[[Cell], str] | None = None

    @property
    def shape(self) -> tuple[int, int]:
        rows, columns = self.values.shape
        return rows, columns


class GridView(ScrollCanvas):
    """Widget that draws a :class:`Grid`. Ctrl with the wheel zooms square cells, at least to the size at which all fit.

    Args:
        least_side: initial side of a square cell in pixels, even if not all cells are then in view.

    Attributes:
        row, column: marked row and marked column, or None.
        selected: marked cell, or None; ``selects``: a click or Enter moves the mark.
    """

    chosen = Signal(object)
    """Emitted with the cell of a click or Enter."""
    smooth = remembers = False

    def __init__(self, name: str, accessible: str, least_side: float = 0.0, selects: bool = False) -> None:
        super().__init__(name, accessible)
        self.grid = Grid()
        self.row: int | None = None
        self.column: int | None = None
        self.selected: Cell | None = None
        self._selects, self._least_side, self._side = selects, least_side, least_side
        self._aim: Cell | None = None
        self._image = QImage()
        self._margins = (0, 0, 0, 0)
        for bar in (self.horizontalScrollBar(), self.verticalScrollBar()):
            bar.actionTriggered.connect(lambda _: setattr(self, "_aim", None))
        self.viewport().setAutoFillBackground(False)

    def show_grid(self, grid: Grid) -> None:
        """Show a grid; if its shape differs, the cells return to their initial size."""
        if grid.shape != self.grid.shape:
            self.item = self._aim = None
            self._side = self._least_side
        if self.selected and self.selected not in CellPlaces(grid.shape, self.place):
            self.selected = None
        self.grid = grid
        self.remeasure()

    def mark(self, row: int | None = None, column: int | None = None) -> None:
        """Mark a row or a column, and remove the other mark."""
        if (row, column) != (self.row, self.column):
            self.row, self.column = row, column
            self.viewport().update()

    def select(self, cell: Cell | None) -> None:
        """Mark a cell, without a signal."""
        self.selected = cell
        self.viewport().update()

    # Items

    def items(self) -> CellPlaces:
        return CellPlaces(self.grid.shape, self.place)

    def words(self, cell: Cell) -> str:
        if self.grid.say:
            return self.grid.say(cell)
        value = self.grid.values[cell]
        said = with_minus(f"{value:.4g}") if np.isfinite(value) else tr("none, a later token")
        return tr("{row}  →  {column}:  {value}", row=self.grid.rows[cell[0]], column=self.grid.columns[cell[1]],
                  value=said)

    def table(self) -> Sequence[Sequence[str]]:
        if not self.grid.values.size:
            return []
        corner = " \\ ".join(filter(None, (self.grid.row_title, self.grid.column_title)))
        return [(corner, *self.grid.columns)] + [
            (name, *map(repr, row)) for name, row in zip(self.grid.rows, self.grid.values.tolist(), strict=True)]

    def place(self, cell: Cell) -> QRectF:
        (wide, high), whole = self.cell_size(), self.full_rect()
        return QRectF(whole.left() + cell[1] * wide, whole.top() + cell[0] * high, wide, high)

    def nearest(self, point: QPointF) -> Cell:
        """Return the cell at a point, or the cell nearest to it."""
        (wide, high), where, (rows, columns) = self.cell_size(), point - self.full_rect().topLeft(), self.grid.shape
        return Cell(min(max(0, int(where.y() / high)), rows - 1), min(max(0, int(where.x() / wide)), columns - 1))

    def item_at(self, point: QPointF) -> Cell | None:
        return self.nearest(point) if self.grid.values.size and self.shown().contains(point) else None

    def entry(self) -> Cell | None:
        return self.grid.entry

    def step(self, key: Qt.Key, start: Cell | None) -> Cell:
        """Return the neighbouring cell; at first the selected cell, or the diagonal cell of the marked row."""
        start = start or self.selected
        if start:
            return self.items().step(key, start)
        rows, columns = self.grid.shape
        row = self.row if self.row is not None else rows - 1
        cell = self.grid.entry or Cell(row, min(row, columns - 1))
        return self.items().step(key, cell) if key in ENDS else cell

    def go_to(self, cell: Cell) -> None:
        self.bring_into_view(cell)
        self._aim = None
        self.point_at(cell)

    def activate(self, cell: Cell) -> bool:
        if self._selects:
            self.select(cell)
        self.chosen.emit(cell)
        return True

    def leaveEvent(self, event: QEvent) -> None:
        if not self.hasFocus():
            super().leaveEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key in ZOOMS and self.grid.square:
            self.zoom(ZOOMS[key])
        else:
            super().keyPressEvent(event)

    # Geometry, in pixels

    def area(self) -> QRect:
        """Return the part of the viewport that holds cells."""
        left, top, right, bottom = self._margins
        room = self.viewport().size()
        return QRect(left, top, max(1, room.width() - left - right), max(1, room.height() - top - bottom))

    def cell_size(self) -> tuple[float, float]:
        if self.grid.square:
            side = max(self._fitting(), self._side)
            return side, side
        area, letter, (rows, columns) = self.area(), self.fontMetrics().height(), self.grid.shape
        wide, high = (most * letter for most in self.grid.most)
        return min(wide, area.width() / max(1, columns)), min(high, area.height() / max(1, rows))

    def full_rect(self) -> QRectF:
        """Return the rectangle of all cells, including cells outside the view."""
        (wide, high), (rows, columns), area = self.cell_size(), self.grid.shape, self.area()
        left, top = area.left() - self.horizontalScrollBar().value(), area.top() - self.verticalScrollBar().value()
        return QRectF(left, top, columns * wide, rows * high)

    def shown(self) -> QRectF:
        return self.full_rect().intersected(QRectF(self.area()))

    def in_view(self) -> tuple[range, range]:
        """Return the rows and columns that are at least partly visible."""
        shown = self.shown()
        (top, left), (bottom, right) = self.nearest(shown.topLeft()), self.nearest(shown.bottomRight())
        return range(top, bottom + 1), range(left, right + 1)

    def bring_into_view(self, cell: Cell) -> None:
        """Scroll to a cell; it stays in view when the size of the widget changes, until the user scrolls."""
        self._aim = cell
        self.reveal(self.place(cell), QRectF(self.area()).adjusted(0, 0, -1, -1))

    def zoom(self, factor: float) -> None:
        """Scale the cells by a factor, keeping the cell in the middle at its position."""
        middle, side = self.nearest(self.shown().center()), min(MOST, self.cell_size()[0] * factor)
        self._side = side if side > self._fitting() else 0.0
        self._aim = None
        self._settle()
        way = self.place(middle).center() - QRectF(self.area().adjusted(0, 0, -1, -1)).center()
        for bar, further in ((self.horizontalScrollBar(), way.x()), (self.verticalScrollBar(), way.y())):
            bar.setValue(round(bar.value() + further))

    def minimumSizeHint(self) -> QSize:
        left, top, right, bottom = self._margins
        if self.grid.square:
            return QSize(LEAST + left + right, LEAST + top + bottom)
        return QSize(240, max(top + bottom + 3 * self.fontMetrics().height(), 7 * self.fontMetrics().height()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._measure()
        self._settle()
        if self._aim:
            self.bring_into_view(self._aim)

    def remeasure(self) -> None:
        """Draw the cells in the theme's colours, and measure the margins around them."""
        self._image = shades.picture(self.grid.scale.shares(self.grid.values), self.grid.diverging)
        self._measure()
        self.updateGeometry()
        self._settle()

    def scrollContentsBy(self, _dx: int, _dy: int) -> None:
        self.viewport().update()

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.grid.square and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom(1.25 if event.angleDelta().y() > 0 else 0.8)
        elif self.grid.square and self.cell_size()[0] > self._fitting():
            super().wheelEvent(event)
        else:
            event.ignore()

    def _fitting(self) -> float:
        """Return the side of square cells at which all are in view."""
        area = self.area()
        return min(MOST, min(area.width(), area.height()) / max(1, *self.grid.shape))

    def _settle(self) -> None:
        area, whole, (wide, high) = self.area(), self.full_rect(), self.cell_size()
        self.set_range(self.horizontalScrollBar(), int(whole.width()), area.width(), wide)
        self.set_range(self.verticalScrollBar(), int(whole.height()), area.height(), high)
        self.viewport().update()

    def _measure(self) -> None:
        metrics, grid = QFontMetricsF(self.font()), self.grid
        high, advance = metrics.height(), metrics.horizontalAdvance
        of_rows = max(map(advance, {*grid.rows, grid.row_title}), default=0)
        legend = (max(map(advance, (words for _, words in grid.scale.legend(5))), default=0) + 32) * grid.legend
        if grid.square:
            names = round(min(NAMES * high, max([of_rows, *map(advance, set(grid.columns))]) + 8))
            self._margins = names, round(high / 2), round(legend), names
            return
        left = min(of_rows + 8, WIDEST_NAMES * self.viewport().width())
        top = high * (1.4 if grid.row_title else 0.5)
        self._margins = round(left), round(top), round(legend), round((high + 2) * (1 + bool(grid.column_title)))

    # Painting

    def paint(self, painter: QPainter, _region: QRect) -> None:
        if not self.grid.values.size:
            return
        shown = self.shown()
        painter.setClipRect(shown)
        painter.fillRect(shown, colour("surface"))
        painter.fillRect(shown, QBrush(colour("line"), Qt.BrushStyle.BDiagPattern))
        self._paint_cells(painter)
        _paint_lines(self, painter, shown)
        _paint_texts(self, painter)
        _paint_marks(self, painter, shown)
        painter.setClipping(False)
        self._paint_names(painter, shown)
        if self.grid.legend:
            _paint_legend(painter, shown, self.grid)

    def _paint_cells(self, painter: QPainter) -> None:
        """Paint the cells in view, which for a long text are few of a million."""
        rows, columns = self.in_view()
        place = self.place(Cell(rows[0], columns[0])).united(self.place(Cell(rows[-1], columns[-1])))
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, min(self.cell_size()) < 1)
        painter.drawImage(place, self._image, QRectF(columns[0], rows[0], len(columns), len(rows)))

    def _paint_names(self, painter: QPainter, shown: QRectF) -> None:
        """Paint as many names as fit, and always the names of the selected row and of the hovered cell."""
        (wide, high), letter, (left, _, _, below) = self.cell_size(), self.fontMetrics().height(), self._margins
        row, column = self.item or (self.row, self.column)
        rows, columns = self.in_view()
        for index in _with_room(rows, high, letter, row):
            middle = self.place(Cell(index, 0)).center().y()
            if shown.top() <= middle <= shown.bottom():
                place = QRectF(0, middle - letter / 2, left - 5, letter)
                write(painter, place, self.grid.rows[index], RIGHT, "text" if index == row else "muted", left - 5)
        widest = max(map(self.fontMetrics().horizontalAdvance, set(self.grid.columns)), default=0) + letter
        need = letter if self.grid.square else widest
        for index in _with_room(columns, wide, need, column):
            middle = self.place(Cell(0, index)).center().x()
            if not shown.left() <= middle <= shown.right():
                continue
            ink, text = "text" if index == column else "muted", self.grid.columns[index]
            painter.save()
            painter.translate(middle, shown.bottom())
            if self.grid.square:
                painter.rotate(-90)
                write(painter, QRectF(-below, -letter / 2, below - 5, letter), text, RIGHT, ink, below - 5)
            else:
                place = QRectF(-need / 2, 2, need, letter)
                place.translate(max(0.0, need / 2 - middle) - max(0.0, middle + need / 2 - self.width()), 0)
                write(painter, place, elided(painter, text, need), CENTRE, ink)
            painter.restore()
        write(painter, QRectF(0, 0, left - 5, letter), self.grid.row_title, RIGHT)
        write(painter, QRectF(shown.left(), shown.bottom() + letter + 4, shown.width(), letter),
              self.grid.column_title, CENTRE)


def _paint_lines(view: GridView, painter: QPainter, shown: QRectF) -> None:
    painter.setPen(QPen(colour("surface"), 1))
    (rows, columns), (wide, high) = view.in_view(), view.cell_size()
    for y in (view.place(Cell(row, 0)).top() for row in rows if high >= LINES_FROM):
        painter.drawLine(QPointF(shown.left(), y), QPointF(shown.right(), y))
    for x in (view.place(Cell(0, column)).left() for column in columns if wide >= LINES_FROM):
        painter.drawLine(QPointF(x, shown.top()), QPointF(x, shown.bottom()))


def _paint_texts(view: GridView, painter: QPainter) -> None:
    """Paint texts and crosses, each in black or white; a dot replaces a text that does not fit."""
    wide, high = view.cell_size()
    side = min(wide, high)
    for cell in {*view.grid.texts, *view.grid.crossed}:
        place, text = view.place(cell), view.grid.texts.get(cell, "")
        share = float(view.grid.scale.shares(np.array([view.grid.values[cell]]))[0])
        ink = colour("text") if math.isnan(share) else ink_on(shades.shade(share, view.grid.diverging))
        painter.setPen(QPen(ink, max(1.5, side / 12)))
        if cell in view.grid.crossed:
            middle, reach = place.center(), 0.22 * side
            painter.drawLine(middle - QPointF(reach, reach), middle + QPointF(reach, reach))
            painter.drawLine(middle - QPointF(reach, -reach), middle + QPointF(reach, -reach))
        elif view.fontMetrics().horizontalAdvance(text) < wide:
            painter.drawText(place, CENTRE, text)
        else:
            painter.drawEllipse(place.center(), side / 5, side / 5)


def _paint_marks(view: GridView, painter: QPainter, shown: QRectF) -> None:
    rows, columns = view.grid.shape
    draw_with(painter, Qt.PenStyle.NoPen, colour("amber"))
    for cell in view.grid.dotted:
        corner, size = view.place(cell), 0.22 * min(view.cell_size())
        painter.drawEllipse(QRectF(corner.right() - 1.3 * size, corner.top() + 0.3 * size, size, size))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if view.row is not None and view.row < rows:
        _frame(painter, view.place(Cell(view.row, 0)).united(view.place(Cell(view.row, columns - 1))).adjusted(
            -1, -1, 1, 1).intersected(shown.adjusted(1, 1, -1, -1)), "validation")
    if view.column is not None and 0 <= view.column < columns:
        top, bottom = (view.place(Cell(row, view.column)) for row in (0, rows - 1))
        _frame(painter, top.united(bottom), "muted", 1)
    for cell in view.grid.framed:
        _frame(painter, view.place(cell).adjusted(2, 2, -2, -2), "validation")
    if view.selected:
        _frame(painter, view.place(view.selected).adjusted(1, 1, -1, -1), "accent")
    if view.item:
        _frame(painter, view.place(view.item), "text")


def _frame(painter: QPainter, place: QRectF, ink: str, width: float = 2) -> None:
    painter.setPen(QPen(colour(ink), width))
    painter.drawRect(place)


def _paint_legend(painter: QPainter, shown: QRectF, grid: Grid) -> None:
    """Paint the colour scale with its labels to the right of the cells."""
    high = painter.fontMetrics().height()
    bar = QRectF(shown.right() + 12, shown.top(), 9, min(shown.height(), 9 * high))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    shades.paint_bar(painter, bar, grid.diverging)
    for share, words in grid.scale.legend(max(2, min(5, int(bar.height() / (1.4 * high))))):
        place = QRectF(bar.right() + 5, bar.bottom() - high - share * (bar.height() - high), 99, high)
        write(painter, place, words, LEFT, "muted")


def _with_room(indices: range, side: float, need: float, always: int | None) -> list[int]:
    """Return the indices of the names that fit on cells of this side: every n-th, and always the index ``always``.
    ``need``: pixels per name."""
    step = max(1, math.ceil(need / side))
    return [
        index for index in indices
        if index == always or (index % step == 0 and (always is None or abs(index - always) >= step))
    ]
