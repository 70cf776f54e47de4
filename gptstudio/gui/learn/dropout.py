"""Page of the dropout lab: a matrix with its mask and the result, and the three places of dropout in a model."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import product
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QPointF, QRect, QRectF, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QBrush, QColor, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from gptstudio.fields import fields_of
from gptstudio.gui.canvas.canvas import Canvas, Cell
from gptstudio.gui.canvas.writing import CENTRE, draw_with, write
from gptstudio.gui.charts.curve_plot import CurvePlot, legend
from gptstudio.gui.charts.style import CurveStyle
from gptstudio.gui.forms.controls import Segments
from gptstudio.gui.forms.field import FieldEditor
from gptstudio.gui.learn.kit import Formula, LabPage, Matrix, decimals, lights
from gptstudio.gui.theme import colour, theme
from gptstudio.gui.translation import percent, tr
from gptstudio.gui.widgets.layouts import FREE, Flow, HeightForWidth, Reflow, card, grows, in_column, vbox, with_layout
from gptstudio.gui.widgets.parts import button, label
from gptstudio.labs.dropout import DropoutAnswer, DropoutLayer, DropoutRequest

LOOKS = {
    "low": CurveStyle("muted", 1, "dot"), "high": CurveStyle("muted", 1, "dot"),
    "before": CurveStyle("validation", 1.5, "dash"), "running": CurveStyle("training", 2)}
MOST = 1000  # maximum number of points drawn: more than there are pixels
SURE = 1.96  # number of standard deviations on either side that contain 95 % of random outcomes


class MatrixPart(HeightForWidth):
    """Dropout applied to a matrix, ``before``, which can be edited."""

    explained = Signal(str)  # emitted with the tooltip of the chart where it is hovered

    def __init__(self) -> None:
        super().__init__()
        self.before = Matrix("dropout_before", tr("input x"), editable=True)
        self.kept = Matrix("dropout_mask", tr("mask m"))
        self.after = Matrix("dropout_after", tr("output y"), tinted=True)
        self.average = Matrix("dropout_average", tr("average of y"), tinted=True, digits=2)
        self.matrices = {"x": self.before, "m": self.kept, "y": self.after, "average": self.average}
        self._captions = {name: label(role="muted") for name in self.matrices}
        self.chart = CurvePlot("dropout_chart", tr("Mean of the matrix, averaged over the draws so far"), LOOKS)
        self.chart.pointed.connect(self._read)
        self._running = np.ones(1)
        for matrix, other in product(self.matrices.values(), repeat=2):
            lights(matrix, other, lambda cell: [cell])
        self._lay_out()

    def show_answer(self, request: DropoutRequest, answer: DropoutAnswer, equal: np.ndarray | None) -> None:
        """Show an answer. ``equal``: mask of the output numbers that equal the printed ones."""
        self.before.digits, self.after.digits = decimals(answer.values), decimals(answer.out)
        self.before.show_values(answer.values, title=tr("input x"))
        self.kept.show_values(answer.kept.astype(int), title=tr("mask m"))
        self.after.show_values(answer.out, equal=equal, title=tr("output y"))
        self.average.show_values(answer.average, title=tr("average of y"))
        for matrix in (self.kept, self.after):
            matrix.hatch(~answer.kept)
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
        """Show the average at a draw; without a hovered draw, at the last one."""
        last = self._running.size
        draw = last if x is None else min(max(1, round(x)), last)
        said = tr("Draws: {n}; mean so far: {average}", n=f"{draw:,}", average=f"{self._running[draw - 1]:.4f}")
        self.chart.show_place(draw, {"running": self._running[draw - 1]}, said)
        self.explained.emit("" if x is None else said)

    def _lay_out(self) -> None:
        names = {"running": tr("running average"), "before": tr("mean of x"),
                 "low": tr("95 % of all random seeds fall here")}
        lower = with_layout(QWidget(), vbox(grows(self.chart), with_layout(HeightForWidth(), legend(LOOKS, names))))
        three = with_layout(HeightForWidth(), Flow(*map(self._captioned, ("x", "m", "y")), spacing=16))
        chart = Reflow(self._captioned("average"), lower, stretch=(lower,), spacing=16)
        with_layout(self, vbox(three, grows(chart), spacing=12))

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


NUMBERS = {"embedding": "①", "attention": "②", "shortcut": "③"}
HUES = {"embedding": 0, "attention": 5, "shortcut": 3}  # indices in the palette of the components
HIGH, GAP = 1.6, 0.7  # height of a box and of the gap below it, in line heights
WIDE = 15.0
SIDE_SPACE = 2.2  # space on both sides of the boxes of a block, for the shortcut connections


class SchemeRow(NamedTuple):
    """Box of the diagram: its text, and the name of its dropout place, if it is one."""

    words: str
    place: str = ""


class Scheme(Canvas):
    """Diagram with the three places of dropout; emits the name of a clicked place."""

    chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__("dropout_scheme", tr("Where the model applies dropout"), pointable=False)
        self._rows: list[SchemeRow] = []
        self._layers = 0
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_places(self, request: DropoutRequest, answer: DropoutAnswer) -> None:
        places = {place.name: place for place in answer.places}
        self._layers = request.config.n_layers
        self._rows = [
            SchemeRow(tr("token + position embedding")), _row(places["embedding"]),
            SchemeRow(tr("layer normalisation")), SchemeRow(tr("attention weights")), _row(places["attention"]),
            SchemeRow(tr("values, output projection")), _row(places["shortcut"]), SchemeRow("+"),
            SchemeRow(tr("layer normalisation")), SchemeRow(tr("feed-forward network")), _row(places["shortcut"]),
            SchemeRow("+"), SchemeRow(tr("layer normalisation, output layer"))]
        said = [f"{NUMBERS[place.name]} {_row(place).words}" for place in answer.places]
        self.describe("; ".join(said))
        self.remeasure()

    def minimumSizeHint(self) -> QSize:
        high = self._high()
        return QSize(round((WIDE + 2 * SIDE_SPACE) * high), round(self._top(len(self._rows)) + 2))

    def box(self, index: int) -> QRectF:
        high = self._high()
        if self._rows[index].words == "+":
            side = HIGH * high
            return QRectF(self.width() / 2 - side / 2, self._top(index), side, side)
        return QRectF(self.width() / 2 - WIDE * high / 2, self._top(index), WIDE * high, HIGH * high)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        for index, row in enumerate(self._rows):
            if row.place and self.box(index).contains(event.position()):
                self.chosen.emit(row.place)

    def paint(self, painter: QPainter, _region: QRect) -> None:
        if not self._rows:
            return
        self._paint_block(painter)
        for index in range(len(self._rows) - 1):
            self._paint_arrow(painter, self.box(index).bottom(), self.box(index + 1).top())
        for start, end in ((2, 7), (8, 11)):
            self._paint_shortcut(painter, start, end)
        for index, row in enumerate(self._rows):
            self._paint_row(painter, self.box(index), row)

    def _paint_block(self, painter: QPainter) -> None:
        """Paint the frame around the layers of a block."""
        high = self._high()
        first, last = self.box(2), self.box(11)
        frame = QRectF(1, first.top() - 1.5 * high, self.width() - 2, last.bottom() - first.top() + 2.0 * high)
        draw_with(painter, QPen(colour("muted"), 1, Qt.PenStyle.DashLine), colour("accent", 0.05))
        painter.drawRoundedRect(frame, 8, 8)
        corner = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop
        write(painter, frame.adjusted(8, 2, -8, 0), tr("{n} blocks", n=self._layers), corner, "muted")

    def _paint_shortcut(self, painter: QPainter, start: int, end: int) -> None:
        """Paint a shortcut past the boxes, from before the first to the plus."""
        high, into = self._high(), self.box(end)
        top, left = self.box(start).top() - 0.45 * GAP * high, self.width() / 2 - (WIDE / 2 + 0.9) * high
        painter.setPen(QPen(colour("text"), 1.5))
        painter.drawPolyline([
            QPointF(self.width() / 2, top), QPointF(left, top), QPointF(left, into.center().y()),
            QPointF(into.left() - 2, into.center().y())])
        _paint_head(painter, QPointF(into.left() - 1, into.center().y()), QPointF(1, 0), 0.3 * high)

    def _paint_arrow(self, painter: QPainter, top: float, bottom: float) -> None:
        painter.setPen(QPen(colour("text"), 1.5))
        middle = self.width() / 2
        painter.drawLine(QPointF(middle, top), QPointF(middle, bottom - 1))
        _paint_head(painter, QPointF(middle, bottom), QPointF(0, 1), 0.3 * self._high())

    def _paint_row(self, painter: QPainter, box: QRectF, row: SchemeRow) -> None:
        paint = QColor(theme.colours.components[HUES[row.place]]) if row.place else colour("muted")
        draw_with(painter, QPen(paint, 2 if row.place else 1), colour("surface"))
        painter.drawRoundedRect(box, 6, 6)
        if row.place:
            faint = QColor(paint)
            faint.setAlphaF(0.3)
            painter.setBrush(QBrush(faint, Qt.BrushStyle.BDiagPattern))
            painter.drawRoundedRect(box, 6, 6)
        write(painter, box, f"{NUMBERS[row.place]}  {row.words}" if row.place else row.words, CENTRE)

    def _top(self, index: int) -> float:
        """Return the top of a row; the block's frame needs space above and below."""
        more = (1.0 if index > 1 else 0.0) + (0.6 if index > 11 else 0.0)
        return (1 + index * (HIGH + GAP) * self._high()) + more * self._high()

    def _high(self) -> int:
        return self.fontMetrics().height()


