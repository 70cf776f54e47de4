"""Panes below the curves of a run: the health of the layers, and a probe prompt at one evaluation.

"Health" has a row for each quantity of the layers, with a sentence and a chart, or a heat map of one quantity. A chart
has a line for each layer: the blocks are coloured by depth, all other layers are grey. "Probe prompts" has bars of the
next tokens, the sample of that time, playback, and export as a table.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QRectF, QSignalBlocker, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QHideEvent, QKeyEvent, QLinearGradient, QPainter, QShowEvent
from PySide6.QtWidgets import QLabel, QSlider, QWidget

from gptstudio import files
from gptstudio.app import preferences
from gptstudio.gpt.tokenizer import GPT2, Tokenizer
from gptstudio.gui.appearance import on_restyle
from gptstudio.gui.canvas import tint
from gptstudio.gui.canvas.canvas import Cell, Swatch
from gptstudio.gui.canvas.writing import rounded
from gptstudio.gui.charts.curve_items import number
from gptstudio.gui.charts.style import CurveStyle
from gptstudio.gui.forms.controls import Segments
from gptstudio.gui.plots.bar_list import Bar, BarList, BarRow, Bars
from gptstudio.gui.plots.curve_view import Curves, CurveView, Line
from gptstudio.gui.plots.grid_view import Grid, GridView
from gptstudio.gui.plots.shades import Floats, Range
from gptstudio.gui.save_as import save_as
from gptstudio.gui.theme import colour, theme
from gptstudio.gui.translation import joined, percent, tr
from gptstudio.gui.widgets.icons import IconButton
from gptstudio.gui.widgets.layouts import FREE, TOP, Flow, aligned, grows, hbox, stacked, vbox, with_layout
from gptstudio.gui.widgets.parts import button, choice_box, label, named, restyle, scrolling, set_blocker, set_entries
from gptstudio.history.columns import Axis, Numbers
from gptstudio.history.health_history import (
    HEALTHY_UPDATES,
    HealthHistory,
    HealthReading,
    LayerTable,
    Quantity,
)
from gptstudio.history.health_history import reading as health_reading
from gptstudio.history.run_history import History, ProbeHistory
from gptstudio.i18n import message
from gptstudio.training.events import ProbeReading

MOST_TICKS = 5


class HealthScale(NamedTuple):
    """Scale from ``low`` to ``high``; logarithmic if ``log``, with both above 0."""

    low: float = 0.0
    high: float = 1.0
    log: bool = False

    @classmethod
    def of(cls, values: Numbers, log: bool, *include: float, zero: bool = True) -> HealthScale:
        """Return a scale that covers all finite values and ``include``.

        A logarithmic scale goes from one power of ten to another, a linear one from 0 to a round number, or, without
        ``zero``, from the lowest value to the highest.
        """
        known = np.concatenate([values[np.isfinite(values)], [each for each in include if math.isfinite(each)]])
        if not (log or zero) and known.size and known.max() > known.min() >= 0:
            return cls(float(known.min()), float(known.max()))
        known = known[known > 0]
        if not known.size:
            return cls(0.1, 1.0, True) if log else cls()
        low, high = float(known.min()), float(known.max())
        if log:
            low = 10.0 ** math.floor(math.log10(low))
            return cls(low, max(10.0 ** math.ceil(math.log10(high)), 10 * low), True)
        return cls(0.0, _round_up(high))

    def shares(self, values: Floats) -> Floats:
        """Return positions from 0 to 1, in the same shape; NaN for values off the scale, such as 0 if logarithmic."""
        with np.errstate(all="ignore"):
            known = np.where(np.isfinite(values) & ((values > 0) | (not self.log)), values, np.nan)
            if self.log:
                low, high = math.log(self.low), math.log(self.high)
                return np.clip((np.log(known) - low) / (high - low), 0, 1)
            return np.clip((known - self.low) / (self.high - self.low), 0, 1)

    def legend(self, most: int) -> list[tuple[float, str]]:
        """Return at most ``most`` positions from 0 to 1, with their labels."""
        ticks = self.ticks()
        few = ticks if len(ticks) <= most else [ticks[0], ticks[-1]]
        return [(float(share), tick_words(tick)) for tick, share in zip(few, self.shares(np.array(few)), strict=True)]

    def ticks(self) -> list[float]:
        """Return the values of the ticks in ascending order: powers of ten, or both ends and the middle."""
        if not self.log:
            return [self.low, (self.low + self.high) / 2, self.high]
        first, last = round(math.log10(self.low)), round(math.log10(self.high))
        step = max(1, -(-(last - first) // (MOST_TICKS - 1)))
        return [10.0**power for power in range(first, last + 1, step)]


def _round_up(value: float) -> float:
    """Round up to 1, 2, 5 or 10 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(value))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= value)


