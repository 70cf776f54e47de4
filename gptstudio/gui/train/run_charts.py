"""Curves of one run over the same x axis: the loss with its marks, the fork of a branch, and further charts below.

Checkpoints and jumps of the loss have marks that can be clicked. For a branch, the steps that it shares with its parent
and the parent's later steps are drawn faintly.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Literal

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRect, QRectF, Signal
from PySide6.QtGui import QContextMenuEvent, QPainter, QPen, QPolygonF, QRegion
from PySide6.QtWidgets import QLabel, QWidget

from gptstudio.app.shown_run import RunMark, ShownRun
from gptstudio.gpt.config import VOCAB_SIZE
from gptstudio.gpt.tokenizer import GPT2, Tokenizer
from gptstudio.gui.canvas.canvas import Canvas
from gptstudio.gui.charts.chart import Chart, join
from gptstudio.gui.charts.curve import CurveColumn, Series
from gptstudio.gui.charts.curve_items import number
from gptstudio.gui.charts.plot import CrossLine
from gptstudio.gui.charts.run_curves import (
    AXES,
    CAPTIONS,
    IN_VIEW,
    KINDS,
    SCALES,
    WHY_BYTES,
    WORDS,
    divisor_of,
    series_of,
)
from gptstudio.gui.charts.style import CurveStyle
from gptstudio.gui.theme import colour, theme
from gptstudio.gui.translation import duration, joined, tr
from gptstudio.gui.widgets.layouts import FREE, grows, hbox, vbox, with_layout
from gptstudio.gui.widgets.parts import button, check_menu, choice_box, label
from gptstudio.history.columns import Axis, Columns, Numbers
from gptstudio.history.comparison import Reference
from gptstudio.history.run_history import RIBBONS, History, ProbeHistory
from gptstudio.training.events import RunStarted

SIZE = 16
"""Height of the strip and width of the clickable area of a mark, in pixels at the usual text size."""


@dataclass(frozen=True)
class CurveMark:
    """Mark on the loss curve after a step, counted from 0. ``key``: name of the checkpoint; empty for a jump."""

    step: int
    kind: Literal["checkpoint", "jump"]
    words: str
    key: str = ""


class CurveMarks(Canvas):
    """Strip of marks over the lower edge of a chart: Left and Right move between them, a click or Enter activates one.

    Args:
        place: returns the position of a step on each axis of the chart.
    """

    chosen = Signal(object, object)
    """Emitted with the activated mark and the position on the screen for its menu."""

    def __init__(self, chart: Chart, place: Callable[[int], Mapping[str, float]]) -> None:
        super().__init__("curve_marks", tr("Checkpoints and jumps on the loss curve"))
        self._chart, self._place = chart, place
        self._marks: tuple[CurveMark, ...] = ()
        self.setParent(chart.plot)
        chart.box.sigXRangeChanged.connect(self._follow_range)
        chart.box.sigResized.connect(self._follow_range)
        chart.plot.installEventFilter(self)
        self.hide()

    def show_marks(self, marks: Sequence[CurveMark]) -> None:
        """Show these marks, sorted by step."""
        ordered = tuple(sorted(marks, key=lambda mark: (mark.step, mark.kind)))
        if ordered == self._marks:
            return
        self._marks = ordered
        self.setVisible(bool(ordered))
        self._follow_range()
        self.describe(tr("Checkpoints: {n}. Left and Right go from one to the next, Enter opens its menu.",
                         n=sum(mark.kind == "checkpoint" for mark in ordered)))

    # Methods of Canvas.

    def items(self) -> Mapping[CurveMark, QRectF]:
        width = SIZE * theme.zoom
        return {mark: QRectF(x - width / 2, 0, width, self.height())
                for mark in self._marks if -1 <= (x := self._x(mark)) <= self.width() + 1}

    def item_at(self, point: QPointF) -> CurveMark | None:
        """Return the nearest mark at a point; None if there is none."""
        hit = {mark: place for mark, place in self.items().items() if place.contains(point)}
        return min(hit, key=lambda mark: abs(hit[mark].center().x() - point.x()), default=None)

    def words(self, item: CurveMark) -> str:
        return item.words

    def activate(self, item: CurveMark) -> bool:
        place = self.place(item)
        self.chosen.emit(item, self.mapToGlobal(QPoint(round(place.center().x()), 0)))
        return True

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        item = self.item if event.reason() == QContextMenuEvent.Reason.Keyboard else self.item_at(QPointF(event.pos()))
        if item is not None:
            self.activate(item)

    def paint(self, painter: QPainter, _region: QRect) -> None:
        for mark, place in self.items().items():
            chosen, jump = mark == self.item, mark.kind == "jump"
            half = (0.44 if chosen else 0.32) * place.width()
            x, y = place.center().x(), self.height() - 0.5 * place.width()
            painter.setPen(QPen(colour("text" if chosen else "surface"), 1.5))
            painter.setBrush(colour("amber" if jump else "accent"))
            corners = [(x, y - half), (x + half, y + half), (x - half, y + half)] if jump else [
                (x, y - half), (x + half, y), (x, y + half), (x - half, y)]
            painter.drawPolygon(QPolygonF([QPointF(*corner) for corner in corners]))

    # Position.

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Show):
            self._follow_range()
        return super().eventFilter(watched, event)

    def remeasure(self) -> None:
        super().remeasure()
        self._follow_range()

    def _follow_range(self, *_: object) -> None:
        """Cover the lower edge of the curves, and accept the mouse at the marks only."""
        if not self.isHidden():
            box = self._chart.plot.mapFromScene(self._chart.box.sceneBoundingRect()).boundingRect()
            height = round(SIZE * theme.zoom)
            self.setGeometry(box.left(), box.bottom() - height + 1, box.width(), height)
            hit = QRegion(0, 0, 1, 1)  # an empty region would mean no mask
            for place in self.items().values():
                hit += place.toAlignedRect()
            self.setMask(hit)  # between the marks, the chart can be dragged
            self.update()

    def _x(self, mark: CurveMark) -> float:
        at = self._place(mark.step).get(self._chart.axis)
        if at is None:
            return -100.0
        view = self._chart.box.mapViewToScene(QPointF(at, 0))
        return float(self._chart.plot.mapFromScene(view).x() - self.x())


FAINT = 0.4
"""Opacity of the parent's curves, as a fraction of the opacity of the run's own."""
COMMON, PARENT = "common", "parent"
"""Key prefixes of faint curves: for the steps that both runs share, and for the parent's steps after the fork."""


