"""Settings of a run, a plot of the learning rate over its steps, and the choice of frozen parts of the model."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
from PySide6.QtWidgets import QWidget

from gptstudio.app.state import AppState
from gptstudio.gpt import sizing
from gptstudio.gui.canvas.canvas import Cell
from gptstudio.gui.forms.field import GroupedEditor
from gptstudio.gui.plots.curve_view import Curves, CurveView, Line
from gptstudio.gui.plots.shades import Range
from gptstudio.gui.theme import colour
from gptstudio.gui.translation import millions, tr
from gptstudio.gui.widgets.layouts import vbox, with_layout
from gptstudio.gui.widgets.parts import label
from gptstudio.training.optimizers import OPTIMIZER_FIELDS
from gptstudio.training.schedule import learning_rate
from gptstudio.training.spec import TrainSpec
from gptstudio.training.spec_problems import SCHEDULE_FIELDS, settings_in_use

POINTS = 200
"""Number of points of the curve, more than this small plot has pixels."""


class SchedulePlot(QWidget):
    """Plot of the learning rate over the steps of a run, with the current step marked."""

    def __init__(self) -> None:
        super().__init__()
        self.plot = CurveView("schedule_plot", tr("Learning rate over the run"), (100, 84), grows=False)
        self.words = label(role="muted", name="schedule_words", wrap=True)
        self._spec, self._total = TrainSpec(), 0
        self._peak: float | None = None
        self._at: int | None = None
        with_layout(self, vbox(self.plot, self.words, spacing=4))

    def show_schedule(self, spec: TrainSpec, total_steps: int, peak: float | None = None) -> None:
        """Show a schedule. ``peak``: replaces the spec's learning rate if that was changed during a pause."""
        self._spec, self._total, self._peak = spec, total_steps, peak
        self._draw()

    def show_place(self, step: int | None) -> None:
        """Mark the current step of the run; None removes the mark."""
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


FROZEN = ("freeze", "freeze_blocks")
"""Fields for the parts of the model that are frozen."""
FINE_TUNING = "Fine-tuning"
BESIDE = 8
"""Pixels between the settings and their scroll bar."""


class TrainSettings(GroupedEditor):
    """Settings of a run: epochs, batch size, learning rate and seed, and all others under ``More settings``.

    The fields for freezing are shown if there are weights to continue from, or something is frozen already.
    """

    def __init__(self, state: AppState) -> None:
        super().__init__(TrainSpec, "train", tr("More settings"), first=(FINE_TUNING,))
        self._state = state
        self.schedule = SchedulePlot()
        self.add_to("Schedule", self.schedule)
        self.learning = label(role="muted", name="learning_parameters", wrap=True)
        self.add_to(FINE_TUNING, self.learning)
        self.setContentsMargins(0, 0, BESIDE, 0)
        self.show_values(state.train_values)
        self.changed.connect(self._edit)
        state.on(self._show_values, "train_values")
        state.on(self._show_problems, "spec_problems", "text_check")
        state.on(self._show_model, "config")
        state.on(self._show_learning, "spec")
        state.on(self._fit, "train_values", "weights")
        state.on(self._enable, "run_state")
        for show in (self._show_model, self._show_learning, self._show_problems, self._fit):
            show()

    def _edit(self) -> None:
        self._state.train_values = self.values()

    def _show_values(self) -> None:
        if self.values() != self._state.train_values:
            self.show_values(self._state.train_values)

    def _show_problems(self) -> None:
        check = self._state.text_check
        self.show_problems([*self._state.spec_problems, *(check.problems if check else ())])

    def _enable(self) -> None:
        """Enable all settings before a run, only the learning rate while it is paused, and none while it runs."""
        state = self._state
        why_not = tr("Only the learning rate can be changed while a run is paused.") if state.paused else tr(
            "These settings cannot be changed during a run. Stop it first.")
        self.enable(("learning_rate",) if state.paused else () if state.running else self.editors, why_not)

    def _show_model(self) -> None:
        """Show the number of parameters of each part of the model that can be frozen."""
        config = self._state.config
        if config:
            self.editors["freeze"].control.show_figures({
                part: _figure(part, held, config.tie_weights)
                for part, held in sizing.parameters(config).components().items()
            })

    def _show_learning(self) -> None:
        """Show the number of trained parameters; nothing if a setting is invalid."""
        spec = self._state.spec
        if not spec:
            self.learning.setText("")
            return
        learn = sizing.trained_count(spec.config, spec.freeze, spec.freeze_blocks)
        total = sizing.parameter_count(spec.config)
        self.learning.setText(
            tr("All {total} parameters are trained.", total=f"{total:,}")
            if learn == total
            else tr("Trained parameters: {n} of {total}.", n=f"{learn:,}", total=f"{total:,}")
        )

    def _fit(self) -> None:
        values = self._state.train_values
        used = settings_in_use(values)
        for name in (*SCHEDULE_FIELDS, *OPTIMIZER_FIELDS):
            self.editors[name].setVisible(name in used)
        frozen = any(values[name] != self.editors[name].view.default for name in FROZEN)
        self.groups[FINE_TUNING].setVisible(self._state.weights is not None or frozen)


def _figure(part: str, held: int, tied: bool) -> tuple[str, str]:
    """Return the parameter count of a part, in short form and as text."""
    if tied and part == "output_layer":
        return tr("tied"), tr("the same matrix as the token embedding")
    return millions(held), tr("{n} parameters", n=f"{held:,}")
