"""Parts of a chart: curves and their colours, the zoomable view box, axes, and lines with labels."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QApplication, QStyleOptionGraphicsItem, QWidget

from gptstudio.gui.charts.curve import Series, Smoothed
from gptstudio.gui.theme import colour, theme
from gptstudio.gui.translation import retranslated
from gptstudio.gui.widgets.parts import plain

OKABE_ITO = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
"""For curves laid over each other: blue, vermilion, bluish green, reddish purple, orange, sky blue.

From Okabe and Ito, Color Universal Design (2008), for people with any common colour blindness. Their black and their
yellow are left out, because each vanishes on one of the two backgrounds.
"""

Range = tuple[float, float]

DASHES = {
    "solid": Qt.PenStyle.SolidLine,
    "dash": Qt.PenStyle.DashLine,
    "dot": Qt.PenStyle.DotLine,
    "dash dot": Qt.PenStyle.DashDotLine,
}

MANY = 150
"""From so many points on a curve is drawn by lines of one pixel."""

RAW_UNDER_SMOOTHED = 0.22
"""Opacity of the points under a smoothed line."""


@dataclass(frozen=True)
class CurveStyle:
    """Style of a curve: a role of the theme or an index in the palette, pixels, a name in DASHES."""

    colour: str | int
    width: float = 1.5
    dash: str = "solid"
    opacity: float = 1.0

    def paint(self, opacity: float = 1.0) -> QColor:
        if isinstance(self.colour, str):
            return colour(self.colour, self.opacity * opacity)
        paint = QColor(OKABE_ITO[self.colour % len(OKABE_ITO)])
        paint.setAlphaF(self.opacity * opacity)
        return paint


def overlay(index: int, width: float = 1.5) -> CurveStyle:
    """The look of the so-manieth curve of several: when the colours are used up, they come again with other dashes."""
    dashes = list(DASHES)
    return CurveStyle(index, width, dashes[index // len(OKABE_ITO) % len(dashes)])


class Stroke(pg.PlotCurveItem):  # type: ignore[misc]  # pyqtgraph has no types
    """The line of a curve, drawn by lines of one pixel where it has many points.

    Qt draws those at once. For wider ones it builds an outline, which takes 40 ms for 300 noisy points and a second for
    some thousand.
    """

    def __init__(self) -> None:
        super().__init__(connect="finite")
        self._look, self._paint = CurveStyle("text"), QColor()
        self._many = self._noisy = False

    def dress(self, look: CurveStyle, paint: QColor) -> None:
        self._look, self._paint = look, paint
        self._choose_pen()

    def show_points(self, x: np.ndarray, y: np.ndarray) -> None:
        self._many = x.size > MANY
        self._noisy = self._many and _is_noisy(y)
        self._choose_pen()
        self.setData(x, y, antialias=not self._noisy)

    def sample_pen(self) -> QPen:
        """For the legend."""
        return QPen(pg.mkPen(self._paint, width=max(2.0, self._look.width), style=DASHES[self._look.dash]))

    def pen_in_full(self) -> QPen:
        """The pen of a drawing, where many points take no time."""
        dash = DASHES["solid" if self._noisy else self._look.dash]
        return QPen(pg.mkPen(self._paint, width=1 if self._noisy else self._look.width, style=dash))

    def _choose_pen(self) -> None:
        dash = DASHES["solid" if self._noisy else self._look.dash]
        self.setPen(pg.mkPen(self._paint, width=1 if self._many else self._look.width, style=dash))

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None) -> None:
        super().paint(painter, option, widget)
        wider = self._look.width - 1
        if self._many and wider > 0 and not self._noisy:
            painter.translate(0, wider * self.pixelHeight())
            super().paint(painter, option, widget)


def _is_noisy(y: np.ndarray) -> bool:
    """So much up and down from point to point that neither width, dashes nor smooth edges are to be seen."""
    steps = np.abs(np.diff(y))
    return bool(np.nansum(steps) > 0.02 * steps.size * (np.fmax.reduce(y) - np.fmin.reduce(y)))


class Curve:
    """One line of a chart: its points, and the items that draw them."""

    def __init__(self, key: str, series: Series):
        self.key, self.series = key, series
        self.label, self.look = "", CurveStyle("text")
        self.visible = True
        self.line, self.raw = Stroke(), Stroke()
        self.lone = pg.ScatterPlotItem(pen=None, size=4)
        for height, item in enumerate(self.items):  # what one reads is above the points of all curves
            item.setZValue(height)
        self._smoothed: Smoothed | None = None

    @property
    def items(self) -> tuple[pg.GraphicsObject, ...]:
        return self.raw, self.line, self.lone

    def smooth(self, strength: float) -> None:
        """0 draws the points alone."""
        self._smoothed = Smoothed(self.series.y, strength) if strength else None
        self.dress()

    def dress(self) -> None:
        """Take the colours now in force."""
        self.line.dress(self.look, self.look.paint())
        self.raw.dress(replace(self.look, width=1), self.look.paint(RAW_UNDER_SMOOTHED))
        self.lone.setBrush(self.look.paint())

    def draw(self, axis: str, left: float, right: float, pixels: int, log: bool) -> tuple[float, float]:
        """Draw what lies between two x; its lowest and highest y as drawn, infinite where there is none."""
        shown = self.visible and self.series.has(axis)
        for item in self.items:
            item.setVisible(shown)
        if not shown:
            return math.inf, -math.inf
        view = axis, left, right, pixels
        points = self.series.thinned(*view)
        line = self.series.thinned(*view, self._smoothed.up_to_date()) if self._smoothed else points
        drawn = [(x, logarithm(y) if log else y) for x, y in (points, line)]
        self.raw.setVisible(self._smoothed is not None)
        if self._smoothed:
            self.raw.show_points(*drawn[0])
        self.line.show_points(*drawn[1])
        self._draw_lone(*drawn[1])
        heights = drawn[0][1]
        return np.fmin.reduce(heights, initial=math.inf), np.fmax.reduce(heights, initial=-math.inf)

    def read(self, axis: str, x: float) -> tuple[float, float, float] | None:
        """(x, y, smoothed y or y) of the last point at or before ``x``."""
        index = self.series.index_at(axis, x)
        if index < 0:
            return None
        y = float(self.series.y[index])
        line = float(self._smoothed.up_to_date()[index]) if self._smoothed else y
        return float(self.series.x(axis, index)), y, line

    def _draw_lone(self, x: np.ndarray, y: np.ndarray) -> None:
        """A point with a gap on either side has no line to be seen by."""
        gap = np.isnan(np.concatenate([[np.nan], y, [np.nan]]))
        lone = gap[:-2] & ~gap[1:-1] & gap[2:]
        self.lone.setData(x[lone], y[lone])


def logarithm(y: np.ndarray) -> np.ndarray:
    """log10, and a gap where there is none."""
    gaps = np.full(y.shape, np.nan)
    np.log10(y, out=gaps, where=y > 0)
    return gaps


class Box(pg.ViewBox):  # type: ignore[misc]  # pyqtgraph has no types
    """Drags and Ctrl with the wheel move x; on an axis, that axis. The wheel alone is left to whatever scrolls."""

    moved = Signal(int)
    """By hand: 0 for x, 1 for y."""

    asked_for_all = Signal()

    def __init__(self) -> None:
        super().__init__(enableMenu=False)
        self.disableAutoRange()

    def wheelEvent(self, event: Any, axis: int | None = None) -> None:
        if not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            event.ignore()
            return
        super().wheelEvent(event, axis or 0)
        self.moved.emit(axis or 0)

    def mouseDragEvent(self, event: Any, axis: int | None = None) -> None:
        super().mouseDragEvent(event, axis or 0)
        self.moved.emit(axis or 0)

    def mouseClickEvent(self, event: Any) -> None:
        if event.double():
            self.asked_for_all.emit()


class Plot(pg.PlotWidget):  # type: ignore[misc]  # pyqtgraph has no types
    """The drawing surface; says when the pointer has left it."""

    left = Signal()

    def sizeHint(self) -> QSize:
        """Return the minimum size, as a layout with labels of several lines expects it."""
        return QSize(self.minimumSize())

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.left.emit()


class Axis(pg.AxisItem):  # type: ignore[misc]  # pyqtgraph has no types
    """Numbers as people write them, and on a logarithmic axis ticks also where it spans less than a power of ten."""

    picture: Any
    logMode: bool  # noqa: N815

    def __init__(self, side: str):
        super().__init__(side, maxTickLevel=1)
        self.enableAutoSIPrefix(False)

    def paint(self, painter: QPainter, _option: QStyleOptionGraphicsItem, _widget: QWidget | None) -> None:
        """Draw at once: to play back what was recorded, as pyqtgraph has it, takes ten times as long."""
        painter.setFont(self.style["tickFont"])
        if self.picture is None:  # what has to be drawn anew is said by this in pyqtgraph
            self.picture = self.generateDrawSpecs(painter)
        if not self.picture:
            return
        (pen, begin, end), ticks, texts = self.picture
        for paint, one, other in [(pen, begin, end), *ticks]:
            bar = QRectF(one, other).normalized()  # level or upright: filled, it is drawn ten times as fast
            painter.fillRect(bar.adjusted(0, 0, not bar.width(), not bar.height()), paint.color())
        painter.setPen(self.textPen())
        for place, flags, text in texts:
            painter.drawText(place, int(flags), text)

    def tickValues(self, low: float, high: float, size: float) -> list[tuple[float | None, list[float]]]:
        if not self.style["showValues"]:
            return []
        if not self.logMode or high - low > 1:
            return list(super().tickValues(low, high, size))
        self.logMode = False
        ticks = super().tickValues(10**low, 10**high, size)
        self.logMode = True
        levels = [[math.log10(value) for value in values if value > 0] for _, values in ticks[:2]]
        letter = QFontMetricsF(self.style["tickFont"] or scene_font()).height()
        return [(None, values) for values in _apart(levels, letter * (high - low) / max(size, 1))]

    def tickStrings(self, values: list[float], scale: float, spacing: float | None) -> list[str]:
        if self.logMode:
            return [f"{10**value:.10g}" if -4 < value < 6 else f"{10**value:.3g}" for value in values]
        if spacing is not None and spacing * scale >= 1:
            return [f"{value * scale:,.0f}" for value in values]
        return list(super().tickStrings(values, scale, spacing))


def _apart(levels: list[list[float]], least: float) -> list[list[float]]:
    """The places that are so far from all before them: on a logarithmic axis those further up come ever closer."""
    taken: list[float] = []
    for values in levels:
        begin = len(taken)
        for value in sorted(values):
            if all(abs(value - other) >= least for other in taken):
                taken.append(value)
        values[:] = taken[begin:]
    return levels


class LegendSample(pg.graphicsItems.LegendItem.ItemSample):  # type: ignore[misc]  # pyqtgraph has no types
    """A curve's stroke in the legend, bold enough for its colour; a click on it hides nothing."""

    def paint(self, painter: QPainter, _option: QStyleOptionGraphicsItem, _widget: QWidget | None) -> None:
        painter.setPen(self.item.sample_pen())
        painter.drawLine(0, 11, 20, 11)

    def mouseClickEvent(self, event: Any) -> None:
        event.ignore()


