"""Numbers in rows and columns, which can be hovered, compared with printed ones and edited.

Only the region that needs repainting is painted.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import product, starmap

import numpy as np
from PySide6.QtCore import QEvent, QLine, QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFocusEvent,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QLineEdit, QScrollArea, QSizePolicy, QWidget

from gptstudio.gui.canvas.canvas import KEYS, Cell, CellCanvas, CellPlaces, Grid
from gptstudio.gui.canvas.writing import RIGHT, heading, write
from gptstudio.gui.learn.kit import numbers
from gptstudio.gui.theme import colour, theme
from gptstudio.gui.translation import tr


def bring_into_view(widget: QWidget, place: QRect) -> None:
    """``place`` is in the widget's own pixels."""
    around = widget.parentWidget()
    while around:
        if isinstance(around, QScrollArea) and (inside := around.widget()):
            middle = widget.mapTo(inside, place.center())
            around.ensureVisible(middle.x(), middle.y(), place.width(), place.height())
        around = around.parentWidget()


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
    """Return the width reserved at the left of each number for a tick, so that cells keep their size without one."""
    return CORNER + round(3.0 * _tick(metrics))


def _tick(metrics: QFontMetrics) -> float:
    return max(2.6, metrics.height() / 6.5)


def shares(values: np.ndarray) -> np.ndarray:
    """Return each number divided by the greatest magnitude, from -1 to 1; 0 for one that is not finite."""
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


ENTERS = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
RETURNS = (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason)
"""Reasons of a loss of focus after which it returns: the line's own menu, or another window."""
ROOM = 12  # pixels beside the text, for the frame


class CellEdit(QLineEdit):
    """Enter, Tab or a click elsewhere accepts what was typed; Esc does not. The owner ends it."""

    accepted = Signal(int)  # where to continue: 1 the next cell, -1 the one before, 0 none
    cancelled = Signal()

    def __init__(self, owner: QWidget) -> None:
        super().__init__(owner)
        self.open = False
        self._owner = owner
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.textChanged.connect(self._widen)
        self.hide()

    def begin(self, cell: QRect, text: str, accessible: str, select: bool) -> None:
        """Over a cell, with a text to be typed over, or to be gone on with."""
        self.open = True
        self.setAccessibleName(accessible)
        self.resize(cell.width() + ROOM, self.sizeHint().height())
        self.move(cell.center() - self.rect().center())
        self.setText(text)
        self._widen()
        self.show()
        self.setFocus()
        if select:
            self.selectAll()

    def finish(self) -> None:
        """Gives the focus back to the owner, if it was here."""
        self.open = False
        if self.hasFocus():
            self._owner.setFocus()
        self.hide()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in ENTERS:
            self.accepted.emit(0)
        elif event.key() == Qt.Key.Key_Escape:
            self.cancelled.emit()
        else:
            super().keyPressEvent(event)

    def focusNextPrevChild(self, forward: bool) -> bool:
        if not self.open:
            return super().focusNextPrevChild(forward)
        self.accepted.emit(1 if forward else -1)
        return True

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if self.open and event.reason() not in RETURNS:
            self.accepted.emit(0)

    def _widen(self) -> None:
        """Make the line as wide as its text, within the owner."""
        wide = max(self.width(), self.fontMetrics().horizontalAdvance(self.text()) + 2 * ROOM)
        room = self._owner.width()
        self.resize(min(wide, room), self.height())
        self.move(max(0, min(self.x(), room - self.width())), self.y())


def writes(event: QKeyEvent) -> bool:
    """Return whether a key types a character."""
    keys = Qt.KeyboardModifier
    commands = keys.ControlModifier | keys.AltModifier | keys.MetaModifier
    text = event.text().strip()
    return bool(text) and text.isprintable() and not event.modifiers() & commands


LONGEST = 14  # of a name, in letters; what is longer is cut, and said in full where the cell is pointed at
EDGE = 3  # pixels around the cells, for the frames
ROW, MOST = 1.5, (1 << 24) - 1
"""The height of a row, in heights of a letter; and the most that Qt lets a widget have, in pixels."""