class ForkSeries(Series):
    """Points of a curve before or after the fork. The last common point belongs to both parts, so that they meet.

    Args:
        step: last common step, counted from 0.
        after: whether these are the points after the fork.
        read: points with values at the cursor: ``all``, those ``after`` the fork, or ``none``.
        scale: unit of a loss.
    """

    def __init__(self, history: History, name: str, step: int, after: bool, read: str, scale: str) -> None:
        kind = KINDS[name]
        super().__init__(
            getattr(history, kind.table), kind.column, history.axes, divisor_of(history, kind, scale))
        self._step, self._after, self._read = step, after, read

    def thinned(
        self, axis: str, left: float, right: float, pixels: int, y: CurveColumn | None = None
    ) -> tuple[Numbers, Numbers]:
        x, values = super().thinned(axis, left, right, pixels, y)
        fork = self._fork()
        if fork < 0:  # no point before the fork
            return (x, values) if self._after else (x[:0], values[:0])
        place = float(self.x(axis, fork))
        inside = x >= place if self._after else x <= place
        return x[inside], values[inside]

    def index_at(self, axis: str, x: float) -> int:
        index = super().index_at(axis, x)
        return index if self._read == "all" or (self._read == "after" and index >= self._fork()) else -1

    def _fork(self) -> int:
        """Return the index of the last common point; -1 if there is none."""
        return super().index_at("step", self._step + 1)


AIR = 1.15
"""Top of the y axis as a multiple of the loss of random guessing: above an untrained model's, with room for labels."""
LOW = 0.2
"""Share of the loss of random guessing below which a line has no room for a label between it and the x axis."""
LOSS_CURVES = {
    "step": ("step_loss", CurveStyle("muted", 1, opacity=0.55)), "training": ("train_loss", CurveStyle("training", 2)),
    "validation": ("val_loss", CurveStyle("validation", 2, "dash dot")),
}
SIDE_CURVES = {
    "rate": ("learning_rate", CAPTIONS["learning_rate"]), "gradient": ("gradient_norm", CAPTIONS["gradient_norm"]),
    "speed": ("speed", KINDS["speed"].words), "memory": ("memory", CAPTIONS["memory"]),
    "copied": ("copied", CAPTIONS["copied"]),
}
"""Curve in :mod:`run_curves` and caption of each chart, by its name."""


