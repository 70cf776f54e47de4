"""Drawn curves: their points, the scene items that show them, and the readout of their values below a chart."""

from __future__ import annotations

import html
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QLabel, QStyleOptionGraphicsItem, QWidget

from gptstudio import files
from gptstudio.gui.charts.curve import Series, Smoothed
from gptstudio.gui.charts.plot import ChartLegend, Range
from gptstudio.gui.charts.style import CurveStyle
from gptstudio.gui.theme import theme
from gptstudio.gui.translation import tr

MANY = 150
"""Number of points above which a curve is drawn with lines one pixel wide."""
FEW = 12
"""Maximum number of curves per chart that are drawn in their own widths; more would hide each other and be slow."""
MOST_COLUMNS = 100_000
"""Maximum number of pixel columns over all curves of a chart; with many curves, the minima and maxima of wider columns
are drawn."""

NOTHING = math.inf, -math.inf
"""Minimum and maximum y of an empty curve."""

RAW_UNDER_SMOOTHED = 0.22
"""Opacity of the points under a smoothed line."""


class CurveReading(NamedTuple):
    """Values of a curve at the last point at or before an x; ``smoothed`` equals y without smoothing."""

    key: str
    label: str
    look: CurveStyle
    x: float
    y: float
    smoothed: float


class CurveLine(pg.PlotCurveItem):  # type: ignore[misc]  # pyqtgraph has no types
    """Line of a curve, drawn with lines one pixel wide if it has many points.

    Qt draws these directly. For wider lines it builds an outline, which takes 40 ms for 300 noisy points and a second
    for some thousand.
    """

    def __init__(self) -> None:
        super().__init__(connect="finite")
        self._look = CurveStyle("text")
        self._many = self._noisy = self._thin = False

    def dress(self, look: CurveStyle) -> None:
        self._look = look
        self.setPen(look.pen(1 if self._many or self._thin else None, dashed=not self._noisy))
        self.setFillLevel(0.0 if look.filled else None)
        self.setBrush(look.paint() if look.filled else None)

    def show_points(self, x: np.ndarray, y: np.ndarray, thin: bool) -> None:
        """Draw these points. ``thin``: one pixel wide instead of the width of the curve."""
        before = self._many, self._noisy, self._thin
        self._many, self._thin = x.size > MANY, thin
        self._noisy = self._many and _is_noisy(y)
        if before != (self._many, self._noisy, self._thin):
            self.dress(self._look)
        self.setData(x, y, antialias=not self._noisy)

    def sample_pen(self) -> QPen:
        return self._look.pen(max(2.0, self._look.pixels))

    def pen_in_full(self) -> QPen:
        """Return the pen for exports, where drawing time does not matter."""
        return self._look.pen(1 if self._noisy else None, dashed=not self._noisy)

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None) -> None:
        super().paint(painter, option, widget)
        missing = self._look.pixels - 1 if self._many and not self._noisy and not self._thin else 0.0
        while missing > 0:  # draw it again one pixel below
            painter.translate(0, min(1.0, missing) * self.pixelHeight())
            super().paint(painter, option, widget)
            missing -= 1


def _is_noisy(y: np.ndarray) -> bool:
    """Return whether consecutive points vary so much that width, dashes and smooth edges are not visible."""
    steps = np.abs(np.diff(y))
    return bool(np.nansum(steps) > 0.02 * steps.size * (np.fmax.reduce(y) - np.fmin.reduce(y)))


