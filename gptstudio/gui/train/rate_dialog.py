"""Learning-rate finder: a dialog that tests rates on a copy of the model and enters the suggested rate in the field.

Its plot shows the loss of each step over its learning rate, and the recommended band. Imports pyqtgraph, which the
first window does not need.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QWidget

from gptstudio.app.state import AppState
from gptstudio.gui.appearance import Dialog, on_restyle
from gptstudio.gui.charts.plot import NumberAxis, Plot
from gptstudio.gui.controllers.preparation import RateFinder
from gptstudio.gui.forms.field import FieldEditor
from gptstudio.gui.theme import colour, theme
from gptstudio.gui.translation import joined, tr
from gptstudio.gui.widgets.layouts import FREE, grows, hbox, vbox, with_layout
from gptstudio.gui.widgets.parts import Notice, button, label, named, set_blocker
from gptstudio.i18n import message
from gptstudio.training.rate_test import HIGHEST, LOWEST, STEPS, RatePoint, RateTest, neighbour_means

DECADES = math.log10(LOWEST), math.log10(HIGHEST)


class RatePlot(QWidget):
    """Loss of each batch, its mean over neighbouring steps and its exponential average, over a logarithmic x axis; the
    recommended band is shaded."""

    def __init__(self) -> None:
        super().__init__()
        self.plot = named(
            Plot(axisItems={side: NumberAxis(side) for side in ("left", "bottom")}),
            "rate_plot", tr("Loss by learning rate"))
        self.plot.setMouseEnabled(x=False, y=False)
        self.plot.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # no key does anything here
        self.plot.setLogMode(x=True)
        self.raw, self.averages, self.smoothed = (self.plot.plot() for _ in range(3))
        self.band = pg.LinearRegionItem(movable=False)
        self.band.setZValue(-10)
        self.mark = pg.InfiniteLine(angle=90)
        for item in (self.band, self.mark):
            self.plot.addItem(item, ignoreBounds=True)
        with_layout(self, vbox(grows(self.plot)))
        on_restyle(self, self._dress)
        self._dress()
        self.show_points(())

    def show_points(self, points: Sequence[RatePoint]) -> None:
        """Show the steps so far, without a recommendation."""
        rates = [point.rate for point in points]
        self.raw.setData(rates, [point.loss for point in points])
        means = neighbour_means(points)
        self.averages.setData(rates, means)
        self.smoothed.setData(rates, [point.smoothed for point in points])
        self.band.hide()
        self.mark.hide()
        self.plot.setXRange(*DECADES, padding=0.02)
        heights = np.array([*(point.loss for point in points), *means])
        if len(heights):
            low, high = heights.min(), min(heights.max(), 2.0 * points[0].loss)  # an explosion would flatten the rest
            self.plot.setYRange(float(low), float(max(high, low + 0.1)), padding=0.08)

    def show_test(self, test: RateTest) -> None:
        """Show a finished test with its recommended band and the suggested rate."""
        self.show_points(test.points)
        self.band.setRegion([float(np.log10(rate)) for rate in test.band])
        self.mark.setValue(float(np.log10(test.suggestion)))
        self.band.show()
        self.mark.show()

    def _dress(self) -> None:
        self.plot.setBackground(colour("surface"))
        self.plot.setMinimumSize(round(380 * theme.zoom), round(210 * theme.zoom))
        self.raw.setPen(pg.mkPen(colour("muted", 0.6), width=1))
        self.averages.setPen(pg.mkPen(colour("accent"), width=2))
        self.smoothed.setPen(pg.mkPen(colour("text"), width=1.5, style=Qt.PenStyle.DotLine))
        self.band.setBrush(pg.mkBrush(colour("accent", 0.18)))
        for line in self.band.lines:
            line.setPen(pg.mkPen(colour("accent", 0.5), width=1))
        self.mark.setPen(pg.mkPen(colour("text"), width=1.5, style=Qt.PenStyle.DashLine))
        for side, words in (("bottom", tr("Learning rate")), ("left", tr("Loss (nats per token)"))):
            axis = self.plot.getAxis(side)
            axis.dress(self.font())
            axis.setLabel(words, color=colour("muted").name())


LOCKED = "train_learning_rate"


class RateDialog(Dialog):
    """Dialog of the finder, which is not modal. Opening it starts a test; closing it cancels the test."""

    def __init__(self, over: QWidget, state: AppState, finder: RateFinder, field: FieldEditor) -> None:
        super().__init__(over, "rate_dialog", tr("Find a learning rate"))
        self._state, self._finder, self._field = state, finder, field
        self._points: list[RatePoint] = []
        self._test: RateTest | None = None
        self.about = label(role="muted", name="rate_about", wrap=True, text=tr(
            "Trains a copy of the model for up to 60 steps while the learning rate grows. Below the band, it learns "
            "slowly; above, the loss rises again. Thin: the loss of each batch; thick: its average over five steps; "
            "dotted: its exponential average, which lags behind and ends the test at four times its lowest value."))
        self.plot = RatePlot()
        self.words, self.problem = label(name="rate_words", wrap=True), Notice("rate_problem")
        self.close_button = button(tr("Close"), "rate_close", do=self.reject)
        self.again = button(tr("Test again"), "rate_again", tr("Tests with the present settings"), do=finder.start)
        self.cancel = button(tr("Cancel"), "rate_cancel", tr("Ends the test; nothing is changed"), do=finder.cancel)
        self.use = button(
            tr("Use the rate"), "rate_use", tr("Puts it into the field; Ctrl+Z there brings the former back"),
            "primary", do=self._use)
        buttons = hbox(FREE, self.close_button, self.again, self.cancel, self.use, spacing=8)
        self.assemble(vbox(
            self.about, grows(self.plot), self.words, self.problem, buttons, spacing=8, margins=(16, 16, 16, 16)))
        for signal, do in (
            (finder.began, self._begin), (finder.stepped, self._step), (finder.found, self._end),
            (finder.failed, self._fail),
        ):
            signal.connect(do)
        state.on(self.show_state, "spec", "run_state", "locked_controls")
        self.resize(round(560 * theme.zoom), round(430 * theme.zoom))

    def open_up(self) -> None:
        """Show the dialog in front of all windows, and start a test."""
        super().open_up()
        self._finder.start()

    def show_state(self) -> None:
        busy, state = self._finder.busy, self._state
        self.cancel.setVisible(busy)
        self.again.setVisible(not busy)
        training = tr("Learning rates are tested while nothing trains. Stop the run first.") if state.running else ""
        set_blocker(self.again, training or ("" if state.spec else tr("A setting is invalid.")))
        rate = f"{self._test.suggestion:g}" if self._test else ""
        self.use.setText(tr("Use {rate}", rate=rate) if rate else tr("Use the rate"))
        locked = tr("Locked by your instructor") if LOCKED in state.locked_controls else ""
        none = "" if self._test else tr("There is no result yet.")
        set_blocker(self.use, none or locked or training)
        self._show_words()

    def _show_words(self) -> None:
        test, words = self._test, ""
        if self._finder.busy:
            words = tr("Step {n} of {total}", n=len(self._points), total=STEPS) if self._points else tr("Preparing…")
        elif test:
            low, high = test.band
            words = tr(
                "The averaged loss falls most steeply at {steepest} and is lowest at {minimum}. Between the former and "
                "a tenth of the latter lie good rates: {low} to {high}.",
                steepest=f"{test.steepest.rate:.2g}", minimum=f"{test.minimum.rate:.2g}", low=f"{low:.2g}",
                high=f"{high:.2g}")
            if self._finder.outdated:
                words = joined(" ", words, tr("The settings have changed since this test: test again."))
        self.words.setText(words)
        self.plot.plot.setAccessibleDescription(words)

    def _begin(self) -> None:
        self._points, self._test = [], None
        self.problem.setText("")
        self.plot.show_points(())
        self.show_state()
        self.cancel.setFocus()

    def _step(self, points: list[RatePoint]) -> None:
        self._points += points
        self.plot.show_points(self._points)
        self._show_words()

    def _end(self, test: RateTest) -> None:
        self._test = test
        self.plot.show_test(test)
        self.show_state()
        self.use.setDefault(True)
        self.use.setFocus()

    def _fail(self, why: str) -> None:
        self.problem.setText(tr(why or message("Cancelled. Nothing was changed.")))
        self.show_state()
        self.close_button.setFocus()

    def _use(self) -> None:
        if self._test:
            self._field.type(self._test.suggestion)
            self.accept()

    def hideEvent(self, event: QHideEvent) -> None:
        self._finder.cancel()
        super().hideEvent(event)
