"""Matrix of numbers that can be hovered, compared with printed ones, and edited; and numbers as text.

Only the region that needs repainting is painted.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
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

from gptstudio.fields import read_list
from gptstudio.gui.appearance import ancestors
from gptstudio.gui.canvas.canvas import KEYS, Cell, CellCanvas, CellPlaces
from gptstudio.gui.canvas.tint import mixed
from gptstudio.gui.canvas.writing import RIGHT, heading, write
from gptstudio.gui.theme import colour, theme
from gptstudio.gui.translation import tr
from gptstudio.i18n import fixed, with_minus

MINUS = "−"
MOST_TERMS = 4
LONG = 1e6  # from this value on, numbers are shown with a power of ten


def shown(value: np.generic, digits: int) -> str:
    """Return a number with ``digits`` decimals, or a whole number without; −∞ for minus infinity, and – for NaN."""
    if not isinstance(value, np.floating):
        return with_minus(f"{int(value)}")
    large = LONG <= abs(value) < math.inf
    return with_minus(f"{value:.{digits}e}") if large else fixed(float(value), digits)


def behind_sign(value: float) -> str:
    """Return a number with four decimals for use after an operator: in brackets if it is negative."""
    return f"({fixed(value)})" if value < 0 else fixed(value)


def summed(terms: Sequence[str]) -> str:
    """Return terms joined by plus signs; of more than four, the first two and the last."""
    return " + ".join(terms if len(terms) <= MOST_TERMS else [*terms[:2], "…", terms[-1]])


def number_in(text: str) -> object:
    """Return a text as a number, or unchanged if it is not a number."""
    numbers = read_list("numbers", text.replace(MINUS, "-"))
    return numbers[0] if len(numbers) == 1 else text


def typed(value: np.generic) -> str:
    """Return the shortest text that reads back as the same number."""
    if not isinstance(value, np.floating):
        return str(int(value))
    return np.format_float_positional(value, trim="-") if 1e-6 < abs(value) < 1e15 or not value else str(value)


def as_rows(values: np.ndarray, rows: Sequence[str], columns: Sequence[str]) -> list[list[str]]:
    """Return a row of texts for each row of the values, (R, C), with the names if there are any."""
    lines = [[typed(value) for value in row] for row in values]
    if columns:
        lines.insert(0, list(columns))
    if rows:
        names = ["", *rows] if columns else rows
        lines = [[name, *line] for name, line in zip(names, lines, strict=True)]
    return lines


def decimals(numbers: np.ndarray) -> int:
    """Return the smallest number of decimals that loses nothing, from 1 to at most 4."""
    return next((count for count in range(1, 4) if np.allclose(numbers, np.round(numbers, count), atol=1e-6)), 4)


def bring_into_view(widget: QWidget, place: QRect) -> None:
    """Scroll all surrounding scroll areas to a rectangle, which is in widget coordinates."""
    for around in ancestors(widget):
        if isinstance(around, QScrollArea) and (inside := around.widget()):
            middle = widget.mapTo(inside, place.center())
            around.ensureVisible(middle.x(), middle.y(), place.width(), place.height())


PAD = 8  # pixels between a number and the line to its right
CORNER = 3  # pixels between a tick and the lines around it
LEVELS = 16
STRONGEST = 0.38
"""Fraction of the hue in the strongest shade: text on it keeps a contrast of 4.5 to 1, even when the cell is lit."""
LIT = 0.1


def tick_size(metrics: QFontMetrics) -> float:
    """Return the size of a tick. Numbers have space for one, so that cells keep their size without it."""
    return max(2.6, metrics.height() / 6.5)


def shares(values: np.ndarray) -> np.ndarray:
    """Return each number divided by the greatest magnitude, from -1 to 1; 0 if it is not finite."""
    finite = np.where(np.isfinite(values), values, 0).astype(float)
    return finite / (np.abs(finite).max(initial=0) or 1)


def shade(share: float) -> QColor:
    """Return the background of a cell: blue if positive, orange if negative, stronger with the magnitude."""
    return _shade(theme.colours.surface, theme.colours.training, theme.colours.validation, round(share * LEVELS))


@cache
def _shade(ground: str, more: str, less: str, level: int) -> QColor:
    return mixed(QColor(ground), QColor(more if level > 0 else less), STRONGEST * abs(level) / LEVELS)


ENTERS = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
RETURNS = (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason)
"""Reasons for a loss of focus that do not end editing: the line edit's own menu, or another window."""
ROOM = 12  # pixels next to the text, for the frame


