"""Page of the GELU lab: curves and slopes of GELU and related activations, read at one input."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial

import numpy as np
from PySide6.QtWidgets import QWidget

from gptstudio.gui.canvas.canvas import Cell
from gptstudio.gui.charts.curve_plot import CurvePlot, LegendEntry
from gptstudio.gui.charts.style import CurveStyle
from gptstudio.gui.learn.kit import Formula, LabPage, Matrix, behind_sign, fixed, row_of
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.layouts import FREE, Flow, HeightForWidth, Reflow, grows, vbox, with_layout
from gptstudio.labs.gelu import CUBE, ROOT, GELUAnswer, GELURequest

LOOKS = {
    "gelu": CurveStyle(5, 7, opacity=0.45), "gelu_tanh": CurveStyle("training", 2),
    "relu": CurveStyle("validation", 2, "dot"),
    "swish": CurveStyle("good", 2, "dash dot"), "misplaced": CurveStyle(3, 2, "dash")}
"""Styles of the curves. The exact GELU is a wide band, because its tanh form lies on top of it."""


class Page(LabPage[GELURequest, GELUAnswer | None]):
    """Page of the GELU lab: two plots, and a table of the value and slope of each activation at one x, from the field
    or the pointer."""

    def text(self) -> Sequence[QWidget | str]:
        return (
            tr("Without a nonlinearity between them, two linear layers are equivalent to one. The nonlinearity is the "
               "activation function: it maps each number to another."),
            Formula("lab_gelu_relu", r"\sym{relu}{\mathrm{ReLU}(x)} = \max(0, x)",
                    tr("ReLU of x is the larger of 0 and x")),
            tr("ReLU outputs 0 for every negative number, and its slope there is 0: a neuron stuck there learns "
               "nothing."),
            Formula("lab_gelu_gelu", r"\sym{gelu}{\mathrm{GELU}(x)} = x \, \Phi(x)",
                    tr("GELU of x is x times the cumulative distribution function of the standard normal distribution "
                       "at x")),
            Formula("lab_gelu_tanh",
                    r"\sym{gelu_tanh}{\approx} \frac{x}{2} \left(1 + \tanh\left["
                    r"\sqrt{\frac{2}{\pi}} (x + 0.044715 \, x^3)\right]\right)",
                    tr("about half of x, times one plus tanh of the root of two over pi, times x plus 0.044715 x "
                       "cubed")),
            tr("GELU is smooth and lets small negative numbers through slightly. The second form was cheaper to "
               "compute; GPT-2 was trained with it."),
            Formula("lab_gelu_swiglu", r"\mathrm{SwiGLU}(x) = \mathrm{swish}(xW) \odot xV",
                    tr("SwiGLU of x is swish of x times W, times x times V, number by number")),
            Formula("lab_gelu_swish", r"\sym{swish}{\mathrm{swish}(x)} = \frac{x}{1 + e^{-x}}",
                    tr("swish of x is x divided by one plus e to the minus x")),
            tr("SwiGLU multiplies the outputs of two linear layers; one of them passes through swish and acts as the "
               "gate. Only the gate is drawn: the output where the other layer gives 1."))

    def make_stage(self) -> QWidget:
        self.values = CurvePlot("gelu_values", tr("Value"), LOOKS)
        self.slopes = CurvePlot("gelu_slopes", tr("Slope"), LOOKS)
        for plot in (self.values, self.slopes):
            plot.pointed.connect(self._read)
            plot.chosen.connect(lambda x: self.update_request(x=round(x, 2)))
        self.table = Matrix("gelu_table", tr("at x"), digits=4)
        for name in LOOKS:
            self.links.add(name, self.table, partial(self._row, name))
        self.facts = self.sentence("gelu_facts", lambda answer: "\n\n".join(_facts(answer)))
        self.reading: GELUAnswer | None = None  # in the table: for the x of the field or of the pointer
        self.legend = {name: LegendEntry(LOOKS[name], words) for name, words in _names().items()}
        plots, beside = (self.values, self.slopes), with_layout(HeightForWidth(), vbox(self.facts, FREE))
        return with_layout(QWidget(), vbox(
            Flow(*self.legend.values(), spacing=12), grows(Reflow(*plots, stretch=plots)),
            Reflow(self.table, beside, stretch=(beside,), spacing=16), spacing=8))

    def show_answer(self, answer: GELUAnswer) -> None:
        for name, entry in self.legend.items():
            entry.setVisible(name in answer.curves)
        self.values.show_curves(answer.x, {name: curve.y for name, curve in answer.curves.items()})
        self.slopes.show_curves(answer.x, {name: curve.slope for name, curve in answer.curves.items()})
        self._show_reading(answer)

    def _read(self, x: float | None) -> None:
        """Show the values of the curves at the pointer, or at the field's x after the pointer has left."""
        if self.answer is None:
            return
        beyond = x is None or bool(GELURequest.problems({"x": x}))
        reading = self.answer if beyond else self.lab.answer(self.request.but(x=x))
        self._show_reading(reading)
        self.arithmetic.setText(_said(reading) if not beyond and self.table.visibleRegion().isEmpty() else "")

    def _show_reading(self, answer: GELUAnswer) -> None:
        self.reading = answer
        self.table.explain = partial(_arithmetic, answer)
        names = _names()
        self.table.show_values(
            np.array([[curve.at, curve.slope_at] for curve in answer.curves.values()]),
            [names[name] for name in answer.curves], [tr("value"), tr("slope")],
            title=tr("at x = {x}", x=fixed(answer.at, 2)))
        said = _said(answer)
        self.values.show_place(answer.at, {name: curve.at for name, curve in answer.curves.items()}, said)
        self.slopes.show_place(answer.at, {name: curve.slope_at for name, curve in answer.curves.items()}, said)

    def _row(self, name: str, _: Cell | None) -> list[Cell]:
        """Return the cells of an activation."""
        names = list(self.reading.curves) if self.reading else []
        return row_of(self.table, names.index(name)) if name in names else []


