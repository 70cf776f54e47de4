"""A table of numbers as a square of colours: a row for each token that looks, a column for each that is looked at."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QBrush, QFontMetricsF, QImage, QKeyEvent, QPainter, QPen

from gptstudio.gui.canvas.grid import Cell
from gptstudio.gui.canvas.items import ENDS
from gptstudio.gui.canvas.writing import RIGHT, write
from gptstudio.gui.generate.interpret import shades
from gptstudio.gui.generate.interpret.cell_view import CellView
from gptstudio.gui.theme import colour
from gptstudio.gui.translation import tr

LINES_FROM = 9
"""Pixels of a cell from which lines between cells help."""
NAMES = 5.5
"""The longest name, in heights of a letter."""
ZOOMS = {Qt.Key.Key_Plus: 1.25, Qt.Key.Key_Equal: 1.25, Qt.Key.Key_Minus: 0.8}


class HeatMap(CellView):
    """Heat map of numbers with row and column names; emits the cell that is hovered or reached with the arrow keys, and
    the row that is selected by a click or Enter. Values that are not finite are hatched."""

    chosen = Signal(int)  # row
    smooth = remembers = False
    diverging = False
    """True if the colours run from below zero to above it."""

    def __init__(self, name: str, accessible: str, least_side: float = 0.0) -> None:
        super().__init__(name, accessible, least_side)
        self.values: shades.Floats = np.empty((0, 0))
        self.row: int | None = None
        """That is marked."""
        self._rows: Sequence[str] = ()
        self._columns: Sequence[str] = ()
        self._range = shades.Range()
        self._image = QImage()
        self._margins = (0, 0, 0, 0)

    def show_values(
        self, values: shades.Floats, rows: Sequence[str], columns: Sequence[str], spread: shades.Range
    ) -> None:
        """``values``: (rows, columns). ``spread``: what the colours stand for."""
        if values.shape != self.shape:
            self.item = None
        self.values, self._rows, self._columns, self._range = values, rows, columns, spread
        self._draw()
        self.show_shape(values.shape)

    def mark_row(self, row: int | None) -> None:
        """The row that is looked into, without telling."""
        if row != self.row:
            self.row = row
            self.viewport().update()

    def words(self, cell: Cell) -> str:
        value = self.values[cell]
        said = f"{value:.4g}".replace("-", "−") if np.isfinite(value) else tr("none, a later token")
        return tr("{row}  →  {column}:  {value}", row=self._rows[cell[0]], column=self._columns[cell[1]], value=said)

    def table(self) -> Sequence[Sequence[str]]:
        return [("", *self._columns)] + [
            (name, *map(repr, row)) for name, row in zip(self._rows, self.values.tolist(), strict=True)
        ]

    def entry(self) -> None:
        """Nothing is pointed at before the first key."""

    def step(self, key: Qt.Key, start: Cell | None) -> Cell:
        """Return the cell beside; at first that of the marked row that looks at itself."""
        if start:
            return super().step(key, start)
        rows, columns = self.shape
        row = self.row if self.row is not None else rows - 1
        cell = Cell(row, min(row, columns - 1))
        return super().step(key, cell) if key in ENDS else cell

    def activate(self, cell: Cell) -> bool:
        self.chosen.emit(cell.row)
        return True

    def leaveEvent(self, event: QEvent) -> None:
        if not self.hasFocus():
            super().leaveEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key in ZOOMS:
            self.zoom(ZOOMS[key])
        else:
            super().keyPressEvent(event)

    def margins(self) -> tuple[int, int, int, int]:
        """Names at the left and below, half a letter above for the first of them, and the legend at the right."""
        return self._margins

    def paint(self, painter: QPainter, _region: QRect) -> None:
        if not self.values.size:
            return
        shown = self.shown()
        painter.setClipRect(shown)
        painter.fillRect(shown, colour("surface"))
        painter.fillRect(shown, QBrush(colour("line"), Qt.BrushStyle.BDiagPattern))
        self._paint_cells(painter)
        if self.side() >= LINES_FROM:
            self._paint_lines(painter, shown)
        self.paint_marks(painter, shown)
        painter.setClipping(False)
        self._paint_names(painter, shown)
        self.paint_legend(painter, shown)

    def remeasure(self) -> None:
        self._draw()
        super().remeasure()

    def _draw(self) -> None:
        """Paint the cells in the colours of the theme, and measure what is around them."""
        self._image = shades.picture(self._range.shares(self.values), self.diverging)
        metrics = QFontMetricsF(self.font())
        widest = max((metrics.horizontalAdvance(name) for name in {*self._rows, *self._columns}), default=0)
        names = round(min(NAMES * metrics.height(), widest + 8))
        legend = round(metrics.horizontalAdvance("−00.00")) + 26
        self._margins = names, round(metrics.height() / 2), legend, names

    def _paint_cells(self, painter: QPainter) -> None:
        """Paint the cells in view: of a long text, few of a million."""
        rows, columns = self.in_view()
        place = self.place(Cell(rows[0], columns[0])).united(self.place(Cell(rows[-1], columns[-1])))
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, self.side() < 1)
        painter.drawImage(place, self._image, QRectF(columns[0], rows[0], len(columns), len(rows)))

    def _paint_lines(self, painter: QPainter, shown: QRectF) -> None:
        painter.setPen(QPen(colour("surface"), 1))
        rows, columns = self.in_view()
        for y in (self.place(Cell(row, 0)).top() for row in rows):
            painter.drawLine(QPointF(shown.left(), y), QPointF(shown.right(), y))
        for x in (self.place(Cell(0, column)).left() for column in columns):
            painter.drawLine(QPointF(x, shown.top()), QPointF(x, shown.bottom()))

    def paint_marks(self, painter: QPainter, shown: QRectF) -> None:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if self.row is not None and self.row < self.shape[0]:
            place = self.place(Cell(self.row, 0)).united(self.place(Cell(self.row, self.shape[1] - 1)))
            painter.setPen(QPen(colour("validation"), 2))
            painter.drawRect(place.adjusted(-1, -1, 1, 1).intersected(shown.adjusted(1, 1, -1, -1)))
        if self.item:
            painter.setPen(QPen(colour("text"), 2))
            painter.drawRect(self.place(self.item))

    def _paint_names(self, painter: QPainter, shown: QRectF) -> None:
        """Paint as many names as fit; always those of the selected row and of the hovered cell."""
        high, side, names = QFontMetricsF(self.font()).height(), self.side(), self.margins()[0]
        row, column = self.item or (self.row, None)
        rows, columns = self.in_view()
        place = QRectF(-names, -high / 2, names - 5, high)
        for index in _with_room(rows, side, high, row):
            middle = self.place(Cell(index, 0)).center().y()
            if shown.top() <= middle <= shown.bottom():
                self._write(painter, place.translated(names, middle), self._rows[index], index == row)
        for index in _with_room(columns, side, high, column):
            middle = self.place(Cell(0, index)).center().x()
            if shown.left() <= middle <= shown.right():
                painter.save()
                painter.translate(middle, shown.bottom())
                painter.rotate(-90)
                self._write(painter, place, self._columns[index], index == column)
                painter.restore()

    def _write(self, painter: QPainter, place: QRectF, text: str, strong: bool) -> None:
        shown = QFontMetricsF(self.font()).elidedText(text, Qt.TextElideMode.ElideRight, place.width())
        write(painter, place, shown, RIGHT, "text" if strong else "muted")

    def paint_legend(self, painter: QPainter, shown: QRectF) -> None:
        """The colours with what they stand for, at the right of the map."""
        high = QFontMetricsF(self.font()).height()
        bar = QRectF(shown.right() + 12, shown.top(), 9, min(shown.height(), 9 * high))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        shades.paint_bar(painter, bar, self.diverging)
        painter.setPen(colour("muted"))
        ticks = max(2, min(5, int(bar.height() / (1.4 * high))))
        for share in np.linspace(0, 1, ticks).tolist():
            place = QRectF(bar.right() + 5, bar.bottom() - high - share * (bar.height() - high), 99, high)
            text = f"{self._range.value(share):.2g}".replace("-", "−")
            painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, text)


def _with_room(indices: range, side: float, high: float, always: int | None) -> list[int]:
    """Which names can be written beside each other on cells of that side: every so many, and one of them always."""
    step = max(1, math.ceil(high / side))
    return [
        index for index in indices
        if index == always or (index % step == 0 and (always is None or abs(index - always) >= step))
    ]
