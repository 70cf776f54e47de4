"""Heat map of a quantity: a row for each layer, a column for each evaluation."""

from __future__ import annotations

from functools import cache

import numpy as np
from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QFontMetricsF, QImage, QLinearGradient, QPainter, QPen

from gptstudio.gui.canvas import tint
from gptstudio.gui.canvas.grid import Cell
from gptstudio.gui.canvas.writing import LEFT, RIGHT, rounded, write
from gptstudio.gui.theme import DARK, colour, theme
from gptstudio.gui.train.health.layer_canvas import LayerCanvas
from gptstudio.gui.train.health.scale import tick_words
from gptstudio.gui.translation import tr

LINES_FROM = 9
"""Pixels of a row from which lines between rows help."""
WIDEST_NAME = 0.3
"""Share of the width that names of layers take at most."""


class LayerMap(LayerCanvas):
    """Heat map; values that are not on the scale are hatched."""

    smooth = False

    def minimumSizeHint(self) -> QSize:
        return QSize(240, round(110 * theme.zoom))

    def margins(self) -> tuple[float, float, float, float]:
        metrics = QFontMetricsF(self.font())
        names = max((metrics.horizontalAdvance(tr(each.words)) for each in self.values.layers), default=0) + 8
        high = metrics.height()
        return min(names, WIDEST_NAME * self.width()), high / 2, self.scale_width() + 32, high + 2

    def cell_place(self, cell: Cell) -> QRectF:
        shown, (rows, columns) = self.shown(), self._shape()
        width, height = shown.width() / columns, shown.height() / rows
        return QRectF(shown.left() + cell.column * width, shown.top() + cell.row * height, width, height)

    def item_at(self, point: QPointF) -> Cell | None:
        shown, (rows, columns) = self.shown(), self._shape()
        if not len(self.values) or not shown.contains(point):
            return None
        row = int((point.y() - shown.top()) / shown.height() * rows)
        column = int((point.x() - shown.left()) / shown.width() * columns)
        return Cell(min(row, rows - 1), min(column, columns - 1))

    def paint(self, painter: QPainter, _region: QRect) -> None:
        if not len(self.values):
            return
        if self._picture is None:
            self._picture = self.blank()
            with QPainter(self._picture) as inner:
                inner.setFont(self.font())
                self._paint_cells(inner)
                self._paint_names(inner)
                self._paint_legend(inner)
        painter.drawPixmap(0, 0, self._picture)
        self._paint_marks(painter)

    def _shape(self) -> tuple[int, int]:
        return max(1, len(self.values.layers)), max(1, len(self.values))

    def _paint_cells(self, painter: QPainter) -> None:
        shown = self.shown()
        painter.fillRect(shown, QBrush(colour("line"), Qt.BrushStyle.BDiagPattern))
        painter.drawImage(shown, _image(self.scale.shares(self.values.values)))
        rows, _ = self._shape()
        if shown.height() / rows >= LINES_FROM:
            painter.setPen(QPen(colour("surface"), 1))
            for row in range(1, rows):
                y = self.cell_place(Cell(row, 0)).top()
                painter.drawLine(QPointF(shown.left(), y), QPointF(shown.right(), y))

    def _paint_names(self, painter: QPainter) -> None:
        """Write as many names as fit, and the first and the last step."""
        shown, high, (rows, _) = self.shown(), QFontMetricsF(self.font()).height(), self._shape()
        every = max(1, -(-round(high * rows) // max(1, round(shown.height()))))
        for row in range(0, rows, every):
            middle = self.cell_place(Cell(row, 0)).center().y()
            place = QRectF(0, middle - high / 2, shown.left() - 6, high)
            write(painter, place, tr(self.values.layers[row].words), RIGHT, "muted", place.width())
        steps, below = self.values.place("step"), QRectF(shown.left(), shown.bottom() + 2, shown.width(), high)
        write(painter, below, tr("step {n}", n=f"{steps[0] + 1:,.0f}"), LEFT, "muted")
        if len(steps) > 1:
            write(painter, below, tr("step {n}", n=f"{steps[-1] + 1:,.0f}"), RIGHT, "muted")

    def _paint_legend(self, painter: QPainter) -> None:
        """Paint the colours with what they stand for, at the right of the map."""
        shown, high = self.shown(), QFontMetricsF(self.font()).height()
        bar = QRectF(shown.right() + 12, shown.top(), 9, shown.height())
        fill = QLinearGradient(bar.bottomLeft(), bar.topLeft())
        for part in range(17):
            fill.setColorAt(part / 16, tint.shade(part / 16))
        rounded(painter, bar, 3, fill)
        ticks = self.scale.ticks()
        few = ticks if len(ticks) * high <= bar.height() else [ticks[0], ticks[-1]]
        for tick, share in zip(few, self.scale.shares(np.array(few)), strict=True):
            y = bar.bottom() - float(share) * bar.height()
            write(painter, QRectF(bar.right() + 5, y - high / 2, 99, high), tick_words(tick), LEFT, "muted")

    def _paint_marks(self, painter: QPainter) -> None:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if self.column is not None and 0 <= self.column < len(self.values):
            top, bottom = (self.cell_place(Cell(row, self.column)) for row in (0, self._shape()[0] - 1))
            painter.setPen(QPen(colour("muted"), 1))
            painter.drawRect(top.united(bottom))
        if self.item is not None:
            painter.setPen(QPen(colour("text"), 2))
            painter.drawRect(self.cell_place(self.item))


def _image(shares: np.ndarray) -> QImage:
    """(R, E) -> a picture of E by R points; nothing where a share is NaN."""
    table = _table(theme.colours is DARK)
    points = np.empty((*shares.shape, 4), dtype=np.uint8)
    points[..., :3] = table[(np.nan_to_num(shares) * (len(table) - 1)).round().astype(int)]
    points[..., 3] = np.where(np.isnan(shares), 0, 255)
    rows, columns = shares.shape
    return QImage(points.tobytes(), columns, rows, 4 * columns, QImage.Format.Format_RGBA8888).copy()


@cache
def _table(_dark: bool) -> np.ndarray:
    """The colours of the theme, (256, 3)."""
    shades = [tint.shade(level / (tint.LEVELS - 1)) for level in range(tint.LEVELS)]
    return np.array([[each.red(), each.green(), each.blue()] for each in shades], dtype=np.uint8)
