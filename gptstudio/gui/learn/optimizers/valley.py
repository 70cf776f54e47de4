"""The valley from above: lines of equal loss, and the path of each optimizer through them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pyqtgraph as pg

from gptstudio.gui.appearance import follow
from gptstudio.gui.charts.plot import Axis, Plot
from gptstudio.gui.charts.style import CurveStyle
from gptstudio.gui.theme import colour, theme
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.parts import named
from gptstudio.labs.optimizers import OptimizersAnswer

LINES, TURN = 9, 120
"""Lines of equal loss, and points of each."""
FALL = 2.2
"""By what factor the loss of one line exceeds that of the next."""
ROOM = 1.3
"""How far the view reaches, in distances of the start."""
LEAST = 230


class ValleyPlot(Plot):
    """Plot of x and y; the minimum is a cross, the start a ring, the weights after the shown step are dots."""

    def __init__(self, looks: Mapping[str, CurveStyle]) -> None:
        super().__init__(axisItems={side: Axis(side) for side in ("left", "bottom")})
        named(self, "optimizers_valley", tr("Paths through the valley"))
        self._looks = dict(looks)
        self.lines = [self.plot() for _ in range(LINES)]
        self.paths = {name: self.plot() for name in looks}
        self._start = pg.ScatterPlotItem(size=13, symbol="o")
        self._minimum = pg.ScatterPlotItem(size=12, symbol="+")
        self.dots = pg.ScatterPlotItem(size=10)
        for item in (self._start, self._minimum, self.dots):
            self.addItem(item, ignoreBounds=True)
        self.setMouseEnabled(x=False, y=False)
        follow(self, self._dress)
        self._dress()

    def show_answer(self, answer: OptimizersAnswer) -> None:
        first = next(iter(answer.descents.values()))
        x, y = first.points[0]
        turn = np.linspace(0, 2 * np.pi, TURN)
        for place, item in enumerate(self.lines):
            height = max(float(first.losses[0]), 1e-6) * FALL ** (1 - place)
            item.setData(np.sqrt(2 * height) * np.cos(turn), np.sqrt(2 * height / answer.condition) * np.sin(turn))
        for name, descent in answer.descents.items():
            inside = np.abs(descent.points).max(axis=1) < 1e6  # beyond, it has left the view for good
            until = len(inside) if inside.all() else int(np.argmin(inside))
            self.paths[name].setData(descent.points[:until, 0], descent.points[:until, 1])
        self._start.setData([x], [y])
        self._minimum.setData([0], [0])
        shown = {name: each.points[answer.step] for name, each in answer.descents.items()}
        here = {name: point for name, point in shown.items() if np.isfinite(point).all()}
        self.dots.setData([point[0] for point in here.values()], [point[1] for point in here.values()])
        self.dots.setBrush([pg.mkBrush(self._looks[name].paint()) for name in here])
        along = max(abs(x), 0.5) * ROOM
        across = max(abs(y) * ROOM, along / 2)  # lower, a valley would look round
        self.setXRange(-along, along, padding=0)
        self.setYRange(-across, across, padding=0)

    def _dress(self) -> None:
        self.setBackground(colour("surface"))
        self.setMinimumSize(round(LEAST * theme.zoom), round(LEAST * theme.zoom))
        for item in self.lines:
            item.setPen(pg.mkPen(colour("line"), width=1))
        for name, look in self._looks.items():
            path = self.paths[name]
            path.setPen(look.pen())
            path.setSymbol("o")
            path.setSymbolSize(4)
            path.setSymbolBrush(look.paint())
            path.setSymbolPen(None)
        self._start.setPen(pg.mkPen(colour("text"), width=1.5))
        self._start.setBrush(None)
        self._minimum.setPen(pg.mkPen(colour("text"), width=1))
        self._minimum.setBrush(pg.mkBrush(colour("text")))
        self.dots.setPen(pg.mkPen(colour("surface"), width=1.5))
        for side, words in (("bottom", "x"), ("left", "y")):
            self.getAxis(side).dress(self.font())
            self.getAxis(side).setLabel(words, color=colour("muted").name())
