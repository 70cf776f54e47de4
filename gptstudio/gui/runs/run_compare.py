"""Comparison of runs: their losses in one chart, charts of the other values in their logs, and a table of the settings
in which they differ, with the values of their curves at the pointer.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import cast

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QSlider, QVBoxLayout, QWidget

from gptstudio.gui.appearance import on_restyle
from gptstudio.gui.charts.chart import Chart, join
from gptstudio.gui.charts.curve_items import number
from gptstudio.gui.charts.plot import Plot
from gptstudio.gui.charts.run_curves import (
    AXES,
    CAPTIONS,
    IN_VIEW,
    KINDS,
    PER_BYTE,
    SCALES,
    WHY_BYTES,
    WORDS,
    Overlaid,
    divisor_of,
    key,
    series_of,
)
from gptstudio.gui.charts.style import overlay
from gptstudio.gui.runs.run_list import stroke, stroke_size
from gptstudio.gui.theme import theme
from gptstudio.gui.translation import joined, tr
from gptstudio.gui.widgets.deferred import late
from gptstudio.gui.widgets.layouts import FREE, Flow, fill, grows, hbox, stacked, vbox, with_layout
from gptstudio.gui.widgets.parts import button, check_menu, choice_box, label, named, plain
from gptstudio.gui.widgets.tables import LEFT, RIGHT, RowTable, TableCell
from gptstudio.history.comparison import DIFFERENT_TEXTS, DifferingSetting, differences, same_text
from gptstudio.history.journal_reader import NewEvents
from gptstudio.history.run_history import History
from gptstudio.history.summary import RunSummary

ROWS = (("loss",), ("learning_rate", "gradient_norm"), ("speed", "memory"), ("copied",))
"""Arrangement of the charts in rows."""

STRONGEST = 99
"""Maximum of the slider: smoothing in hundredths."""

NO_HISTORIES: Mapping[Path, History] = MappingProxyType({})

TABLES = {kind.table for kind in KINDS.values()}
"""Tables of a history that have curves."""

PICTURE = QSize(800, 450)
"""Minimum size of a chart that is saved to a file, where the names of the runs need space."""


class RunCompare(QWidget):
    """Charts of several runs over the same x axis, with the controls of their appearance."""

    pointed = Signal(object)
    """Emitted with the x value under the pointer, in units of the axis; None after it has left."""

    changed = Signal()
    """Emitted when other curves or another axis are shown."""

    def __init__(self, prefix: str = "runs") -> None:
        """``prefix``: beginning of the object names of the controls."""
        super().__init__()
        self._prefix = prefix
        self._chose_scale = False
        self._runs: dict[Path, Overlaid] = {}
        self._histories: dict[Path, History] = {}
        self._rows: dict[tuple[str, ...], QWidget] = {}
        self.charts: dict[str, Chart] = {}
        """Charts by name, each created when it is first shown, because creating a chart takes 20 ms."""
        self._captions = {name: label(tr(words), "muted") for name, words in CAPTIONS.items()}
        self._frames = {name: with_layout(QWidget(), vbox(words, spacing=0, margins=(0, 4, 0, 0)))
                        for name, words in self._captions.items()}  # with space for the chart
        self._make_controls()
        self._lay_out()
        self._show_curves()

    # Content.

    def set_runs(self, runs: Sequence[Overlaid], histories: Mapping[Path, History] = NO_HISTORIES) -> None:
        """Compare these runs, and keep the points of runs shown already. ``histories``: of runs that do not grow."""
        new = {run.path: run for run in runs}
        for path in self._runs.keys() - new.keys():
            self.forget(path)
        changed = [run for run in runs if self._runs.get(run.path) != run]
        self._runs = new
        self._histories.update((path, histories[path]) for path in new if path in histories)
        self._put_curves(changed)
        self._draw()

    def suggest_scale(self, scale: str) -> None:
        """Show losses in this unit, unless the user has chosen one."""
        if not self._chose_scale and scale != self.scale:
            self.scale_box.setCurrentIndex(self.scale_box.findData(scale))
            self._rescale()

    def forget(self, path: Path) -> None:
        """Remove the points of a run."""
        self._histories.pop(path, None)
        for chart in self.charts.values():
            chart.curves.remove(*(key(path, name) for name in KINDS))

    def take(self, grown: NewEvents) -> None:
        """Add events to the history of a run; :meth:`refresh` draws them."""
        path = grown.follower.run.path
        if path not in self._runs:
            return
        if grown.restarted:
            self.forget(path)
            self._put_curves([self._runs[path]])
        for batch in grown.batches:
            self._histories[path].take(batch)

    def refresh(self) -> None:
        """Draw the new points. A run that diverges does not compress the losses of the others."""
        if "loss" in self.charts:
            batch_loss = KINDS["step_loss"]
            first = (float(history.steps["loss"][0]) / divisor_of(history, batch_loss, self.scale)()
                     for history in self._histories.values() if len(history.steps))  # before any update
            highest = max(filter(math.isfinite, first), default=math.inf)
            self.charts["loss"].view.expect_y(None, IN_VIEW * highest)
        for chart in self.charts.values():
            chart.refresh()

    # Queries.

    @property
    def runs(self) -> list[Overlaid]:
        """Runs that are compared, in their order."""
        return list(self._runs.values())

    @property
    def axis(self) -> str:
        return str(self.axis_box.currentData())

    @property
    def scale(self) -> str:
        """Unit of the losses: a key of :data:`gptstudio.gui.charts.run_curves.SCALES`."""
        return str(self.scale_box.currentData())

    def shown(self) -> list[str]:
        """Return the names of the kinds of curves that are shown, in their order."""
        return [name for name, action in self.curve_actions.items() if action.isChecked()]

    def shown_charts(self) -> list[str]:
        """Return the names of the charts that are shown, in their order."""
        return [name for name, frame in self._frames.items() if not frame.isHidden()]

    def readings(self, path: Path, x: float | None) -> dict[str, str]:
        """Return the values of a run's shown curves at ``x`` (None: at its end), as text by name; none beyond its
        end."""
        end = self._end(self._histories[path])
        found = {}
        for name in self.shown() if x is None or x <= end else ():
            curve = self.charts[KINDS[name].chart].curves[key(path, name)]
            reading = curve.read(self.axis, end if x is None else x)
            if reading:
                found[name] = WORDS.get(KINDS[name].chart, number)(reading.smoothed)
        return found

    def _end(self, history: History) -> float:
        """Return the last x of a run's curves; 0 if there is none yet."""
        if self.axis not in history.axes:
            return 0.0
        column, divisor, offset = history.axes[self.axis]
        ends = [table[column][-1] / divisor + offset for table in map(partial(getattr, history), TABLES) if len(table)]
        return float(max(ends, default=0.0))

    def save(self, path: Path) -> list[Path]:
        """Write the charts as shown, with the names of the runs; further charts go to files next to the first.

        Raises:
            UserError: a file cannot be written.
        """
        names = self.shown_charts()
        written = [path, *(path.with_stem(f"{path.stem}-{name.replace('_', '-')}") for name in names[1:])]
        sizes = {name: self.charts[name].plot.size() for name in names}
        self._name_runs(True)
        try:
            for name, file in zip(names, written, strict=True):
                chart = self.charts[name]
                legend = QSize(0, round(chart.legend.height()))
                _resize(chart.plot, sizes[name].expandedTo(PICTURE) + legend)
                chart.save(file)
        finally:
            self._name_runs(False)
            for name, size in sizes.items():
                _resize(self.charts[name].plot, size)
        return written

    # User actions.

    def _take_axis(self) -> None:
        for name, chart in self.charts.items():
            chart.set_x(self.axis, tr(AXES[self.axis]) if name == "loss" else "")
        self.changed.emit()

    def _take_scale(self) -> None:
        self._chose_scale = True
        self._rescale()

    def _rescale(self) -> None:
        self._captions["loss"].setText(self._caption("loss"))
        if chart := self.charts.get("loss"):
            chart.curves.remove(*(key(path, name) for path in self._runs for name in KINDS))
            chart.view.follow_y()
        self._put_curves(self._runs.values())
        self._draw()

    def _caption(self, chart: str) -> str:
        return tr(PER_BYTE if chart == "loss" and self.scale == "bits" else CAPTIONS[chart])

    def _smooth(self, hundredths: int) -> None:
        self.strength.setText(f"{hundredths / 100:.2f}")
        for name in self.charts:
            self._smooth_chart(name)
        self.changed.emit()

    def _smooth_chart(self, name: str) -> None:
        if any(kind.smooth for kind in KINDS.values() if kind.chart == name):
            self.charts[name].smooth(self.smoothing.value() / 100)

    def _log(self, log: bool) -> None:
        for chart in self.charts.values():
            chart.set_log(log)

    def _name_runs(self, named: bool) -> None:
        """Show or hide legends and axis labels inside the charts; on the page, other widgets show these."""
        for name, chart in self.charts.items():
            chart.legend.setVisible(named)
            chart.plot.setLabel("left", self._caption(name) if named else "")
            chart.plot.setLabel("bottom", tr(AXES[self.axis]) if named or name == "loss" else "")
            chart.curves.name(self._names(name) if named else {})

    def _names(self, chart: str) -> dict[str, str]:
        """Return the label of each curve of a chart: its run and, if a run has several curves, also the kind."""
        kinds = {name: tr(KINDS[name].words) for name in self.shown() if KINDS[name].chart == chart}
        return {
            key(run.path, name): joined(": ", run.title, words) if len(kinds) > 1 else run.title
            for run in self._runs.values() for name, words in kinds.items()
        }

    def _make_chart(self, name: str) -> None:
        height = 150 if name == "loss" else 90
        chart = Chart(tr(CAPTIONS[name]), "", f"{self._prefix}_{name}", height=height, words=WORDS.get(name, number),
                      plain=True)
        fill(cast(QVBoxLayout, self._frames[name].layout()), grows(chart))
        if self.charts:
            join(chart, *self.charts.values())
        chart.hovered.connect(self.pointed)
        self.charts[name] = chart
        chart.set_x(self.axis, tr(AXES[self.axis]) if name == "loss" else "")
        chart.set_log(self.log.isChecked())
        self._smooth_chart(name)
        self._name_runs(False)
        late.made.emit()

    def _show_curves(self) -> None:
        shown = self.shown()
        for name in shown:
            if KINDS[name].chart not in self.charts:
                self._make_chart(KINDS[name].chart)
        self._put_curves(self._runs.values())
        for name, frame in self._frames.items():
            frame.setVisible(any(KINDS[each].chart == name for each in shown))
        for names, row in self._rows.items():  # a row without charts takes no space
            row.setVisible(any(not self._frames[name].isHidden() for name in names))
        self.curves_button.setToolTip(joined(", ", *(tr(KINDS[name].words) for name in shown)))
        self._draw()

    def _put_curves(self, runs: Iterable[Overlaid]) -> None:
        """Add or update the curves of these runs, in the charts created so far."""
        shown = self.shown()
        for run in runs:
            if run.path not in self._histories:
                self._histories[run.path] = History()
            for name, kind in KINDS.items():
                if chart := self.charts.get(kind.chart):
                    curve = key(run.path, name)
                    known = chart.curves.get(curve)
                    series = known.series if known else series_of(self._histories[run.path], name, self.scale)
                    chart.curves.put(curve, "", run.look(kind), series, visible=name in shown)

    def _draw(self) -> None:
        self._pages.setCurrentIndex(0 if self._runs else 1)  # without curves, a chart would show arbitrary numbers
        self.refresh()
        self.changed.emit()

    # Construction.

    def _make_controls(self) -> None:
        self.axis_box = choice_box(f"{self._prefix}_axis", tr("X axis"), {
            name: tr(words) for name, words in AXES.items()}, tr(
            "Draws the curves of all checked runs over the same quantity"))
        self.axis_box.currentIndexChanged.connect(self._take_axis)
        self.scale_box = choice_box(f"{self._prefix}_scale", tr("Unit of the loss"), {
            name: tr(words) for name, words in SCALES.items()}, tr(WHY_BYTES))
        self.scale_box.activated.connect(self._take_scale)
        self.log = named(QCheckBox(tr("Logarithmic")), f"{self._prefix}_log", tr("Logarithmic"))
        self.log.setToolTip(tr("Logarithmic scale for the loss and the other values"))
        self.log.toggled.connect(self._log)
        self.smoothing = named(QSlider(Qt.Orientation.Horizontal), f"{self._prefix}_smoothing", tr("Smoothing"))
        self.smoothing.setRange(0, STRONGEST)
        self.smoothing.setMinimumWidth(2 * STRONGEST)
        self.smoothing.setToolTip(tr("Averages neighbouring points; the original points stay faintly visible."))
        self.strength = label("0.00", "figure", f"{self._prefix}_strength")
        self.smoothing.valueChanged.connect(self._smooth)
        self.curves_button = button(tr("Curves"), f"{self._prefix}_curves")
        self.curve_actions = check_menu(self.curves_button, {name: tr(kind.words) for name, kind in KINDS.items()})
        self.curves_button.menu().setToolTipsVisible(True)
        for name, action in self.curve_actions.items():
            action.setChecked(KINDS[name].shown)
            action.setToolTip(tr(KINDS[name].tip))
            action.toggled.connect(self._show_curves)

    def _lay_out(self) -> None:
        self._controls = with_layout(QWidget(), Flow(
            self.curves_button, (label(tr("X axis"), buddy=self.axis_box), self.axis_box), self.scale_box,
            (label(tr("Smoothing"), buddy=self.smoothing), self.smoothing, self.strength), self.log))
        for names in ROWS:
            self._rows[names] = with_layout(QWidget(), hbox(*(grows(self._frames[name]) for name in names), spacing=8))
        charts = (grows(self._rows[names], 2 if names == ROWS[0] else 1) for names in ROWS)
        nothing = label(tr("Check a run in the list to see its curves."), "muted", f"{self._prefix}_nothing")
        nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._pages = stacked(with_layout(QWidget(), vbox(*charts)), nothing)
        with_layout(self, vbox(self._controls, grows(self._pages)))
        on_restyle(self, self._fold)
        self._fold()

    def _fold(self) -> None:
        """Hide the controls in projector mode, to leave their space to the charts."""
        self._controls.setVisible(not theme.projecting)