class Curve:
    """Curve of a chart: its points, and the items that draw them."""

    def __init__(self, key: str, series: Series):
        self.key, self.series = key, series
        self.label, self.look = "", CurveStyle("text")
        self.visible = True
        self.line, self.raw = CurveLine(), CurveLine()
        self.lone = pg.ScatterPlotItem(pen=None, size=4)
        self._smoothed: Smoothed | None = None
        self._drawn: object = None  # state when last drawn
        self._heights = NOTHING

    @property
    def items(self) -> tuple[pg.GraphicsObject, ...]:
        return self.raw, self.line, self.lone

    def smooth(self, strength: float) -> None:
        """Set the smoothing; 0 draws only the points."""
        self._smoothed = Smoothed(self.series.y, strength) if strength else None

    def replace_points(self, series: Series, strength: float) -> None:
        """Show other points from the next drawing on, smoothed with this strength."""
        self.series, self._drawn = series, None
        self.smooth(strength)

    def dress(self) -> None:
        for height, item in enumerate(self.items):  # smoothed lines lie above the points of all curves
            item.setZValue(height + len(self.items) * self.look.raised)
        self.line.dress(self.look)
        self.raw.dress(replace(self.look, width=1, opacity=self.look.opacity * RAW_UNDER_SMOOTHED))
        self.lone.setBrush(self.look.paint())

    def draw(self, axis: str, left: float, right: float, pixels: int, log: bool, thin: bool) -> Range:
        """Draw the part between two x values; return its minimum and maximum y as drawn, infinite if it is empty. An
        unchanged curve is not drawn again."""
        shown = self.visible and self.series.has(axis)
        state = shown and (axis, left, right, pixels, log, thin, self._smoothed, self.series.state)
        if state != self._drawn:
            self._drawn = state
            for item in self.items:
                item.setVisible(shown)
            self._heights = self._draw((axis, left, right, pixels), log, thin) if shown else NOTHING
        return self._heights

    def _draw(self, view: tuple[str, float, float, int], log: bool, thin: bool) -> Range:
        points = self.series.thinned(*view)
        line = self.series.thinned(*view, self._smoothed.up_to_date()) if self._smoothed else points
        drawn = [(x, logarithm(y) if log else y) for x, y in (points, line)]
        self.raw.setVisible(self._smoothed is not None)
        if self._smoothed:
            self.raw.show_points(*drawn[0], thin)
        self.line.show_points(*drawn[1], thin)
        self._draw_lone(*drawn[1])
        heights = drawn[0][1]
        return np.fmin.reduce(heights, initial=math.inf), np.fmax.reduce(heights, initial=-math.inf)

    def read(self, axis: str, x: float) -> CurveReading | None:
        """Return the values at the last point at or before ``x``; None if there is none."""
        index = self.series.index_at(axis, x)
        if index < 0:
            return None
        y = float(self.series.y[index])
        smoothed = float(self._smoothed.up_to_date()[index]) if self._smoothed else y
        return CurveReading(self.key, self.label, self.look, float(self.series.x(axis, index)), y, smoothed)

    def height_at(self, axis: str, x: float, slack: float, log: bool) -> float:
        """Return the y at which the line is drawn at ``x``, up to ``slack`` beyond its ends; NaN elsewhere."""
        index = self.series.index_at(axis, x + slack) if self.series.has(axis) else -1
        column = self._smoothed.up_to_date() if self._smoothed else self.series.y
        first = max(0, self.series.index_at(axis, x))
        rows = slice(first, first + 2)
        places, heights = self.series.x(axis, rows) if index >= 0 else np.empty(0), column[rows]
        if not places.size or x > places[-1] + slack:
            return math.nan
        return float(np.interp(x, places, logarithm(heights) if log else heights))

    def _draw_lone(self, x: np.ndarray, y: np.ndarray) -> None:
        """Draw a dot for each point between two gaps, where no line is visible, or for all points if the style has dots
        and there are few."""
        gap = np.isnan(np.concatenate([[np.nan], y, [np.nan]]))
        lone = ~gap[1:-1] & (gap[:-2] & gap[2:] | (self.look.dots and y.size <= MANY))
        self.lone.setVisible(bool(lone.any()))
        if lone.any() or len(self.lone.data):
            self.lone.setData(x[lone], y[lone])


def logarithm(y: np.ndarray) -> np.ndarray:
    """Return log10 of the values, with a gap where it is undefined."""
    gaps = np.full(y.shape, np.nan)
    np.log10(y, out=gaps, where=y > 0)
    return gaps


class CurveItems(dict[str, Curve]):
    """Curves of a chart by key, in a view box and in a legend."""

    def __init__(self, box: pg.ViewBox, legend: ChartLegend) -> None:
        super().__init__()
        self._box, self._legend = box, legend
        self.strength = 0.0
        """Strength of the smoothing, from 0 to below 1."""

    def put(self, key: str, words: str, look: CurveStyle, series: Series, visible: bool = True) -> Curve:
        """Add or change the curve of this key; with empty ``words`` it is not in the legend.

        ``series``: its points, which other charts may share. ``Chart.refresh`` draws points that are added to them.
        """
        curve = self.get(key)
        if curve is None:
            curve = self[key] = Curve(key, series)
            curve.smooth(self.strength)
            for item in curve.items:
                self._box.addItem(item, ignoreBounds=True)
        elif series is not curve.series:
            curve.replace_points(series, self.strength)
        before = curve.label if curve.visible else "", curve.look
        curve.label, curve.look, curve.visible = words, look, visible
        curve.dress()
        if before != (words if visible else "", look):
            self._write_legend()
        return curve

    def remove(self, *keys: str) -> None:
        """Remove the curves of these keys, where they exist."""
        gone = [self.pop(key) for key in keys if key in self]
        for item in chain.from_iterable(curve.items for curve in gone):
            self._box.removeItem(item)
        if gone:
            self._write_legend()

    def draw(self, axis: str, left: float, right: float, pixels: int, log: bool) -> list[Range]:
        """Draw the part between two x values in ``pixels`` pixels; return the range of y of each curve as drawn."""
        count = sum(curve.visible for curve in self.values())
        while pixels * count > MOST_COLUMNS:  # halved, so that an additional curve rarely changes the others
            pixels //= 2
        pixels = max(2, pixels)
        raised = sum(curve.visible and curve.look.raised for curve in self.values())
        return [curve.draw(axis, left, right, pixels, log, (raised if curve.look.raised else count) > FEW)
                for curve in self.values()]

    def name(self, names: Mapping[str, str]) -> None:
        """Name the curves of these keys in the legend, and no others."""
        for key, curve in self.items():
            curve.label = names.get(key, "")
        self._write_legend()

    def smooth(self, strength: float) -> None:
        self.strength = strength
        for curve in self.values():
            curve.smooth(strength)

    def dress(self) -> None:
        for curve in self.values():
            curve.dress()
        self._write_legend()  # rewritten, because smaller text would keep its old space

    def _write_legend(self) -> None:
        self._legend.write([(curve.line, curve.label) for curve in self.values() if curve.label and curve.visible])

    def ends(self, axis: str) -> list[Range]:
        """Return the first and last x of each visible curve."""
        shown = [curve.series for curve in self.values() if curve.visible and curve.series.has(axis)]
        return [(float(series.x(axis, 0)), float(series.x(axis, -1))) for series in shown]

    def as_table(self, axis: str, title: str) -> str:
        """Return the points of the visible curves as tab-separated rows: x, then one column per curve."""
        shown = [curve for curve in self.values() if curve.visible and curve.label and curve.series.has(axis)]
        points = [dict(zip(curve.series.x(axis).tolist(), curve.series.y[:].tolist(), strict=True)) for curve in shown]
        rows = [[title, *(curve.label for curve in shown)]]
        for x in sorted(set().union(*points)):
            rows.append([f"{x:.10g}", *("" if x not in each else f"{each[x]:.10g}" for each in points)])
        return files.tab_separated(rows)

    def read(self, axis: str, x: float) -> list[CurveReading]:
        """Return the values of the visible curves at ``x``, omitting curves that begin later."""
        return [found for curve in self.values() if curve.visible and (found := curve.read(axis, x))]


