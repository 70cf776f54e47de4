"""The Train page: text, settings, Start; and the run that came of it, to be steered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from gptstudio.app.state import AppState
from gptstudio.gui.actions import Actions
from gptstudio.gui.controllers.training import TrainingController
from gptstudio.gui.copy_commands import copy_button
from gptstudio.gui.train.continuation import ContinuationOffer
from gptstudio.gui.train.outlook import Outlook
from gptstudio.gui.train.rate_dialog import RateDialogs
from gptstudio.gui.train.run_controls import RunControls
from gptstudio.gui.train.run_figures import RunFigures
from gptstudio.gui.train.text_choice import TextBox, TextPlan
from gptstudio.gui.train.train_settings import TrainSettings
from gptstudio.gui.translation import joined, tr
from gptstudio.gui.widgets.deferred import Deferred
from gptstudio.gui.widgets.layouts import TOP, aligned, card, grows, hbox, holding, vbox
from gptstudio.gui.widgets.overlay import Overlay
from gptstudio.gui.widgets.parts import Notice, label, scrolling
from gptstudio.gui.widgets.reflow import Reflow
from gptstudio.training.corpus import Plan
from gptstudio.training.events import MemoryRead, StepDone

if TYPE_CHECKING:
    from gptstudio.gui.train.run_view import RunView

VIEW_LINES = 27
"""Least width and height of the view of a run, in lines of text."""


class TrainTab(QWidget):
    """Shows what Start would train, and the run that is shown; its buttons are the training controller's."""

    def __init__(self, state: AppState, controller: TrainingController, actions: Actions) -> None:
        super().__init__()
        self._state, self._controller = state, controller
        self.text_plan, self.text_box = TextPlan(state, controller.text_check), TextBox(state)
        self.run_controls = RunControls(actions)
        self.start, self.stop_button = self.run_controls.play, self.run_controls.stop
        self.outlook = Outlook(state)
        self.settings = TrainSettings(state)
        self._actions = actions
        self.view_place = Deferred(self._make_view, VIEW_LINES)
        self.figures = RunFigures(state, controller)
        self.continuation = ContinuationOffer(state, controller)
        self.notice = Notice("train_notice", "notice")
        self.elsewhere = Notice("elsewhere", "notice")
        rate = self.settings.editors["learning_rate"]
        rate.put_beside(actions.button("find_rate"))
        self.rate_dialogs = RateDialogs(self, state, controller.rate_finder, rate)
        self._connect()
        self._lay_out()
        self.main_control = self.start
        self.show_state()

    @property
    def view(self) -> RunView:
        """The view of the run, made now if need be: its charts take half of the time until a window is painted."""
        return self.view_place.widget

    def _make_view(self) -> RunView:
        from gptstudio.gui.train.run_view import RunView

        view, actions = RunView(self._state, self._controller), self._actions
        view.offer(actions.button("start", "quiet", called="run_pane_start"))
        self.restore = actions.button("checkpoint_restore", instead=view.checkpoints.list)
        view.checkpoints.menu.addAction(actions["checkpoint_restore"])
        self.noticed = holding(QWidget(), hbox(grows(self.notice), aligned(self.restore, TOP)))
        self.messages = Overlay(view.charts.loss, "train_messages", self.noticed, self.elsewhere, self.continuation,
                                uncovered=view.charts.loss.readout)
        self._state.on(self.messages.announce, "continuation")
        return view

    def show_state(self) -> None:
        """Show what can be done now, and how far the run is."""
        state, run, plan = self._state, self._state.run, self._plan()
        if state.running and run.spec and run.started:
            self.settings.schedule.show_schedule(run.spec, run.started.total_steps, run.learning_rate)
        elif state.spec:
            self.settings.schedule.show_schedule(state.spec, plan.total_steps if plan else 0)
        self._show_progress()
        self._show_messages()

    def _show_progress(self) -> None:
        run, plan = self._state.run, self._plan()
        self.run_controls.show_run(run, plan.total_steps if plan else 0)
        self.settings.schedule.show_place(run.last.step if self._state.running and run.last else None)

    def _show_messages(self) -> None:
        """They lie over the view: without it, they wait for it."""
        if self.view_place.there is None:
            return
        run = self._state.run
        for shown, words in ((self.notice, (run.notice,)), (self.elsewhere, run.written_by)):
            text = joined(" ", *(tr(each) for each in words if each))
            if text != shown.text():
                shown.setText(text)
                self.messages.announce()
        trashed = self._state.trashed.get("checkpoint")
        self.restore.setVisible(
            trashed is not None and run.folder is not None and trashed.path.parent == run.folder.checkpoint_folder)
        self.noticed.setVisible(bool(self.notice.text()))
        self.messages.refresh()

    def _plan(self) -> Plan | None:
        return self._state.text_check.plan if self._state.text_check else None

    def _connect(self) -> None:
        controller = self._controller
        controller.restarted.connect(self.show_state)
        controller.events_arrived.connect(self._follow)
        self._state.on(
            self.show_state, "run_state", "spec", "text_check", "run", "trashed")
        self.view_place.made.connect(self._show_messages)

    def _follow(self, events: list[object]) -> None:
        """Show how far the run is; what can be done changes only with rare events."""
        if all(isinstance(each, (StepDone, MemoryRead)) for each in events) and events:
            self._show_progress()
            self._show_messages()
        else:
            self.show_state()

    def _lay_out(self) -> None:
        above = self.run_controls, self.text_plan, self.outlook, self.figures
        self.settings_scroll = scrolling(self.settings, "settings_scroll", reached=False)
        settings = card(
            hbox(label(tr("Text"), "heading", buddy=self.text_box), grows(self.text_box)),
            hbox(grows(label(tr("Settings"), "heading")), copy_button(self._actions, "train_copy")),
            self.settings_scroll, name="settings_card")
        page = Reflow(self.view_place, settings, stretch=(self.view_place,), spacing=12)
        page.turned.connect(self.settings_scroll.show_whole)
        holding(self, vbox(*above, grows(page), spacing=6, margins=(16, 8, 16, 6)))
        self.parts = *above, self.view_place, settings