class RunCharts(QWidget):
    """Charts of the history of a run, drawn by ``refresh``."""

    hovered = Signal(object)
    """Emitted with the x value under the pointer in any of the charts, in units of the axis; None after it has left."""

    def __init__(self) -> None:
        super().__init__()
        self._per_epoch = self._per_step = self._total = 1
        self._run = ShownRun()
        self._marks: list[RunMark] = []
        self._tokens = VOCAB_SIZE
        self._lines: list[CrossLine] = []
        self._levels: tuple[float, float | None] | None = None  # losses of the lines
        self._printed: Reference | None = None
        self.loss = Chart(
            tr("Loss during training"), "", "loss_plot", height=160, words=WORDS["loss"], place_words=self._say_place)
        self.loss.readout.usual_tip = tr("A checkpoint was saved after step {n}.", n="000,000")
        self.handles = CurveMarks(self.loss, self._mark_place)
        self.sides = {
            key: SideChart(key, tr(words), self._join, WORDS.get(name, number))
            for key, (name, words) in SIDE_CURVES.items()
        }
        self.ribbons = RibbonChart(self._join)
        self._charts: list[Chart] = [self.loss]  # those created so far
        self.loss.hovered.connect(self.hovered)
        for side in self.sides.values():
            self.loss.hovered.connect(side.show_value)
        self._lay_out()

    def show_choices(self, shown: bool) -> None:
        """Show or hide the boxes for unit and axis, and the menu of further charts."""
        for box in (self.scale_box, self.x_box, self.more):
            box.setVisible(shown)

    def show_run(self, run: ShownRun) -> None:
        """Show another run, which may still grow."""
        self._run = run
        self._marks.clear()
        self.loss.clear(keep=LOSS_CURVES)
        self._put_losses()
        for key, (name, _) in SIDE_CURVES.items():
            self.sides[key].show_series(series_of(run.history, name))
        self._set_x()
        self.show_fork()
        self.show_lines()

    def show_fork(self) -> None:
        """Draw a branch as a fork of its parent, whose curves are faint, as are those of the steps that both share."""
        run = self._run
        if not run.parent:
            return
        step, parent = run.parent.step, run.parent_history  # empty if it is not known
        for key, (name, look) in LOSS_CURVES.items():
            own = ForkSeries(run.history, name, step, after=True, read="all", scale=self.scale)
            self.loss.curves.put(key, tr(KINDS[name].words), look, own)
        for key, (name, look) in LOSS_CURVES.items():
            faint, named = replace(look, opacity=look.opacity * FAINT), name == "val_loss" and len(parent.steps) > 0
            common = ForkSeries(run.history, name, step, after=False, read="none", scale=self.scale)
            later = ForkSeries(parent, name, step, after=True, read="after" if named else "none", scale=self.scale)
            self.loss.curves.put(f"{COMMON}_{key}", "", faint, common)
            self.loss.curves.put(f"{PARENT}_{key}", tr("Parent run") if named else "", faint, later)
        self.loss.refresh()

    def show_vocabulary(self, tokens: int) -> None:
        """Show the loss of random guessing among ``tokens`` tokens."""
        self._tokens = tokens
        self.show_lines()

    def show_lines(self) -> None:
        """Draw the losses of random guessing and, if known, of a lookup table of 3-grams of the training text, in the
        unit of the losses, and fit the y axis to them."""
        divisor = self._run.history.nats_per_bit(1) if self.scale == "bits" else 1.0
        guess = math.log(self._tokens) / divisor
        table = None if self._run.table_loss is None else self._run.table_loss / divisor
        if self._levels != (guess, table):
            self._levels = guess, table
            self._replace_lines(guess, math.nan if table is None else table)
        guess = guess if math.isfinite(guess) else 1.0
        self.loss.view.expect_y((0.0, AIR * guess), IN_VIEW * guess)
        self.loss.refresh()

    def _replace_lines(self, guess: float, table: float) -> None:
        """Draw lines at these losses instead of the previous ones; none at a loss that is not finite."""
        for line in self._lines:
            self.loss.lines.remove(line)
        self._lines = [_labelled(
            self.loss.reference(loss, words, tip), right, low=loss < LOW * guess) for loss, right, words, tip in (
            (guess, True, tr("random guessing: {loss}", loss=f"{guess:.2f}"), tr(
                "The loss of random guessing, where every token has the same probability: ln(vocabulary size).")),
            (table, False, tr("table of 3-grams: {loss}", loss=f"{table:.2f}"), tr(
                "The validation loss of a table that only looks up: after two tokens it predicts what followed them in "
                "the training text, and how often (3-grams, Kneser-Ney smoothing).")),
        ) if math.isfinite(loss)]

    @property
    def scale(self) -> str:
        """Unit of the losses: a key of :data:`gptstudio.gui.charts.run_curves.SCALES`."""
        return str(self.scale_box.currentData())

    def _rescale(self) -> None:
        self._put_losses()
        self.show_fork()
        self.show_reference(self._printed)
        self.show_lines()

    def _put_losses(self) -> None:
        for key, (name, look) in LOSS_CURVES.items():
            self.loss.curves.put(key, tr(KINDS[name].words), look, series_of(self._run.history, name, self.scale))

    def expect(self, tokens_per_step: int, steps_per_epoch: int, total_steps: int) -> None:
        """Set the axes for a run of ``total_steps`` steps."""
        self._per_step, self._total = tokens_per_step, total_steps
        self._per_epoch = steps_per_epoch * tokens_per_step
        self._set_x()

    def begin(self, started: RunStarted) -> None:
        """Prepare for the start of a run, or for its continuation from a step: marks from this step on are removed."""
        self._marks = [mark for mark in self._marks if mark.step < started.first_step]
        self.expect(started.tokens_per_step, started.steps_per_epoch, started.total_steps)
        self._draw_marks()

    def show_marks(self, marks: list[RunMark]) -> None:
        """Show these marks instead of the previous ones."""
        if marks != self._marks:
            self._marks = list(marks)
            self._draw_marks()

    def show_reference(self, reference: Reference | None) -> None:
        """Show a run printed in the book, faintly, for comparison; None removes it."""
        self.loss.curves.remove("printed_training", "printed_validation")
        self._printed = reference
        if not reference:
            return
        history, printed = self._run.history, Columns("step", "tokens_seen", "elapsed_s", "training", "validation")
        printed.extend([(step, (step + 1) * self._per_step, 0, *losses) for step, *losses in reference.evaluations])
        last = reference.evaluations[-1][0] + 1
        printed.extend([(last, (last + 1) * self._per_step, 0)])  # from here on the cursor shows no value
        for key, words in (("training", tr("The book's run")), ("validation", "")):
            name, _ = LOSS_CURVES[key]
            series = Series(printed, key, history.axes, divisor_of(history, KINDS[name], self.scale))
            curve = self.loss.curves.put(f"printed_{key}", words, CurveStyle(key, 4, opacity=0.3), series)
            for item in curve.items:
                item.setToolTip(reference.source)
        for _, words in self.loss.legend.items:
            if words.text == tr("The book's run"):
                words.setToolTip(reference.source)

    def point_at(self, step: int | None) -> None:
        """Move the cursor of all charts to a step; None removes it."""
        self.loss.point_at(None if step is None else self._mark_place(step)[self.loss.axis])

    def step_at(self, x: float | None) -> int | None:
        """Return the step, counted from 0, at a position on the x axis; None if there is none."""
        series = self.loss.curves["step"].series
        index = -1 if x is None else series.index_at(self.loss.axis, x)
        return round(float(series.x("step", index))) - 1 if index >= 0 else None

    def refresh(self) -> None:
        """Draw what was added to the history."""
        for chart in self._charts:
            chart.refresh()

    # Positions.

    def _mark_place(self, step: int) -> dict[str, float]:
        """Return the position after a step, counted from 0, on each axis."""
        curve = self.loss.curves.get("step")
        if curve is None:  # while another history replaces this one
            return {}
        series = curve.series
        index, tokens = series.index_at("step", step + 1), (step + 1) * self._per_step
        minutes = float(series.x("minutes", index)) if index >= 0 else 0.0
        return {"step": step + 1, "epoch": tokens / self._per_epoch, "tokens": tokens, "minutes": minutes}

    def _draw_marks(self) -> None:
        self.loss.lines.clear_marks()
        for mark in self._marks:
            self.loss.mark(self._mark_place(mark.step), mark.text, mark.tip, mark.role)

    # The axes.

    def _join(self, chart: Chart) -> None:
        """Link a new chart with those above it, so that it shows the same range and cursor."""
        chart.set_x(self.loss.axis, "", self._least_x)
        join(chart, *self._charts)
        self._charts.append(chart)
        chart.hovered.connect(self.hovered)
        for side in self.sides.values():
            chart.hovered.connect(side.show_value)
        self.loss.hovered.emit(self.loss.pointed_at)

    def _set_x(self) -> None:
        epochs = self._total * self._per_step / self._per_epoch
        axis = self.x_box.currentData()
        self._least_x, top = {
            "epoch": ((0.0, epochs), (tr("Tokens seen"), float(self._per_epoch))),
            "step": ((0.0, float(self._total)), (tr("Epochs"), self._per_step / self._per_epoch)),
            "minutes": (None, None),
        }[axis]
        self.loss.set_x(axis, tr(AXES[axis]), self._least_x, top)
        for chart in self._charts[1:]:
            chart.set_x(axis, "", self._least_x)

    def _say_place(self, x: float) -> str:
        series = self.loss.curves["step"].series
        index = series.index_at(self.loss.axis, x)
        if index < 0:
            return ""
        step, epoch, minutes = (float(series.x(axis, index)) for axis in ("step", "epoch", "minutes"))
        said = tr("Step {n}", n=f"{step:,.0f}"), tr("epoch {n}", n=f"{epoch:.2f}"), duration(minutes * 60)
        return joined("  ·  ", *said)

    # Construction.

    def _lay_out(self) -> None:
        axes = {"epoch": tr("over epochs"), "step": tr("over steps"), "minutes": tr("over time")}
        self.x_box = choice_box("chart_x", tr("Horizontal axis of the curves"), axes, tr(
            "Draws the curves over epochs, steps or time"))
        self.x_box.activated.connect(lambda _: self._set_x())
        self.scale_box = choice_box("chart_scale", tr("Unit of the loss"), {
            name: tr(words) for name, words in SCALES.items()}, tr(WHY_BYTES))
        self.scale_box.activated.connect(self._rescale)
        self.more = button(tr("Charts"), "charts_menu", tr("Curves shown below the loss"))
        below: dict[str, LateChart] = {"probe": self.ribbons, **self.sides}
        self.actions_of = check_menu(self.more, {key: side.words for key, side in below.items()})
        for key, side in below.items():
            self.actions_of[key].toggled.connect(side.setVisible)
            side.hide()
        self.title = label(tr("Loss"), "heading", "loss_title", term="cross-entropy")
        head = hbox(self.title, FREE, self.scale_box, self.x_box, self.more)
        with_layout(self, vbox(head, grows(self.loss), self.ribbons, *self.sides.values(), spacing=4))


