"""The learning rate over all steps of a run: drawn before it begins, with the place where it is while it runs."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSizePolicy, QWidget

from gptstudio.gui.appearance import follow
from gptstudio.gui.charts.style import scene_font
from gptstudio.gui.theme import colour, theme
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.layouts import holding, vbox
from gptstudio.gui.widgets.parts import label, named
from gptstudio.training.schedule import learning_rate
from gptstudio.training.spec import TrainSpec

POINTS = 200
"""More than the pixels of this small plot could show."""


class SchedulePlot(QWidget):
    """Plot of the learning rate over the steps of a run, with its current position."""

    def __init__(self) -> None:
        super().__init__()
        self.plot = named(pg.PlotWidget(), "schedule_plot", tr("Learning rate over the run"))
        self.plot.setMouseEnabled(x=False, y=False)
        self.plot.setMenuEnabled(False)
        self.plot.hideButtons()
        self.plot.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # no key does anything here
        self.plot.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.curve = self.plot.plot()
        self._here = pg.ScatterPlotItem(size=9)
        self.plot.addItem(self._here)
        self.words = label(role="muted", name="schedule_words", wrap=True)
        self._spec, self._total = TrainSpec(), 0
        self._peak: float | None = None
        self._at: int | None = None
        holding(self, vbox(self.plot, self.words, spacing=2))
        follow(self, self._dress)
        self._dress()

    def show_schedule(self, spec: TrainSpec, total_steps: int, peak: float | None = None) -> None:
        """``peak``: instead of the spec's learning rate, where it was changed while the run was paused."""
        self._spec, self._total, self._peak = spec, total_steps, peak
        self._draw()

    def show_place(self, step: int | None) -> None:
        """Show the position of the run; None if none is active."""
        self._at = step
        rate = self._rate(step) if step is not None and self._total else None
        self._here.setData([] if rate is None else [step], [] if rate is None else [rate])
        self._say()

    def _rate(self, step: int) -> float:
        return learning_rate(self._spec, step, self._total, self._peak)

    def _draw(self) -> None:
        total = max(self._total, 2)
        steps = np.unique(np.linspace(0, total - 1, min(total, POINTS)).round().astype(int))
        rates = [learning_rate(self._spec, int(step), total, self._peak) for step in steps]
        self.curve.setData(steps, rates)
        self.plot.setXRange(0, total - 1, padding=0.03)
        self.plot.setYRange(0, max(rates) or 1.0, padding=0.12)
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

    def _dress(self) -> None:
        self.plot.setBackground(colour("surface"))
        self.plot.setFixedHeight(round(84 * theme.zoom))
        self.curve.setPen(pg.mkPen(colour("accent"), width=2))
        self._here.setBrush(pg.mkBrush(colour("validation")))
        self._here.setPen(pg.mkPen(colour("surface")))
        for side in ("left", "bottom"):
            axis = self.plot.getAxis(side)
            axis.setPen(pg.mkPen(colour("line")))
            axis.setStyle(showValues=False, tickLength=0)
            axis.setTickFont(scene_font())