WIDEST, PLACE = "00,000.00 (00,000.00)", "Step 000,000  ·  epoch 00.00  ·  00 min 00 s"
"""Longest texts of a curve's value (smoothed, and its first part unsmoothed) and of a position."""
ROOM_TO_WRAP = 1.15
"""Factor for the space that wrapping leaves at the ends of lines."""


def number(value: float) -> str:
    """Return a number in readable form: 3.214, 0.0004, 12,345."""
    if value != value:
        return "–"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"


class Readout(QLabel):
    """Values of the curves at the pointer, or a hint."""

    def __init__(self, name: str, unnamed: str, words: Callable[[float], str]) -> None:
        """Create the readout. ``unnamed``: name of a curve without a label. ``words``: formats a value."""
        super().__init__()
        self.setProperty("role", "muted")
        self.setObjectName(name)
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.RichText)
        self._unnamed, self._words = unnamed, words
        self._reserved: tuple[object, ...] = ()  # arguments of the last reservation
        self.usual_tip = ""
        """Text of a mark for which space is reserved from the start, so that the chart keeps its height when the first
        mark appears."""

    def show_hint(self, has_curves: bool) -> None:
        self.setText(tr("Point at the curves to read their values.") if has_curves else "")

    def show_values(self, place: str, readings: Sequence[CurveReading], smoothed: bool, tips: Sequence[str]) -> None:
        said = [html.escape(place), *(self._said(reading, smoothed) for reading in readings), *map(html.escape, tips)]
        self.setText(" &nbsp;·&nbsp; ".join(said))
        needed = self.heightForWidth(self.width())
        self.setMinimumHeight(max(self.minimumHeight(), needed))  # avoids jumps while the pointer moves

    def tell(self, plot: QWidget, readings: Sequence[CurveReading], place_words: Callable[[float], str]) -> None:
        """Describe the values of the curves to screen readers, unless the plot has never been shown."""
        if not plot.isVisible() and not plot.accessibleDescription():
            return
        plot.setAccessibleDescription("; ".join(
            f"{reading.label or self._unnamed} {self._words(reading.y)}, {place_words(reading.x)}"
            for reading in readings))

    def reserve(self, room: int, names: Sequence[str], smoothed: bool, tip: str) -> None:
        """Reserve space for the longest text, so that the chart does not shrink on hover."""
        names = [name or self._unnamed for name in names]
        needs = room, tuple(names), tip, theme.zoom
        if needs == self._reserved or self.isHidden():
            return
        self._reserved = needs
        values = [f"■ {name} {WIDEST if smoothed else WIDEST[:9]}" for name in names]
        letters = self.fontMetrics()
        tip = max(tip, self.usual_tip, key=len)
        width = letters.horizontalAdvance("  ·  ".join(filter(None, (PLACE, *values, tip))))
        self.setMinimumHeight(math.ceil(width * ROOM_TO_WRAP / room) * letters.lineSpacing())

    def _said(self, reading: CurveReading, smoothed: bool) -> str:
        name = html.escape(reading.label or self._unnamed).replace(" ", "&nbsp;")
        value = self._words(reading.smoothed) + (f" ({self._words(reading.y)})" if smoothed else "")
        return f'<span style="color: {reading.look.paint().name()}">■</span>&nbsp;{name}&nbsp;{html.escape(value)}'