class Matrix(CellCanvas):
    """Matrix of numbers; emits which cell is hovered or reached with the arrow keys, and the text typed into one.

    It never changes a number by itself: the receiver of the edit shows the numbers again.
    """

    edited = Signal(int, int, str)  # row, column, what was typed
    longest_name = LONGEST

    def __init__(self, name: str, title: str, *, editable: bool = False, tinted: bool = False, digits: int = 4) -> None:
        super().__init__(name, title)
        self.values: np.ndarray = np.empty((0, 0))  # (rows, columns)
        self.digits = digits
        self.editable, self._tinted = editable, tinted
        self._title, self._tallest = title, ROW
        self._shape: tuple[int, ...] = (0, 0)
        self._typing: Cell | None = None
        self._sheet, self._grid = Sheet(), Grid()
        self._edit = CellEdit(self)
        self._edit.accepted.connect(self._accept)
        self._edit.cancelled.connect(self._edit.finish)
        self.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Minimum)

    def show_values(
        self, values: np.ndarray, rows: Sequence[str] = (), columns: Sequence[str] = (),
        equal: np.ndarray | None = None, title: str = "") -> None:
        """Show numbers with the names of their rows and columns. The signal for a hovered cell is emitted again.

        Args:
            values: (rows, columns), or (columns,) for a single row.
            equal: the same shape; True if a number agrees with the book's.
            title: other words above the numbers.
        """
        if title:
            self.show_title(title)
        table = np.atleast_2d(np.asarray(values))
        if table.shape != self.values.shape:
            self._forget()
        self.values, self._shape = table, np.shape(values)
        self._sheet = Sheet(
            texts=tuple(tuple(numbers.shown(value, self.digits) for value in row) for row in table), rows=tuple(rows),
            columns=tuple(columns), shades=shares(table) if self._tinted else None,
            equal=None if equal is None else np.atleast_2d(equal))
        self.remeasure()
        self._summarise()
        if self.cell:
            self.pointed.emit(self.cell)

    def show_title(self, title: str) -> None:
        self._title = title
        self.setAccessibleName(title)
        self.remeasure()

    def grow(self, tallest: float) -> None:
        """Let rows grow up to this many character heights if there is space: bars are placed beside them."""
        self._tallest = tallest
        self.setMaximumHeight(MOST)
        self.remeasure()

    @property
    def title(self) -> str:
        """Title with the shape: 'weights (6, 6)'."""
        return f"{self._title} {self._shape}"

    def text(self, cell: Cell) -> str:
        return self._sheet.texts[cell[0]][cell[1]]

    def rect(self, cell: Cell) -> QRect:  # type: ignore[override]  # of a cell, where Qt has the widget's
        return self._grid.rect(Cell(*cell))

    def words(self, cell: Cell) -> str:
        if self.explain:
            return self.explain(cell)
        row, column = self._names(cell)
        return tr("{row}, {column}: {value}", row=row, column=column, value=self.text(cell))

    def table(self) -> Sequence[Sequence[str]]:
        """Return the whole numbers with all their digits, and the names there are."""
        return numbers.table(self.values, self._sheet.rows, self._sheet.columns)

    def items(self) -> CellPlaces:
        return CellPlaces(self.values.shape, self.place)

    def place(self, cell: Cell) -> QRectF:
        return QRectF(self.rect(cell))

    def item_at(self, point: QPointF) -> Cell | None:
        return self._grid.at(point.toPoint())

    def step(self, key: Qt.Key, start: Cell | None) -> Cell:
        return self.items().step(key, start) if start else Cell(0, 0)

    def go_to(self, cell: Cell) -> None:
        self.point_at(cell)
        bring_into_view(self, self.rect(cell))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self._begin(self.item_at(event.position()))

    def leaveEvent(self, event: QEvent) -> None:
        if not self._edit.open:
            super().leaveEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        if not self._edit.open:
            super().focusOutEvent(event)
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.editable and self.cell and event.key() in (*ENTERS, KEYS.Key_F2):
            self._begin(self.cell)
        elif self.editable and self.cell and writes(event):
            self._begin(self.cell, event.text())
        else:
            super().keyPressEvent(event)

    def _forget(self) -> None:
        """Clear the marks of a matrix with another shape."""
        self._edit.finish()
        self.lit = frozenset()
        self.point_at(None)
        self._last = None

    def _begin(self, cell: Cell | None, text: str | None = None) -> None:
        """Lets a cell be typed over; ``text`` is what was typed already."""
        if not self.editable or cell is None:
            return
        self._typing = cell
        self.go_to(cell)
        row, column = self._names(cell)
        accessible = tr("Value of {row}, {column}", row=row, column=column)
        begun = numbers.typed(self.values[cell]) if text is None else text
        self._edit.begin(self.rect(cell), begun, accessible, select=text is None)

    def _accept(self, onward: int) -> None:
        """Emit what was typed, and continue with a neighbouring cell."""
        cell, text, shape = self._typing, self._edit.text(), self.values.shape
        self._edit.finish()
        if cell is None:
            return
        self.edited.emit(cell.row, cell.column, text.strip().replace("−", "-"))  # as numbers are written in code
        if not (self.hasFocus() or self.underMouse()):
            self.point_at(None)
        after = cell.row * self._grid.columns + cell.column + onward
        if onward and shape == self.values.shape and 0 <= after < self.values.size:
            self._begin(Cell(*divmod(after, self._grid.columns)))

    def paint(self, painter: QPainter, region: QRect) -> None:
        marks = Marks(self.cell, self.lit, self.hasFocus())
        paint(painter, region, self._sheet, self._grid, marks)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._tallest > ROW:
            self.remeasure()

    def minimumSizeHint(self) -> QSize:
        title = QFontMetrics(heading(self.font())).horizontalAdvance(self.title)
        return QSize(max(self._grid.area().right() + 1 + EDGE, title + 2), self._high(ROW))

    def remeasure(self) -> None:
        """Place the cells: all as wide as the widest number or name."""
        metrics, sheet = QFontMetrics(self.font()), self._sheet
        longest = metrics.averageCharWidth() * self.longest_name

        def widest(texts: Iterable[str]) -> int:
            return max((metrics.horizontalAdvance(text) for text in texts), default=0)

        figures = {text for row in sheet.texts for text in row}
        figures.add(numbers.shown(self.values.dtype.type(0), self.digits))
        wide = max(widest(figures), min(longest, widest(sheet.columns))) + PAD + tick_room(metrics)
        left = min(longest, widest(sheet.rows)) + PAD + 2 if sheet.rows else EDGE - 1
        top = metrics.height() + 6 + (metrics.height() + 2 if sheet.columns else 0)
        rows, columns = self.values.shape
        self._sheet = replace(sheet, title=self.title)
        self._grid = Grid(rows, columns, QPoint(left, top), QSize(wide, round(metrics.height() * ROW)))
        if self._tallest > ROW and rows:
            self.setMaximumHeight(self._high(self._tallest))
            high = max(self._grid.cell.height(), (min(self.height(), self.maximumHeight()) - EDGE - top) // rows)
            self._grid = replace(self._grid, cell=QSize(wide, high))
        self.updateGeometry()
        self.update()

    def _high(self, row: float) -> int:
        """Return the height with rows of this height, in heights of a letter."""
        return self._grid.origin.y() + self._grid.rows * round(row * self.fontMetrics().height()) + EDGE

    def _names(self, cell: Cell) -> tuple[str, str]:
        """Return the names of a cell's row and column; their numbers, if they have no names."""
        sheet = self._sheet
        row = sheet.rows[cell[0]] if sheet.rows else tr("row {index}", index=cell[0])
        column = sheet.columns[cell[1]] if sheet.columns else tr("column {index}", index=cell[1])
        return row, column

    def _summarise(self) -> None:
        """Tell a screen reader how much agrees with the print, while no cell is pointed at."""
        equal = self._sheet.equal
        counted = {} if equal is None else {"count": int(equal.sum()), "all": equal.size}
        self.describe(tr("{count} of {all} numbers match the book", **counted) if counted else self.title)


class HatchedMatrix(Matrix):
    """Matrix in which some numbers are hatched, since they are dropped."""

    hatched: np.ndarray = np.zeros((0, 0), dtype=bool)

    def hatch(self, hatched: np.ndarray) -> None:
        """Hatch the dropped numbers. ``hatched``: (rows, columns), True where a number is dropped."""
        self.hatched = hatched
        self.update()

    def paint(self, painter: QPainter, region: QRect) -> None:
        super().paint(painter, region)
        if self.hatched.shape != self.values.shape:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        hatch = QBrush(colour("muted", 0.35), Qt.BrushStyle.BDiagPattern)
        for row, column in np.argwhere(self.hatched).tolist():
            painter.fillRect(self.rect(Cell(row, column)).adjusted(1, 1, 0, 0), hatch)
