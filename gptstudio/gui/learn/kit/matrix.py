"""Numbers in rows and columns, to be pointed at, compared with printed ones, and typed over."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QBrush, QFocusEvent, QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import QSizePolicy

from gptstudio.gui.canvas.cell_canvas import CellCanvas
from gptstudio.gui.canvas.grid import Cell, CellPlaces, Grid
from gptstudio.gui.canvas.in_view import bring_into_view
from gptstudio.gui.canvas.items import KEYS
from gptstudio.gui.canvas.writing import heading
from gptstudio.gui.learn.kit import matrix_paint as painting
from gptstudio.gui.learn.kit import numbers
from gptstudio.gui.learn.kit.cell_edit import ENTERS, CellEdit, writes
from gptstudio.gui.theme import colour
from gptstudio.gui.translation import tr

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
        self._sheet, self._grid = painting.Sheet(), Grid()
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
        self._sheet = painting.Sheet(
            texts=tuple(tuple(numbers.shown(value, self.digits) for value in row) for row in table), rows=tuple(rows),
            columns=tuple(columns), shades=painting.shares(table) if self._tinted else None,
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
        """With the shape: 'weights (6, 6)'."""
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
        """Another shape: what was marked is no more."""
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
        marks = painting.Marks(self.cell, self.lit, self.hasFocus())
        painting.paint(painter, region, self._sheet, self._grid, marks)

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
        wide = max(widest(figures), min(longest, widest(sheet.columns))) + painting.PAD + painting.tick_room(metrics)
        left = min(longest, widest(sheet.rows)) + painting.PAD + 2 if sheet.rows else EDGE - 1
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
        """With rows of so many heights of a letter."""
        return self._grid.origin.y() + self._grid.rows * round(row * self.fontMetrics().height()) + EDGE

    def _names(self, cell: Cell) -> tuple[str, str]:
        """Of its row and its column; their numbers, where they have no names."""
        sheet = self._sheet
        row = sheet.rows[cell[0]] if sheet.rows else tr("row {index}", index=cell[0])
        column = sheet.columns[cell[1]] if sheet.columns else tr("column {index}", index=cell[1])
        return row, column

    def _summarise(self) -> None:
        """Tell a screen reader how much agrees with the print, while no cell is pointed at."""
        equal = self._sheet.equal
        counted = {} if equal is None else {"count": int(equal.sum()), "all": equal.size}
        self.describe(tr("{count} of {all} numbers match the book", **counted) if counted else self.title)


class StruckMatrix(Matrix):
    """Matrix in which some numbers are hatched, since they are dropped."""

    struck: np.ndarray = np.zeros((0, 0), dtype=bool)

    def strike(self, struck: np.ndarray) -> None:
        """``struck``: (rows, columns), True where a number is hatched."""
        self.struck = struck
        self.update()

    def paint(self, painter: QPainter, region: QRect) -> None:
        super().paint(painter, region)
        if self.struck.shape != self.values.shape:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        hatch = QBrush(colour("muted", 0.35), Qt.BrushStyle.BDiagPattern)
        for row, column in np.argwhere(self.struck).tolist():
            painter.fillRect(self.rect(Cell(row, column)).adjusted(1, 1, 0, 0), hatch)
