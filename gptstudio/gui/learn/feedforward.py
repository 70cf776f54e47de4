"""Page of the feed-forward lab: a diagram of the layers and their widths, and the effect of GELU inside a model."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QWidget

from gptstudio.gui.appearance import on_restyle
from gptstudio.gui.canvas.bars import StackedBar
from gptstudio.gui.canvas.canvas import Cell, CellCanvas
from gptstudio.gui.canvas.writing import CENTRE, rounded, write
from gptstudio.gui.charts.curve_plot import CurvePlot, legend
from gptstudio.gui.charts.style import CurveStyle
from gptstudio.gui.learn.kit import Formula, LabPage, fixed
from gptstudio.gui.theme import colour, theme
from gptstudio.gui.translation import percent, tr, unbroken
from gptstudio.gui.widgets.layouts import grows, vbox, with_layout
from gptstudio.gui.widgets.parts import label
from gptstudio.labs.feedforward import QUIET, FeedForwardAnswer, FeedForwardRequest, InModel, Module, module

BAR = 10  # width of a tensor's bar in pixels, at the default text size
LINES = 7  # height of the diagram, in line heights
PLACES = (0.08, 0.36, 0.64, 0.92)  # horizontal positions of the four tensors, as fractions of the width
THIN = 0.25  # height of a narrow tensor relative to a wide one: the network expands by a factor of four


LAYERS = ("widen", "gelu", "narrow")  # layers between the tensors, from the left


class Hourglass(CellCanvas):
    """Diagram of a feed-forward module; its three layers can be hovered."""

    def __init__(self, name: str) -> None:
        super().__init__(name, tr("The feed-forward network"))
        self._module: Module | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_module(self, module: Module) -> None:
        self._module = module
        self.remeasure()

    def items(self) -> dict[Cell, QRectF]:
        return {
            Cell(0, index): QRectF(self._x(index), 0, self._x(index + 1) - self._x(index), self._high())
            for index in range(len(LAYERS))}

    def minimumSizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        words = [line for index in range(len(LAYERS)) for line in self._words(index)]
        widest = max((metrics.horizontalAdvance(line) for line in words), default=0) + BAR * theme.zoom
        return QSize(round(widest / (PLACES[2] - PLACES[1])), (LINES + 2) * metrics.height())

    def paint(self, painter: QPainter, _region: QRect) -> None:
        if not self._module:
            return
        for cell in self.items():
            self._paint_layer(painter, cell)
        for index, shape in enumerate(self._module.shapes):
            self._paint_tensor(painter, index, str(shape))

    def _paint_layer(self, painter: QPainter, cell: Cell) -> None:
        lit, index = cell == self.cell or cell in self.lit, cell.column
        (left, top_left), (right, top_right) = self._top(index), self._top(index + 1)
        shape = QPainterPath(QPointF(left, top_left))
        for x, y in ((right, top_right), (right, self._high() - top_right), (left, self._high() - top_left)):
            shape.lineTo(x, y)
        shape.closeSubpath()
        name = "validation" if LAYERS[index] == "gelu" else "training"
        painter.fillPath(shape, colour(name, 0.28 if lit else 0.14))
        if lit:
            painter.strokePath(shape, QPen(colour("accent"), 2))
        words, line = self._words(index), painter.fontMetrics().height()
        top = (self._high() - len(words) * line) / 2
        for number, text in enumerate(words):
            place = QRectF(left, top + number * line, right - left, line)
            write(painter, place, text, CENTRE, "muted" if number else "text")

    def _paint_tensor(self, painter: QPainter, index: int, shape: str) -> None:
        x, top = self._top(index)
        bar, line = BAR * theme.zoom, painter.fontMetrics().height()
        rounded(painter, QRectF(x - bar / 2, top, bar, self._high() - 2 * top), 2, colour("text"))
        wide = painter.fontMetrics().horizontalAdvance(shape)
        left = min(max(x - wide / 2, 0), self.width() - wide)
        write(painter, QRectF(left, self._high() + line / 4, wide, line), shape, CENTRE)

    def _words(self, index: int) -> tuple[str, ...]:
        """Return the text of a layer: its name, its widths and its number of parameters."""
        if self._module is None:
            return ()
        thin, wide = (f"{shape[-1]:,}" for shape in self._module.shapes[:2])
        first, first_bias, second, second_bias = self._module.parameters
        return (
            (tr("Linear"), f"{thin} → {wide}", f"{first + first_bias:,}"),
            ("GELU", "0"),
            (tr("Linear"), f"{wide} → {thin}", f"{second + second_bias:,}"))[index]

    def _high(self) -> float:
        return LINES * self.fontMetrics().height()

    def _x(self, index: int) -> float:
        return PLACES[index] * self.width()

    def _top(self, index: int) -> tuple[float, float]:
        """Return the x position of a tensor, and the space above it."""
        return self._x(index), (self._high() * (1 - THIN) / 2 if index in (0, 3) else 0.0)


LOOKS = {"before": CurveStyle("validation", 2, "dash"), "after": CurveStyle("training", 2)}


class Page(LabPage[FeedForwardRequest, FeedForwardAnswer | None]):
    """Page with the diagram, the parameters compared with attention's, and the numbers before and after GELU."""

    def text(self) -> Sequence[QWidget | str]:
        self.formula = Formula(
            "lab_feedforward_formula",
            r"\sym{narrow}{W_2} \, \sym{gelu}{\mathrm{GELU}}(\sym{widen}{W_1} \, x + \sym{widen}{b_1}) "
            r"+ \sym{narrow}{b_2}",
            tr("W two times GELU of W one times x plus b one, plus b two"))
        return (
            tr("After attention, each token passes through this network separately: expanded to four times as many "
               "numbers, through GELU, and back to the original width. Input and output have the same shape, so blocks "
               "can be stacked."),
            self.formula,
            tr("No token sees another here. Yet this network holds two thirds of a block's parameters."),
            tr("Below the drawing you see the same network inside a model: every number its first layer outputs for "
               "your text, before and after GELU. Model, text and layer change the chart; the width and the two counts "
               "change the drawing."))

    def make_stage(self) -> QWidget:
        self.drawing = Hourglass("feedforward_drawing")
        self.explain(self.drawing, self._arithmetic)
        self.drawing.pointed.connect(lambda cell: self.formula.light([LAYERS[cell.column]] if cell else []))
        self.formula.pointed.connect(lambda key: self.drawing.light([Cell(0, LAYERS.index(key))] if key else []))
        self.bars = {
            key: (label(name), StackedBar(words), label(name=f"feedforward_{key}")) for key, name, words in (
                ("module", tr("Feed-forward parameters"), tr("One feed-forward network")),
                ("attention", tr("Attention parameters"), tr("One attention module")))}
        self.heading = self.sentence("feedforward_heading", _heading, "heading")
        self.plot = CurvePlot("feedforward_plot", tr("Percentage of the numbers"), LOOKS)
        self.plot.pointed.connect(self._read)
        self.facts = self.sentence("feedforward_facts", _facts)
        on_restyle(self, self._dress)
        self._dress()
        names = legend(LOOKS, {"before": tr("before GELU"), "after": tr("after GELU")})
        return with_layout(QWidget(), vbox(
            self.drawing, self._comparison(), vbox(self.heading, margins=(0, 8, 0, 0)), names, grows(self.plot),
            self.facts, spacing=8))

    def show_answer(self, answer: FeedForwardAnswer) -> None:
        self._show_module(answer.module)
        outputs = answer.outputs
        self.plot.show_shares(outputs.edges, {"before": 100 * outputs.before, "after": 100 * outputs.after})
        self._read(None)

    def _dress(self) -> None:
        self._show_module(module(self.request))

    def _show_module(self, shown: Module) -> None:
        self.drawing.show_module(shown)
        counts = {"module": shown.total, "attention": shown.attention}
        paints = {"module": colour("training"), "attention": colour("muted")}
        for key, (_, bar, figure) in self.bars.items():
            bar.show_parts([(counts[key] / max(counts.values()), paints[key])])
            figure.setText(f"{counts[key]:,}")

    def _arithmetic(self, cell: Cell) -> str:
        """Return the computation of a layer's parameter count."""
        shown = module(self.request)
        thin, wide = shown.shapes[0][-1], shown.shapes[1][-1]
        first, first_bias, second, second_bias = shown.parameters
        return (
            f"{thin:,} × {wide:,} + {first_bias:,} = {first + first_bias:,}",
            tr("GELU is applied to each number separately; it has no parameters to learn."),
            f"{wide:,} × {thin:,} + {second_bias:,} = {second + second_bias:,}")[cell.column]

    def _read(self, x: float | None) -> None:
        """Show the values of the bin at the pointer."""
        outputs: InModel | None = self.answer.outputs if self.answer else None
        index = -1 if x is None or outputs is None else int(np.searchsorted(outputs.edges, x)) - 1
        if outputs is None or not 0 <= index < len(outputs.before):
            self.plot.show_place(0, {})
            self.arithmetic.setText("")
            return
        low, high = outputs.edges[index : index + 2]
        before, after = float(outputs.before[index]), float(outputs.after[index])
        said = tr("From {low} to {high}: {before} of the numbers before GELU, {after} after",
                  low=fixed(low, 2), high=fixed(high, 2), before=percent(before), after=percent(after))
        self.plot.show_place((low + high) / 2, {"before": 100 * before, "after": 100 * after}, said)
        self.arithmetic.setText(said)

    def _comparison(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(1, 1)
        for row, (name, bar, figure) in enumerate(self.bars.values()):
            grid.addWidget(name, row, 0)
            grid.addWidget(bar, row, 1, Qt.AlignmentFlag.AlignVCenter)
            grid.addWidget(figure, row, 2, Qt.AlignmentFlag.AlignRight)
        return grid


def _heading(answer: FeedForwardAnswer) -> str:
    outputs = answer.outputs
    return tr("Layer {layer} of {layers}: {count} numbers ({read} tokens × {width})", layer=outputs.layer,
              layers=outputs.layers, count=f"{outputs.read * outputs.width:,}", width=f"{outputs.width:,}",
              read=f"{outputs.read:,}")


def _facts(answer: FeedForwardAnswer) -> str:
    outputs = answer.outputs
    said = tr("Before GELU, {negative} are below 0 and the lowest is {lowest_before}; after GELU, none is below "
              "{lowest}. Closer to 0 than {quiet}: {quiet_before} before, {quiet_after} after.",
              negative=percent(outputs.negative), lowest_before=fixed(outputs.lowest_before, 2),
              lowest=fixed(outputs.lowest, 2), quiet=QUIET, quiet_before=percent(outputs.quiet_before),
              quiet_after=percent(outputs.quiet))
    return unbroken(said)