def tick_words(value: float) -> str:
    """Return the label of a tick, such as 0.001 or 1e-5, as people type it: 10⁻³ would need a special font."""
    return f"{value:.0e}".replace("e-0", "e-") if 0 < value < 1e-3 else number(value)


def cell_words(table: LayerTable, cell: Cell) -> str:
    """Return the step, the layer and the value of a cell as text."""
    value = float(table.values[cell])
    said = number(value) if np.isfinite(value) else tr("no value, as in a frozen layer")
    return tr("Step {n}, {layer}: {value}", n=f"{table.place('step')[cell.column] + 1:,.0f}",
              layer=tr(table.layers[cell.row].words), value=said)


def table_of(table: LayerTable) -> list[tuple[str, ...]]:
    """Return the table as text: a row of steps, then a row of values per layer; empty without evaluations."""
    steps = [f"{step + 1:.0f}" for step in table.place("step")]
    return [(tr("Steps"), *steps)] + [
        (tr(layer.words), *(repr(float(value)) for value in row))
        for layer, row in zip(table.layers, table.values, strict=True)
    ] if len(table) else []


FAINTEST = 0.3
"""Position of the first block on the colour scale: below it, a line could not be seen against the background."""


@dataclass(frozen=True)
class Steps(Range):
    """Scale over the steps, labelled at both ends."""

    def legend(self, most: int) -> list[tuple[float, str]]:
        ends = [(0.0, f"{self.low + 1:,.0f}"), (1.0, f"{self.high + 1:,.0f}")]
        return ends[: most if self.high > self.low else 1]


def depth_colour(share: float) -> QColor:
    """Return the colour of a block by its relative depth: 0 for the first block, 1 for the last."""
    return tint.shade(FAINTEST + share * (1 - FAINTEST))


def layer_curves(table: LayerTable, log: bool, usual: tuple[float, float] | None) -> Curves:
    """Return the chart of a table. ``usual``: range to shade; a dotted line if both ends are equal."""
    if not len(table):
        return Curves()
    steps = np.array(table.place("step"))
    return Curves(
        steps, [Line(values, *_look(table, row), behind=table.layers[row].block is None)
                for row, values in enumerate(table.values)],
        pointed=len(table.layers), x_scale=Steps(float(steps[0]), float(steps[-1])),
        y_scale=HealthScale.of(table.values, log, *(usual or ())),
        band=(np.array([usual[0]]), np.array([usual[1]])) if usual else None, entry=Cell(0, len(table) - 1),
        say=partial(cell_words, table), table=partial(table_of, table))


def _look(table: LayerTable, row: int) -> tuple[Callable[[], QColor], None, float, Qt.PenStyle]:
    """Return colour, x values, width and pen style of the line of a layer."""
    layer, blocks = table.layers[row], [each.block for each in table.layers if each.block is not None]
    if layer.block is None:
        return partial(colour, "muted"), None, 1.4, Qt.PenStyle.DashLine if row % 2 else Qt.PenStyle.SolidLine
    style = Qt.PenStyle.DashLine if layer.part == "attention" else Qt.PenStyle.SolidLine
    return partial(depth_colour, layer.block / max(1, *blocks)), None, 1.4, style


class Shown(NamedTuple):
    """Display of one quantity.

    Attributes:
        words: name, with the unit.
        term: key in the glossary.
        help: meaning and usual values, in a sentence or two.
        log: whether the scale is logarithmic.
        cells: table of the heat map, if it has more rows than the chart has lines.
        usual: returns the range that is shaded, from the history.
    """

    words: str
    term: str
    help: str
    log: bool = False
    cells: Quantity | None = None
    usual: Callable[[HealthHistory], tuple[float, float] | None] = lambda _: None


def _most(health: HealthHistory) -> tuple[float, float] | None:
    return (health.most_entropy, health.most_entropy) if health.most_entropy > 0 else None


