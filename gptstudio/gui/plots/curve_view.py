"""Small charts painted with Qt alone: lines and points over one axis, with a scale and a cursor.

A pyqtgraph plot with axes, menus and a scene takes 15 to 20 ms to create, and a page may have many charts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QPixmap, QPolygonF, QResizeEvent
from PySide6.QtWidgets import QSizePolicy

from gptstudio.gui.canvas.canvas import ENDS, Canvas, Cell, CellPlaces
from gptstudio.gui.canvas.writing import CENTRE, LEFT, RIGHT, draw_with, write
from gptstudio.gui.plots.grid_view import Scale
from gptstudio.gui.plots.shades import Floats, Range
from gptstudio.gui.theme import colour, theme
from gptstudio.history.columns import thinned

NEAR = 24
"""Maximum distance in pixels between the pointer and a line."""
DOT = 5.0
"""Radius of a point in pixels."""


@dataclass(frozen=True)
class Line:
    """Line over the x values.

    Attributes:
        y: (n,); values that are not finite, or not on the scale, leave a gap.
        ink: its colour.
        x: (n,) if its x values differ from the chart's.
        spread: (n,) half the length of a vertical line through each point.
        dots: draws points instead of a line.
        behind: painted before all other lines.
    """

    y: Floats
    ink: Callable[[], QColor]
    x: Floats | None = None
    width: float = 1.4
    dash: Qt.PenStyle = Qt.PenStyle.SolidLine
    spread: Floats | None = None
    dots: bool = False
    behind: bool = False

    @property
    def pen(self) -> QPen:
        return QPen(self.ink(), theme.curve_width(self.width) if theme.projecting else self.width, self.dash)


@dataclass(frozen=True)
class Curves:
    """Lines, scales and texts of a chart.

    Attributes:
        x: (n,) x values of its lines.
        lines: the first ``pointed`` of them react to the pointer.
        x_scale, y_scale: scales of the axes.
        band: lower and upper bounds of an area, (m,) each over ``band_x``; (1,) each: over the whole width.
        band_ink: its colour.
        x_title, y_title: titles of the axes.
        corner: only two axes without figures; bare: no axes.
        place: marked point, in the units of x and y.
        entry: line and point where keyboard navigation starts.
        say: text for a point; ``table``: the copied table.
        empty: text shown without lines.
    """

    x: Floats = field(default_factory=lambda: np.empty(0))
    lines: Sequence[Line] = ()
    pointed: int = 0
    x_scale: Scale = field(default_factory=Range)
    y_scale: Scale = field(default_factory=Range)
    band: tuple[Floats, Floats] | None = None
    band_x: Floats | None = None
    band_ink: Callable[[], QColor] = lambda: colour("good", 0.16)
    x_title: str = ""
    y_title: str = ""
    corner: bool = False
    bare: bool = False
    place: tuple[float, float] | None = None
    entry: Cell | None = None
    say: Callable[[Cell], str] = str
    table: Callable[[], Sequence[Sequence[str]]] = tuple
    empty: str = ""


class CurveView(Canvas):
    """Widget that draws :class:`Curves`. An item is the index of a line and the index of a point on it.

    Args:
        least: minimum width and height in pixels at the default text size.
        grows: whether it uses additional height.
    """

    def __init__(self, name: str, accessible: str, least: tuple[float, float], grows: bool = True) -> None:
        self.curves = Curves()
        self.column: int | None = None
        """Index of the x value at the cursor."""
        self._least = least
        self._picture: QPixmap | None = None
        super().__init__(name, accessible)
        growing, fixed = QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed
        self.setSizePolicy(growing, growing if grows else fixed)

    def show_curves(self, curves: Curves, words: str | None = None) -> None:
        """Show curves. ``words``: accessible description while no point is hovered."""
        self.curves = curves
        self.column = None if self.column is None else min(self.column, len(curves.x) - 1)
        if words is not None:
            self.describe(words)
        self.remeasure()

    def show_column(self, column: int | None) -> None:
        """Move the cursor to the x value of this index."""
        if column != self.column:
            self.column = column
            self.update()

    # Items

    def items(self) -> CellPlaces:
        return CellPlaces((self.curves.pointed, len(self.curves.x)), self.cell_place)

    def entry(self) -> Cell | None:
        if self._last is not None and self._last in self.items():
            return self._last  # type: ignore[no-any-return]
        return self.curves.entry if self.items() else None

    def step(self, key: Qt.Key, start: Cell | None) -> Cell | None:
        if start is None:
            return self.entry() if key not in ENDS else self.items().step(key, Cell(0, 0))
        return self.items().step(key, start)

    def words(self, cell: Cell) -> str:
        return self.curves.say(cell)

    def table(self) -> Sequence[Sequence[str]]:
        return self.curves.table()

    def item_at(self, point: QPointF) -> Cell | None:
        """Return the point with the nearest x on the nearest line."""
        if not self.items() or not self.shown().adjusted(-8, -8, 8, 8).contains(point):
            return None
        column = int(np.argmin(np.abs(self._xs(self.curves.x) - point.x())))
        heights = np.array([self._ys(line.y)[column] for line in self.curves.lines[: self.curves.pointed]])
        ways = np.abs(heights - point.y())
        if not np.isfinite(ways).any() or np.nanmin(ways) > NEAR:
            return None
        return Cell(int(np.nanargmin(ways)), column)

    # Geometry

    def shown(self) -> QRectF:
        """Return the rectangle of the values, without the labels around it."""
        letter = QFontMetricsF(self.font()).height()
        if self.curves.bare:
            return QRectF(self.rect()).adjusted(2, 2, -2, -2)
        if self.curves.corner:
            return QRectF(self.rect()).adjusted(1 + 2 * DOT, 2 + DOT, -1 - 2 * DOT, -2 - DOT)
        scale = [words for _, words in self.curves.y_scale.legend(9)]
        left = max(map(QFontMetricsF(self.font()).horizontalAdvance, scale), default=0) + 8
        top = 1.6 * letter if self.curves.y_title else letter / 2
        bottom = 2.7 * letter if self.curves.x_title else letter + 2
        return QRectF(self.rect()).adjusted(left, top, -8, -bottom)

    def cell_place(self, cell: Cell) -> QRectF:
        at, half = self._at(cell), DOT if self.curves.lines[cell.row].dots else 4.0
        return QRectF(at.x() - half, at.y() - half, 2 * half, 2 * half)

    def minimumSizeHint(self) -> QSize:
        wide, high = self._least
        return QSize(round(wide), round(high * theme.zoom))

    def remeasure(self) -> None:
        self._picture = None
        super().remeasure()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._picture = None
        super().resizeEvent(event)

    def _xs(self, x: Floats) -> Floats:
        shown = self.shown()
        xs: Floats = shown.left() + self.curves.x_scale.shares(x) * shown.width()
        return xs

    def _ys(self, y: Floats) -> Floats:
        shown = self.shown()
        ys: Floats = shown.bottom() - self.curves.y_scale.shares(y) * shown.height()
        return ys

    def _at(self, cell: Cell) -> QPointF:
        one = slice(cell.column, cell.column + 1)
        x, y = self._xs(self.curves.x[one]), np.nan_to_num(self._ys(self.curves.lines[cell.row].y[one]))
        return QPointF(float(x[0]), float(y[0]))

    def _points(self, x: Floats, y: Floats) -> list[QPointF]:
        return list(map(QPointF, self._xs(x).tolist(), self._ys(y).tolist()))

    # Painting

    def paint(self, painter: QPainter, _region: QRect) -> None:
        if not self.curves.lines:
            write(painter, QRectF(self.rect()), self.curves.empty, CENTRE, "muted")
            return
        if self._picture is None:
            ratio = self.devicePixelRatioF()
            self._picture = QPixmap(self.size() * ratio)
            self._picture.setDevicePixelRatio(ratio)
            self._picture.fill(Qt.GlobalColor.transparent)
            with QPainter(self._picture) as inner:
                inner.setFont(self.font())
                inner.setRenderHint(QPainter.RenderHint.Antialiasing)
                self._paint_axes(inner)
                inner.setClipRect(self.shown().adjusted(-2 * DOT, -2 * DOT, 2 * DOT, 2 * DOT))
                self._paint_band(inner)
                for line in sorted(self.curves.lines, key=lambda line: (not line.behind, line.dots)):
                    self._paint_line(inner, line)
        painter.drawPixmap(0, 0, self._picture)
        self._paint_cursor(painter)

    def _paint_axes(self, painter: QPainter) -> None:
        if self.curves.bare:
            return
        shown, letter = self.shown(), QFontMetricsF(self.font()).height()
        painter.setPen(QPen(colour("line"), 1))
        if self.curves.corner:
            area = QRectF(self.rect()).adjusted(1, 2, -1, -2)
            painter.drawPolyline(QPolygonF([area.topLeft(), area.bottomLeft(), area.bottomRight()]))
            return
        for share, words in self.curves.y_scale.legend(9):
            y = shown.bottom() - share * shown.height()
            painter.setPen(QPen(colour("line"), 1))
            painter.drawLine(QLineF(shown.left(), y, shown.right(), y))
            write(painter, QRectF(0, y - letter / 2, shown.left() - 5, letter), words, RIGHT, "muted")
        taken: list[tuple[float, float]] = []
        for share, words in self.curves.x_scale.legend(9):
            x, half = shown.left() + share * shown.width(), self.fontMetrics().horizontalAdvance(words) / 2 + 4
            if self.curves.x_title:
                painter.setPen(QPen(colour("line"), 1))
                painter.drawLine(QLineF(x, shown.top(), x, shown.bottom()))
            begin = max(0.0, min(x, self.width() - half) - half)
            if all(begin >= right or begin + 2 * half <= left for left, right in taken):
                write(painter, QRectF(begin, shown.bottom() + 2, 2 * half, letter), words, CENTRE, "muted")
                taken.append((begin, begin + 2 * half))
        write(painter, QRectF(shown.left(), 0, shown.width(), 1.2 * letter), self.curves.y_title, LEFT, "muted")
        write(painter, QRectF(shown.left(), self.height() - 1.2 * letter, shown.width(), 1.2 * letter),
              self.curves.x_title, RIGHT, "muted")

    def _paint_band(self, painter: QPainter) -> None:
        """Paint the band, or a dotted line if it is a single value."""
        if self.curves.band is None:
            return
        shown, (low, high) = self.shown(), self.curves.band
        if self.curves.band_x is not None:
            around = [*self._points(self.curves.band_x, low), *reversed(self._points(self.curves.band_x, high))]
            draw_with(painter, Qt.PenStyle.NoPen, self.curves.band_ink())
            painter.drawPolygon(QPolygonF(around))
            return
        below, above = (float(self._ys(each)[0]) for each in (low, high))
        if below - above > 1:
            painter.fillRect(QRectF(shown.left(), above, shown.width(), below - above), self.curves.band_ink())
        else:
            painter.setPen(QPen(colour("good"), 1.2, Qt.PenStyle.DotLine))
            painter.drawLine(QLineF(shown.left(), below, shown.right(), below))

    def _paint_line(self, painter: QPainter, line: Line) -> None:
        x = self.curves.x if line.x is None else line.x
        if line.dots:
            self._paint_dots(painter, line, x)
            return
        draw_with(painter, line.pen, Qt.BrushStyle.NoBrush)
        places, heights = (np.asarray(each, dtype=float) for each in (self._xs(x), self._ys(line.y)))
        xs, ys = thinned(places, heights, max(2, round(self.shown().width())))
        for start, stop in _stretches(ys):
            points = list(map(QPointF, xs[start:stop].tolist(), ys[start:stop].tolist()))
            if len(points) > 1:
                painter.drawPolyline(points)
            else:
                painter.drawEllipse(points[0], 1.5, 1.5)

    def _paint_dots(self, painter: QPainter, line: Line, x: Floats) -> None:
        if line.spread is not None:
            painter.setPen(QPen(line.ink(), 1.5))
            for low, high in zip(self._points(x, line.y - line.spread), self._points(x, line.y + line.spread),
                                 strict=True):
                if low.y() - high.y() > 0.5:
                    painter.drawLine(low, high)
                    for end in (low, high):
                        painter.drawLine(end - QPointF(DOT, 0), end + QPointF(DOT, 0))
        draw_with(painter, QPen(colour("surface"), 1), line.ink())
        for point in self._points(x, line.y):
            painter.drawEllipse(point, DOT, DOT)

    def _paint_cursor(self, painter: QPainter) -> None:
        shown = self.shown()
        if self.column is not None and 0 <= self.column < len(self.curves.x):
            x = float(self._xs(self.curves.x[self.column : self.column + 1])[0])
            painter.setPen(QPen(colour("muted"), 1))
            painter.drawLine(QLineF(x, shown.top(), x, shown.bottom()))
        if self.curves.place:
            [at] = self._points(*(np.array([each]) for each in self.curves.place))
            draw_with(painter, Qt.PenStyle.NoPen, colour("validation"))
            painter.drawEllipse(at, DOT, DOT)
        if self.item is not None:
            line = self.curves.lines[self.item.row]
            draw_with(painter, QPen(colour("text"), 2 if line.dots else 1.5), line.ink())
            painter.drawEllipse(self._at(self.item), *([DOT + 1] * 2 if line.dots else [4, 4]))


def _stretches(values: Floats) -> list[tuple[int, int]]:
    """Return the stretches of finite values as half-open ranges."""
    there = np.concatenate([[False], np.isfinite(values), [False]])
    edges = np.flatnonzero(there[1:] != there[:-1])
    return list(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))