def _names() -> dict[str, str]:
    return {
        "gelu_tanh": tr("GELU (tanh)"), "gelu": tr("GELU (exact)"), "relu": tr("ReLU"), "swish": tr("SwiGLU gate"),
        "misplaced": tr("Misplaced bracket")}


def _said(reading: GELUAnswer) -> str:
    """Return the table in one line: with large text, the table may be scrolled out of view."""
    names = _names()
    curves = (
        tr("{name} {value}, slope {slope}", name=names[name], value=fixed(curve.at), slope=fixed(curve.slope_at))
        for name, curve in reading.curves.items())
    return " · ".join([tr("at x = {x}", x=fixed(reading.at, 2)), *curves])


def _arithmetic(reading: GELUAnswer, cell: Cell) -> str:
    name, curve = list(reading.curves.items())[cell.row]
    sum_of, result = (_slope, curve.slope_at) if cell.column else (_value, curve.at)
    return f"{sum_of(name, reading.at)} = {fixed(result)}"


def _facts(answer: GELUAnswer) -> list[str]:
    facts = [
        tr("At these {points} points, our formula and torch's GELU differ by at most {own}; the tanh form and the "
           "exact form differ by at most {exact}.", points=f"{len(answer.x):,}", own=f"{answer.from_torch:.1g}",
           exact=f"{answer.from_exact:.1g}"),
        tr("GELU has its minimum, {y}, at x = {x}, where its slope is 0. To the left, the slope is negative.",
           x=fixed(answer.lowest_at), y=fixed(answer.lowest))]
    if "misplaced" in answer.curves:
        facts.append(tr("One variant in the study notes multiplies the root by x alone. It is off by at most {apart}, "
                        "at x = {x}: too little to see in a plot, but visible when you compare the numbers.",
                        apart=f"{answer.bracket:.1g}", x=fixed(answer.bracket_at, 2)))
    return facts


def _value(name: str, x: float) -> str:
    """Return the computation of an activation's value as text."""
    match name:
        case "gelu":
            return f"{fixed(x)} × Φ({fixed(x)}) = {fixed(x)} × {fixed(_normal(x))}"
        case "relu":
            return f"max(0, {fixed(x)})"
        case "swish":
            return f"{fixed(x)} / (1 + exp({fixed(-x)})) = {fixed(x)} / {fixed(1 + math.exp(-x))}"
        case "gelu_tanh":
            return f"0.5 × {behind_sign(x)} × (1 + tanh({ROOT:.4f} × ({fixed(x)} + {CUBE} × {behind_sign(x)}³)))"
        case _:
            return f"0.5 × {behind_sign(x)} × (1 + tanh({ROOT:.4f} × {behind_sign(x)} + {CUBE} × {behind_sign(x)}³))"


def _slope(name: str, x: float) -> str:
    """Return the computation of an activation's derivative as text."""
    match name:
        case "gelu":
            density = math.exp(-x * x / 2) / math.sqrt(2 * math.pi)
            return f"Φ(x) + x φ(x) = {fixed(_normal(x))} + {behind_sign(x)} × {fixed(density)}"
        case "relu":
            return "ReLU′(x > 0)" if x > 0 else "ReLU′(x ≤ 0)"
        case "swish":
            gate = 1 / (1 + math.exp(-x))
            return f"s (1 + x (1 − s)) = {fixed(gate)} × (1 + {behind_sign(x)} × {fixed(1 - gate)})"
        case "gelu_tanh":
            inner, steep = ROOT * (x + CUBE * x**3), ROOT * (1 + 3 * CUBE * x * x)
        case _:
            inner, steep = ROOT * x + CUBE * x**3, ROOT + 3 * CUBE * x * x
    bent = math.tanh(inner)
    sum_of = f"0.5 × {fixed(1 + bent)} + 0.5 × {behind_sign(x)} × {fixed(1 - bent**2)} × {fixed(steep)}"
    return f"0.5 (1 + t) + 0.5 x (1 − t²) u′ = {sum_of}"


def _normal(x: float) -> float:
    """Return the cumulative distribution function of the standard normal distribution."""
    return (1 + math.erf(x / math.sqrt(2))) / 2