SHOWN: dict[Quantity, Shown] = {
    "update_ratio": Shown(
        message("Update ratio"), "update-ratio",
        message("How far a step moves the weights of a layer, as a share of their norm. By Karpathy's rule of thumb "
                "(CS231n notes, 2015), about 1 in 1,000 is healthy: the shaded band."),
        log=True, usual=lambda _: HEALTHY_UPDATES),
    "gradient_norm": Shown(
        message("Gradient norm"), "gradient-norm",
        message("The length of the gradient of each layer, before clipping. Layers that get far less than others "
                "hardly learn."), log=True),
    "dead_units": Shown(
        message("Dead units (%)"), "dead-unit",
        message("Share of the units in a feed-forward network whose activation is about zero at every measured token: "
                "they do nothing there, and hardly learn.")),
    "attention_entropy": Shown(
        message("Attention entropy (bits)"), "attention-entropy",
        message("How widely the heads of a block look around, mean over the tokens: 0 bits at a single token. The "
                "dotted line is the most there can be: evenly at all."),
        cells="head_entropy", usual=_most),
    "logits": Shown(
        message("Logits"), "logit-scale",
        message("How far the logits spread over the vocabulary (standard deviation), and the largest absolute value.")),
    "weight_norm": Shown(
        message("Weight norm"), "weight-norm",
        message("The length of the weights of each layer. It may grow slowly; a layer that grows fast overtakes the "
                "others."), log=True),
}


def cells(health: HealthHistory, quantity: Quantity) -> LayerTable:
    """Return the table that the heat map shows for a quantity."""
    return health[SHOWN[quantity].cells or quantity]


ROLES = {"good": "good", "note": "notice", "bad": "problem"}
LEAST_CHART, SPARK = (200, 140), (120, 18)
"""Minimum sizes of a chart and of the sparkline in its row, in pixels at the usual text size."""
LEAST_SIZE = (240, 90)