class RunDifferences(QWidget):
    """Table of the checked runs; a line above it states its content and the x value at the pointer."""

    score_requested = Signal(Path)
    """Emitted, if losses cannot be compared, with the first of the runs whose models are to score one text."""

    def __init__(self, compare: RunCompare) -> None:
        super().__init__()
        self._compare = compare
        self._runs: list[Overlaid] = []
        self._settings: list[DifferingSetting] = []
        self._x: float | None = None
        self._names: list[TableCell] = []  # first column of the table
        self.table = RowTable(
            "run_table", tr("Differences between the selected runs"), selects=False,
            elide=Qt.TextElideMode.ElideMiddle)
        self.table.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.table.horizontalHeader().setDefaultAlignment(LEFT)
        self.differ = label(role="heading", name="runs_differ")
        self.where = label(role="muted", name="runs_where")
        self.texts = label(tr(DIFFERENT_TEXTS), "notice", "runs_different_texts")
        self.score = button(tr("Score one text with each…"), "runs_score", tr(
            "Opens Score in Generate with the first of these models: score a text, choose another of them, and score "
            "the same text again."), do=lambda: self.score_requested.emit(self._runs[0].path))
        self._offer = with_layout(QWidget(), hbox(self.texts, self.score, FREE, spacing=8))
        self._offer.hide()
        with_layout(self, vbox(hbox(self.differ, FREE, self.where), self._offer, grows(self.table), spacing=8))
        compare.pointed.connect(self._point)
        compare.changed.connect(lambda: self._point(None))  # x may be in another unit now
        on_restyle(self, self._show)

    def set_runs(self, runs: Sequence[RunSummary]) -> None:
        """Show the runs of the charts if these or their settings have changed: the rate may change during a run."""
        self._offer.setVisible(not same_text(run.record for run in runs))
        settings = differences([run.record for run in runs], [run.figures.rates for run in runs]) if runs else []
        if (self._compare.runs, settings) != (self._runs, self._settings):
            self._runs, self._settings = self._compare.runs, settings
            self._show()

    def show_values(self) -> None:
        """Show the values of all runs at the pointer, or at their ends."""
        compare, x = self._compare, self._x
        if compare.runs != self._runs:
            return  # the new runs follow
        values = [compare.readings(run.path, x) for run in compare.runs]
        headings = [TableCell(tr("Run"), tip=tr("Checked in the list above, in the colour of its curves"))]
        headings += [TableCell(tr(each.label), tip=tr(each.help)) for each in self._settings]
        headings += [TableCell(tr(KINDS[name].words), RIGHT, tr(KINDS[name].tip)) for name in compare.shown()]
        rows = [[name, *(TableCell(tr(each.values[row])) for each in self._settings),
                 *(TableCell(read.get(curve, "–"), RIGHT) for curve in compare.shown())]
                for row, (name, read) in enumerate(zip(self._names, values, strict=True))]
        self.table.show_rows(headings, rows)
        where = tr("Values at the end") if x is None else tr(
            "{axis} {x}", axis=tr(AXES[compare.axis]), x=number(x))
        self.where.setText(tr("{where}, smoothed", where=where) if compare.smoothing.value() else where)

    def _point(self, x: float | None) -> None:
        self._x = x
        self.show_values()

    def _show(self) -> None:
        self._names = [
            TableCell(run.title, tip=plain(str(run.path)), icon=stroke(overlay(run.number))) for run in self._runs]
        self.table.setIconSize(stroke_size(self.table))
        self.differ.setText(_in_words(len(self._runs), len(self._settings)))
        self.show_values()


def _in_words(runs: int, settings: int) -> str:
    if not runs:
        return tr("Select runs with their check boxes to overlay their curves.")
    if runs == 1:
        return tr("One run is selected")
    if not settings:
        return tr("Same settings in all {n} runs", n=runs)
    return tr("Differences between these {n} runs", n=runs)


def _resize(plot: Plot, size: QSize) -> None:
    """Resize a plot and its layout at once, as a picture needs it: a scene would wait for the event loop."""
    inside = plot.getPlotItem().layout
    inside.activate()
    plot.resize(size)
    inside.activate()
