"""Loss against parameters, both logarithmic: points with their spread, the fit with its band, and published slopes."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from gptstudio.gui.canvas.grid import Cell
from gptstudio.gui.canvas.swatch import Swatch
from gptstudio.gui.canvas.writing import draw_with
from gptstudio.gui.charts.style import DASHES, CurveStyle
from gptstudio.gui.plots import curve_view
from gptstudio.gui.plots.curve_view import DOT, Line
from gptstudio.gui.plots.shades import Floats
from gptstudio.gui.translation import tr
from gptstudio.labs.scaling import Curves

LOOKS = {
    "points": CurveStyle("training", 2), "fitted": CurveStyle("training", 2),
    "kaplan": CurveStyle("validation", 2, "dash"), "chinchilla": CurveStyle("good", 2, "dash dot")}
BAND = 0.16  # opacity
LEAST = (380, 190)  # the least width and height in pixels at the usual text size
ROOM = 1.6  # of the heights of the points that the axis spans beside them
LEAST_SPAN = 0.02  # of ln L that the axis spans at least
BEYOND = 50.0  # heights of the chart beyond which nothing is painted
STEPS = (1, 2, 2.5, 5)


@dataclass(frozen=True)
class DrawnPoint:
    """A size: its place, whether it counts for the fit, and its standard deviation over the seeds."""

    parameters: float
    loss: float
    spread: float
    name: str


@dataclass(frozen=True)
class LogScale:
    """Logarithmic scale; ``ticks``: from its ends, the values that are written."""

    low: float
    high: float
    ticks: Callable[[float, float], Iterator[tuple[float, str]]]

    def shares(self, values: Floats) -> Floats:
        low, high = math.log(self.low), math.log(self.high)
        shares: Floats = np.clip((np.log(np.maximum(values, 1e-300)) - low) / (high - low), -BEYOND, BEYOND)
        return shares

    def legend(self, _most: int) -> list[tuple[float, str]]:
        return [(float(self.shares(np.array(value))), words) for value, words in self.ticks(self.low, self.high)]


def scaling_curves(
    points: Sequence[DrawnPoint], curves: Curves | None, slopes: bool, say: Callable[[Cell], str]
) -> curve_view.Curves:
    """Return the chart.

    Args:
        points: from left to right; the first line, which can be pointed at.
        slopes: whether the axis is long enough for the published slopes.
    """
    shown = curve_view.Curves(empty=tr("No size has a loss yet."))
    if not points or curves is None:
        return shown
    x, y, spread = np.array([(each.parameters, each.loss, each.spread) for each in points]).T
    over = curves.parameters
    lines = [Line(y, LOOKS["points"].paint, spread=np.minimum(spread, y - 1e-9), dots=True)]
    for key in ("fitted", "kaplan", "chinchilla"):
        values, look = getattr(curves, key), LOOKS[key]
        if values is not None:
            lines.append(Line(values, look.paint, over, look.width, DASHES[look.dash], behind=key != "fitted"))
    band = None if curves.low is None or curves.high is None else (curves.low, curves.high)
    return replace(
        shown, x=x, lines=lines, pointed=1, x_scale=LogScale(float(over[0]), float(over[-1]), _parameter_ticks),
        y_scale=LogScale(*_range(points, curves, slopes), _loss_ticks), band=band, band_x=over,
        band_ink=partial(LOOKS["fitted"].paint, BAND), x_title=tr("Parameters, logarithmic"),
        y_title=tr("Validation loss (nats per token), logarithmic"), entry=Cell(0, 0), say=say,
        table=lambda: [(each.name, f"{each.parameters:.0f}", f"{each.loss:.6g}") for each in points])


def swatch(key: str) -> Swatch:
    """Return what stands for a curve, the points or the band in the legend."""
    return Swatch(partial(_paint_swatch, key), 2, 1, grows=True)


def _paint_swatch(key: str, painter: QPainter, place: QRectF, _letter: int) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if key == "points":
        draw_with(painter, Qt.PenStyle.NoPen, LOOKS[key].paint())
        painter.drawEllipse(place.center(), DOT, DOT)
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
