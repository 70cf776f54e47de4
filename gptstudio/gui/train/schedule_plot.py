"""The learning rate over all steps of a run: drawn before it begins, with the place where it is while it runs."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
from PySide6.QtWidgets import QWidget

from gptstudio.gui.canvas.grid import Cell
from gptstudio.gui.plots.curve_view import Curves, CurveView, Line
from gptstudio.gui.plots.shades import Range
from gptstudio.gui.theme import colour
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.layouts import holding, vbox
from gptstudio.gui.widgets.parts import label
from gptstudio.training.schedule import learning_rate
from gptstudio.training.spec import TrainSpec

POINTS = 200
"""More than the pixels of this small plot could show."""


class SchedulePlot(QWidget):
    """Plot of the learning rate over the steps of a run, with its current position."""

    def __init__(self) -> None:
        super().__init__()
        self.plot = CurveView("schedule_plot", tr("Learning rate over the run"), (100, 84), grows=False)
        self.words = label(role="muted", name="schedule_words", wrap=True)
        self._spec, self._total = TrainSpec(), 0
        self._peak: float | None = None
        self._at: int | None = None
        holding(self, vbox(self.plot, self.words, spacing=4))

    def show_schedule(self, spec: TrainSpec, total_steps: int, peak: float | None = None) -> None:
        """``peak``: instead of the spec's learning rate, where it was changed while the run was paused."""
        self._spec, self._total, self._peak = spec, total_steps, peak
        self._draw()

    def show_place(self, step: int | None) -> None:
        """Show the position of the run; None if none is active."""
        self._at = step
        rate = self._rate(step) if step is not None and self._total else None
        self.plot.show_curves(replace(self.plot.curves, place=None if step is None or rate is None else (step, rate)))
        self._say()

    def _rate(self, step: int) -> float:
        return learning_rate(self._spec, step, self._total, self._peak)

    def _draw(self) -> None:
        total = max(self._total, 2)
        last = min(total, POINTS) - 1
        steps = np.round(np.arange(last + 1) * (total - 1) / last)
        rates = np.array([learning_rate(self._spec, int(step), total, self._peak) for step in steps])

        def say(cell: Cell) -> str:
            return tr("Step {n}: {rate}", n=f"{int(steps[cell.column]) + 1:,}", rate=f"{rates[cell.column]:.3g}")

        self.plot.show_curves(Curves(
            steps, [Line(rates, partial(colour, "accent"), width=2)], pointed=1, corner=True, say=say,
            x_scale=Range(0, float(steps[-1])), y_scale=Range(0, float(rates.max()) or 1.0), entry=Cell(0, 0),
            table=lambda: [(f"{step + 1:.0f}", f"{rate:.6g}") for step, rate in zip(steps, rates, strict=True)]))
        self.show_place(self._at)

    def _say(self) -> None:
        if not self._total:
            self.words.setText("")
        elif self._at is not None:
            self.words.setText(tr("Step {n}: {rate}", n=f"{self._at + 1:,}", rate=f"{self._rate(self._at):.3g}"))
        else:
            first, last = self._rate(0), self._rate(self._total - 1)
            self.words.setText(
                tr("{rate} at every step", rate=f"{first:.3g}")
                if self._spec.schedule == "constant"
                else tr(
                    "{first} at first, {peak} at most, {last} at the end",
                    first=f"{first:.3g}", peak=f"{self._peak or self._spec.learning_rate:.3g}", last=f"{last:.3g}",
                )
            )