class ChartLegend(pg.LegendItem):  # type: ignore[misc]  # pyqtgraph has no types
    """Above its plot, over no curve: in one row where that is wide enough, otherwise in several.

    It places itself: pyqtgraph's own way listens to the box, also while both are being deleted.
    """

    ROW = 0
    """Of the plot's own layout: the one for a title, which none has."""

    def __init__(self, plot: pg.PlotItem):
        super().__init__(offset=None, sampleType=LegendSample, frame=False)
        self.layout.setContentsMargins(0, 0, 0, 0)
        self.setParentItem(plot)

    def place(self) -> None:
        plot = self.parentItem()
        room = plot.vb.geometry()
        widest = max((sample.width() + words.itemRect().width() + 14 for sample, words in self.items), default=1.0)
        self.setColumnCount(max(1, int(room.width() // widest)))
        self.updateSize()
        plot.layout.setRowFixedHeight(self.ROW, self.height() if self.items else 0)
        self.setPos(room.left(), 0)

    def hoverEvent(self, event: Any) -> None:
        """Leave drags to the box."""

    def mouseDragEvent(self, event: Any) -> None:
        event.ignore()


@dataclass
class Mark:
    """Something that happened at an x, with a short text beside its line and a longer one to read."""

    x: Mapping[str, float]
    text: str
    tip: str
    role: str
    line: pg.InfiniteLine

    def dress(self, font: QFont) -> None:
        self.line.setPen(pg.mkPen(colour(self.role, 0.6), width=1, style=Qt.PenStyle.DashLine))
        self.line.label.setColor(colour(self.role))
        self.line.label.setFont(font)


def lined(angle: int, text: str, tip: str = "") -> pg.InfiniteLine:
    """A line across the chart with words on it: near the right end, or for an upright one near its top."""
    upright = angle == 90
    anchors = [(0, 0), (0, 0)] if upright else [(1, 0), (1, 0)]
    options = {"position": 1.0 if upright else 0.99, "anchors": anchors}
    line = pg.InfiniteLine(angle=angle, movable=False, label=_literal(text), labelOpts=options)
    line.setToolTip(plain(tip or text))
    line.label.setToolTip(plain(tip or text))
    return line


def retranslate_line(line: pg.InfiniteLine) -> None:
    """The words on a line and its tip, in the language that is now in force."""
    line.label.setFormat(_literal(retranslated(line.label.toPlainText())))
    for part in (line, line.label):
        part.setToolTip(retranslated(part.toolTip()))


def _literal(text: str) -> str:
    """As a format: a brace in it would be one to fill in."""
    return text.replace("{", "{{").replace("}", "}}")


def outermost(ranges: list[Range]) -> Range:
    """The lowest and the highest of all; infinite and the wrong way round where there is none."""
    return min((low for low, _ in ranges), default=math.inf), max((high for _, high in ranges), default=-math.inf)


def fitted(low: float, high: float, least: Range | None = None, margin: float = 0.05) -> Range:
    """A range with some air around the data, or exactly to the ``least`` that it has to show."""
    if low > high:
        return least or (0.0, 1.0)
    air = margin * (high - low) or margin * abs(high) or 1.0
    shown = low - air, high + air
    if least:
        return least[0] if low >= least[0] else shown[0], least[1] if high <= least[1] else shown[1]
    return shown


def still_fits(shown: Range, low: float, high: float) -> bool:
    """Return whether the data are inside and fill at least half: then the axis stays unchanged."""
    return shown[0] <= low and high <= shown[1] and high - low >= 0.5 * (shown[1] - shown[0])


def scene_font() -> QFont:
    """Return the font for items of a graphics scene: the style sheet does not apply to them."""
    font = QApplication.font()
    font.setPointSizeF(font.pointSizeF() * theme.zoom)
    return font