def _row(place: DropoutLayer) -> SchemeRow:
    return SchemeRow(tr("dropout {rate}", rate=f"{100 * place.rate:g} %"), place.name)


def _paint_head(painter: QPainter, tip: QPointF, way: QPointF, size: float) -> None:
    across = QPointF(-way.y(), way.x())
    painter.drawPolyline([tip - way * size + across * size * 0.7, tip, tip - way * size - across * size * 0.7])


FIELD_OF_PLACE = {"embedding": "drop_rate_emb", "attention": "drop_rate_attn", "shortcut": "drop_rate_shortcut"}


class ModelPart(QWidget):
    """Dropout in a model. The page uses the editors of the rates."""

    def __init__(self, prefix: str) -> None:
        super().__init__()
        views = {view.name: view for view in fields_of(DropoutRequest)}
        self.editors = {name: FieldEditor(views[name], prefix) for name in FIELD_OF_PLACE.values()}
        self.scheme = Scheme()
        self.scheme.chosen.connect(lambda place: self.editors[FIELD_OF_PLACE[place]].control.setFocus())
        self.masks = {place: MaskView(f"dropout_mask_{place}") for place in FIELD_OF_PLACE}
        self.shapes = {place: label(name=f"dropout_shape_{place}", wrap=True) for place in FIELD_OF_PLACE}
        self.counts = {place: label(role="muted", name=f"dropout_count_{place}", wrap=True) for place in FIELD_OF_PLACE}
        self._headings = {place: label(role="heading") for place in FIELD_OF_PLACE}
        cards = in_column(QWidget(), *map(self._card, FIELD_OF_PLACE), spacing=8)
        left = with_layout(QWidget(), vbox(self.scheme, FREE))
        both = Reflow(left, cards, stretch=(cards,), spacing=16)
        with_layout(self, vbox(both, margins=(0, 0, 8, 0)))  # margin for a scroll bar

    def show_answer(self, request: DropoutRequest, answer: DropoutAnswer) -> None:
        self.scheme.show_places(request, answer)
        for place in answer.places:
            self.masks[place.name].show_mask(place.kept)
            self._say(place)

    def _say(self, place: DropoutLayer) -> None:
        name, sign = place.name, NUMBERS[place.name]
        heading, shape = {
            "embedding": (tr("{sign} After the embeddings", sign=sign),
                          tr("text, token, number: {shape}, once", shape=place.shape)),
            "attention": (tr("{sign} On the attention weights", sign=sign), tr(
                "text, head, query, key: {shape}, in {times} layers", shape=place.shape, times=place.times)),
            "shortcut": (tr("{sign} Before each shortcut addition", sign=sign), tr(
                "text, token, number: {shape}, {times} times", shape=place.shape, times=place.times))}[name]
        self._headings[name].setText(heading)
        self.shapes[name].setText(shape)
        share = percent(place.dropped / place.numbers) if place.dropped else "0 %"
        self.counts[name].setText(tr("Dropped in this draw: {dropped} of {all} numbers ({share})",
                                     dropped=f"{place.dropped:,}", all=f"{place.numbers:,}", share=share))

    def _card(self, place: str) -> QWidget:
        return card(self._headings[place], self.shapes[place], self.editors[FIELD_OF_PLACE[place]], self.masks[place],
                    self.counts[place], name=f"dropout_card_{place}", spacing=4)


