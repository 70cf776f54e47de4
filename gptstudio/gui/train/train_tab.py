"""The Train page: text, settings, Start; and the run that came of it, to be steered."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from gptstudio.app.state import AppState
from gptstudio.gui.actions import Actions
from gptstudio.gui.controllers.text_check import TextCheckController
from gptstudio.gui.controllers.training import TrainingController
from gptstudio.gui.train.continuation import ContinuationOffer
from gptstudio.gui.train.outlook import Outlook
from gptstudio.gui.train.run_controls import RunControls
from gptstudio.gui.train.run_view import RunView
from gptstudio.gui.train.text_choice import TextChoice
from gptstudio.gui.train.train_settings import TrainSettings
from gptstudio.gui.translation import joined, tr
from gptstudio.gui.widgets.layouts import card, grows, holding, vbox
from gptstudio.gui.widgets.parts import label, scrolling
from gptstudio.gui.widgets.reflow import Reflow
from gptstudio.training.corpus import Plan
from gptstudio.training.events import MemoryRead, StepDone


class TrainTab(QWidget):
    """Shows what Start would train, and the run that is shown; its buttons are the training controller's."""

    def __init__(
        self, state: AppState, controller: TrainingController, text_check: TextCheckController, actions: Actions
    ) -> None:
        super().__init__()
        self._state, self._controller = state, controller
        self.choice = TextChoice(state, text_check)
        self.run_controls = RunControls(actions)
        self.start, self.stop_button = self.run_controls.play, self.run_controls.stop
        self.outlook = Outlook(state)
        self.elsewhere = label(role="notice", name="elsewhere", wrap=True)
        self.continuation = ContinuationOffer(state, controller)
        self.settings = TrainSettings(state)
        self.view = RunView(state, controller)
        self._connect(actions)
        self._lay_out()
        self.main_control = self.start
        self.show_state()

    def show_state(self) -> None:
        """Show what can be done now, and how far the run is."""
        run = self._state.run
        self.view.checkpoints.let_continue(not self._state.running)
        self.elsewhere.setText(joined(" ", *map(tr, run.written_by)) if run.written_by else "")
        self.elsewhere.setVisible(bool(run.written_by))
        self._show_schedule()
        self._show_progress()

    def _show_progress(self) -> None:
        started, last, plan = self._state.run.started, self._state.run.last, self._plan()
        if not started:
            self.run_controls.show_progress(0, plan.total_steps if plan else 0)
            self.settings.schedule.show_place(None)
            return
        done = last.step + 1 if last else started.first_step
        epochs = -(-started.total_steps // started.steps_per_epoch)
        self.run_controls.show_progress(done, started.total_steps, last.epoch if last else 0, epochs)
        self.settings.schedule.show_place(last.step if self._state.running and last else None)

    def _show_schedule(self) -> None:
        """Show that of the run while there is one, otherwise of the run that Start would begin."""
        state, run, plan = self._state, self._state.run, self._plan()
        if state.running and run.spec and run.started:
            self.settings.schedule.show_schedule(run.spec, run.started.total_steps, run.learning_rate)
        elif state.spec:
            self.settings.schedule.show_schedule(state.spec, plan.total_steps if plan else 0)

    def _plan(self) -> Plan | None:
        return self._state.text_check.plan if self._state.text_check else None

    def _press_play(self) -> None:
        if not self._state.running:
            self._controller.start()
        elif self._state.paused:
            self._controller.resume()
        else:
            self._controller.pause()

    def _connect(self, actions: Actions) -> None:
        controller = self._controller
        for name, do in (
            ("start", self._press_play), ("step", controller.step), ("stop", controller.stop),
            ("reset", controller.reset),
        ):
            actions.handle(name, do)
        self.view.checkpoints.continue_requested.connect(controller.continue_from)
        self.view.checkpoints.generate_requested.connect(controller.generate_with)
        controller.restarted.connect(self.show_state)
        controller.events_arrived.connect(self._follow)
        self._state.on(
            self.show_state, "run_state", "spec", "text_check", "run")

    def _follow(self, events: list[object]) -> None:
        """Show how far the run is; what can be done changes only with rare events."""
        if all(isinstance(each, (StepDone, MemoryRead)) for each in events) and events:
            self._show_progress()
        else:
            self.show_state()

    def _lay_out(self) -> None:
        above = self.run_controls, self.choice, self.outlook, self.elsewhere, self.continuation
        self.settings_scroll = scrolling(self.settings, "settings_scroll")
        settings = card(label(tr("Settings"), "heading"), self.settings_scroll, name="settings_card")
        page = Reflow(self.view, settings, stretch=(self.view,), spacing=12)
        page.turned.connect(self.settings_scroll.show_whole)
        holding(self, vbox(*above, grows(page), spacing=7, margins=(16, 8, 16, 6)))
        self.parts = *above, self.view, settings
