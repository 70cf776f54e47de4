"""A small chart with a line for each layer: the blocks in colours by depth, all else in grey."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QPixmap, QResizeEvent

from gptstudio.gui.canvas import tint
from gptstudio.gui.canvas.canvas import Canvas
from gptstudio.gui.canvas.grid import Cell, CellPlaces
from gptstudio.gui.canvas.items import ENDS
from gptstudio.gui.canvas.writing import LEFT, RIGHT, write
from gptstudio.gui.plots.shades import Floats
from gptstudio.gui.theme import colour, theme
from gptstudio.gui.train.health.scale import Scale, cell_words, table_of, tick_words
from gptstudio.history.columns import Numbers
from gptstudio.history.health_history import LayerTable
from gptstudio.history.thinning import thinned

FAINTEST = 0.3
"""Share of the colour scale at which the first block begins: below, a line could not be seen on the ground."""
NEAR = 24
"""Pixels from a line within which it is pointed at."""


def depth_colour(share: float) -> QColor:
    """Return the colour of a block: 0 for the first, 1 for the last."""
    return tint.shade(FAINTEST + share * (1 - FAINTEST))


class LayerLines(Canvas):
    """Chart over steps. ``usual``: the band that is shaded, or a dotted line where it is one value."""

    def __init__(self, name: str, accessible: str) -> None:
        self._usual: tuple[float, float] | None = None
        self.values = LayerTable()
        self.scale = Scale()
        self.column: int | None = None
        """The evaluation at the cursor."""
        self._picture: QPixmap | None = None
        super().__init__(name, accessible)
        self.setMinimumHeight(64)

    def show_lines(self, table: LayerTable, log: bool, usual: tuple[float, float] | None) -> None:
        """Show a table, which may have grown."""
        self._usual = usual
        self.show_table(table, log, *(usual or ()))

    def show_table(self, table: LayerTable, log: bool, *include: float, zero: bool = True) -> None:
        """Show a table, which may have grown; ``include``: values that the scale has in any case; ``zero``: a linear
        scale begins at 0, and not at the lowest value."""
        if table is not self.values:
            self.point_at(None)
        self.values, self.scale = table, Scale.of(table.values, log, *include, zero=zero)
        self.column = None if self.column is None else min(self.column, len(table) - 1)
        self.remeasure()

    def show_column(self, column: int | None) -> None:
        """Put the cursor at an evaluation."""
        if column != self.column:
            self.column = column
            self.update()

    # Items.

    def items(self) -> CellPlaces:
        return CellPlaces((len(self.values.layers), len(self.values)), self.cell_place)

    def entry(self) -> Cell | None:
        """Keys begin at the newest evaluation."""
        if self._last is not None and self._last in self.items():
            return self._last  # type: ignore[no-any-return]
        return Cell(0, len(self.values) - 1) if self.items() else None

    def step(self, key: Qt.Key, start: Cell | None) -> Cell | None:
        if start is None:
            return self.entry() if key not in ENDS else self.items().step(key, Cell(0, 0))
        return self.items().step(key, start)

    def words(self, cell: Cell) -> str:
        return cell_words(self.values, cell)

    def table(self) -> Sequence[Sequence[str]]:
        return table_of(self.values)

    # Geometry.

    def shown(self) -> QRectF:
        """Return where the values are, without what is written around them."""
        left, top, right, bottom = self.margins()
        return QRectF(self.rect()).adjusted(left, top, -right, -bottom)

    def scale_width(self) -> float:
        """Return the width of the numbers beside the scale."""
        metrics = QFontMetricsF(self.font())
        return max(metrics.horizontalAdvance(tick_words(tick)) for tick in self.scale.ticks())

    def remeasure(self) -> None:
        self._picture = None
        super().remeasure()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._picture = None
        super().resizeEvent(event)

    def blank(self) -> QPixmap:
        """Return an empty picture in the size of the widget."""
        ratio = self.devicePixelRatioF()
        made = QPixmap(self.size() * ratio)
        made.setDevicePixelRatio(ratio)
        made.fill(Qt.GlobalColor.transparent)
        return made

    def minimumSizeHint(self) -> QSize:
        return QSize(200, round(84 * theme.zoom))

    def margins(self) -> tuple[float, float, float, float]:
        high = QFontMetricsF(self.font()).height()
        return self.scale_width() + 8, high / 2, 8, high + 2

    def cell_place(self, cell: Cell) -> QRectF:
        point = self._point(cell)
        return QRectF(point.x() - 4, point.y() - 4, 8, 8)

    def item_at(self, point: QPointF) -> Cell | None:
        """Return the nearest value of the nearest evaluation."""
        shown = self.shown()
        if not len(self.values) or not shown.adjusted(-8, -8, 8, 8).contains(point):
            return None
        column = int(np.argmin(np.abs(self._xs() - point.x())))
        ways = np.abs(self._ys()[:, column] - point.y())
        if not np.isfinite(ways).any() or np.nanmin(ways) > NEAR:
            return None
        return Cell(int(np.nanargmin(ways)), column)

    def paint(self, painter: QPainter, _region: QRect) -> None:
        if not len(self.values):
            return
        if self._picture is None:
            self._picture = self.blank()
            with QPainter(self._picture) as inner:
                inner.setFont(self.font())
                inner.setRenderHint(QPainter.RenderHint.Antialiasing)
                self._paint_ground(inner)
                self._paint_lines(inner)
        painter.drawPixmap(0, 0, self._picture)
        self._paint_cursor(painter)

    # Places.

    def _xs(self) -> Numbers:
        """x of each evaluation, (evaluations,)."""
        steps, shown = self.values.place("step"), self.shown()
        span = float(steps[-1] - steps[0]) or 1.0
        xs: Numbers = shown.left() + (steps - steps[0]) / span * shown.width()
        return xs

    def _ys(self) -> Floats:
        """y of each value, (layers, evaluations)."""
        shown = self.shown()
        ys: Floats = shown.bottom() - self.scale.shares(self.values.values) * shown.height()
        return ys

    def _point(self, cell: Cell) -> QPointF:
        share = self.scale.shares(self.values.values[cell.row, cell.column : cell.column + 1])
        shown = self.shown()
        return QPointF(float(self._xs()[cell.column]), shown.bottom() - float(np.nan_to_num(share)[0]) * shown.height())

    # Painting.

    def _paint_ground(self, painter: QPainter) -> None:
        shown, high = self.shown(), QFontMetricsF(self.font()).height()
        if self._usual:
            low, top = (shown.bottom() - float(each) * shown.height()
                        for each in self.scale.shares(np.array(self._usual)))
            if low - top > 1:
                painter.fillRect(QRectF(shown.left(), top, shown.width(), low - top), colour("good", 0.16))
            else:
                painter.setPen(QPen(colour("good"), 1.2, Qt.PenStyle.DotLine))
                painter.drawLine(QPointF(shown.left(), low), QPointF(shown.right(), low))
        for tick, share in zip(self.scale.ticks(), self.scale.shares(np.array(self.scale.ticks())), strict=True):
            y = shown.bottom() - float(share) * shown.height()
            painter.setPen(QPen(colour("line"), 1))
            painter.drawLine(QPointF(shown.left(), y), QPointF(shown.right(), y))
            write(painter, QRectF(0, y - high / 2, shown.left() - 5, high), tick_words(tick), RIGHT, "muted")
        steps, below = self.values.place("step"), QRectF(shown.left(), shown.bottom() + 2, shown.width(), high)
        write(painter, below, f"{steps[0] + 1:,.0f}", LEFT, "muted")
        if len(steps) > 1:
            write(painter, below, f"{steps[-1] + 1:,.0f}", RIGHT, "muted")

    def _paint_lines(self, painter: QPainter) -> None:
        columns = max(2, round(self.shown().width()))
        all_x, all_y = self._xs(), self._ys()
        grey_first = sorted(range(len(all_y)), key=lambda row: self.values.layers[row].block is not None)
        for row in grey_first:
            painter.setPen(self._pen(row))
            xs, ys = thinned(all_x, all_y[row], columns)
            for start, stop in _stretches(ys):
                points = list(map(QPointF, xs[start:stop].tolist(), ys[start:stop].tolist()))
                if len(points) > 1:
                    painter.drawPolyline(points)
                else:
                    painter.drawEllipse(points[0], 1.5, 1.5)

    def _pen(self, row: int, width: float = 1.4) -> QPen:
        layer, blocks = self.values.layers[row], [each.block for each in self.values.layers if each.block is not None]
        if layer.block is None:
            dashed = Qt.PenStyle.DashLine if row % 2 else Qt.PenStyle.SolidLine
            return QPen(colour("muted"), width, dashed)
        style = Qt.PenStyle.DashLine if layer.part == "attention" else Qt.PenStyle.SolidLine
        return QPen(depth_colour(layer.block / max(1, *blocks)), width, style)

    def _paint_cursor(self, painter: QPainter) -> None:
        shown = self.shown()
        if self.column is not None and 0 <= self.column < len(self.values):
            x = float(self._xs()[self.column])
            painter.setPen(QPen(colour("muted"), 1))
            painter.drawLine(QPointF(x, shown.top()), QPointF(x, shown.bottom()))
        if self.item is not None:
            painter.setPen(QPen(colour("text"), 1.5))
            painter.setBrush(self._pen(self.item.row).color())
            painter.drawEllipse(self._point(self.item), 4, 4)


def _stretches(values: Floats) -> list[tuple[int, int]]:
    """Return where there are values, as beginnings and ends."""
    there = np.concatenate([[False], np.isfinite(values), [False]])
    edges = np.flatnonzero(there[1:] != there[:-1])
    return list(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))
