"""Learning-rate finder: a dialog that tests rates on a copy of the model and enters the suggested rate in the field."""

from __future__ import annotations

from functools import cached_property

from PySide6.QtCore import QObject
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QWidget

from gptstudio.app.state import AppState
from gptstudio.gui.appearance import Dialog
from gptstudio.gui.controllers.preparation import RateFinder
from gptstudio.gui.forms.field import FieldEditor
from gptstudio.gui.theme import theme
from gptstudio.gui.translation import joined, tr
from gptstudio.gui.widgets.deferred import late
from gptstudio.gui.widgets.layouts import FREE, grows, hbox, vbox, with_layout
from gptstudio.gui.widgets.parts import Notice, button, label, set_blocker
from gptstudio.i18n import message
from gptstudio.training.rate_test import STEPS, RatePoint, RateTest

LOCKED = "train_learning_rate"


class RateDialogs(QObject):
    """Owner of the finder's dialog, which is created when it is first opened."""

    def __init__(self, over: QWidget, state: AppState, finder: RateFinder, field: FieldEditor) -> None:
        super().__init__(over)
        self._over, self._state, self._finder, self._field = over, state, finder, field

    @cached_property
    def dialog(self) -> RateDialog:
        return RateDialog(self._over, self._state, self._finder, self._field)

    def open(self) -> None:
        first = "dialog" not in vars(self)
        self.dialog.open_up()
        if first:
            late.made.emit()

    def close(self) -> None:
        if "dialog" in vars(self):
            self.dialog.reject()


class RateDialog(Dialog):
    """Dialog of the finder, which is not modal. Opening it starts a test; closing it cancels the test."""

    def __init__(self, over: QWidget, state: AppState, finder: RateFinder, field: FieldEditor) -> None:
        from gptstudio.gui.train.rate_plot import RatePlot  # imports pyqtgraph, which the first window does not need

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
        with_layout(self, vbox(
            self.about, grows(self.plot), self.words, self.problem, buttons, spacing=8, margins=(16, 16, 16, 16)))
        for signal, do in (
            (finder.began, self._begin), (finder.stepped, self._step), (finder.found, self._end),
            (finder.failed, self._fail),
        ):
            signal.connect(do)
        state.on(self.show_state, "spec", "run_state", "locked_controls")
        theme.dress(self)
        self.resize(round(560 * theme.zoom), round(430 * theme.zoom))

    def open_up(self) -> None:
        """Show the dialog in front of all windows, and start a test."""
        super().open_up()
        self._finder.start()

    def show_state(self) -> None:
        """Update the buttons and the text."""
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