def _labelled(line: CrossLine, right: bool, low: bool) -> CrossLine:
    """Put the label of a horizontal line below it, where no curve is: at the right if the curves have fallen there,
    otherwise at the left. ``low``: there is no room below the line, so put it above."""
    line.label.anchors = [(int(right), int(low))] * 2
    line.label.setPosition(0.98 if right else 0.02)
    return line


class LateChart(QWidget):
    """Small chart below the loss, with a caption. It is created when it is first shown: most never are, and creating
    one takes as long as a page of fields."""

    made: Chart | None = None

    def __init__(
        self, words: str, caption: QLabel, make: Callable[[], Chart], join: Callable[[Chart], None]
    ) -> None:
        """``words``: name of the chart; ``make``: creates it; ``join``: is called with it afterwards."""
        super().__init__()
        self.words, self.caption, self._make, self._join = words, caption, make, join
        self._layout = vbox(caption, spacing=0, margins=(0, 4, 0, 0))
        self.setLayout(self._layout)

    @cached_property
    def chart(self) -> Chart:
        made = self.made = self._make()
        made.plot.getAxis("bottom").setStyle(showValues=False)
        self._layout.addWidget(made)
        self._put_curves(made)
        self._join(made)
        return made

    def setVisible(self, visible: bool) -> None:
        if visible:
            self.chart.refresh()
        super().setVisible(visible)

    def _replace_curves(self) -> None:
        if self.made:
            self.made.clear()
            self._put_curves(self.made)

    def _put_curves(self, chart: Chart) -> None:
        """Draw the curves; for subclasses."""


