"""Charts of a run: their curves, marks and axes, and pointing at them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from PySide6.QtCore import QPoint, QPointF

from gptstudio.gui.charts.chart import Chart
from gptstudio.gui.charts.curve import Series
from gptstudio.history.columns import Axis, Columns
from pages.painted import move_mouse


def points(x: Mapping[str, Any], y: Any) -> Series:
    """Return a curve with a table of its own: x for each axis, and y."""
    made = Series(Columns(*x, "y"), "y", {axis: Axis(axis) for axis in x})
    extend(made, x, y)
    return made


def extend(series: Series, x: Mapping[str, Any], y: Any) -> None:
    series.y.table.extend(np.column_stack([*x.values(), np.atleast_1d(y)]))


class ChartPage:
    """A chart."""

    def __init__(self, chart: Chart) -> None:
        self.chart, self.plot = chart, chart.plot

    @property
    def names(self) -> list[str]:
        """The names of the curves."""
        return list(self.chart.curves)

    def x(self, curve: str = "value", axis: str = "step") -> list[float]:
        series = self.chart.curves[curve].series
        return series.x(axis).tolist() if series.has(axis) else []

    def y(self, curve: str = "value") -> list[float]:
        return self.chart.curves[curve].series.y[:].tolist()

    def drawn(self, curve: str) -> int:
        """Return how many points of a curve are drawn."""
        return self.chart.curves[curve].line.xData.size

    def point(self, curve: str, index: int) -> dict[str, float]:
        """Return the x of a point of a curve, on each axis."""
        return {axis: self.x(curve, axis)[index] for axis in ("step", "epoch", "tokens", "minutes")}

    @property
    def marks(self) -> list[Any]:
        """The marks of events: the text at the top of each line, its tooltip, and its position."""
        return self.chart.lines.marks

    def labels(self) -> dict[str, str]:
        """Return the texts on the lines, for events and for reference values."""
        return {f"line {n}": line.label.toPlainText() for n, line in enumerate(self.chart.lines)}

    @property
    def range(self) -> list[list[float]]:
        """The visible ranges of x and of y."""
        return self.plot.viewRange()

    def zoom(self, left: float, right: float) -> None:
        """Show this range of x, as the wheel or a drag does."""
        self.chart.box.setXRange(left, right, padding=0)
        self.chart.box.moved.emit(0)

    def hover(self, x: float) -> None:
        """Point at an x of the current axis."""
        box = self.plot.getViewBox()
        middle = box.viewRect().center().y()
        spot = self.plot.mapFromScene(box.mapViewToScene(QPointF(x, middle)))
        move_mouse(self.plot.viewport(), QPoint(spot))

    def legend(self) -> dict[str, str]:
        """Return the tooltip of each entry of the legend."""
        return {words.text: words.toolTip() for _, words in self.plot.getPlotItem().legend.items}