class HealthPane(QWidget):
    """Health of the layers of the run that is shown."""

    pointed = Signal(object)
    """Emitted with the step under the pointer, counted from 0; None after the pointer has left."""

    def __init__(self) -> None:
        super().__init__()
        self._health, self._stale = HealthHistory(), False
        self._step: int | None = None
        self._mapped = LayerTable()
        self.empty = label(name="health_empty", wrap=True)
        self.charts = {name: QuantityRow(name) for name in SHOWN}
        for row in self.charts.values():
            row.opened.connect(self._open)
        self.way = Segments("health_view", (tr("Quantities"), tr("Heat map")), tr(
            "Quantities: what each says of the layers, with a chart. Heat map: a row for each layer, a column for each "
            "evaluation."))
        self.quantity = choice_box("health_quantity", tr("Quantity in the heat map"), {
            name: tr(shown.words) for name, shown in SHOWN.items()}, tr("Selects what the colours show"))
        self.map = GridView("health_map", tr("Heat map of layers and steps"))
        self.map_reading = label(name="health_map_reading", wrap=True)
        self.place = label(role="muted", name="health_place")
        self._lay_out()
        self.way.chosen.connect(self._turn)
        self.quantity.currentIndexChanged.connect(self.refresh)
        for chart in self.charts.values():
            chart.canvas.pointed.connect(lambda cell, chart=chart: self._point(chart.table, cell))
        self.map.pointed.connect(lambda cell: self._point(self._mapped, cell))

    def show_health(self, health: HealthHistory, measured: bool = True) -> None:
        """Show the health of a run, which may still grow. ``measured``: whether its settings enable this."""
        self._health, self._measured = health, measured
        self._step = None
        self.refresh()

    def show_step(self, step: int | None) -> None:
        """Move the cursor to a step, counted from 0; None removes it."""
        if step != self._step:
            self._step = step
            if self.isVisible():
                self._show_place()

    def refresh(self) -> None:
        """Show what was added to the history. If the tab is hidden, wait until it is shown."""
        self._stale = not self.isVisible()
        if self._stale:
            return
        self.stack.setCurrentIndex(int(self._health.measured))
        self.empty.setText(self._why_empty())
        if not self._health.measured:
            return
        if self.pages.currentIndex() == 0:
            for name, chart in self.charts.items():
                chart.show_table(self._health[name], SHOWN[name].log, SHOWN[name].usual(self._health))
        else:
            name = self._chosen()
            self._mapped = cells(self._health, name)
            self.map.show_grid(_grid(self._mapped, SHOWN[name].log))
        self._show_place()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        on_restyle(self, self._align)
        self._align()
        if self._stale:
            self.refresh()

    def minimumSizeHint(self) -> QSize:
        return QSize(*(round(side * theme.zoom) for side in LEAST_SIZE))

    # Parts.

    def _align(self) -> None:
        """Make all names as wide as the widest, so that the sentences after them are aligned."""
        names = [row.title for row in self.charts.values()]
        widest = max(name.sizeHint().width() for name in names)
        for name in names:
            name.setMinimumWidth(widest)

    def _chosen(self) -> Quantity:
        name: Quantity = self.quantity.currentData()
        return name

    def _open(self, chosen: QuantityRow) -> None:
        """Show the chart of this row and hide the others; None hides all."""
        for row in self.charts.values():
            row.open(row is chosen)
        self.legend.setVisible(any(row.toggle.isChecked() for row in self.charts.values()))

    def _turn(self, index: int) -> None:
        self.pages.setCurrentIndex(index)
        self.quantity.setVisible(index == 1)
        self.refresh()

    def _point(self, table: LayerTable, cell: Cell | None) -> None:
        step = None if cell is None else int(table.place("step")[cell.column])
        self.show_step(step)
        self.pointed.emit(step)
        if cell is not None:
            self.place.setText(cell_words(table, cell))

    def _row(self, table: LayerTable) -> int:
        """Return the row of the evaluation at the cursor; without a cursor -1, the last."""
        return -1 if self._step is None else max(table.row_at(self._step), 0)

    def _show_place(self) -> None:
        """Show the readings at the cursor, or at the last evaluation if there is none."""
        table = self._health["update_ratio"]
        table = table if len(table) else self._health["logits"]
        self.place.setText(tr("After step {n}", n=f"{table.place('step')[self._row(table)] + 1:,.0f}"))
        for name, chart in self.charts.items():
            chart.canvas.show_column(self._show_reading(chart.reading, self._health[name], name))
        name = self._chosen()
        self.map.mark(column=self._show_reading(self.map_reading, cells(self._health, name), name))

    def _show_reading(self, words: QLabel, table: LayerTable, name: Quantity) -> int | None:
        """Describe a quantity at the cursor, or at the last evaluation; return the row at the cursor, or None."""
        at_cursor = self._step is not None and len(table)
        row = self._row(table) if at_cursor else -1
        _say(words, health_reading(self._health, name, row))
        return row if at_cursor else None

    def _why_empty(self) -> str:
        if not self._measured:
            return tr("The health of the layers is not measured in this run: the setting Health of the layers is off.")
        return tr("At each evaluation, this shows how the layers are doing: gradients, updates, dead units, attention. "
                  "Runs of earlier versions, and runs whose model is split over processes, have no such figures.")

    def _lay_out(self) -> None:
        self.quantity.hide()
        head = Flow(self.way, self.quantity, self.place, spacing=12)
        self.legend = with_layout(QWidget(), hbox(
            label(tr("first block"), "muted"), _depths(),
            label(tr("last block; attention dashed, others grey"), "muted"), FREE, spacing=8))
        self.legend.hide()
        charts = scrolling(
            with_layout(QWidget(), vbox(*self.charts.values(), self.legend, FREE, spacing=4)), "health_charts")
        whole = with_layout(QWidget(), vbox(self.map_reading, grows(self.map), spacing=4))
        self.pages = stacked(charts, whole)
        content = with_layout(QWidget(), vbox(head, grows(self.pages), spacing=4))
        self.stack = stacked(with_layout(QWidget(), vbox(self.empty, FREE)), content)
        with_layout(self, vbox(grows(self.stack), margins=(4, 8, 4, 4)))