SQUARE_SIDE = 0.8  # side of a square, in line heights


class MaskView(Canvas):
    """View of the numbers that dropout keeps."""

    smooth = False

    def __init__(self, name: str) -> None:
        super().__init__(name, tr("Dropped numbers"), pointable=False)
        self.kept = np.ones((1, 1), dtype=bool)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_mask(self, kept: np.ndarray) -> None:
        """Show a mask. ``kept``: (rows, columns), False where a number is dropped."""
        self.kept = kept
        self.describe(tr("Dropped: {dropped} of {all} squares", dropped=int((~kept).sum()), all=kept.size))
        self.remeasure()

    def minimumSizeHint(self) -> QSize:
        rows, columns = self.kept.shape
        return QSize(round(columns * self._side()) + 2, round(rows * self._side()) + 2)

    def table(self) -> Sequence[Sequence[str]]:
        return [[str(int(kept)) for kept in row] for row in self.kept]

    def paint(self, painter: QPainter, _region: QRect) -> None:
        side = self._side()
        painter.setPen(QPen(colour("line"), 1))
        hatch = QBrush(colour("text", 0.7), Qt.BrushStyle.BDiagPattern)
        for (down, across), kept in np.ndenumerate(self.kept):
            place = QRectF(across * side + 1, down * side + 1, side - 1, side - 1)
            painter.fillRect(place, colour("training", 0.55) if kept else hatch)
            painter.drawRect(place)

    def _side(self) -> float:
        return SQUARE_SIDE * self.fontMetrics().height()


