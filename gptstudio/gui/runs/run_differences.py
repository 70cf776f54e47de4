"""Table of the checked runs: the settings in which they differ, and the values of their curves at the pointer."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QHeaderView, QTableWidget, QTableWidgetItem, QWidget

from gptstudio.app.state import RunEntry
from gptstudio.gui.appearance import on_restyle
from gptstudio.gui.charts.curve_items import number
from gptstudio.gui.charts.run_curves import AXES, KINDS, Overlaid
from gptstudio.gui.charts.style import overlay
from gptstudio.gui.runs.run_compare import RunCompare
from gptstudio.gui.runs.run_list import stroke
from gptstudio.gui.theme import theme
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.layouts import FREE, grows, hbox, vbox, with_layout
from gptstudio.gui.widgets.parts import button, label, named, plain
from gptstudio.gui.widgets.tables import LEFT, RIGHT, style_table, table_height, table_item
from gptstudio.history.comparison import DIFFERENT_TEXTS, DifferingSetting, differences, same_text


class DifferenceColumn(NamedTuple):
    """Column of the table: its heading, its text in each run, and the meaning of the heading."""

    heading: str
    words: Sequence[str]
    help: str


class RunTable(QTableWidget):
    """Table of the checked runs. Settings are filled in when the runs change, values when the pointer moves."""

    def __init__(self) -> None:
        super().__init__()
        named(self, "run_table", tr("Differences between the selected runs"))
        self._settings = 0  # number of columns of settings, after the name
        style_table(self, selects=False, elide=Qt.TextElideMode.ElideMiddle)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.horizontalHeader().setDefaultAlignment(LEFT)
        on_restyle(self, self._fit)
        self._fit()

    def show_runs(self, runs: Sequence[Overlaid], settings: Sequence[DifferenceColumn]) -> None:
        """Show a row for each run, with a column for each setting."""
        self._settings = len(settings)
        self.clear()
        self.setRowCount(len(runs))
        self.setColumnCount(1 + len(settings))
        self._fill(0, DifferenceColumn(
            tr("Run"), (), tr("Checked in the list above, in the colour of its curves")), LEFT)
        for row, run in enumerate(runs):
            item = QTableWidgetItem(stroke(overlay(run.number)), run.title)
            item.setToolTip(plain(str(run.path)))
            self.setItem(row, 0, item)
        for column, setting in enumerate(settings, start=1):
            self._fill(column, setting, LEFT)

    def show_values(self, values: Sequence[DifferenceColumn]) -> None:
        """Show the values of the curves at one position, a column for each curve."""
        first = 1 + self._settings
        if self.columnCount() != first + len(values):
            self.setColumnCount(first + len(values))
        for column, curve in enumerate(values, start=first):
            self._fill(column, curve, RIGHT)

    def headings(self) -> list[str]:
        model = self.model()
        return [model.headerData(column, Qt.Orientation.Horizontal) for column in range(model.columnCount())]

    def text(self, row: int, heading: str) -> str:
        """Return the text of a run in a column.

        Raises:
            ValueError: there is no such column.
        """
        return str(self.model().index(row, self.headings().index(heading)).data())

    def sizeHint(self) -> QSize:
        return QSize(400, table_height(self, 5))

    def minimumSizeHint(self) -> QSize:
        return QSize(200, table_height(self, 2))

    def _fill(self, column: int, content: DifferenceColumn, side: Qt.AlignmentFlag) -> None:
        self.setHorizontalHeaderItem(column, table_item(content.heading, side, content.help))
        for row, value in enumerate(content.words):
            item = self.item(row, column)
            if item is None:
                item = table_item(side=side)
                self.setItem(row, column, item)
            item.setText(value)

    def _fit(self) -> None:
        self.ensurePolished()
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 8)
        self.setIconSize(QSize(round(22 * theme.zoom), self.fontMetrics().height()))
        self.updateGeometry()


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
        self.table = RunTable()
        self.differ = label(role="heading", name="runs_differ")
        self.where = label(role="muted", name="runs_where")
        self.texts = label(tr(DIFFERENT_TEXTS), "notice", "runs_different_texts")
        self.score = button(tr("Score one text with both…"), "runs_score", tr(
            "Opens Score in Generate with the first of these models: score a text, choose the other model, and score "
            "the same text again."), do=lambda: self.score_requested.emit(self._runs[0].path))
        self._offer = with_layout(QWidget(), hbox(self.texts, self.score, FREE, spacing=8))
        self._offer.hide()
        with_layout(self, vbox(hbox(self.differ, FREE, self.where), self._offer, grows(self.table), spacing=8))
        compare.pointed.connect(self._point)
        compare.changed.connect(lambda: self._point(None))  # x may be in another unit now
        on_restyle(self, self._show)

    def set_runs(self, runs: Sequence[RunEntry]) -> None:
        """Show the runs of the charts if these or their settings have changed: the rate may change during a run."""
        found = [run.summary for run in runs]
        self._offer.setVisible(not same_text(run.record for run in found))
        settings = differences([run.record for run in found], [run.figures.rates for run in found]) if found else []
        if (self._compare.runs, settings) != (self._runs, self._settings):
            self._runs, self._settings = self._compare.runs, settings
            self._show()

    def show_values(self) -> None:
        """Show the values of all runs at the pointer, or at their ends."""
        compare, x = self._compare, self._x
        values = [compare.readings(run.path, x) for run in compare.runs]
        self.table.show_values([
            DifferenceColumn(tr(KINDS[name].words), [each.get(name, "–") for each in values], tr(KINDS[name].tip))
            for name in compare.shown()])
        where = tr("Values at the end") if x is None else tr(
            "{axis} {x}", axis=tr(AXES[compare.axis]), x=number(x))
        self.where.setText(tr("{where}, smoothed", where=where) if compare.smoothing.value() else where)

    def _point(self, x: float | None) -> None:
        self._x = x
        self.show_values()

    def _show(self) -> None:
        self.table.show_runs(self._runs, [
            DifferenceColumn(tr(each.label), [tr(value) for value in each.values], tr(each.help))
            for each in self._settings])
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