class QuantityRow(QWidget):
    """Name, sentence and sparkline of a quantity, with its chart below while that is open."""

    opened = Signal(object)
    """Emitted with this row when its chart is opened, with None when it is closed."""

    def __init__(self, name: Quantity) -> None:
        super().__init__()
        shown = SHOWN[name]
        self.toggle = IconButton("later", f"health_open_{name}", tr("Chart of {name}", name=tr(shown.words)), tr(
            "Shows or hides the chart"))
        self.toggle.setCheckable(True)
        self.toggle.clicked.connect(lambda checked: self.opened.emit(self if checked else None))
        self.title = label(tr(shown.words), "heading", f"health_title_{name}", term=shown.term)
        self.reading = label(name=f"health_reading_{name}", wrap=True)
        self.reading.setToolTip(tr(shown.help))
        self.spark = CurveView(f"health_spark_{name}", tr(shown.words), SPARK, grows=False)
        self.spark.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.spark.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.canvas, self.table = CurveView(f"health_chart_{name}", tr(shown.words), LEAST_CHART), LayerTable()
        self.canvas.describe(tr(shown.help))
        self.canvas.setToolTip(tr(shown.help))
        self.canvas.hide()
        head = hbox(self.toggle, self.title, grows(self.reading, 3), grows(self.spark, 1), spacing=8)
        with_layout(self, vbox(head, grows(self.canvas), spacing=4))

    def open(self, opened: bool) -> None:
        self.toggle.setChecked(opened)
        self.toggle.show_sign("below" if opened else "later", self.toggle.accessibleName())
        self.canvas.setVisible(opened)

    def show_table(self, table: LayerTable, log: bool, usual: tuple[float, float] | None) -> None:
        """Show a table, which may have grown. ``usual``: range of usual values."""
        if table is not self.table:
            self.canvas.point_at(None)
        self.table = table
        curves = layer_curves(table, log, usual)
        self.canvas.show_curves(curves)
        self.spark.show_curves(replace(curves, bare=True, pointed=0, entry=None))


def _grid(table: LayerTable, log: bool) -> Grid:
    if not len(table):
        return Grid(square=False)
    return Grid(
        table.values, [tr(layer.words) for layer in table.layers],
        [f"{step + 1:,.0f}" for step in table.place("step")],
        HealthScale.of(table.values, log, zero=False), square=False, column_title=tr("Steps"),
        entry=Cell(0, len(table) - 1), say=partial(cell_words, table))


def _say(words: QLabel, found: HealthReading | None) -> None:
    words.setText(tr(found.message) if found else tr("Not measured at this step."))
    restyle(words, role=ROLES[found.level] if found else "muted")


def _depths() -> Swatch:
    """Return a swatch with the colours of the blocks, from the first to the last."""
    def paint(painter: QPainter, place: QRectF, _letter: int) -> None:
        fill = QLinearGradient(place.topLeft(), place.topRight())
        for part in range(9):
            fill.setColorAt(part / 8, depth_colour(part / 8))
        rounded(painter, place, 3, fill)

    return Swatch(paint, 60, 8, pixels=True)


HEADINGS = ("step", "tokens", "prompt", "entropy_bits", "id", "token", "probability", "true_token", "true_rank")


def _rows(probe: ProbeHistory, history: History, tokenizer: Tokenizer) -> Iterator[tuple[object, ...]]:
    """Yield a row for each token of each reading."""
    for event, reading in zip(history.probes, probe.readings, strict=True):
        true = "" if reading.true_id is None else tokenizer.visible(reading.true_id)
        for id, probability in zip(reading.ids, reading.probabilities, strict=True):
            yield (event.step + 1, event.tokens_seen, reading.text, reading.entropy_bits, id, tokenizer.visible(id),
                   probability, true, reading.true_rank or "")


FRAME_MS = 33
CALM_MS = 500
"""Milliseconds between two frames with reduced motion: single pictures instead of an animation."""
LONGEST = 600
"""Number of frames of a long animation, 20 seconds: of twice as many evaluations or more, some are skipped."""
EMPTY = message(
    "Here you can watch a prompt learn: how probable each next token is, from random weights to the trained model. The "
    "run that is shown has no probe prompts. Enter some under More settings, Evaluation, and start a run.")
BEFORE = message("The readings appear here while the run trains: one before the first step, then one per evaluation.")

FEWEST = 3
"""Minimum number of tokens that are shown, if the window is low."""


