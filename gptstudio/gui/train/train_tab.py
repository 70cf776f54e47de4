"""Train page: text, settings, Start, and the run with its controls."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, cast

from PySide6.QtWidgets import QHBoxLayout, QWidget

from gptstudio.app.state import AppState
from gptstudio.gui.actions import Actions, copy_button
from gptstudio.gui.controllers.training import TrainingController
from gptstudio.gui.train.run_controls import ForecastLine, MessageLine, NextStep, RunControls, RunFigureRow, RunOutline
from gptstudio.gui.train.sample_text import WritesNow
from gptstudio.gui.train.train_settings import TextBox, TextPlan, TrainSettings
from gptstudio.gui.translation import joined, tr
from gptstudio.gui.widgets.deferred import Deferred, late
from gptstudio.gui.widgets.layouts import FREE, TOP, Reflow, aligned, card, grows, hbox, vbox, with_layout
from gptstudio.gui.widgets.parts import UNLIMITED, button, label, scrolling
from gptstudio.gui.widgets.text_views import FewLines
from gptstudio.training.corpus import Plan
from gptstudio.training.events import MemoryRead, StepDone

if TYPE_CHECKING:
    from gptstudio.gui.train.rate_dialog import RateDialog
    from gptstudio.gui.train.run_view import RunView

FIGURES = ("loss", "training", "validation", "left")
"""Figures that are shown with all controls; without them, ``STAGE_FIGURES`` are shown next to the step counter."""
STAGE_FIGURES = ("loss", "left")
STAGE_WIDTH = 13
"""Width of ``STAGE_FIGURES``, in lines of text."""
VIEW_LINES = 27
"""Minimum width and height of the view of a run, in lines of text."""


class TrainTab(QWidget):
    """Page with the run that Start would begin, or the run that is shown; the training controller runs its commands."""

    def __init__(self, state: AppState, controller: TrainingController, actions: Actions) -> None:
        super().__init__()
        self._state, self._controller = state, controller
        self.text_plan, self.text_box = TextPlan(state, controller.text_check), TextBox(state)
        self.run_controls = RunControls(actions)
        self.start = self.run_controls.play
        self.outlook = ForecastLine(state)
        self.settings = TrainSettings(state)
        self._actions = actions
        self.view_place = Deferred(self._make_view, VIEW_LINES)
        self.figures = RunFigureRow(state, controller)
        self.next_step = NextStep(state, controller, actions, controller.first_sample)
        self.continuation = self.next_step.continuation
        self.writes_now = WritesNow(state, controller)
        self.outline = RunOutline(state, actions)
        self.notice = FewLines("train_notice", "notice")
        self.elsewhere = FewLines("elsewhere", "notice")
        self.settings.editors["learning_rate"].put_beside(actions.button("find_rate"))
        self._connect()
        self._lay_out()
        self.main_control = self.start
        self.show_state()

    @property
    def view(self) -> RunView:
        """View of the run, created on first use: its charts take half of the time until a window is painted."""
        return self.view_place.widget

    def _make_view(self) -> RunView:
        from gptstudio.gui.train.run_view import RunView

        view, actions = RunView(self._state, self._controller), self._actions
        view.offer(actions.button("start", "quiet", called="run_pane_start"))
        view.checkpoints.menu.addAction(actions["checkpoint_restore"])
        self.writes_now.text.passage_wanted.connect(view.samples.passage_wanted)
        return view

    @cached_property
    def rate_dialog(self) -> RateDialog:
        from gptstudio.gui.train.rate_dialog import RateDialog

        return RateDialog(self, self._state, self._controller.rate_finder, self.settings.editors["learning_rate"])

    def find_rate(self) -> None:
        """Open the learning-rate finder."""
        first = "rate_dialog" not in vars(self)
        self.rate_dialog.open_up()
        if first:
            late.made.emit()

    def leave(self) -> None:
        """Close the learning-rate finder, because the window is being closed."""
        if "rate_dialog" in vars(self):
            self.rate_dialog.reject()

    def show_state(self) -> None:
        """Update the schedule, the progress and the messages."""
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
        run = self._state.run
        full = self._state.all_controls
        notice = run.notice if full or not run.warns_of_overfitting else ""
        for shown, words in ((self.notice, (notice,)), (self.elsewhere, run.written_by)):
            text = joined(" ", *(tr(each) for each in words if each))
            if text != shown.text():
                shown.setText(text)
                self.messages.announce()
        trashed = self._state.trashed.get("checkpoint")
        self.restore.setVisible(
            trashed is not None and run.folder is not None and trashed.path.parent == run.folder.checkpoint_folder)
        self.noticed.setVisible(bool(self.notice.text()))
        self.text_plan.setVisible(full or self.text_plan.needs_attention)
        usual = full and not self.text_plan.recommends_vocabulary
        self.outlook.setVisible(self.outlook.has_words and (usual or self.outlook.needs_attention))
        self.outline.setVisible(not full and self.text_plan.isHidden() and self.outlook.isHidden())
        self.messages.refresh(full and self.next_step.is_needed)

    def _show_parts(self) -> None:
        """Show all controls, or only curves and samples."""
        full = self._state.all_controls
        self.settings_card.setVisible(full)
        self.writes_now.setVisible(not full)
        width = STAGE_WIDTH * self.fontMetrics().height()
        self.figures.setMinimumWidth(0 if full else width)
        self.figures.setMaximumWidth(UNLIMITED if full else width)
        self.figures.show_only(() if full and self.more_figures.isChecked() else FIGURES if full else STAGE_FIGURES)
        if full:
            cast(QHBoxLayout, self.figures_row.layout()).insertWidget(0, self.figures, 1)
        else:
            self.top.addWidget(self.figures)
        self.figures_row.setVisible(full)
        self.outline.show_all.setVisible(not full)
        self.view_place.if_made(lambda view: view.show_panes(full))
        self.next_step.use(compact=full)
        if full:
            self.messages.place.addWidget(self.next_step)
        else:
            self.view_place.if_made(lambda view: view.footer.addWidget(self.next_step))
        self._show_messages()

    def _plan(self) -> Plan | None:
        return self._state.text_check.plan if self._state.text_check else None

    def _connect(self) -> None:
        controller = self._controller
        controller.restarted.connect(self.show_state)
        controller.events_arrived.connect(self._follow)
        self._state.on(
            self.show_state, "run_state", "spec", "text_check", "run", "trashed", "continuation", "forecast",
            "measured", "download")
        self._state.on(self._show_parts, "all_controls")
        self.view_place.made.connect(self._show_parts)

    def _follow(self, events: list[object]) -> None:
        """Update progress and messages; update all else only for events other than steps and memory readings."""
        if all(isinstance(each, (StepDone, MemoryRead)) for each in events) and events:
            self._show_progress()
            self._show_messages()
        else:
            self.show_state()

    def _lay_out(self) -> None:
        self.restore = self._actions.button("checkpoint_restore", instead=self.start)
        self.noticed = with_layout(QWidget(), hbox(grows(self.notice), aligned(self.restore, TOP)))
        plan = with_layout(QWidget(), vbox(FREE, self.outline, self.text_plan, self.outlook, FREE, spacing=0))
        self.messages = MessageLine(plan, (self.noticed, self.elsewhere))
        self.messages.closed.connect(self._show_messages)
        self.more_figures = button(tr("More figures"), "more_figures", tr("Shows or hides four more figures"), "quiet")
        self.more_figures.setCheckable(True)
        self.more_figures.toggled.connect(self._show_parts)
        self.figures_row = with_layout(QWidget(), hbox(self.more_figures, spacing=8))
        self.top = hbox(grows(self.run_controls, 1), spacing=16)
        top = with_layout(QWidget(), self.top)
        messages = with_layout(QWidget(), hbox(grows(self.messages), self.outline.show_all, spacing=8))
        self.settings_scroll = scrolling(self.settings, "settings_scroll", reached=False)
        self.settings_card = card(
            hbox(label(tr("Text"), "heading", buddy=self.text_box), grows(self.text_box)),
            hbox(grows(label(tr("Settings"), "heading")), copy_button(self._actions, "train_copy")),
            self.settings_scroll, name="settings_card")
        page = Reflow(self.view_place, self.settings_card, self.writes_now, stretch=(self.view_place, self.writes_now),
                      spacing=12, shares=(3, 0, 2))
        page.turned.connect(self.settings_scroll.set_scrolled_by_page)
        above = top, messages, self.figures_row
        with_layout(self, vbox(*above, grows(page), spacing=4, margins=(16, 8, 16, 8)))
        self.parts = *above, self.view_place, self.settings_card, self.writes_now
        self._show_parts()
