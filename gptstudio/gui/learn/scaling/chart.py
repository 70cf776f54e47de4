"""Loss against parameters, both logarithmic: points with their spread, the fit with its band, and published slopes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy

from gptstudio.gui.canvas.cell_canvas import CellCanvas
from gptstudio.gui.canvas.grid import Cell
from gptstudio.gui.canvas.swatch import Swatch
from gptstudio.gui.canvas.writing import CENTRE, LEFT, RIGHT, draw_with, write
from gptstudio.gui.charts.style import DASHES, CurveStyle
from gptstudio.gui.theme import colour
from gptstudio.gui.translation import tr
from gptstudio.labs.scaling import Curves

LOOKS = {
    "points": CurveStyle("training", 2), "fitted": CurveStyle("training", 2),
    "kaplan": CurveStyle("validation", 2, "dash"), "chinchilla": CurveStyle("good", 2, "dash dot")}
BAND = 0.16  # opacity
TALL, LEAST = 14, 24  # the least height and width, in heights of a letter
RADIUS = 5.0  # of a point, in pixels
ROOM = 1.6  # of the heights of the points that the axis spans beside them
LEAST_SPAN = 0.02  # of ln L that the axis spans at least
STEPS = (1, 2, 2.5, 5)


@dataclass(frozen=True)
class DrawnPoint:
    """A size: its place, whether it counts for the fit, and its standard deviation over the seeds."""

    parameters: float
    loss: float
    spread: float
    name: str


class ScalingChart(CellCanvas):
    """A cell is (0, point)."""

    def __init__(self, name: str, accessible: str) -> None:
        super().__init__(name, accessible)
        self._points: Sequence[DrawnPoint] = ()
        self._curves: Curves | None = None
        self._x, self._y = (1.0, 10.0), (1.0, 10.0)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def show_points(
        self, points: Sequence[DrawnPoint], curves: Curves | None, words: str, slopes: bool = False
    ) -> None:
        """Points from left to right, and the curves through them.

        Args:
            words: for a screen reader.
            slopes: whether the axis is long enough for the published slopes.
        """
        self._points, self._curves = points, curves
        if points and curves:
            self._x = (float(curves.parameters[0]), float(curves.parameters[-1]))
            self._y = _range(points, curves, slopes)
        self.describe(words)
        self.remeasure()

    def items(self) -> dict[Cell, QRectF]:
        reach = 2.4 * RADIUS
        return {
            Cell(0, place): QRectF(at.x() - reach, at.y() - reach, 2 * reach, 2 * reach)
            for place, at in enumerate(self._place(each.parameters, each.loss) for each in self._points)}

    def table(self) -> Sequence[Sequence[str]]:
        return [("", tr("Parameters"), tr("Loss"), tr("Spread"))] + [
            (each.name, f"{each.parameters:.0f}", repr(each.loss), repr(each.spread)) for each in self._points]

    def paint(self, painter: QPainter, _region: QRect) -> None:
        if not self._points:
            write(painter, QRectF(self.rect()), tr("No size has a loss yet."), CENTRE, "muted")
            return
        self._paint_axes(painter)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setClipRect(self._plot())
        self._paint_curves(painter)
        painter.restore()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for cell in self.items():
            self._paint_point(painter, cell, self._points[cell.column])

    def _paint_axes(self, painter: QPainter) -> None:
        plot, letter = self._plot(), self.fontMetrics().height()
        painter.setFont(self.font())
        for value, text in _loss_ticks(*self._y):
            y = self._place(self._x[0], value).y()
            painter.setPen(QPen(colour("line"), 1))
            painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y))
            write(painter, QRectF(0, y - letter / 2, plot.left() - 6, letter), text, RIGHT, "muted")
        taken: list[tuple[float, float]] = []
        for value, text in _parameter_ticks(*self._x):
            x, half = self._place(value, self._y[0]).x(), self.fontMetrics().horizontalAdvance(text) / 2 + 4
            painter.setPen(QPen(colour("line"), 1))
            painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()))
            begin = min(x, self.width() - half) - half
            if all(begin >= right or begin + 2 * half <= left for left, right in taken):
                write(painter, QRectF(begin, plot.bottom() + 2, 2 * half, 1.1 * letter), text, CENTRE, "muted")
                taken.append((begin, begin + 2 * half))
        write(painter, QRectF(plot.left(), 0, plot.width(), 1.2 * letter),
              tr("Validation loss (nats per token), logarithmic"), LEFT, "muted")
        write(painter, QRectF(plot.left(), self.height() - 1.2 * letter, plot.width(), 1.2 * letter),
              tr("Parameters, logarithmic"), RIGHT, "muted")

    def _paint_curves(self, painter: QPainter) -> None:
        curves = self._curves
        if curves is None:
            return
        if curves.low is not None and curves.high is not None:
            band = [*self._line(curves.parameters, curves.low), *reversed(self._line(curves.parameters, curves.high))]
            draw_with(painter, Qt.PenStyle.NoPen, LOOKS["fitted"].paint(BAND))
            painter.drawPolygon(QPolygonF(band))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for key in ("chinchilla", "kaplan", "fitted"):
            values = getattr(curves, key)
            if values is not None:
                painter.setPen(_pen(LOOKS[key]))
                painter.drawPolyline(QPolygonF(self._line(curves.parameters, values)))

    def _paint_point(self, painter: QPainter, cell: Cell, point: DrawnPoint) -> None:
        at, look = self._place(point.parameters, point.loss), LOOKS["points"]
        if point.spread > 0:
            ends = [self._place(point.parameters, max(1e-9, point.loss + sign * point.spread)) for sign in (-1, 1)]
            painter.setPen(QPen(look.paint(), 1.5))
            painter.drawLine(*ends)
            for end in ends:
                painter.drawLine(end - QPointF(RADIUS, 0), end + QPointF(RADIUS, 0))
        marked = cell == self.cell or cell in self.lit
        draw_with(painter, QPen(colour("text" if marked else "surface"), 2 if marked else 1), look.paint())
        painter.drawEllipse(at, RADIUS + marked, RADIUS + marked)

    def _line(self, parameters: np.ndarray, losses: np.ndarray) -> list[QPointF]:
        return [self._place(n, loss) for n, loss in zip(parameters.tolist(), losses.tolist(), strict=True)]

    def _plot(self) -> QRectF:
        letter = self.fontMetrics().height()
        left = self.fontMetrics().horizontalAdvance("00.000") + 10
        return QRectF(left, 1.6 * letter, max(1.0, self.width() - left - 6), max(1.0, self.height() - 4.3 * letter))

    def _place(self, parameters: float, loss: float) -> QPointF:
        """Pixels of a place; one far outside the plot stays a number that can be painted."""
        plot = self._plot()
        x, y = (
            (math.log(max(value, 1e-300)) - math.log(low)) / (math.log(high) - math.log(low))
            for value, (low, high) in ((parameters, self._x), (loss, self._y)))
        return QPointF(plot.left() + x * plot.width(), plot.bottom() - min(50.0, max(-50.0, y)) * plot.height())

    def minimumSizeHint(self) -> QSize:
        letter = self.fontMetrics().height()
        return QSize(LEAST * letter, TALL * letter)


def swatch(key: str) -> Swatch:
    """Return what stands for a curve, the points or the band in the legend."""
    return Swatch(partial(_paint_swatch, key), 2, 1, grows=True)


def _paint_swatch(key: str, painter: QPainter, place: QRectF, _letter: int) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if key == "points":
        draw_with(painter, Qt.PenStyle.NoPen, LOOKS[key].paint())
        painter.drawEllipse(place.center(), RADIUS, RADIUS)
        return
    if key == "fitted":
        painter.fillRect(place, LOOKS[key].paint(BAND))
    painter.setPen(_pen(LOOKS[key]))
    painter.drawLine(QPointF(place.left() + 2, place.center().y()), QPointF(place.right() - 2, place.center().y()))


def _pen(look: CurveStyle) -> QPen:
    pen = QPen(look.paint(), look.width)
    pen.setStyle(DASHES[look.dash])
    return pen


def _range(points: Sequence[DrawnPoint], curves: Curves, slopes: bool) -> tuple[float, float]:
    """Losses at the ends of the axis: the points with their spread and the fit, and some room beside them; with
    ``slopes`` the published ones, which otherwise may leave it."""
    ends = [each.loss + sign * each.spread for each in points for sign in (-1, 1)]
    shown = (curves.fitted, curves.kaplan, curves.chinchilla) if slopes else (curves.fitted,)
    for curve in shown:
        ends += [] if curve is None else curve.tolist()
    logs = [math.log(max(end, 1e-9)) for end in ends]
    middle, half = (max(logs) + min(logs)) / 2, ROOM * max(max(logs) - min(logs), LEAST_SPAN) / 2
    return math.exp(middle - half), math.exp(min(700.0, middle + half))


def _loss_ticks(low: float, high: float) -> Iterator[tuple[float, str]]:
    """Some round losses: evenly spaced, or 1, 2, 5, 10 … where the axis spans much more than they are."""
    if high / low > 4:
        for power in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1):
            for factor in (1, 2, 5):
                if low <= factor * 10.0**power <= high:
                    yield factor * 10.0**power, f"{factor * 10.0**power:.3g}"
        return
    rough = (high - low) / 5
    power_of_ten = 10.0 ** math.floor(math.log10(rough))
    step = next((each * power_of_ten for each in STEPS if each * power_of_ten >= rough), 10 * power_of_ten)
    digits = max(0, -math.floor(math.log10(step)) + (not (step / power_of_ten).is_integer()))
    for place in range(math.ceil(low / step), math.floor(high / step) + 1):
        yield place * step, f"{place * step:.{digits}f}"


def _parameter_ticks(low: float, high: float) -> Iterator[tuple[float, str]]:
    """Powers of ten first: where there is no room for all words, these have theirs."""
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    for factor in (1, 2, 5):
        for power in powers:
            if low <= factor * 10.0**power <= high:
                yield factor * 10.0**power, short_count(factor * 10.0**power)


def short_count(value: float) -> str:
    """'3.3 k', '1.2 M': a number of parameters in few letters."""
    for size, unit in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= size:
            return f"{value / size:.3g} {unit}"
    return f"{value:.3g}"
