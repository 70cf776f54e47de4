"""Differences between the checked runs, and the values of their curves where the pointer is."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from gptstudio.app.state import RunEntry
from gptstudio.gui.appearance import follow
from gptstudio.gui.charts.readout import number
from gptstudio.gui.charts.run_curves import AXES, KINDS, Overlaid
from gptstudio.gui.runs.run_compare import RunCompare
from gptstudio.gui.runs.run_table import Column, RunTable
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.layouts import FREE, grows, hbox, holding, vbox
from gptstudio.gui.widgets.parts import button, label
from gptstudio.history.comparison import DIFFERENT_TEXTS, DifferingSetting, differences, same_text


class RunDifferences(QWidget):
    """Table of the checked runs; above it in words what it shows, and of which x of the charts."""

    score_requested = Signal(Path)
    """The losses cannot be compared: score one text with the models, this run's first."""

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
        self._offer = holding(QWidget(), hbox(self.texts, self.score, FREE, spacing=8))
        self._offer.hide()
        holding(self, vbox(hbox(self.differ, FREE, self.where), self._offer, grows(self.table), spacing=8))
        compare.pointed.connect(self._point)
        compare.changed.connect(lambda: self._point(None))  # x may mean another thing now
        follow(self, self._show)

    def set_runs(self, runs: Sequence[RunEntry]) -> None:
        """Show the runs of the charts, if they or their settings have changed: a rate may change during a run."""
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
            Column(tr(KINDS[name].words), [each.get(name, "–") for each in values], tr(KINDS[name].tip))
            for name in compare.shown()])
        where = tr("Values at the end") if x is None else tr(
            "{axis} {x}", axis=tr(AXES[compare.axis]), x=number(x))
        self.where.setText(tr("{where}, smoothed", where=where) if compare.smoothing.value() else where)

    def _point(self, x: float | None) -> None:
        self._x = x
        self.show_values()

    def _show(self) -> None:
        self.table.show_runs(self._runs, [
            Column(tr(each.label), [tr(value) for value in each.values], tr(each.help))
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
