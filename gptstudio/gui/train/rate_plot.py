"""Plot of a learning-rate test: the loss of each step over its learning rate, and the recommended band."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from gptstudio.gui.appearance import on_restyle
from gptstudio.gui.charts.plot import NumberAxis, Plot
from gptstudio.gui.theme import colour, theme
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.layouts import grows, vbox, with_layout
from gptstudio.gui.widgets.parts import named
from gptstudio.training.rate_test import HIGHEST, LOWEST, RatePoint, RateTest, neighbour_means

DECADES = math.log10(LOWEST), math.log10(HIGHEST)


class RatePlot(QWidget):
    """Loss of each batch, its mean over neighbouring steps and its exponential average, over a logarithmic x axis; the
    recommended band is shaded."""

    def __init__(self) -> None:
        super().__init__()
        self.plot = named(
            Plot(axisItems={side: NumberAxis(side) for side in ("left", "bottom")}),
            "rate_plot", tr("Loss by learning rate"))
        self.plot.setMouseEnabled(x=False, y=False)
        self.plot.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # no key does anything here
        self.plot.setLogMode(x=True)
        self.raw, self.averages, self.smoothed = (self.plot.plot() for _ in range(3))
        self.band = pg.LinearRegionItem(movable=False)
        self.band.setZValue(-10)
        self.mark = pg.InfiniteLine(angle=90)
        for item in (self.band, self.mark):
            self.plot.addItem(item, ignoreBounds=True)
        with_layout(self, vbox(grows(self.plot)))
        on_restyle(self, self._dress)
        self._dress()
        self.show_points(())

    def show_points(self, points: Sequence[RatePoint]) -> None:
        """Show the steps so far, without a recommendation."""
        rates = [point.rate for point in points]
        self.raw.setData(rates, [point.loss for point in points])
        means = neighbour_means(points)
        self.averages.setData(rates, means)
        self.smoothed.setData(rates, [point.smoothed for point in points])
        self.band.hide()
        self.mark.hide()
        self.plot.setXRange(*DECADES, padding=0.02)
        heights = np.array([*(point.loss for point in points), *means])
        if len(heights):
            low, high = heights.min(), min(heights.max(), 2.0 * points[0].loss)  # an explosion would flatten the rest
            self.plot.setYRange(float(low), float(max(high, low + 0.1)), padding=0.08)

    def show_test(self, test: RateTest) -> None:
        """Show a finished test with its recommended band and the suggested rate."""
        self.show_points(test.points)
        self.band.setRegion([float(np.log10(rate)) for rate in test.band])
        self.mark.setValue(float(np.log10(test.suggestion)))
        self.band.show()
        self.mark.show()

    def _dress(self) -> None:
        self.plot.setBackground(colour("surface"))
        self.plot.setMinimumSize(round(380 * theme.zoom), round(210 * theme.zoom))
        self.raw.setPen(pg.mkPen(colour("muted", 0.6), width=1))
        self.averages.setPen(pg.mkPen(colour("accent"), width=2))
        self.smoothed.setPen(pg.mkPen(colour("text"), width=1.5, style=Qt.PenStyle.DotLine))
        self.band.setBrush(pg.mkBrush(colour("accent", 0.18)))
        for line in self.band.lines:
            line.setPen(pg.mkPen(colour("accent", 0.5), width=1))
        self.mark.setPen(pg.mkPen(colour("text"), width=1.5, style=Qt.PenStyle.DashLine))
        for side, words in (("bottom", tr("Learning rate")), ("left", tr("Loss (nats per token)"))):
            axis = self.plot.getAxis(side)
            axis.dress(self.font())
            axis.setLabel(words, color=colour("muted").name())
