"""Training: start, pause, step and stop, continued runs, their checkpoints, and runs shown from their journals."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal

from gptstudio import paths
from gptstudio.app import run_extent, shown_run, training_tasks
from gptstudio.app.derived import continuation_at_hand, is_of_the_run, rate_to_keep, unlocked_spec
from gptstudio.app.run_extent import RunExtent
from gptstudio.app.shown_run import Continuation, ShownRun
from gptstudio.app.state import AppState
from gptstudio.app.tasks import NO_ERROR, TaskError, TaskRunner, Work
from gptstudio.app.training_tasks import find_devices_after, update_free_memory
from gptstudio.app.trash import Trashed
from gptstudio.errors import UserError, text_of
from gptstudio.gpt import sizing
from gptstudio.gui.controllers.journals import Replay, ViewUpdates
from gptstudio.gui.controllers.library import LibraryController
from gptstudio.gui.controllers.preparation import (
    ComputerController,
    ForecastController,
    RateFinder,
    TextCheckController,
)
from gptstudio.history.journal_reader import newest_of
from gptstudio.history.run_history import History
from gptstudio.i18n import message
from gptstudio.training import branching
from gptstudio.training.control import Control
from gptstudio.training.events import Ended, LearningRateChanged, Outcome, PhaseChanged, RunStarted
from gptstudio.training.longer import longer_spec
from gptstudio.training.model_source import LiveModel, SavedModel
from gptstudio.training.run_folder import Parent, RunFolder, step_of
from gptstudio.training.spec import TrainSpec

MOST_PARAMETERS = 50_000_000
"""Largest model that writes a first sample: a larger one takes several seconds, and memory that training may need."""


class FirstSample(QObject):
    """Sample of a run before its first step. It is written while no run is training and Train shows samples as cards;
    the last text is kept."""

    found = Signal()
    """Emitted when the text has been written."""

    def __init__(self, state: AppState, tasks: TaskRunner, parent: QObject) -> None:
        super().__init__(parent)
        self._state, self._tasks = state, tasks
        self._spec: TrainSpec | None = None  # of the text that was written, or is being written
        self._text: str | None = None
        state.on(self._look, "text_check", "run", "run_state", "all_controls")

    @property
    def text(self) -> str | None:
        """Text for the run that is shown, or that Start would begin; None if it is not known."""
        wanted = self._wanted
        return self._text if wanted and self._spec and _key(wanted) == _key(self._spec) else None

    @property
    def _wanted(self) -> TrainSpec | None:
        return self._state.run.spec or self._state.spec

    def _look(self) -> None:
        state, spec = self._state, self._wanted
        if state.all_controls or not spec or (self._spec and _key(spec) == _key(self._spec)):
            return
        check = state.text_check
        tokenizer = state.run.tokenizer if state.run.folder else check.tokenizer if check else None
        if state.running or not tokenizer or sizing.parameter_count(spec.config) > MOST_PARAMETERS:
            return
        self._spec, self._text = spec, None

        def take(text: str | None) -> None:
            self._text = text
            self.found.emit()

        self._tasks.run(
            lambda task: training_tasks.write_first_sample(task, spec, tokenizer), key="first sample", done=take,
            failed=lambda _: None)


def _key(spec: TrainSpec) -> tuple[object, ...]:
    """Return the settings on which the text depends, with the training text if the vocabulary is learned from it."""
    return (spec.config, spec.seed, spec.init_from, spec.sample_prompt, spec.sample_tokens,
            spec.text if spec.config.vocabulary in ("own", "characters") else ())


STANDARD = TrainSpec()
"""Settings at the first start of the program. A run with them takes about a minute on two cores."""


class TrainingController(QObject):
    """Controller that trains what the state requests, and updates the run that is shown."""

    restarted = Signal()
    """Emitted when another run is shown, or the same one from its beginning."""
    events_arrived = Signal(object)
    """Emitted with a list of events of the shown run, after it has processed them. They wait while the window is
    minimised."""
    ended = Signal()
    """Emitted when the run of this window has ended, and its checkpoints are offered."""
    kept = Signal(object)
    """Emitted with the folder of a run of this window that has ended without an error, unless Reset ended it."""
    parent_found = Signal()
    """Emitted when the curves of the parent of the shown run have been read."""
    table_found = Signal()
    """Emitted when the loss of the table of the training text is known, or is known to be unavailable."""
    longer_asked = Signal(object)
    """Emitted with the :class:`RunExtent` of a run, to ask the user how much longer to train it."""
    checkpoints_changed = Signal()
    """Emitted when a checkpoint has been moved to the trash or restored."""
    checkpoint_restored = Signal(str)
    """Emitted with the name of a restored checkpoint."""

    def __init__(self, state: AppState, tasks: TaskRunner, library: LibraryController, parent: QObject) -> None:
        super().__init__(parent)
        self._state, self._tasks, self._library = state, tasks, library
        self.control = Control()
        """Control of the run that this window trains now, or trained last."""
        self.computer = ComputerController(state, tasks, self)
        self.first_sample = FirstSample(state, tasks, self)
        self.text_check = TextCheckController(state, tasks, self)
        self.forecast = ForecastController(state, tasks, self)
        self.rate_finder = RateFinder(state, tasks, self)
        self._updates = ViewUpdates(state, self.events_arrived.emit, self)
        self.restarted.connect(self._updates.forget)
        self._replay = Replay(state, tasks, self)
        self._replay.began.connect(self.restarted)
        self._replay.arrived.connect(self._updates.send)
        self._resetting = False
        self._offer: Continuation | None = None  # the continuation before a checkpoint was deleted
        state.on(self._take_settings, "train_values")
        state.on(self._find_table, "text_check")

    def wake(self, new_session: bool = False) -> None:
        """Begin the work that waits until the window is visible, and look for an interrupted run unless this is a new
        session."""
        self.computer.wake()
        self._tasks.run(lambda _: training_tasks.check_home(), done=self.say)
        self.text_check.wake()

        def offer(run: RunFolder | None) -> None:
            if run and not (self._state.running or self._state.run.started):
                self._state.continuation = shown_run.continuation_of_interrupted(run)

        if not new_session:
            self._tasks.run(lambda _: training_tasks.find_interrupted(), done=offer)

    def leave(self) -> None:
        self.forecast.cancel()
        self._replay.stop()
        self.text_check.leave()
        self.computer.leave()

    # The run of this window.

    def start(self, step: bool = False) -> None:
        """Start a run with the settings of the forms. ``step``: take one step, then pause. A run that is too large for
        the memory starts only at the second call."""
        state, spec = self._state, self._state.spec
        if not spec or not self.forecast.may_start():
            return
        anyway, shown = state.insisted, ShownRun(spec)
        if state.run.started:
            shown.earlier = message("The run before is saved: open it in Runs.")
        self._begin(shown)
        self.forecast.begin()
        if step:
            self.control.step()
        self._run(lambda task: training_tasks.train(task, spec, anyway))

    def start_other(
        self, spec: TrainSpec, work: Work | None = None, done: Callable[[Any], object] | None = None
    ) -> None:
        """Start a run with settings other than those of the forms, which stay unchanged. ``work``: work that trains it,
        if not the usual one; ``done``: called with the result of the work."""
        self._begin(ShownRun(spec))
        self.forecast.resume()
        self._run(work or (lambda task: training_tasks.train(task, spec)), done)

    def resume_run(
        self, run: RunFolder, learning_rate: float | None = None, device: str | None = None, start: Path | None = None,
        longer: Mapping[str, int] | None = None,
    ) -> None:
        """Continue a run from its last checkpoint or ``start``, with another learning rate if given, on the given
        device or the chosen one. ``longer``: new total of epochs or steps."""
        state, shown = self._state, self._state.run
        try:
            record = run.record()
            spec = longer_spec(record.spec, longer) if longer else record.spec
        except UserError as error:
            self.say(text_of(error))
            return
        trashed = state.trashed.get("checkpoint")
        if trashed and trashed.path.parent == run.checkpoint_folder:
            self._library.forget_trashed(trashed)  # the run continues without it
        same = shown.folder == run
        shown = shown if same else ShownRun(spec, parent=record.parent, beside=run.path.parent)
        shown.opened, shown.written_by, shown.spec = None, (), spec
        self._begin(shown, restart=not same)
        state.use_spec(unlocked_spec(state, spec))
        self.forecast.resume()
        self.control.learning_rate = learning_rate
        if learning_rate is not None:
            shown.change_learning_rate(learning_rate)
        shown.phase, shown.notice = message("Loading"), ""
        device = device or state.device.key
        self._run(lambda task: training_tasks.resume(task, run, not same, device, start, longer))
        self._updates.send([])

    def branch_run(self, run: RunFolder, checkpoint: Path, changes: branching.Changes = branching.UNCHANGED) -> None:
        """Continue from a checkpoint of a run as a new run, and show it."""
        try:
            branching.check(checkpoint)
            spec, parent = changes.spec(run.record().spec), branching.parent_of(run, step_of(checkpoint))
        except UserError as error:
            self.say(text_of(error))
            return
        self._begin(ShownRun(spec, parent=parent, beside=run.path.parent))
        self._state.use_spec(unlocked_spec(self._state, spec))
        self.forecast.resume()
        device = self._state.device.key
        self._run(lambda task: training_tasks.branch(task, run, checkpoint, changes, device))

    def continue_offer(self, offer: Continuation, lower_rate: bool = False) -> None:
        """Continue a run as offered, or with the lower learning rate."""
        if lower_rate:
            self.resume_run(offer.run, offer.lower_rate)
        else:
            self.resume_run(offer.run, None, offer.device, offer.start)

    def pause(self) -> None:
        """Pause after the current step."""
        self.say(phase=message("Pausing after this step…"))  # a step can take seconds
        self.control.pause()

    def step(self) -> None:
        """Take one step, then pause; if no run is in progress, continue the stopped run or start one."""
        if self._state.running:
            self.control.step()
        elif offer := continuation_at_hand(self._state):
            self.continue_offer(offer)
            self.control.step()
        else:
            self.start(step=True)

    def start_or_pause(self) -> None:
        """Pause or continue the run of this window. Without one, continue the stopped run if no setting has changed
        since, otherwise start a run."""
        if self._state.paused:
            self.control.resume()
        elif self._state.running:
            self.pause()
        elif offer := continuation_at_hand(self._state):
            self.continue_offer(offer)
        else:
            self.start()

    def stop(self) -> None:
        """End the run after its current step, and save it."""
        if self._state.running:
            self.say(phase=message("Stopping after this step…"))
            self.control.stop()

    def reset(self) -> None:
        """Show no run; a run in progress is ended and saved first."""
        if self._state.running:
            self._resetting = True
            self.stop()
        else:
            self._resetting = False
            self._replay.stop()
            self._state.continuation = self._state.measured = None
            kept = shown_run.where_saved(self._state.run)
            self._state.train_values = {**self._state.train_values, "learning_rate": rate_to_keep(self._state)}
            self._show_run(ShownRun())
            self.say(phase=kept)

    def _run(self, work: Work, done: Callable[[Any], object] | None = None) -> None:
        def end(outcome: Outcome, error: TaskError = NO_ERROR) -> None:
            self.take([Ended(outcome=outcome, message=error.message, details=error.details)])

        self._tasks.run(
            work, queue="training", title=message("Training"), control=self.control, items=self.take,
            done=done, failed=partial(end, "failed"), cancelled=lambda: end("stopped"),
        )

    def _begin(self, run: ShownRun, restart: bool = True) -> None:
        self._replay.stop()
        self.control, self._resetting = Control(), False
        self._state.continuation = None
        run.phase = message("Loading")
        self._state.run_state = "running"
        if restart:
            self._show_run(run)

    def take(self, items: list[Any]) -> None:
        """Process events of the run that this window trains, and batches of its events before it was continued."""
        state, events = self._state, newest_of(items)
        state.run.take(items)
        for event in events:
            match event:
                case RunStarted():
                    state.live_model = LiveModel(Path(event.run).name)
                case PhaseChanged():
                    state.run_state = "paused" if event.phase == "paused" else "running"
            if isinstance(event, RunStarted | LearningRateChanged | PhaseChanged):
                self._show_learning_rate()  # drops an invalid rate typed during a pause
        self._updates.send(events)
        for ended in (event for event in events if isinstance(event, Ended)):
            self._end(ended)

    def _end(self, ended: Ended) -> None:
        state = self._state
        self.forecast.end(ended)
        chosen = state.model == state.live_model
        name = state.live_model.run if chosen and state.live_model else ""
        state.run_state, state.live_model = "none", None
        self._library.offer_trained(name)
        update_free_memory(state)
        self.ended.emit()
        if self._resetting:
            self.reset()
        else:
            state.continuation = shown_run.continuation_after(state.run, ended)
            if state.run.folder and ended.outcome != "failed":
                state.check_run(state.run.folder.path)
                self.kept.emit(state.run.folder.path)
        find_devices_after(ended, state, self._tasks)

    def _show_learning_rate(self) -> None:
        """Show the run's current learning rate in its setting, if the settings are those of the run."""
        rate = self._state.run.learning_rate
        if self._state.running and rate is not None and is_of_the_run(self._state):
            self._state.train_values = {**self._state.train_values, "learning_rate": rate}

    def _take_settings(self) -> None:
        """Apply a changed learning rate to the remaining steps while the run is paused."""
        rate, problems = self._state.train_values["learning_rate"], self._state.spec_problems
        wrong = any(problem.field == "learning_rate" for problem in problems) or (
            "train_learning_rate" in self._state.locked_controls)
        if self._state.paused and not wrong and rate != self._state.run.learning_rate:
            self._state.run.change_learning_rate(rate)
            self.control.learning_rate = rate
            self._updates.send([])

    # Runs of the list.

    def open_run(self, run: RunFolder, spec: TrainSpec, live: bool, parent: Parent | None = None,
                 page: str = "train") -> None:
        """Show a run from its journal, and follow it. ``live``: another process is writing it."""
        if self._state.running:
            return
        self.reset()
        self._show_run(ShownRun(spec, run, shown_run.written_by(run) if live else (), parent, run.path.parent))
        self._replay.begin(run)
        self._state.show_page(page)

    def continue_run(self, run: RunFolder) -> None:
        if not self._state.running:
            self._state.show_page("train")
            self.resume_run(run)

    def run_again(self, spec: TrainSpec) -> None:
        """Put the spec of a run into the forms, to be changed and started."""
        if not self._state.running:  # otherwise the forms hold its settings
            self._state.use_spec(unlocked_spec(self._state, spec))
            self._state.show_page("train")

    # Longer runs.

    def ask_longer(self, run: RunFolder, branch: Path | None = None) -> None:
        """Ask the user how much longer to train a run. ``branch``: checkpoint from which a new run would continue
        instead."""
        self._tasks.run(lambda _: run_extent.read(run, branch), key="longer", done=self.longer_asked.emit,
                        failed=self._fail)

    def ask_longer_shown(self) -> None:
        if self._state.run.folder:
            self.ask_longer(self._state.run.folder)

    def train_longer(self, extent: RunExtent, longer: Mapping[str, int]) -> None:
        """Continue a run with another total of epochs or steps."""
        if self._state.running:
            return
        self._state.show_page("train")
        if extent.branch:
            self.branch_run(extent.run, extent.branch, branching.Changes(longer=longer))
        else:
            self.resume_run(extent.run, longer=longer)

    # Checkpoints of the shown run, by name.

    def continue_from(self, name: str) -> None:
        """Continue from a checkpoint as a new run. At the last step of its run, ask the user how much longer to
        train."""
        run, started = self._state.run.folder, self._state.run.started
        if not run or not started or self._state.running:
            return
        checkpoint = run.checkpoint_folder / name
        if step_of(checkpoint) + 1 >= started.total_steps:
            self.ask_longer(run, checkpoint)
        else:
            self.branch_run(run, checkpoint)

    def go_back(self, step: int, learning_rate: float | None = None) -> None:
        """Continue from the last checkpoint before a step, counted from 0, as a new run."""
        run = self._state.run.folder
        checkpoint = branching.before(run, step) if run and not self._state.running else None
        if run and checkpoint:
            self.branch_run(run, checkpoint, branching.Changes(learning_rate))

    def generate_with_best(self) -> None:
        """Choose the best checkpoint of the shown run on the Generate page."""
        if run := self._state.run.folder:
            self._library.generate_with_best(run)

    def generate_with(self, name: str) -> None:
        if run := self._state.run.folder:
            self._library.generate_with(run.checkpoint_folder / name)

    def compare(self, left: str, right: str) -> None:
        if run := self._state.run.folder:
            self._library.compare(run.checkpoint_folder / left, run.checkpoint_folder / right)

    def delete_checkpoint(self, name: str) -> None:
        """Move a checkpoint to the trash."""
        run = self._state.run.folder
        if not run:
            return
        checkpoint = run.checkpoint_folder / name

        def end() -> None:
            self.say(message("Moved the checkpoint after step {n} to the trash.", n=f"{step_of(checkpoint) + 1:,}"))
            self._offer = self._state.continuation
            self._state.continuation = shown_run.continuation_without(self._offer, checkpoint)
            self._change_checkpoints()

        self._library.trash("checkpoint", lambda: training_tasks.move_to_trash(run, checkpoint), end, self._fail)

    def restore_checkpoint(self) -> None:
        """Restore the checkpoint that was moved to the trash last."""

        def end(trashed: Trashed) -> None:
            run, step = self._state.run.folder, step_of(trashed.path) + 1
            self.say(message("Restored the checkpoint after step {n}.", n=f"{step:,}"))
            if run and run.checkpoint_folder == trashed.path.parent and not self._state.running:
                self._state.continuation = self._offer
            self._change_checkpoints()
            self.checkpoint_restored.emit(trashed.path.name)

        self._library.restore_trashed("checkpoint", training_tasks.restore, end, self._fail)

    def _change_checkpoints(self) -> None:
        self._library.refresh_models()
        self.checkpoints_changed.emit()

    # Files.

    def operate(self, work: Work, title: str, saved: Callable[[str], object]) -> None:
        """Run a long operation on the run. ``saved``: called with the message about the saved file."""
        self._tasks.run(work, title=title, done=saved, failed=self._fail,
                        cancelled=lambda: self.say(message("Cancelled. Nothing was saved.")))

    # Display.

    def say(self, notice: str = "", phase: str = "") -> None:
        """Show a notice or the current phase of the run; do nothing if both are empty."""
        run = self._state.run
        run.notice, run.phase = notice or run.notice, phase or run.phase
        if notice or phase:
            self._updates.send([])

    def _fail(self, error: TaskError) -> None:
        self.say(error.message)

    def _show_run(self, run: ShownRun) -> None:
        self._state.run = run
        self.restarted.emit()
        self._find_table()
        if run.parent:
            self._read_parent(run, run.parent)

    def _find_table(self) -> None:
        """Compute the loss of the table of the training text, for the shown run or else the one that Start would
        begin."""
        run, check = self._state.run, self._state.text_check
        if not run.spec and check is None:  # the line stays until the text is checked
            return
        spec = run.spec or (self._state.spec if check and check.plan else None)

        def take(loss: float | None) -> None:
            run.table_loss = loss
            if run is self._state.run:
                self.table_found.emit()

        if not spec:
            take(None)
        elif run.table_loss is None or not run.spec:
            opened = run.opened
            self._tasks.run(lambda task: training_tasks.find_table_loss(task, spec, opened), key="table", done=take,
                            failed=lambda _: None)

    def _read_parent(self, run: ShownRun, parent: Parent) -> None:
        def take(history: History) -> None:
            run.parent_history = history
            if run is self._state.run:
                self.parent_found.emit()

        beside = run.beside or paths.runs()
        self._tasks.run(
            lambda _: training_tasks.read_parent(parent, beside), key="parent", done=take, failed=lambda _: None)


