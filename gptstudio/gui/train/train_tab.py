"""The Train tab: text, settings, Start; and the run that came of it, to be steered."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from gptstudio.devices import Device
from gptstudio.errors import UserError
from gptstudio.gpt.config import GPTConfig
from gptstudio.gui.answers import Interrupted, TextChecked
from gptstudio.gui.model.model_panel import TrainingLoad
from gptstudio.gui.train.go_on import GoOn
from gptstudio.gui.train.outlook import Outlook
from gptstudio.gui.train.rate_now import RateNow
from gptstudio.gui.train.run_controls import RunControls
from gptstudio.gui.train.run_view import RunView
from gptstudio.gui.train.text_choice import TextChoice
from gptstudio.gui.train.train_settings import TrainSettings
from gptstudio.gui.translation import joined, retranslated, tr
from gptstudio.gui.widgets.parts import card, label, scrolling
from gptstudio.gui.widgets.reflow import Reflow
from gptstudio.training.events import Ended, LearningRateChanged, PhaseChanged, RunStarted
from gptstudio.training.run_folder import RunFolder
from gptstudio.training.spec import TrainSpec


class TrainTab(QWidget):
    """Asks for a run and shows it. Fed by the same events whether they come from a worker or a journal."""

    start_requested = Signal(object, bool, bool)  # TrainSpec, whatever memory is free, one step and then a pause
    go_on_requested = Signal(object, object, bool, str, object)
    """RunFolder, learning rate or None, tell its journal, device, checkpoint or None"""
    stop_requested = Signal()
    pause_requested = Signal(bool)  # True: pause, False: go on
    step_requested = Signal()
    rate_turned = Signal(float)
    check_requested = Signal(object, int)  # TrainSpec, number of the ask
    fetch_requested = Signal()
    load_changed = Signal(object)  # TrainingLoad
    spec_changed = Signal(object)  # TrainSpec that Start would train; None where there is a problem
    model_wanted = Signal(object, object)  # GPTConfig, what to begin with: what came with a run or a smaller setting
    context_wanted = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.config: GPTConfig | None = None
        self.init_from: str | None = None
        self.device_key = "auto"
        self.device_bf16 = False
        self.running = self.paused = False
        self.spec: TrainSpec | None = None
        self._run_spec: TrainSpec | None = None  # of the run that is shown
        self._rate = RateNow()
        self._opened: RunFolder | None = None  # the run that is told from its journal
        self._resetting = False
        self._make_controls()
        self._lay_out()
        self.settings.set_values(TrainSpec())
        self.settings.changed.connect(self.check)

    # Input from the window.

    def set_config(self, config: GPTConfig | None) -> None:
        self.config = config
        if config:
            self.settings.show_model(config)
        self.check()

    def set_weights(self, init_from: str | None) -> None:
        """Set the initial weights of a run; None: new weights."""
        self.init_from = init_from
        self.settings.show_tuning(init_from is not None)
        self.check()

    def set_device(self, device: Device) -> None:
        self.device_key, self.device_bf16 = device.key, device.fast_bf16
        self.outlook.device = device
        self.check()

    def apply(self, messages: list[Any]) -> None:
        """Take all that came since the last paint, and paint once."""
        for message in messages:
            self._take(message)
            self.choice.take(message)
            self.outlook.take(message)
        self.view.apply(messages)
        for ended in (message for message in messages if isinstance(message, Ended)):
            self._show_end(ended)
            self._show_state()  # the view may have heard of the run only now: it can be reset
            self._show_load()
        self._show_progress()

    def leave(self) -> None:
        """The window is going: no text is looked at from here on, and nothing tried out."""
        self.choice.leave()
        self.outlook.cancel()

    @property
    def looked(self) -> bool:
        """True if the text has been checked for the current settings."""
        return self.choice.answer is not None

    @property
    def total_steps(self) -> int:
        """Steps of the run that Start would start; 0 while that is not known."""
        return self.choice.plan.total_steps if self.choice.plan else 0

    @property
    def run(self) -> RunFolder | None:
        """The run that is shown."""
        return RunFolder(Path(self.view.started.run)) if self.view.started else None

    def retranslate(self) -> None:
        """In another language."""
        self._show_state()
        self._show_progress()

    # User actions.

    def check(self) -> None:
        """Make a spec of what is typed, show its problems, and ask for a look at the text."""
        values = self._values()
        problems = TrainSpec.problems(values)
        self.spec = None if problems or not self.config else TrainSpec.make(values)
        self.settings.show_problems(problems)
        if self.paused and not any(problem.field == "learning_rate" for problem in problems):
            self._turn_rate(values["learning_rate"])
        if self.spec:
            self._show_load()
        self.settings.show_learning(self.spec)
        self.choice.consider(self.spec)
        self.outlook.consider(self.spec, None)
        self.spec_changed.emit(self.spec)
        self._show_state()

    def _show_load(self) -> None:
        """Tell what the run is expected to hold, by the same reckoning as the line above Start."""
        if self.spec:
            bf16 = self.spec.uses_bf16(self.device_bf16)
            self.load_changed.emit(TrainingLoad.of(self.spec, bf16, self.outlook.estimate(self.spec)))

    def check_memory(self, device: Device) -> None:
        """Another program may have taken or given back some of the device's memory."""
        self.outlook.check_again(device)

    def _values(self) -> dict[str, Any]:
        """All that is asked for, right or wrong."""
        model = {"config": self.config} if self.config else {}
        rest = {"text": self.choice.texts, "device": self.device_key, "init_from": self.init_from}
        return self.settings.values() | rest | model

    def primary(self) -> None:
        """Start, or pause, or go on: whatever the large button says."""
        if self.start.isEnabled():
            self.start.click()

    def stop(self) -> None:
        if self.running:
            self.stop_button.click()

    def step(self) -> None:
        """One step, where one can be taken."""
        if self.run_controls.step.isEnabled():
            self.run_controls.step.click()

    def _pressed(self) -> None:
        if self.running:
            if not self.paused:
                self.view.phase.setText(tr("Pausing after this step…"))  # which can take seconds
            self.pause_requested.emit(not self.paused)
        else:
            self._start()

    def _step_pressed(self) -> None:
        if self.running:
            self.step_requested.emit()
        else:
            self._start(step=True)

    def _start(self, step: bool = False) -> None:
        spec = self.spec
        if not spec or not self.outlook.may_start():
            self._show_state()  # which now offers to start anyway
            return
        anyway = self.outlook.insisted
        self.begin(spec)
        self.outlook.begin()
        self.start_requested.emit(spec, anyway, step)

    def _stop_pressed(self) -> None:
        self.view.phase.setText(tr("Stopping after this step…"))
        self.stop_requested.emit()

    def _reset_pressed(self) -> None:
        if self.running:
            self._resetting = True
            self._stop_pressed()
        else:
            self.reset()

    def reset(self) -> None:
        """Clear the tab for a new run; saved runs are kept."""
        self._resetting, self._run_spec = False, None
        self._rate.begin(None)
        self.go_on_offer.hide()
        self.elsewhere.hide()
        self.outlook.forget_measured()
        self._opened = None
        self.view.clear()
        self._show_state()
        self._show_progress()

    def use_texts(self, texts: Sequence[str], split: str) -> None:
        """Choose texts, and how some of them is kept to test with."""
        self.settings.editors["split"].set_value(split)
        self.use_text(texts)

    def use_spec(self, spec: TrainSpec) -> None:
        """Show model, text and settings of another run, as if they had been typed."""
        self.settings.set_values(spec)
        self.use_text(spec.text)
        if (spec.config, spec.init_from) != (self.config, self.init_from):
            self.model_wanted.emit(spec.config, spec.init_from)

    def look_at(self, run: RunFolder, spec: TrainSpec, live: bool) -> None:
        """Clear the view for a run that is replayed from its journal; ``live``: another process is writing it."""
        self.reset()
        self._opened, self._run_spec = run, spec
        self._rate.begin(spec)
        self.view.show_spec(spec)
        self._show_elsewhere(run, live)

    def _show_elsewhere(self, run: RunFolder, live: bool) -> None:
        said = tr("Another window or program is writing this run. You can view it here but not control it.")
        writer = run.writer if live else None
        if writer:
            since = f"{writer.since:%Y-%m-%d %H:%M}"
            who = tr("Written by process {n} on {host} since {since}.", n=writer.process, host=writer.host, since=since)
            said = joined(" ", said, who)
        self.elsewhere.setText(said)
        self.elsewhere.setVisible(live)

    def show_journal(self, events: list[Any]) -> None:
        """Take events of the run that is looked at, which is not this window's to steer.

        A journal names the folder that it was written in; the run may have been moved since, or come from elsewhere.
        """
        here = {"run": str(self._opened.path)} if self._opened else {}
        events = [event.model_copy(update=here) if isinstance(event, RunStarted) else event for event in events]
        for event in events:
            if isinstance(event, (RunStarted, LearningRateChanged)):
                self._rate.take(event)
        self.view.apply(events)
        for ended in (event for event in events if isinstance(event, Ended)):
            self.elsewhere.hide()
            self._show_end(ended)
        self._show_state()
        self._show_progress()

    def begin(self, spec: TrainSpec) -> None:
        """Empty the tab for a new run."""
        self._begin(spec)
        self.view.begin()
        self.view.show_spec(spec)
        self._show_state()
        self._show_progress()

    def go_on(
        self, run: RunFolder, learning_rate: float | None = None, device: str | None = None, start: Path | None = None
    ) -> None:
        """Resume a run from its last checkpoint or the given one, with another learning rate if given, on the given
        device or
        the chosen one."""
        try:
            spec = run.record().spec
        except UserError as error:
            self.view.say(str(error))
            return
        shown = self.run == run
        self._begin(spec)
        self.use_spec(spec)
        self.outlook.go_on()
        self.view.go_on() if shown else self.view.begin()
        self.view.show_spec(spec)
        self._show_state()
        self._show_progress()
        self.go_on_requested.emit(run, learning_rate, not shown, device or self.device_key, start)

    def _begin(self, spec: TrainSpec) -> None:
        self.running, self.paused, self._resetting = True, False, False
        self._run_spec = spec
        self._rate.begin(spec)
        self.go_on_offer.hide()
        self.elsewhere.hide()

    def _turn_rate(self, rate: float) -> None:
        """While the run pauses, the learning rate of the steps to come may be another."""
        if rate != self._rate.value:
            self._rate.value = rate
            self.view.phase.setText(tr("Paused. The next step uses learning rate {rate:g}.", rate=rate))
            self.rate_turned.emit(rate)

    def _text_looked(self, answer: TextChecked) -> None:
        self.settings.show_problems(list(answer.problems))
        if not self.running:
            self.outlook.consider(self.spec if answer.plan else None, answer.plan)
        self._show_state()

    def use_text(self, text: str | Sequence[str]) -> None:
        """Choose what to learn from: ``verdict``, ``story``, a file or several."""
        self.choice.use(text)

    # Input from the workers.

    def _take(self, message: Any) -> None:
        match message:
            case PhaseChanged():
                went_on, self.paused = self.paused, message.phase == "paused"
                if went_on and not self.paused:
                    self._drop_wrong_rate()
                self._show_state()
            case RunStarted() | LearningRateChanged():
                self._rate.take(message)
                self._show_rate()
            case Ended():
                self.running = self.paused = False
                self._show_state()
            case Interrupted() if not self.running and not self.view.started:
                self.go_on_offer.after_cut(message.run)

    def _drop_wrong_rate(self) -> None:
        """The run goes on: what was typed meanwhile and cannot be a learning rate is not its."""
        if self.settings.values()["learning_rate"] != self._rate.value:
            self._show_rate()
            self.check()

    def _show_rate(self) -> None:
        """Show the learning rate that the run has now."""
        if self.running and self._rate.value is not None:
            self.settings.show_learning_rate(self._rate.value)

    def _show_end(self, ended: Ended) -> None:
        """Offer to go on where the run could; empty the tab where that was asked for."""
        if self._resetting:
            self.reset()
        elif self.run and self.view.started:
            self.go_on_offer.after(self.run, ended, self.view.started.total_steps, self._rate.value)

    # Display.

    def _show_state(self) -> None:
        reason = "" if self.running else self._reason()
        may_reset = self.paused or (not self.running and self.view.started is not None)
        start = tr("Start anyway") if self.outlook.insisted else tr("Start")
        self.run_controls.show_state(self.running, self.paused, start, reason, may_reset)
        self.view.checkpoints.let_continue(not self.running)
        self.settings.open_for(self.running, self.paused)
        self.choice.show_state(self.running, reason)
        self._show_schedule()

    def _show_progress(self) -> None:
        """Show the progress of the run."""
        started, last = self.view.started, self.view.last
        if not started:
            self.run_controls.show_progress(0, self.total_steps)
            self.settings.schedule.show_place(None)
            return
        done = last.step + 1 if last else started.first_step
        epochs = -(-started.total_steps // started.steps_per_epoch)
        self.run_controls.show_progress(done, started.total_steps, last.epoch if last else 0, epochs)
        self.settings.schedule.show_place(last.step if self.running and last else None)

    def _show_schedule(self) -> None:
        """Of the run while there is one, otherwise of the run that Start would start."""
        if self.running and self._run_spec and self.view.started:
            self.settings.schedule.show_schedule(self._run_spec, self.view.started.total_steps, self._rate.value)
        elif self.spec:
            self.settings.schedule.show_schedule(self.spec, self.total_steps)
            if self.choice.plan:
                self.view.expect(self.spec, self.choice.plan)

    def _reason(self) -> str:
        """Return the reason Start is off; empty if it is on."""
        if not self.config:
            return tr("The model settings are invalid: see the Model panel.")
        if not self.spec:
            problems = TrainSpec.problems(self._values())
            return tr(problems[0].message) if problems else tr("A setting is invalid.")
        if not self.choice.answer:
            return tr("Reading the text…")
        here = {} if self.choice.answer.fitting_context else self.settings.editors  # whoever is offered one is told why
        return joined(" ", *(
            tr("Check the setting “{name}”.", name=tr(here[problem.field].view.label))
            if problem.field in here
            else retranslated(problem.message)
            for problem in self.choice.answer.problems
        ))

    # Putting together.

    def _make_controls(self) -> None:
        self.choice = TextChoice()
        self.text_box, self.missing = self.choice.box, self.choice.missing
        self.fetch, self.use_story = self.choice.fetch, self.choice.story
        self.choice.changed.connect(self.check)
        self.choice.looked.connect(self._text_looked)
        self.choice.context_wanted.connect(self.context_wanted)
        self.choice.check_requested.connect(self.check_requested)
        self.choice.fetch_requested.connect(self.fetch_requested)
        self.run_controls = RunControls()
        self.start, self.stop_button = self.run_controls.play, self.run_controls.stop
        self.run_controls.play_pressed.connect(self._pressed)
        self.run_controls.step_pressed.connect(self._step_pressed)
        self.run_controls.stop_pressed.connect(self._stop_pressed)
        self.run_controls.reset_pressed.connect(self._reset_pressed)
        self.outlook = Outlook()
        self.outlook.smaller_chosen.connect(self.use_spec)
        self.elsewhere = label(role="notice", name="elsewhere", wrap=True)
        self.elsewhere.hide()
        self.go_on_offer = GoOn()
        self.go_on_offer.requested.connect(self.go_on)
        self.settings = TrainSettings()
        self.view = RunView()

    def _lay_out(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 14, 16, 14)
        layout.setSpacing(8)
        for widget in (self.run_controls, self.choice, self.outlook, self.elsewhere, self.go_on_offer):
            layout.addWidget(widget)
        parts = Reflow(self.view, self._settings_card(), stretch=(self.view,), spacing=12)
        parts.turned.connect(self.settings_scroll.show_whole)
        layout.addWidget(parts, 1)

    def _settings_card(self) -> QWidget:
        frame, inside = card("settings_card")
        inside.addWidget(label(tr("Settings"), "heading"))
        self.settings_scroll = scrolling(self.settings, "settings_scroll")
        inside.addWidget(self.settings_scroll)
        return frame