class ProbePane(QWidget):
    """View of the newest reading, until the user selects an earlier one, which then stays."""

    chosen = Signal(object)
    """Emitted with the history of the selected probe; None if there is none."""
    scrubbed = Signal(int)
    """Emitted with the step of the reading that was selected here."""

    def __init__(
        self, say: Callable[[str], object], find_tokenizer: Callable[[], Tokenizer] = lambda: GPT2
    ) -> None:
        """``say``: is called with messages for the user; ``find_tokenizer``: returns the tokenizer of the run, which is
        known once there are readings."""
        super().__init__()
        self.probe: ProbeHistory | None = None
        self._history = History()
        self._tokenizer: Tokenizer = GPT2
        self._find_tokenizer = find_tokenizer
        self._index = -1
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._advance)
        self._make_controls(say)
        self._lay_out()
        self.show_history(self._history, 0)

    # The run.

    def show_history(self, history: History, probes: int) -> None:
        """Show another run. ``probes``: number of probe prompts in its settings."""
        self._stop()
        self._history, self._asked = history, probes
        self._choose(0)

    def update_readings(self) -> bool:
        """Show what was added to the history; return whether there were new readings."""
        if self._history.probes and not self.probe:
            self._choose(0)
            return True
        follows = not self.probe or self.slider.value() == self.slider.maximum()
        if not self.probe or not self.probe.update():
            self._show_sample()  # the sample arrives after the reading of its step
            return False
        last = self.probe.count - 1
        with QSignalBlocker(self.slider):
            self.slider.setMaximum(max(0, last))
            self.slider.setValue(last if follows else min(self.slider.value(), last))
        self._show(self.slider.value())
        return True

    def show_at(self, x: float | None, axis: str) -> None:
        """Show the reading at a position on an axis without selecting it; None shows the selected reading again."""
        if not self.probe or axis not in self._history.axes:
            return
        index = self.slider.value() if x is None else _index_at(self.probe, self._history.axes[axis], x)
        self._show(max(0, index))

    def _choose(self, number: int) -> None:
        probes = self._history.probes
        names = [each.text or "–" for each in probes[0].probes] if probes else []
        set_entries(self.box, [name.replace("\n", " ") for name in names], number if names else -1)
        self.probe = ProbeHistory(self._history, number) if names else None
        if self.probe:
            self._tokenizer = self._find_tokenizer()
            self.probe.update()
        with QSignalBlocker(self.slider):
            self.slider.setRange(0, max(0, self.probe.count - 1 if self.probe else 0))
            self.slider.setValue(self.slider.maximum())
        self._index = -1
        self._show(self.slider.value())
        self.chosen.emit(self.probe)

    # The reading.

    def _show(self, index: int) -> None:
        there = self.probe is not None and self.probe.count > 0
        self.empty.setVisible(not there)
        self.full.setVisible(there)
        self.empty.setText(tr(BEFORE if self._asked else EMPTY))
        if not there or not self.probe or index == self._index:
            return
        self._index = index
        rows, reading = self.probe.candidates(index), self.probe.readings[index]
        self.bars.show_bars(Bars([
            BarRow(self._tokenizer.visible(row.id),
                   (Bar(row.probability, percent(row.probability), partial(_ribbon_colour, row.ribbon)),))
            for row in rows], longest=1.0))
        self.text.setText(_sentence(reading, rows[0].id if rows else None, self._tokenizer))
        self.place.setText(tr("Step {n}", n=f"{self.probe.step(index) + 1:,}"))
        self.figures.setText(_figures(reading, self._tokenizer))
        self._show_sample()
        set_blocker(self.play, "" if self.probe.count > 1 else tr("There is only one reading so far."),
               tr("Shows all readings one after the other (Space)"))

    def _show_sample(self) -> None:
        step = self.probe.step(self._index) if self.probe and self._index >= 0 else -1
        samples = [each for each in self._history.samples if each.step <= step]
        self.sample.setText(tr("Sample then: {text}", text=samples[-1].text.replace("\n", " ")) if samples else "")

    # Playback.

    def keyPressEvent(self, event: QKeyEvent) -> None:
        moves = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
        if event.key() == Qt.Key.Key_Space and self.play.isEnabled():
            self._toggle()
        elif event.key() in moves:
            self.slider.setValue(self.slider.value() + moves[Qt.Key(event.key())])
        else:
            super().keyPressEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._stop()

    def _toggle(self) -> None:
        if self._timer.isActive():
            self._stop()
            return
        if self.slider.value() == self.slider.maximum():
            self.slider.setValue(0)
        self._timer.start(CALM_MS if preferences.current().reduced_motion else FRAME_MS)
        self.play.setText(tr("Pause"))

    def _stop(self) -> None:
        self._timer.stop()
        self.play.setText(tr("Play"))

    def _advance(self) -> None:
        readings = self.slider.maximum() + 1
        self.slider.setValue(self.slider.value() + max(1, readings // LONGEST))
        if self.slider.value() == self.slider.maximum():
            self._stop()

    def _scrub(self) -> None:
        self._show(self.slider.value())
        if self.probe:
            self.scrubbed.emit(self.probe.step(self.slider.value()))

    def _save(self, say: Callable[[str], object]) -> None:
        """Save the readings as a CSV file. ``say``: is called with the message of a problem."""
        probe, history, tokenizer = self.probe, self._history, self._tokenizer
        if probe and probe.count:
            save_as(self.export, "probe.csv", lambda path: files.save_csv(
                path, [HEADINGS, *_rows(probe, history, tokenizer)]), say)

    # Construction.

    def _make_controls(self, say: Callable[[str], object]) -> None:
        tip = tr("The prompt whose next token is shown")
        self.box = choice_box("probe_box", tr("Probe prompt"), tip=tip, letters=16)
        self.box.activated.connect(self._choose)
        self.slider = named(QSlider(Qt.Orientation.Horizontal), "probe_slider", tr("Evaluation"))
        self.slider.setToolTip(tr("Drag to see the probabilities at each evaluation (Left, Right)"))
        self.slider.valueChanged.connect(self._scrub)
        self.play = button(tr("Play"), "probe_play", do=lambda: self._toggle())
        self.export = button(tr("Save as CSV…"), "probe_export", tr("Saves the readings of this prompt as a table"),
                             do=lambda: self._save(say))
        self.place = label(role="heading", name="probe_place")
        self.text = label(name="probe_text", wrap=True)
        self.figures = label(role="muted", name="probe_figures", wrap=True)
        self.sample = label(role="muted", name="probe_sample", wrap=True)
        for each in (self.text, self.sample):
            each.setMinimumWidth(1)  # a model may generate a word of any length, which must not widen the page
        self.bars = BarList("probe_bars", tr("Most probable next tokens"), least=FEWEST)
        self.empty = label(role="muted", name="probes_empty", wrap=True)

    def _lay_out(self) -> None:
        head = hbox(self.box, self.place, grows(self.slider), self.play, self.export)
        right = vbox(self.text, self.figures, self.sample, FREE, spacing=4)
        body = hbox(grows(vbox(grows(self.bars)), 1), grows(right, 1), spacing=16)
        self.full = with_layout(QWidget(), vbox(head, grows(body), spacing=8))
        with_layout(self, vbox(aligned(self.empty, TOP), grows(self.full), margins=(4, 8, 4, 4)))


def _index_at(probe: ProbeHistory, axis: Axis, x: float) -> int:
    """Return the index of the last reading at or before ``x``; -1 if there is none."""
    places = probe.table[axis.column] / axis.divisor + axis.offset
    return int(places.searchsorted(x + 1e-9, side="right")) - 1


def _sentence(reading: ProbeReading, best: int | None, tokenizer: Tokenizer) -> str:
    shown = tr("“{prompt}” → {token}", prompt=reading.text.replace("\n", " "),
               token="–" if best is None else tokenizer.visible(best))
    if reading.dropped:
        return joined(" ", shown, tr("The model reads only the end: the context is shorter than the prompt."))
    return shown


def _figures(reading: ProbeReading, tokenizer: Tokenizer) -> str:
    entropy = "–" if math.isnan(reading.entropy_bits) else f"{reading.entropy_bits:.1f}"
    said = [tr("Entropy: {n} bits", n=entropy)]
    if reading.true_id is not None and reading.true_rank and reading.true_probability is not None:
        said.append(tr(
            "The text continues with {token}: rank {rank}, {probability}", token=tokenizer.visible(reading.true_id),
            rank=f"{reading.true_rank:,}", probability=percent(reading.true_probability)))
    return joined("  ·  ", *said)


def _ribbon_colour(number: int | None, opacity: float) -> QColor:
    """Return the colour of a ribbon; grey for a token without one."""
    return colour("muted", 0.5 * opacity) if number is None else CurveStyle(number).paint(opacity)