PARTS = ("matrix", "model")
FIELDS = {"matrix": ("rate", "seed", "draws"), "model": ("rate", "seed", "preset", "tokens")}
"""Fields that each part shows in the column of fields."""
OUT = ("dropout", "out")


class Page(LabPage):
    """Page of the dropout lab. One part is shown at a time."""

    request: DropoutRequest
    answer: DropoutAnswer | None

    def text(self) -> Sequence[QWidget | str]:
        self.story = label(wrap=True, name="dropout_story")
        self.formula = Formula(
            "dropout_formula", r"\sym{y}{y_{ij}} = \frac{\sym{m}{m_{ij}} \, \sym{x}{x_{ij}}}{1 - p}",
            tr("The output is the input times zero or one, divided by one minus the rate p."))
        return [self.story, self.formula]

    def make_stage(self) -> QWidget:
        self.parts = Segments("dropout_part", [tr("One matrix"), tr("In a model")],
                              tr("Dropout by itself, or at its places in a transformer block"))
        self.parts.chosen.connect(lambda index: self.update_request(part=PARTS[index]))
        self.modes = Segments("dropout_mode", [tr("Training: train()"), tr("Evaluation: eval()")],
                              tr("PyTorch drops values in training only; in evaluation all are kept"))
        self.modes.chosen.connect(lambda index: self.update_request(training=index == 0))
        self.again = button(tr("Draw again"), "dropout_again", tr("Uses the next random seed."))
        self.again.clicked.connect(lambda: self.update_request(seed=self.request.seed + 1))
        self.summary = label(wrap=True, name="dropout_summary")
        self.problem = self.controls.problem_of("numbers")
        self.matrix, self.model = MatrixPart(), ModelPart(self.name)
        self.matrix.before.edited.connect(partial(self.update_cell, "numbers"))
        self.matrix.explained.connect(self.arithmetic.setText)
        for key, matrix in self.matrix.matrices.items():
            self.links.add(key, matrix)
        for name, editor in self.model.editors.items():  # shown in the stage, but handled like the fields of the column
            self.controls.editors[name] = editor
            editor.set_value(getattr(self.request, name))
            editor.changed.connect(self.controls.changed)
        top = with_layout(HeightForWidth(), Flow(self.parts, self.modes, self.again, spacing=16))
        return with_layout(HeightForWidth(), vbox(
            top, self.summary, self.problem, grows(self.matrix), grows(self.model), spacing=8))

    def show_answer(self, answer: DropoutAnswer) -> None:
        request = self.request
        for segments, index in ((self.parts, PARTS.index(request.part)), (self.modes, 0 if request.training else 1)):
            with QSignalBlocker(segments):
                segments.choose(index)
        self.story.setText(_story(request))
        self.formula.setVisible(request.part == "matrix")
        self.summary.setText(summary(request, answer) if request.part == "matrix" else _rates(answer))
        self.matrix.show_answer(request, answer, self.printed(*OUT))
        self.model.show_answer(request, answer)
        self.matrix.setVisible(request.part == "matrix")
        self.model.setVisible(request.part == "model")
        for name, editor in self.controls.editors.items():
            editor.setVisible(name in FIELDS[request.part] or name in self.model.editors)


def _story(request: DropoutRequest) -> str:
    if request.part == "matrix":
        return tr("During training, a fraction p of the numbers, the dropout rate, is dropped at random at every step: "
                  "set to 0, so that nothing relies on a single number. The others are scaled up to make up for the "
                  "dropped ones: over many draws the mean stays the same. In evaluation mode nothing is dropped.")
    return tr("GPT applies dropout in three places. They can share one rate; exercise 4.3 gives each its own. Leave a "
              "field empty to use the common rate. The squares show the first numbers of the first such tensor: one "
              "row per token, filled where a number is kept.")


def _rates(answer: DropoutAnswer) -> str:
    dropped, numbers = sum(place.dropped for place in answer.places), sum(place.numbers for place in answer.places)
    return tr("Dropped for this one text: {dropped} of {all} numbers.", dropped=f"{dropped:,}", all=f"{numbers:,}")
