"""Page of the optimizer lab, which compares AdamW, SGD with momentum and Muon: paths through a valley, the loss by
step, and one step in numbers.

The valley is shown from above, with contour lines of equal loss.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyqtgraph as pg
from PySide6.QtWidgets import QWidget

from gptstudio.gui.appearance import on_restyle
from gptstudio.gui.canvas.canvas import Cell
from gptstudio.gui.charts.curve_plot import CurvePlot, LegendEntry
from gptstudio.gui.charts.plot import NumberAxis, Plot
from gptstudio.gui.charts.style import CurveStyle
from gptstudio.gui.learn.kit import Formula, LabPage, behind_sign, fixed
from gptstudio.gui.theme import colour, theme
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.layouts import Flow, Reflow, grows, vbox, with_layout
from gptstudio.gui.widgets.parts import named
from gptstudio.labs.optimizers import EPSILON, MUON_MOMENTUM, OptimizersAnswer, OptimizersRequest

LINES, TURN = 9, 120
"""Number of contour lines, and number of points of each."""
FALL = 2.2
"""Ratio of the losses of adjacent contour lines."""
ROOM = 1.3
"""Half the extent of the view, relative to the distance of the start from the minimum."""
LEAST = 230


class ValleyPlot(Plot):
    """Plot of the valley: the minimum is a cross, the start a ring, the weights after the current step are dots."""

    def __init__(self) -> None:
        super().__init__(axisItems={side: NumberAxis(side) for side in ("left", "bottom")})
        named(self, "optimizers_valley", tr("Paths through the valley"))
        self.lines = [self.plot() for _ in range(LINES)]
        self.paths = {name: self.plot(symbol="o", symbolSize=4, symbolPen=None) for name in LOOKS}
        self._start = pg.ScatterPlotItem(size=13, symbol="o", brush=None)
        self._minimum = pg.ScatterPlotItem(size=12, symbol="+")
        self.dots = pg.ScatterPlotItem(size=10)
        for item in (self._start, self._minimum, self.dots):
            self.addItem(item, ignoreBounds=True)
        self.setMouseEnabled(x=False, y=False)
        on_restyle(self, self._dress)
        self._dress()

    def show_answer(self, answer: OptimizersAnswer) -> None:
        first = next(iter(answer.descents.values()))
        x, y = first.points[0]
        turn = np.linspace(0, 2 * np.pi, TURN)
        for place, item in enumerate(self.lines):
            height = max(float(first.losses[0]), 1e-6) * FALL ** (1 - place)
            item.setData(np.sqrt(2 * height) * np.cos(turn), np.sqrt(2 * height / answer.condition) * np.sin(turn))
        for name, descent in answer.descents.items():
            inside = np.abs(descent.points).max(axis=1) < 1e6  # further points never return into view
            until = len(inside) if inside.all() else int(np.argmin(inside))
            self.paths[name].setData(descent.points[:until, 0], descent.points[:until, 1])
        self._start.setData([x], [y])
        self._minimum.setData([0], [0])
        shown = {name: each.points[answer.step] for name, each in answer.descents.items()}
        here = {name: point for name, point in shown.items() if np.isfinite(point).all()}
        self.dots.setData([point[0] for point in here.values()], [point[1] for point in here.values()])
        self.dots.setBrush([pg.mkBrush(LOOKS[name].paint()) for name in here])
        along = max(abs(x), 0.5) * ROOM
        across = max(abs(y) * ROOM, along / 2)  # with a smaller range, a valley would look round
        self.setXRange(-along, along, padding=0)
        self.setYRange(-across, across, padding=0)

    def _dress(self) -> None:
        self.setBackground(colour("surface"))
        self.setMinimumSize(round(LEAST * theme.zoom), round(LEAST * theme.zoom))
        for item in self.lines:
            item.setPen(pg.mkPen(colour("line"), width=1))
        for name, look in LOOKS.items():
            self.paths[name].setPen(look.pen())
            self.paths[name].setSymbolBrush(look.paint())
        self._start.setPen(pg.mkPen(colour("text"), width=1.5))
        self._minimum.setPen(pg.mkPen(colour("text"), width=1))
        self._minimum.setBrush(pg.mkBrush(colour("text")))
        self.dots.setPen(pg.mkPen(colour("surface"), width=1.5))
        for side, words in (("bottom", "x"), ("left", "y")):
            self.getAxis(side).dress(self.font())
            self.getAxis(side).setLabel(words, color=colour("muted").name())


LOOKS = {
    "adamw": CurveStyle("training", 2), "sgd": CurveStyle("validation", 2, "dash"),
    "muon": CurveStyle("good", 2, "dot"),
}
NAMES = {"adamw": "AdamW", "sgd": "SGD", "muon": "Muon"}
LOWEST_LOSS = 1e-9
"""Minimum loss in the plot, because the logarithm of 0 is undefined."""


class Page(LabPage[OptimizersRequest, OptimizersAnswer]):
    """Page with two plots, and a table of the step that is chosen in its field or by a click on the losses."""

    def text(self) -> Sequence[QWidget | str]:
        return (
            tr("An optimizer turns gradients into steps. Here the loss depends on two weights, and is a valley: steep "
               "across, flat along. g is the gradient, η the learning rate."),
            Formula("lab_optimizers_sgd", r"\sym{sgd}{b_t} = \mu \, b_{t-1} + g_t, \quad w_t = w_{t-1} - \eta \, b_t",
                    tr("b is mu times the b before, plus the gradient; the weight loses eta times b")),
            tr("SGD with momentum adds up the gradients, and lets older ones fade. A rate that is right across the "
               "valley is too low along it; above 2(1 + μ) divided by the steepness, it climbs out."),
            Formula("lab_optimizers_adamw",
                    r"\sym{adamw}{w_t} = w_{t-1} - \eta \, \frac{\hat{m}_t}{\sqrt{\hat{v}_t} + \epsilon}",
                    tr("the weight loses eta times m hat, divided by the root of v hat plus epsilon")),
            Formula("lab_optimizers_mean", r"m_t = \beta_1 m_{t-1} + (1 - \beta_1) \, g_t",
                    tr("m is a running average of the gradient, with beta one")),
            Formula("lab_optimizers_square", r"v_t = \beta_2 v_{t-1} + (1 - \beta_2) \, g_t^2",
                    tr("v is a running average of the square of the gradient, with beta two")),
            tr("AdamW divides by how large gradients were, for each weight by itself: its first step is as long across "
               "as along. The hats correct the averages for starting at 0. Its weight decay is off here."),
            Formula("lab_optimizers_muon",
                    r"\sym{muon}{W_t} = W_{t-1} - \eta \, U V^\top, \quad B_t = U \Sigma V^\top",
                    tr("the matrix loses eta times U V transposed, where U Sigma V transposed is the singular value "
                       "decomposition of the momentum B")),
            tr("Muon makes all singular values of the momentum of a matrix equal, so every direction moves as far; "
               "five Newton–Schulz iterations come close to it. Here x and y are the diagonal of a 2 × 2 matrix. Its "
               "steps do not shrink near the minimum: the learning rate has to."),
            tr("On a text: on The Verdict, with the preset workshop and in equal processor time, the lowest validation "
               "loss was 6.02 with Muon, 6.11 with AdamW and 6.47 with SGD, each with the best of two or three rates, "
               "from one seed. To compare them yourself, train a run, then choose Run again with… on Runs, and the "
               "setting Optimizer."))

    def make_stage(self) -> QWidget:
        self.valley = ValleyPlot()
        self.losses = CurvePlot("optimizers_losses", tr("Loss by step (logarithm to base 10)"), LOOKS)
        self.losses.chosen.connect(self._choose)
        self.table = self.linked("optimizers_table", tr("Steps"), self._words, *LOOKS, digits=4)
        self.facts = self.sentence("optimizers_facts", lambda answer: " ".join([_result(answer), tr(
            "By the formulas in Python, the weights differ from torch's by at most {sgd} (SGD), {adamw} (AdamW) and "
            "{muon} (Muon).", **{name: f"{each.apart:.1g}" for name, each in answer.descents.items()})]))
        legend = Flow(*(LegendEntry(LOOKS[name], words) for name, words in NAMES.items()), spacing=12)
        plots = self.valley, self.losses
        return with_layout(QWidget(), vbox(
            legend, grows(Reflow(*plots, stretch=plots)), self.table, self.facts, spacing=8))

    def show_answer(self, answer: OptimizersAnswer) -> None:
        self.valley.show_answer(answer)
        curves = {name: _logarithms(each.losses) for name, each in answer.descents.items()}
        self.losses.show_curves(np.arange(len(next(iter(curves.values())))), curves)
        words = _result(answer)
        self.losses.show_place(answer.step, {name: float(y[answer.step]) for name, y in curves.items()}, words)
        self.valley.setAccessibleDescription(words)
        columns = [
            [*each.points[answer.step - 1], *answer.gradient(name, answer.step), *each.directions[answer.step - 1],
             each.losses[answer.step]]
            for name, each in answer.descents.items()
        ]
        self.table.show_values(
            np.array(columns).T,
            ["x", "y", tr("g of x"), tr("g of y"), tr("step of x"), tr("step of y"), tr("loss after")],
            list(NAMES.values()),
            title=tr("Step {n}: before it, and what it subtracts, divided by η", n=answer.step))

    def _choose(self, x: float) -> None:
        self.update_request(step=min(self.request.steps, max(1, round(x))))

    def _words(self, cell: Cell) -> str:
        """Return the arithmetic of a number of the table."""
        name, answer = list(NAMES)[cell.column], self.answer
        shown = fixed(self.table.values[cell])
        if cell.row in (2, 3):
            steep = 1.0 if cell.row == 2 else answer.condition
            return f"{steep:g} × {behind_sign(self.table.values[cell.row - 2, cell.column])} = {shown}"
        if cell.row in (4, 5):
            return f"{_direction(answer, name, cell.row - 4)} = {shown}"
        if cell.row == 6:
            x, y = answer.descents[name].points[answer.step]
            return f"({behind_sign(x)}² + {answer.condition:g} × {behind_sign(y)}²) / 2 = {shown}"
        return shown


def _result(answer: OptimizersAnswer) -> str:
    return tr("After step {n}, the loss is {adamw} with AdamW, {sgd} with SGD and {muon} with Muon.", n=answer.step,
              **{name: f"{each.losses[answer.step]:.3g}" for name, each in answer.descents.items()})


def _direction(answer: OptimizersAnswer, name: str, axis: int) -> str:
    """Return the computation of the update of a step, divided by the learning rate."""
    descent, step = answer.descents[name], answer.step
    kept, gradient = float(descent.slowed[step - 1, axis]), float(answer.gradient(name, step)[axis])
    if name == "sgd":
        before = float(descent.slowed[step - 2, axis]) if step > 1 else 0.0
        return f"μ b + g = {fixed(kept - gradient)} + {behind_sign(gradient)}" if before else f"g = {fixed(gradient)}"
    if name == "adamw":
        mean = kept / (1 - 0.9**step)
        size = float(descent.sizes[step - 1, axis]) / (1 - 0.999**step)
        return f"m̂ / (√v̂ + ε) = {fixed(mean)} / (√{fixed(size)} + {EPSILON:g})"
    both = descent.slowed[step - 1] + (1 - MUON_MOMENTUM) * (answer.gradient(name, step) - descent.slowed[step - 1])
    x, y = (fixed(float(each)) for each in both)
    return f"NS(diag({x}, {y}))"


def _logarithms(losses: np.ndarray) -> np.ndarray:
    """Return logarithms to base 10, limited to the plotted range."""
    with np.errstate(all="ignore"):
        made = np.log10(np.clip(np.nan_to_num(losses, nan=1e12, posinf=1e12), LOWEST_LOSS, 1e12))
    return np.asarray(made)