class CellEdit(QLineEdit):
    """Line edit over a cell. Enter, Tab or a click elsewhere accepts the text; Esc cancels. The owner closes it."""

    accepted = Signal(int)  # where to continue: 1: next cell, -1: previous cell, 0: nowhere
    cancelled = Signal()

    def __init__(self, owner: QWidget) -> None:
        super().__init__(owner)
        self.open = False
        self._owner = owner
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.textChanged.connect(self._widen)
        self.hide()

    def begin(self, cell: QRect, text: str, accessible: str, select: bool) -> None:
        """Open the line edit over a cell. ``select``: select the text, so that typing replaces it."""
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
        """Close the line edit, and return the focus to the owner if it was here."""
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
        """Fit the width to the text, within the owner."""
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


LONGEST = 14  # maximum length of a name, in characters
EDGE = 3  # pixels around the cells, for the frames
ROW, MOST = 1.5, (1 << 24) - 1
"""Height of a row, in line heights; and the maximum height that Qt allows for a widget, in pixels."""


class Matrix(CellCanvas):
    """Matrix of numbers; emits the cell that is hovered or reached with arrow keys, and the text typed into a cell.

    It never changes numbers itself: the receiver of an edit shows the numbers again.

    Args:
        tinted: shade cells by their numbers.
        longest_name: maximum length of a row's or column's name, in characters; longer names are elided, and shown in
            full when their cell is hovered.
    """

    edited = Signal(int, int, str)  # row, column, text

    choose: Callable[[Cell], object] | None = None
    """Called with a cell that is clicked, or on which Enter is pressed, if it is read-only."""

    def __init__(
        self, name: str, title: str, *, editable: bool = False, tinted: bool = False, digits: int = 4,
        longest_name: int = LONGEST,
    ) -> None:
        super().__init__(name, title)
        self.values: np.ndarray = np.empty((0, 0))  # (rows, columns)
        self.digits = digits
        self.editable, self._tinted, self._longest_name = editable, tinted, longest_name
        self._title, self._tallest = title, ROW
        self._shape: tuple[int, ...] = (0, 0)
        self._texts: list[list[str]] = []  # texts of the cells, row by row
        self._rows: Sequence[str] = ()  # names, or empty
        self._columns: Sequence[str] = ()
        self.equal: np.ndarray | None = None  # (rows, columns), True if a number equals the book's
        self.hatched: np.ndarray = np.zeros((0, 0), dtype=bool)
        self._shades: np.ndarray = np.zeros((0, 0))  # (rows, columns), from -1 to 1
        self._origin, self._cell_size = QPoint(), QSize(1, 1)  # of the first cell; names are above it and to its left
        self._typing: Cell | None = None
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
            equal: the same shape; True if a number equals the book's.
            title: new title; by default, the title stays.
        """
        if title:
            self._title = title
            self.setAccessibleName(title)
        table = np.atleast_2d(np.asarray(values))
        if table.shape != self.values.shape:
            self._forget()
        self.values, self._shape, self._rows, self._columns = table, np.shape(values), tuple(rows), tuple(columns)
        self._texts = [[shown(value, self.digits) for value in row] for row in table]
        self._shades = shares(table) if self._tinted else np.zeros(table.shape)
        self.equal = None if equal is None else np.atleast_2d(equal)
        self.remeasure()
        self.describe(self.title if equal is None else tr(
            "{count} of {all} numbers match the book", count=int(equal.sum()), all=equal.size))
        if self.cell:
            self.pointed.emit(self.cell)

    def hatch(self, hatched: np.ndarray) -> None:
        """Hatch the dropped numbers. ``hatched``: (rows, columns), True if a number is dropped."""
        self.hatched = hatched
        self.update()

    def grow(self, tallest: float) -> None:
        """Let rows grow up to this many line heights if there is space, to align them with bars."""
        self._tallest = tallest
        self.setMaximumHeight(MOST)
        self.remeasure()

    @property
    def title(self) -> str:
        """Title with the shape: 'weights (6, 6)'."""
        return f"{self._title} {self._shape}"

    def text(self, cell: Cell) -> str:
        return self._texts[cell[0]][cell[1]]

    def words(self, cell: Cell) -> str:
        if self.explain:
            return self.explain(cell)
        row, column = self._names(cell)
        return tr("{row}, {column}: {value}", row=row, column=column, value=self.text(cell))

    def table(self) -> Sequence[Sequence[str]]:
        """Return the numbers with all their digits, and their names if there are any."""
        return as_rows(self.values, self._rows, self._columns)

    def items(self) -> CellPlaces:
        return CellPlaces(self.values.shape, self.place)

    def place(self, cell: Cell) -> QRectF:
        return QRectF(self.rect(cell))

    def item_at(self, point: QPointF) -> Cell | None:
        inside = point.toPoint() - self._origin
        cell = Cell(inside.y() // self._cell_size.height(), inside.x() // self._cell_size.width())
        return cell if cell in self.items() else None

    def step(self, key: Qt.Key, start: Cell | None) -> Cell:
        return self.items().step(key, start) if start else Cell(0, 0)

    def go_to(self, cell: Cell) -> None:
        self.point_at(cell)
        bring_into_view(self, self.rect(cell))

    def activate(self, cell: Cell) -> bool:
        if self.choose:
            self.choose(cell)
        return self.choose is not None

    # Editing

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
        """Reset the marks, for a matrix of another shape."""
        self._edit.finish()
        self.lit = frozenset()
        self.point_at(None)
        self._last = None

    def _begin(self, cell: Cell | None, text: str | None = None) -> None:
        """Start editing a cell. ``text``: text typed already; by default, the number."""
        if not self.editable or cell is None:
            return
        self._typing = cell
        self.go_to(cell)
        row, column = self._names(cell)
        accessible = tr("Value of {row}, {column}", row=row, column=column)
        begun = typed(self.values[cell]) if text is None else text
        self._edit.begin(self.rect(cell), begun, accessible, select=text is None)

    def _accept(self, onward: int) -> None:
        """Emit the typed text, and continue with a neighbouring cell."""
        cell, text, shape = self._typing, self._edit.text(), self.values.shape
        self._edit.finish()
        if cell is None:
            return
        self.edited.emit(cell.row, cell.column, text.strip().replace("−", "-"))  # with the minus sign of code
        if not (self.hasFocus() or self.underMouse()):
            self.point_at(None)
        after = cell.row * shape[1] + cell.column + onward
        if onward and shape == self.values.shape and 0 <= after < self.values.size:
            self._begin(Cell(*divmod(after, shape[1])))

    # Geometry

    def rect(self, cell: Cell) -> QRect:  # type: ignore[override]  # Qt's is the rectangle of the widget
        wide, high = self._cell_size.width(), self._cell_size.height()
        return QRect(self._origin + QPoint(cell[1] * wide, cell[0] * high), self._cell_size)

    def _area(self) -> QRect:
        """Return the rectangle of all cells."""
        rows, columns = self.values.shape
        return QRect(self._origin, QSize(columns * self._cell_size.width(), rows * self._cell_size.height()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._tallest > ROW:
            self.remeasure()

    def minimumSizeHint(self) -> QSize:
        title = QFontMetrics(heading(self.font())).horizontalAdvance(self.title)
        return QSize(max(self._area().right() + 1 + EDGE, title + 2), self._high(ROW))

    def remeasure(self) -> None:
        """Compute the sizes of the cells, which are all as wide as the widest number or name."""
        metrics, rows = QFontMetrics(self.font()), len(self.values)
        longest = metrics.averageCharWidth() * self._longest_name

        def widest(texts: Iterable[str]) -> int:
            return max((metrics.horizontalAdvance(text) for text in texts), default=0)

        figures = {text for row in self._texts for text in row}
        figures.add(shown(self.values.dtype.type(0), self.digits))
        tick = CORNER + round(3.0 * tick_size(metrics))
        wide = max(widest(figures), min(longest, widest(self._columns))) + PAD + tick
        left = min(longest, widest(self._rows)) + PAD + 2 if self._rows else EDGE - 1
        top = metrics.height() + 6 + (metrics.height() + 2 if self._columns else 0)
        self._origin, high = QPoint(left, top), round(metrics.height() * ROW)
        if self._tallest > ROW and rows:
            self.setMaximumHeight(self._high(self._tallest))
            high = max(high, (min(self.height(), self.maximumHeight()) - EDGE - top) // rows)
        self._cell_size = QSize(wide, high)
        self.updateGeometry()
        self.update()

    def _high(self, row: float) -> int:
        """Return the height of the matrix with rows of this height, in line heights."""
        return self._origin.y() + len(self.values) * round(row * self.fontMetrics().height()) + EDGE

    def _names(self, cell: Cell) -> tuple[str, str]:
        """Return the names of a cell's row and column; their numbers, if they have no names."""
        row = self._rows[cell[0]] if self._rows else tr("row {index}", index=cell[0])
        column = self._columns[cell[1]] if self._columns else tr("column {index}", index=cell[1])
        return row, column

    # Painting

    def paint(self, painter: QPainter, region: QRect) -> None:
        first, last = region.topLeft() - self._origin, region.bottomRight() - self._origin
        high, wide, (all_rows, all_columns) = self._cell_size.height(), self._cell_size.width(), self.values.shape
        rows = range(max(0, first.y() // high), min(all_rows, last.y() // high + 1))
        columns = range(max(0, first.x() // wide), min(all_columns, last.x() // wide + 1))
        cells = list(starmap(Cell, product(rows, columns)))
        painter.setFont(heading(self.font()))
        write(painter, QRect(1, 0, 1 << 14, painter.fontMetrics().height()), self.title)
        painter.setFont(self.font())
        self._paint_names(painter, rows, columns)
        self._paint_grounds(painter, cells)
        self._paint_lines(painter, rows, columns)
        self._paint_numbers(painter, cells)
        if self.equal is not None:
            self._paint_ticks(painter, [self.rect(cell) for cell in cells if self.equal[cell]])
        self._paint_lit(painter, frozenset(cells))
        if self.cell:
            painter.setPen(_pen("text", 2))
            painter.drawRect(self.rect(self.cell))
        if self.hatched.shape == self.values.shape:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
            hatch = QBrush(colour("muted", 0.35), Qt.BrushStyle.BDiagPattern)
            for row, column in np.argwhere(self.hatched).tolist():
                painter.fillRect(self.rect(Cell(row, column)).adjusted(1, 1, 0, 0), hatch)

    def _paint_names(self, painter: QPainter, rows: range, columns: range) -> None:
        line, (row, column) = painter.fontMetrics().height(), self.cell or (None, None)
        for index in rows if self._rows else ():
            place = QRect(1, self.rect(Cell(index, 0)).top(), self._origin.x() - PAD - 1, self._cell_size.height())
            _name(painter, place, self._rows[index], index == row)
        top = self._origin.y() - line - PAD // 2
        for index in columns if self._columns else ():
            place = QRect(self.rect(Cell(0, index)).left() + 3, top, self._cell_size.width() - PAD - 3, line)
            _name(painter, place, self._columns[index], index == column)

    def _paint_grounds(self, painter: QPainter, cells: Iterable[Cell]) -> None:
        area = self._area()
        painter.fillRect(area, colour("surface"))
        for cell in cells if self._tinted else ():
            painter.fillRect(self.rect(cell), shade(float(self._shades[cell])))
        if self.cell:
            place, glow = self.rect(self.cell), colour("accent", LIT)
            painter.fillRect(QRect(area.left(), place.top(), area.width(), place.height()), glow)
            painter.fillRect(QRect(place.left(), area.top(), place.width(), area.height()), glow)

    def _paint_lines(self, painter: QPainter, rows: range, columns: range) -> None:
        area = self._area()
        painter.setPen(QPen(colour("line"), 1))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        lines = [QLine(area.left(), y, area.right() + 1, y) for y in (self.rect(Cell(row, 0)).top() for row in rows)]
        lines += [QLine(x, area.top(), x, area.bottom() + 1) for x in (self.rect(Cell(0, c)).left() for c in columns)]
        painter.drawLines(lines)
        painter.setPen(QPen(colour("accent" if self.hasFocus() else "line"), 1))
        painter.drawRect(area)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)

    def _paint_numbers(self, painter: QPainter, cells: Iterable[Cell]) -> None:
        painter.setPen(colour("text"))
        for cell in cells:
            painter.drawText(self.rect(cell).adjusted(0, 0, -PAD, 0), RIGHT, self.text(cell))

    def _paint_ticks(self, painter: QPainter, places: Iterable[QRect]) -> None:
        """Paint a small tick in the corner of each cell that matches."""
        size = tick_size(painter.fontMetrics())
        painter.setPen(QPen(colour("good"), max(1.3, size / 2.4), Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap,
                            Qt.PenJoinStyle.RoundJoin))
        bends = [QPointF(x * size + CORNER, y * size + CORNER) for x, y in ((0.0, 0.9), (0.6, 1.5), (1.8, 0.0))]
        for place in places:
            painter.drawPolyline([QPointF(place.topLeft()) + bend for bend in bends])

    def _paint_lit(self, painter: QPainter, cells: frozenset[Cell]) -> None:
        """Paint a thick frame around each group of adjacent cells."""
        painter.setPen(_pen("accent", 3))
        for row, column in self.lit & cells:
            place = self.rect(Cell(row, column))
            left, top, right, bottom = place.left(), place.top(), place.right() + 1, place.bottom() + 1
            for down, across, line in (
                (-1, 0, QLine(left, top, right, top)), (1, 0, QLine(left, bottom, right, bottom)),
                (0, -1, QLine(left, top, left, bottom)), (0, 1, QLine(right, top, right, bottom))):
                if (row + down, column + across) not in self.lit:
                    painter.drawLine(line)


def _name(painter: QPainter, place: QRect, text: str, strong: bool) -> None:
    write(painter, place, text, RIGHT, "accent" if strong else "muted", place.width())
    if strong:
        wide = min(place.width(), painter.fontMetrics().horizontalAdvance(text))
        painter.drawLine(place.right() - wide, place.bottom() + 1, place.right(), place.bottom() + 1)


def _pen(name: str, width: float) -> QPen:
    return QPen(colour(name), width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.SquareCap, Qt.PenJoinStyle.MiterJoin)