class RibbonChart(LateChart):
    """Stacked probabilities of six tokens, from 0 to 1, one colour each; the empty rest belongs to all other tokens.

    The entropy is drawn as a fraction of that of random guessing.
    """

    _tokenizer: Tokenizer = GPT2

    def __init__(self, join: Callable[[Chart], None]) -> None:
        make = partial(Chart, tr("Probabilities of the next token of the probe prompt"), "", "probe_plot", height=104,
                       least_y=(0.0, 1.0), plain=True)
        caption = label(self._caption(), "muted", "probe_caption", wrap=True)
        super().__init__(tr("Probe prompt: next token"), caption, make, join)
        self._probe: ProbeHistory | None = None
        self._axes: Mapping[str, Axis] = {}

    @property
    def _most_bits(self) -> float:
        """Entropy of random guessing, in bits."""
        return math.log2(self._tokenizer.size)

    def _caption(self) -> str:
        return tr("Probe prompt: probabilities of the next token; dashed: entropy, as a share of {most} bits",
                  most=f"{self._most_bits:.1f}")

    def show_probe(self, probe: ProbeHistory | None, axes: Mapping[str, Axis], tokenizer: Tokenizer) -> None:
        """Show the readings of a probe, which may still grow, over these axes. ``tokenizer``: tokenizer of the run."""
        self._probe, self._axes, self._tokenizer = probe, axes, tokenizer
        self.caption.setText(self._caption())
        self._replace_curves()
        if self.made:
            self.made.refresh()

    def refresh(self) -> None:
        """Update the names of the ribbons, whose tokens may have changed."""
        if self.made and self._probe:
            self.made.curves.name(self._names(self._probe))

    def _names(self, probe: ProbeHistory) -> dict[str, str]:
        return {f"ribbon{i}": tr("“{token}”", token=self._tokenizer.visible(id)) for i, id in enumerate(probe.tokens)
                if id is not None}

    def _put_curves(self, chart: Chart) -> None:
        """Draw the ribbon at the top first, filled down to 0, and the others over it."""
        if not self._probe:
            return
        for i in reversed(range(RIBBONS)):
            look = CurveStyle(i, 1, opacity=0.75, filled=True)
            chart.curves.put(f"ribbon{i}", "", look, Series(self._probe.table, f"top{i}", self._axes))
        entropy = Series(self._probe.table, "entropy_bits", self._axes, lambda: self._most_bits)
        chart.curves.put("entropy", "", CurveStyle("text", 1.5, "dash"), entropy)
        chart.curves.name(self._names(self._probe))


class SideChart(LateChart):
    """Chart of one value, with the value at the pointer in its caption."""

    def __init__(self, name: str, words: str, join: Callable[[Chart], None], say: Callable[[float], str]) -> None:
        make = partial(Chart, words, "", f"{name}_plot", height=72, words=say, plain=True)
        super().__init__(words, label(words, "muted", f"{name}_caption"), make, join)
        self._look, self._say = CurveStyle("training", 1.5, dots=name == "copied"), say

    def show_series(self, series: Series) -> None:
        self._series = series
        self._replace_curves()
        self.show_value(None)

    def show_value(self, x: float | None) -> None:
        readings = self.made.values_at(x) if self.made and x is not None else []
        words = self.words
        self.caption.setText(tr("{what}:  {value}", what=words, value=self._say(readings[0].y)) if readings else words)

    def _put_curves(self, chart: Chart) -> None:
        chart.curves.put("value", "", self._look, self._series)
