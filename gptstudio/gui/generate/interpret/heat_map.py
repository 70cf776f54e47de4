"""A table of numbers as a square of colours: a row for each token that looks, a column for each that is looked at."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QBrush,
    QFocusEvent,
    QFontMetricsF,
    QHelpEvent,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QToolTip

from gptstudio.gui.generate.interpret import shades
from gptstudio.gui.generate.interpret.cell_view import Cell, CellView
from gptstudio.gui.theme import colour, theme
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.parts import named, plain

LINES_FROM = 9
"""Pixels of a cell from which lines between cells help."""
NAMES = 5.5
"""The longest name, in heights of a letter."""
STEPS = {Qt.Key.Key_Up: (-1, 0), Qt.Key.Key_Down: (1, 0), Qt.Key.Key_Left: (0, -1), Qt.Key.Key_Right: (0, 1)}
ZOOMS = {Qt.Key.Key_Plus: 1.25, Qt.Key.Key_Equal: 1.25, Qt.Key.Key_Minus: 0.8}


class HeatMap(CellView):
    """Heat map of numbers with row and column names; emits the cell that is hovered or reached with the arrow keys, and
    the
    row that is selected by a click or Enter. Values that are not finite are hatched.
    """

    pointed = Signal(object)  # Cell, or None
    chosen = Signal(int)  # row

    def __init__(self, name: str, accessible: str) -> None:
        super().__init__()
        named(self, name, accessible)
        self.values: shades.Floats = np.empty((0, 0))
        self.cell: Cell | None = None
        """That is pointed at."""
        self.row: int | None = None
        """That is marked."""
        self._rows: Sequence[str] = ()
        self._columns: Sequence[str] = ()
        self._range = shades.Range()
        self._image = QImage()
        self._margins = (0, 0, 0, 0)
        self.viewport().setMouseTracking(True)
        theme.changed.connect(self._draw)

    def show_values(
        self, values: shades.Floats, rows: Sequence[str], columns: Sequence[str], spread: shades.Range
    ) -> None:
        """``values``: (rows, columns). ``spread``: what the colours stand for."""
        if values.shape != self.shape:
            self.cell = None
        self.values, self._rows, self._columns, self._range = values, rows, columns, spread
        self._measure()
        self._draw()
        self.show_shape(values.shape)

    def mark_row(self, row: int | None) -> None:
        """The row that is looked into, without telling."""
        if row != self.row:
            self.row = row
            self.viewport().update()

    def words(self, cell: Cell) -> str:
        """Return the tooltip of a cell."""
        value = self.values[cell]
        said = f"{value:.4g}".replace("-", "−") if np.isfinite(value) else tr("none, a later token")
        return tr("{row}  →  {column}:  {value}", row=self._rows[cell[0]], column=self._columns[cell[1]], value=said)

    # What somebody does.

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._point_at(self.cell_at(event.position()))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        cell = self.cell_at(event.position())
        if cell:
            self.setFocus()
            self._point_at(cell)
            self.chosen.emit(cell[0])

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key in STEPS and self.values.size:
            self._walk(*STEPS[key])
        elif key in ZOOMS:
            self.zoom(ZOOMS[key])
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space) and self.cell:
            self.chosen.emit(self.cell[0])
        else:
            super().keyPressEvent(event)

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Leave and not self.hasFocus():
            self._point_at(None)
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            cell = self.cell_at(QPointF(event.pos()))
            QToolTip.showText(event.globalPos(), plain(self.words(cell)) if cell else "", self)
            return True
        return super().viewportEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._point_at(None)

    def _walk(self, down: int, right: int) -> None:
        """To the next cell; at first to that of the marked row that looks at itself."""
        rows, columns = self.shape
        start = self.row if self.row is not None else rows - 1
        row, column = self.cell or (start - down, min(start, columns - 1) - right)
        cell = min(max(0, row + down), rows - 1), min(max(0, column + right), columns - 1)
        self.scroll_to(cell)
        self._point_at(cell)

    def _point_at(self, cell: Cell | None) -> None:
        if cell != self.cell:
            self.cell = cell
            self.setAccessibleDescription(self.words(cell) if cell else "")
            self.viewport().update()
            self.pointed.emit(cell)

    # How it is painted.

    def margins(self) -> tuple[int, int, int, int]:
        """Names at the left and below, half a letter above for the first of them, and the legend at the right."""
        return self._margins

    def paintEvent(self, _event: QPaintEvent) -> None:
        if not self.values.size:
            return
        painter, shown = QPainter(self.viewport()), self.shown()
        painter.setClipRect(shown)
        painter.fillRect(shown, colour("surface"))
        painter.fillRect(shown, QBrush(colour("line"), Qt.BrushStyle.BDiagPattern))
        painter.drawImage(self.whole(), self._image)
        if self.side() >= LINES_FROM:
            self._paint_lines(painter, shown)
        self._paint_marks(painter, shown)
        painter.setClipping(False)
        self._paint_names(painter, shown)
        self._paint_legend(painter, shown)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.FontChange:
            self._measure()
        super().changeEvent(event)

    def _measure(self) -> None:
        metrics = QFontMetricsF(self.font())
        widest = max((metrics.horizontalAdvance(name) for name in {*self._rows, *self._columns}), default=0)
        names = round(min(NAMES * metrics.height(), widest + 8))
        legend = round(metrics.horizontalAdvance("−00.00")) + 26
        self._margins = names, round(metrics.height() / 2), legend, names

    def _draw(self) -> None:
        self._image = shades.picture(self._range.shares(self.values))
        self.viewport().update()

    def _paint_lines(self, painter: QPainter, shown: QRectF) -> None:
        painter.setPen(QPen(colour("surface"), 1))
        rows, columns = self.in_view()
        for y in (self.place_of((row, 0)).top() for row in rows):
            painter.drawLine(QPointF(shown.left(), y), QPointF(shown.right(), y))
        for x in (self.place_of((0, column)).left() for column in columns):
            painter.drawLine(QPointF(x, shown.top()), QPointF(x, shown.bottom()))

    def _paint_marks(self, painter: QPainter, shown: QRectF) -> None:
        """The row that is looked into, and the cell that is pointed at."""
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if self.row is not None and self.row < self.shape[0]:
            place = self.place_of((self.row, 0)).united(self.place_of((self.row, self.shape[1] - 1)))
            painter.setPen(QPen(colour("validation"), 2))
            painter.drawRect(place.adjusted(-1, -1, 1, 1).intersected(shown.adjusted(1, 1, -1, -1)))
        if self.cell:
            painter.setPen(QPen(colour("text"), 2))
            painter.drawRect(self.place_of(self.cell))

    def _paint_names(self, painter: QPainter, shown: QRectF) -> None:
        """Paint as many names as fit; always those of the selected row and of the hovered cell."""
        high, side, names = QFontMetricsF(self.font()).height(), self.side(), self.margins()[0]
        row, column = self.cell or (self.row, None)
        rows, columns = self.in_view()
        place = QRectF(-names, -high / 2, names - 5, high)
        for index in _with_room(rows, side, high, row):
            middle = self.place_of((index, 0)).center().y()
            if shown.top() <= middle <= shown.bottom():
                self._write(painter, place.translated(names, middle), self._rows[index], index == row)
        for index in _with_room(columns, side, high, column):
            middle = self.place_of((0, index)).center().x()
            if shown.left() <= middle <= shown.right():
                painter.save()
                painter.translate(middle, shown.bottom())
                painter.rotate(-90)
                self._write(painter, place, self._columns[index], index == column)
                painter.restore()

    def _write(self, painter: QPainter, place: QRectF, text: str, strong: bool) -> None:
        shown = QFontMetricsF(self.font()).elidedText(text, Qt.TextElideMode.ElideRight, place.width())
        painter.setPen(colour("text" if strong else "muted"))
        painter.drawText(place, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, shown)

    def _paint_legend(self, painter: QPainter, shown: QRectF) -> None:
        """The colours with what they stand for, at the right of the map."""
        high = QFontMetricsF(self.font()).height()
        bar = QRectF(shown.right() + 12, shown.top(), 9, min(shown.height(), 9 * high))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        shades.paint_bar(painter, bar)
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