class QuickTraining(QObject):
    """Starter of runs with the standard settings; locked settings keep the values of the forms."""

    changed = Signal()
    """Emitted when a run has made progress, or the reason why no run can be started has changed."""
    trained = Signal(object)
    """Emitted with the model of the run that was started here, once it can be chosen."""

    def __init__(self, state: AppState, tasks: TaskRunner, training: TrainingController, parent: QObject) -> None:
        super().__init__(parent)
        self._state, self._tasks, self._training = state, tasks, training
        self.starting = False
        """True while the text is checked before the run begins."""
        self.problem = ""
        """Reason why the last run started here gave no model, as a message."""
        self._ours = False
        training.events_arrived.connect(self.changed)
        training.ended.connect(self._take_end)

    def start(self) -> None:
        """Start a run with the standard settings."""
        if self.starting or self._state.running:
            return
        spec = unlocked_spec(self._state, STANDARD.but(device=self._state.device.key))
        self.starting, self.problem = True, ""
        self._tasks.run(lambda _: training_tasks.standard_spec(spec), key="quick_training", done=self._begin)
        self.changed.emit()

    def _take_end(self) -> None:
        """Announce the model of the run that has ended, if it was started here. Its checkpoints are already offered."""
        if not self._ours:
            return
        self._ours, run = False, self._state.run
        name = run.folder.path.name if run.folder else ""
        saved = (each for each in self._state.saved_models if each.run == name)
        model: SavedModel | None = next(saved, None)
        if model is None:
            why = run.ended.message if run.ended else ""
            self.problem = why or message("The training ended before a model was saved.")
        else:
            self.trained.emit(model)
        self.changed.emit()

    def _begin(self, spec: TrainSpec) -> None:
        self.starting = False
        if not self._state.running:
            self._ours = True
            self._training.start_other(spec)
        self.changed.emit()
