"""Page of the dropout lab: a matrix with its mask and the result, and the three places of dropout in a model."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import product
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QBrush, QColor, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from gptstudio.fields import fields_of
from gptstudio.gui.canvas.canvas import Canvas, Cell
from gptstudio.gui.canvas.writing import CENTRE, rounded, write
from gptstudio.gui.charts.curve_plot import CurvePlot, legend
from gptstudio.gui.charts.style import CurveStyle
from gptstudio.gui.forms.field import FieldEditor
from gptstudio.gui.learn.kit import Formula, LabPage, Matrix, decimals, lights
from gptstudio.gui.theme import colour, theme
from gptstudio.gui.translation import percent, tr
from gptstudio.gui.widgets.layouts import FREE, Flow, HeightForWidth, Reflow, card, grows, in_column, vbox, with_layout
from gptstudio.gui.widgets.parts import label
from gptstudio.labs.dropout import DropoutAnswer, DropoutLayer, DropoutRequest

LOOKS = {
    "low": CurveStyle("muted", 1, "dot"), "high": CurveStyle("muted", 1, "dot"),
    "before": CurveStyle("validation", 1.5, "dash"), "running": CurveStyle("training", 2)}
MOST = 1000  # maximum number of points drawn: more than there are pixels
SURE = 1.96  # number of standard deviations on either side that contain 95 % of random outcomes
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
        rounded(painter, frame, 8, colour("accent", 0.05), QPen(colour("muted"), 1, Qt.PenStyle.DashLine))
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
        edge = QPen(paint, 2 if row.place else 1)
        rounded(painter, box, 6, colour("surface"), edge)
        if row.place:
            faint = QColor(paint)
            faint.setAlphaF(0.3)
            rounded(painter, box, 6, QBrush(faint, Qt.BrushStyle.BDiagPattern), edge)
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


class PlaceCard:
    """Card of a place of dropout in a model: its shape, the editor of its rate, and the numbers that are dropped."""

    def __init__(self, place: str, editor: FieldEditor) -> None:
        self._heading = label(role="heading")
        self.shape = label(name=f"dropout_shape_{place}", wrap=True)
        self.mask = MaskView(f"dropout_mask_{place}")
        self.count = label(role="muted", name=f"dropout_count_{place}", wrap=True)
        self.frame = card(
            self._heading, self.shape, editor, self.mask, self.count, name=f"dropout_card_{place}", spacing=4)

    def show_place(self, place: DropoutLayer) -> None:
        sign = NUMBERS[place.name]
        heading, shape = {
            "embedding": (tr("{sign} After the embeddings", sign=sign),
                          tr("text, token, number: {shape}, once", shape=place.shape)),
            "attention": (tr("{sign} On the attention weights", sign=sign), tr(
                "text, head, query, key: {shape}, in {times} layers", shape=place.shape, times=place.times)),
            "shortcut": (tr("{sign} Before each shortcut addition", sign=sign), tr(
                "text, token, number: {shape}, {times} times", shape=place.shape, times=place.times))}[place.name]
        self._heading.setText(heading)
        self.shape.setText(shape)
        self.mask.show_mask(place.kept)
        share = percent(place.dropped / place.numbers) if place.dropped else "0 %"
        self.count.setText(tr("Dropped in this draw: {dropped} of {all} numbers ({share})",
                              dropped=f"{place.dropped:,}", all=f"{place.numbers:,}", share=share))


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


FIELDS = {"matrix": ("rate", "seed", "draws"), "model": ("rate", "seed", "preset", "tokens")}
"""Fields that each part shows in the column of fields."""
OUT = ("dropout", "out")


class Page(LabPage[DropoutRequest, DropoutAnswer]):
    """Page of the dropout lab. One part is shown at a time: a matrix, or the places of dropout in a model."""

    def text(self) -> Sequence[QWidget | str]:
        self.story = label(wrap=True, name="dropout_story")
        self.formula = Formula(
            "dropout_formula", r"\sym{y}{y_{ij}} = \frac{\sym{m}{m_{ij}} \, \sym{x}{x_{ij}}}{1 - p}",
            tr("The output is the input times zero or one, divided by one minus the rate p."))
        return [self.story, self.formula]

    def make_stage(self) -> QWidget:
        self.part = self.choice_of(
            "part", "dropout_part", {"matrix": tr("One matrix"), "model": tr("In a model")},
            tr("Dropout by itself, or at its places in a transformer block"))
        self.mode = self.choice_of(
            "training", "dropout_mode", {True: tr("Training: train()"), False: tr("Evaluation: eval()")},
            tr("PyTorch drops values in training only; in evaluation all are kept"))
        self.again = self.draw_again("dropout_again", tr("Uses the next random seed."))
        self.summary = self.sentence("dropout_summary", self._summary)
        self._parts = {"matrix": self._matrix_part(), "model": self._model_part()}
        top = with_layout(HeightForWidth(), Flow(self.part, self.mode, self.again, spacing=16))
        return with_layout(HeightForWidth(), vbox(
            top, self.summary, self.controls.problem_of("numbers"), *map(grows, self._parts.values()), spacing=8))

    def _matrix_part(self) -> QWidget:
        self.before = self.linked(
            "dropout_before", tr("input x"), self._one, "x", edited=partial(self.update_number, "numbers"))
        self.kept = self.linked("dropout_mask", tr("mask m"), self._one, "m")
        self.after = self.linked("dropout_after", tr("output y"), self._one, "y", tinted=True)
        self.average = self.linked(
            "dropout_average", tr("average of y"), self._over_all, "average", tinted=True, digits=2)
        for matrix, other in product((self.before, self.kept, self.after, self.average), repeat=2):
            lights(matrix, other, lambda cell: [cell])
        self.chart = CurvePlot("dropout_chart", tr("Mean of the matrix, averaged over the draws so far"), LOOKS)
        self.chart.pointed.connect(self._read)
        names = {"running": tr("running average"), "before": tr("mean of x"),
                 "low": tr("95 % of all random seeds fall here")}
        lower = with_layout(QWidget(), vbox(grows(self.chart), with_layout(HeightForWidth(), legend(LOOKS, names))))
        self._scale, self._draws = label(role="muted"), label(role="muted")
        three = with_layout(HeightForWidth(), Flow(
            _captioned(label(tr("double-click to change"), "muted"), self.before),
            _captioned(label(tr("× 0 or 1, at random"), "muted"), self.kept), _captioned(self._scale, self.after),
            spacing=16))
        chart = Reflow(_captioned(self._draws, self.average), lower, stretch=(lower,), spacing=16)
        return with_layout(HeightForWidth(), vbox(three, grows(chart), spacing=12))

    def _model_part(self) -> QWidget:
        views = {view.name: view for view in fields_of(DropoutRequest)}
        self.scheme = Scheme()
        self.scheme.chosen.connect(lambda place: self.controls.editors[FIELD_OF_PLACE[place]].control.setFocus())
        self.places: dict[str, PlaceCard] = {}
        for place, name in FIELD_OF_PLACE.items():  # shown in the stage, but handled like the fields of the column
            editor = self.controls.editors[name] = FieldEditor(views[name], self.name)
            editor.set_value(getattr(self.request, name))
            editor.changed.connect(self.controls.changed)
            self.places[place] = PlaceCard(place, editor)
        cards = in_column(QWidget(), *(each.frame for each in self.places.values()), spacing=8)
        both = Reflow(with_layout(QWidget(), vbox(self.scheme, FREE)), cards, stretch=(cards,), spacing=16)
        return with_layout(QWidget(), vbox(both, margins=(0, 0, 8, 0)))  # margin for a scroll bar

    def show_answer(self, answer: DropoutAnswer) -> None:
        request = self.request
        self.story.setText(_story(request))
        self.formula.setVisible(request.part == "matrix")
        for part, shown in self._parts.items():
            shown.setVisible(request.part == part)
        for name, editor in self.controls.editors.items():
            editor.setVisible(name in (*FIELDS[request.part], *FIELD_OF_PLACE.values()))
        self.before.digits, self.after.digits = decimals(answer.values), decimals(answer.out)
        self.before.show_values(answer.values)
        self.kept.show_values(answer.kept.astype(int))
        self.after.show_values(answer.out, equal=self.printed(*OUT))
        self.average.show_values(answer.average)
        for matrix in (self.kept, self.after):
            matrix.hatch(~answer.kept)
        self._scale.setText(tr("→ then × {scale}", scale=f"{answer.scale:.4g}"))
        self._draws.setText(tr("draws: {n}", n=f"{request.draws:,}"))
        self._draw(answer)
        self.scheme.show_places(request, answer)
        for place in answer.places:
            self.places[place.name].show_place(place)

    def _draw(self, answer: DropoutAnswer) -> None:
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
        if self.asking.answer is None:
            return
        running = self.answer.running
        draw = running.size if x is None else min(max(1, round(x)), running.size)
        said = tr("Draws: {n}; mean so far: {average}", n=f"{draw:,}", average=f"{running[draw - 1]:.4f}")
        self.chart.show_place(draw, {"running": running[draw - 1]}, said)
        self.arithmetic.setText("" if x is None else said)

    def _one(self, cell: Cell) -> str:
        request, answer = self.request, self.answer
        return tr("{value} · {mask} / (1 − {rate}) = {out}", value=f"{answer.values[cell]:.4g}",
                  mask=int(answer.kept[cell]), rate=f"{request.rate if request.training else 0:g}",
                  out=f"{answer.out[cell]:.4g}")

    def _over_all(self, cell: Cell) -> str:
        return tr("Average over {n} draws: {average}. Input: {value}.", n=f"{self.request.draws:,}",
                  average=f"{self.answer.average[cell]:.4f}", value=f"{self.answer.values[cell]:.4g}")

    def _summary(self, answer: DropoutAnswer) -> str:
        request = self.request
        if request.part == "model":
            return tr("Dropped for this one text: {dropped} of {all} numbers.",
                      dropped=f"{sum(place.dropped for place in answer.places):,}",
                      all=f"{sum(place.numbers for place in answer.places):,}")
        if not request.training:
            return tr("In evaluation mode nothing is dropped or scaled: the output equals the input.")
        zeros, all_of_them = int((~answer.kept).sum()), answer.kept.size
        return tr("Dropped: {zeros} of {all} numbers. The rest are multiplied by 1 / (1 − {rate}) = {scale}. The mean "
                  "was {before} and is now {after}; averaged over {n} draws it is {average}.", zeros=zeros,
                  all=all_of_them, rate=f"{request.rate:g}", scale=f"{answer.scale:.4g}",
                  before=f"{answer.mean_before:.4g}", after=f"{answer.mean_after:.4g}", n=f"{request.draws:,}",
                  average=f"{answer.running[-1]:.4f}")


def _captioned(caption: QWidget, matrix: Matrix) -> QWidget:
    return in_column(QWidget(), caption, matrix, spacing=4)


def _story(request: DropoutRequest) -> str:
    if request.part == "matrix":
        return tr("During training, a fraction p of the numbers, the dropout rate, is dropped at random at every step: "
                  "set to 0, so that nothing relies on a single number. The others are scaled up to make up for the "
                  "dropped ones: over many draws the mean stays the same. In evaluation mode nothing is dropped.")
    return tr("GPT applies dropout in three places. They can share one rate; exercise 4.3 gives each its own. Leave a "
              "field empty to use the common rate. The squares show the first numbers of the first such tensor: one "
              "row per token, filled where a number is kept.")
