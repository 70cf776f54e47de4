"""One matrix: before, the mask, after, and what many draws come to."""

from __future__ import annotations

from itertools import product

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from gptstudio.gui.canvas.grid import Cell
from gptstudio.gui.charts.curve_plot import CurvePlot, legend
from gptstudio.gui.charts.style import CurveStyle
from gptstudio.gui.learn.kit import StruckMatrix, decimals, lights
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.flow import Flow
from gptstudio.gui.widgets.layouts import grows, holding, in_column, vbox
from gptstudio.gui.widgets.parts import label
from gptstudio.gui.widgets.reflow import Reflow
from gptstudio.gui.widgets.tall import Tall
from gptstudio.labs.dropout import DropoutAnswer, DropoutRequest

LOOKS = {
    "low": CurveStyle("muted", 1, "dot"), "high": CurveStyle("muted", 1, "dot"),
    "before": CurveStyle("validation", 1.5, "dash"), "running": CurveStyle("training", 2)}
MOST = 1000  # number of points that are drawn: more than there are pixels
SURE = 1.96  # number of standard deviations on either side that contain 95 % of random outcomes


class MatrixPart(Tall):
    """Dropout applied to a matrix; emits edits of the matrix."""

    edited = Signal(int, int, str)
    explained = Signal(str)  # emitted with the tooltip of the chart where it is hovered

    def __init__(self) -> None:
        super().__init__()
        self.before = StruckMatrix("dropout_before", tr("input x"), editable=True)
        self.kept = StruckMatrix("dropout_mask", tr("mask m"))
        self.after = StruckMatrix("dropout_after", tr("output y"), tinted=True)
        self.average = StruckMatrix("dropout_average", tr("average of y"), tinted=True, digits=2)
        self.matrices = {"x": self.before, "m": self.kept, "y": self.after, "average": self.average}
        self._captions = {name: label(role="muted") for name in self.matrices}
        self.chart = CurvePlot("dropout_chart", tr("Mean of the matrix, averaged over the draws so far"), LOOKS)
        self.chart.pointed.connect(self._read)
        self._running = np.ones(1)
        self.before.edited.connect(self.edited)
        for matrix, other in product(self.matrices.values(), repeat=2):
            lights(matrix, other, lambda cell: [cell])
        self._lay_out()

    def show_answer(self, request: DropoutRequest, answer: DropoutAnswer, equal: np.ndarray | None) -> None:
        """``equal``: where the outcome agrees with what is printed."""
        self.before.digits, self.after.digits = decimals(answer.values), decimals(answer.out)
        self.before.show_values(answer.values, title=tr("input x"))
        self.kept.show_values(answer.kept.astype(int), title=tr("mask m"))
        self.after.show_values(answer.out, equal=equal, title=tr("output y"))
        self.average.show_values(answer.average, title=tr("average of y"))
        for matrix in (self.kept, self.after):
            matrix.strike(~answer.kept)
        self._explain(request, answer)
        for name, said in (
            ("x", tr("double-click to change")), ("m", tr("× 0 or 1, at random")),
            ("y", tr("→ then × {scale}", scale=f"{answer.scale:.4g}")),
            ("average", tr("draws: {n}", n=f"{request.draws:,}"))):
            self._captions[name].setText(said)
        self._draw(answer)

    def _explain(self, request: DropoutRequest, answer: DropoutAnswer) -> None:
        def one(cell: Cell) -> str:
            return tr("{value} · {mask} / (1 − {rate}) = {out}", value=f"{answer.values[cell]:.4g}",
                      mask=int(answer.kept[cell]), rate=f"{request.rate if request.training else 0:g}",
                      out=f"{answer.out[cell]:.4g}")

        def over_all(cell: Cell) -> str:
            return tr("Average over {n} draws: {average}. Input: {value}.", n=f"{request.draws:,}",
                      average=f"{answer.average[cell]:.4f}", value=f"{answer.values[cell]:.4g}")

        for matrix in (self.before, self.kept, self.after):
            matrix.explain = one
        self.average.explain = over_all

    def _draw(self, answer: DropoutAnswer) -> None:
        self._running = answer.running
        counts = np.unique(np.linspace(1, answer.running.size, MOST).round().astype(int))
        band = SURE * answer.spread / np.sqrt(counts)
        level = np.full(counts.size, answer.mean_before)
        curves = {"low": level - band, "high": level + band, "before": level, "running": answer.running[counts - 1]}
        if counts.size == 1:  # a single draw is drawn as a line of two points
            counts, curves = np.array([1, 2]), {name: np.repeat(y, 2) for name, y in curves.items()}
        self.chart.show_curves(counts, curves)
        self._read(None)

    def _read(self, x: float | None) -> None:
        """The average at a draw; at the last where none is pointed at."""
        last = self._running.size
        draw = last if x is None else min(max(1, round(x)), last)
        said = tr("Draws: {n}; mean so far: {average}", n=f"{draw:,}", average=f"{self._running[draw - 1]:.4f}")
        self.chart.show_place(draw, {"running": self._running[draw - 1]}, said)
        self.explained.emit("" if x is None else said)

    def _lay_out(self) -> None:
        names = {"running": tr("running average"), "before": tr("mean of x"),
                 "low": tr("95 % of all random seeds fall here")}
        lower = holding(QWidget(), vbox(grows(self.chart), holding(Tall(), legend(LOOKS, names))))
        three = holding(Tall(), Flow(*map(self._captioned, ("x", "m", "y")), spacing=16))
        chart = Reflow(self._captioned("average"), lower, stretch=(lower,), spacing=16)
        holding(self, vbox(three, grows(chart), spacing=12))

    def _captioned(self, name: str) -> QWidget:
        return in_column(QWidget(), self._captions[name], self.matrices[name], spacing=4)


def summary(request: DropoutRequest, answer: DropoutAnswer) -> str:
    if not request.training:
        return tr("In evaluation mode nothing is dropped or scaled: the output equals the input.")
    zeros, all_of_them = int((~answer.kept).sum()), answer.kept.size
    return tr("Dropped: {zeros} of {all} numbers. The rest are multiplied by 1 / (1 − {rate}) = {scale}. The mean was "
              "{before} and is now {after}; averaged over {n} draws it is {average}.", zeros=zeros, all=all_of_them,
              rate=f"{request.rate:g}", scale=f"{answer.scale:.4g}", before=f"{answer.mean_before:.4g}",
              after=f"{answer.mean_after:.4g}", n=f"{request.draws:,}", average=f"{answer.running[-1]:.4f}")
