"""A branch as a fork of the loss: the common steps and the parent's further ones faint, its own from the fork on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from gptstudio.gui.charts.chart import Chart
from gptstudio.gui.charts.curve import Column, Series
from gptstudio.gui.charts.run_curves import KINDS, divisor_of
from gptstudio.gui.charts.style import CurveStyle
from gptstudio.gui.translation import tr
from gptstudio.history.columns import Numbers
from gptstudio.history.run_history import History

FAINT = 0.4
"""Opacity of the parent's curves, of what the run's own have."""
COMMON, PARENT = "common", "parent"
"""Beginnings of the keys of faint curves: of the steps that both runs have, and of the parent's own after the fork."""


class Part(Series):
    """The points of a curve before the fork, or after it. The last common point belongs to both, so that they meet.

    Args:
        step: the last common one, counted from 0.
        after: whether these are the points after it.
        read: whether the curve has a value where one points: ``all`` of them, those after the fork, or none.
        scale: unit of a loss.
    """

    def __init__(self, history: History, name: str, step: int, after: bool, read: str, scale: str) -> None:
        kind = KINDS[name]
        super().__init__(
            getattr(history, kind.table), kind.column, history.axes, divisor_of(history, kind, scale))
        self._step, self._after, self._read = step, after, read

    def thinned(
        self, axis: str, left: float, right: float, pixels: int, y: Column | None = None
    ) -> tuple[Numbers, Numbers]:
        x, values = super().thinned(axis, left, right, pixels, y)
        fork = self._fork()
        if fork < 0:  # nothing was measured before it
            return (x, values) if self._after else (x[:0], values[:0])
        place = float(self.x(axis, fork))
        inside = x >= place if self._after else x <= place
        return x[inside], values[inside]

    def index_at(self, axis: str, x: float) -> int:
        index = super().index_at(axis, x)
        return index if self._read == "all" or (self._read == "after" and index >= self._fork()) else -1

    def _fork(self) -> int:
        """Return the index of the last common point; -1 where there is none."""
        return super().index_at("step", self._step + 1)


def show_fork(
    chart: Chart, history: History, parent: History, step: int, looks: Mapping[str, tuple[str, CurveStyle]],
    scale: str,
) -> None:
    """Draw the curves of a branch as a fork.

    Args:
        history, parent: of the branch, and of its parent, which is empty where it is not known.
        step: the last common one, counted from 0.
        looks: the names of the curves in ``KINDS``, and their styles, by their keys in the chart.
        scale: unit of the losses.
    """
    for key, (name, look) in looks.items():
        own = Part(history, name, step, after=True, read="all", scale=scale)
        chart.set_curve(key, tr(KINDS[name].words), look, own)
    for key, (name, look) in looks.items():
        faint, named = replace(look, opacity=look.opacity * FAINT), name == "val_loss" and len(parent.steps) > 0
        chart.set_curve(f"{COMMON}_{key}", "", faint, Part(history, name, step, after=False, read="none", scale=scale))
        chart.set_curve(f"{PARENT}_{key}", tr("Parent run") if named else "", faint,
                        Part(parent, name, step, after=True, read="after" if named else "none", scale=scale))
