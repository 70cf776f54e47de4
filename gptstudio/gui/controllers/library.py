"""Library: the models that can be chosen, the list of runs and operations on them."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal

from gptstudio import files, paths
from gptstudio.app import run_tasks, text_tasks
from gptstudio.app import trash as app_trash
from gptstudio.app.run_tasks import Library
from gptstudio.app.state import AppState
from gptstudio.app.tasks import Task, TaskError, TaskRunner
from gptstudio.app.text_tasks import Passage, TextsRequest
from gptstudio.app.trash import Kind, Trashed
from gptstudio.errors import UserError, text_of
from gptstudio.gui.controllers.journals import ComparedRunsReader
from gptstudio.i18n import message
from gptstudio.training.kept_checkpoints import best_or_last
from gptstudio.training.model_source import ModelSource, SavedModel, all_imported, earlier, newest_of_each_run
from gptstudio.training.run_folder import RunFolder

Operation = Callable[[Task], str | None]
"""Operation on a run; returns the outcome as a message, or nothing if it is visible anyway."""


class LibraryController(QObject):
    """Controller that keeps the models of the state up to date, lists runs, and operates on them."""

    runs_listed = Signal(object)
    """Emitted with a :class:`run_tasks.ListedRuns`."""
    listing = Signal(int, int)
    """Emitted during a slow listing, with the number of logs that have been read and the total."""
    progressed = Signal(object, int, int)
    """Emitted with the title of the operation in progress, as a message, the amount done, and the total."""
    done = Signal(object, bool)
    """Emitted when an operation has ended, with a message, and True if it reports a problem."""
    checkpoint_opened = Signal(object)
    """Emitted after an attempt to choose a checkpoint, with the reason why it cannot be used, as a message, or
    empty."""

    passage_found = Signal(object)
    """Emitted with a :class:`gptstudio.app.text_tasks.FoundPassage`."""
    comparison_opened = Signal(object, object)
    """Emitted with the two models to compare on the Generate page, the left one first."""

    def __init__(self, state: AppState, tasks: TaskRunner, parent: QObject):
        super().__init__(parent)
        self._state, self._tasks = state, tasks
        self._library = Library()
        self._trashed_title = ""
        self.following = ComparedRunsReader(state, tasks, self._library, self)

    def leave(self) -> None:
        self.following.stop()

    # Models.

    def wake(self) -> None:
        """Offer the models, and choose the newest one unless one is already chosen."""
        settled = self._state.model_chosen or isinstance(self._state.model, SavedModel)
        self.refresh_models(None if settled else next(iter(newest_of_each_run()), None))

    def refresh_models(self, choose: ModelSource | None = None) -> None:
        """Update the saved and imported models that are offered. ``choose``: the model to choose, if it is offered. If
        the chosen checkpoint is missing, the last one of its run is chosen, or of the newest run if its run is gone.
        Nothing changes while the folder of the runs cannot be read."""
        try:
            files.check_folder(paths.runs())
        except UserError:  # reported where the runs are listed
            return
        state, runs = self._state, newest_of_each_run()
        if choose is None and isinstance(state.model, SavedModel) and not os.path.isdir(state.model.path):
            choose = next((each for each in runs if each.run_path == state.model.run_path), next(iter(runs), None))
        state.saved_models, state.more_models = (*runs, *all_imported()), tuple(earlier(runs))
        state.drop_missing_weights()
        if choose in state.models:
            state.model, state.model_chosen = choose, False

    def offer_trained(self, run: str) -> None:
        """Offer and choose the last checkpoint of the run that has just ended. ``run``: its name, if its model in
        training was the chosen one."""
        ours = (each for each in newest_of_each_run() if each.run == run or each not in self._state.models)
        self.refresh_models(next(ours, None))

    def generate_with(self, checkpoint: Path) -> None:
        """Choose a checkpoint on the Generate page."""
        problem = ""
        try:
            self._state.open_model(str(checkpoint))
        except UserError as error:
            problem = text_of(error)
        self.checkpoint_opened.emit(problem)
        self._state.show_page("generate")

    def score_with(self, run: Path) -> None:
        """Choose a run's best checkpoint, and open Score."""

        def done(checkpoint: Path) -> None:
            self.generate_with(checkpoint)
            self._state.generate_view = "score"

        self.generate_with_best(RunFolder(run), done)

    def compare(self, left: Path, right: Path) -> None:
        """Choose two checkpoints for a comparison on the Generate page."""
        self.refresh_models()
        sides = tuple(SavedModel(path) for path in (left, right))
        known = (*self._state.models, *self._state.more_models)
        self._state.opened_models = (*self._state.opened_models, *(each for each in sides if each not in known))
        self._state.generate_view = "compare"
        self._state.show_page("generate")
        if self._state.page == "generate":
            self.comparison_opened.emit(*sides)

    def train_with(self, source: SavedModel) -> None:
        """Choose a model on the Model panel as the initial weights of a new run."""
        self._state.use_weights(source)
        self._state.show_page("train")

    # Runs.

    def list_runs(self, silently: bool = False) -> None:
        """List the user's runs and those added from elsewhere; report progress unless ``silently``."""
        self._tasks.run(self._library.list, key="runs", done=self.runs_listed.emit,
                        progress=None if silently else self.listing.emit)

    def operate(self, operation: Operation, title: str = "", saved: Callable[[str], object] | None = None) -> None:
        """Run an operation on a run. One with a title is shown with its progress and can be cancelled. ``saved``:
        called with the message about a saved file."""

        def end(words: str | None) -> None:
            if saved:
                saved(words or "")
            self._end("" if saved else words or "")

        self._tasks.run(
            operation, title=title, done=end, failed=self._fail,
            cancelled=lambda: self.done.emit(message("Cancelled. Nothing was saved."), True),
            progress=partial(self.progressed.emit, title) if title else None)

    def move_to_trash(self, run: RunFolder, title: str) -> None:
        """Move a run, shown as ``title``, to the trash, from where it can be restored while the window is open."""
        self._trashed_title = title
        self.trash("run", lambda: run_tasks.move_to_trash(run),
                   lambda: self._end(message("Moved the run “{run}” to the trash.", run=title)), self._fail)

    def restore(self) -> None:
        """Restore the run that was moved to the trash last, and select it in the list."""

        def end(trashed: Trashed) -> None:
            self._state.run_requested.emit(trashed.path)
            self._end(message("Restored the run “{run}”.", run=self._trashed_title))

        self.restore_trashed("run", app_trash.restore, end, self._fail)

    def generate_with_best(self, run: RunFolder, done: Callable[[Path], object] | None = None) -> None:
        """Choose a run's best checkpoint on the Generate page. ``done``: called with the checkpoint instead."""
        self._tasks.run(
            lambda _: best_or_last(run), key="best checkpoint", done=done or self.generate_with,
            failed=self._fail)

    def _end(self, words: str) -> None:
        self.refresh_models()
        self.done.emit(words, False)

    def _fail(self, error: TaskError) -> None:
        self.done.emit(error.message, True)

    # Trash. The state keeps the last item of each kind.

    def trash(
        self, kind: Kind, work: Callable[[], Trashed], done: Callable[[], object], failed: Callable[[TaskError], object]
    ) -> None:
        """Run ``work``, which moves an item to the trash, from where it can be restored while the window is open."""

        def end(trashed: Trashed) -> None:
            self._state.run.list_again()
            self._state.trashed = {**self._state.trashed, kind: trashed}
            done()

        self._tasks.run(lambda _: work(), done=end, failed=failed)

    def restore_trashed(
        self, kind: Kind, work: Callable[[Trashed], object], done: Callable[[Trashed], object],
        failed: Callable[[TaskError], object],
    ) -> None:
        """Run ``work``, which restores the last item of a kind in the trash; do nothing if there is none."""
        trashed = self._state.trashed.get(kind)
        if not trashed:
            return

        def end(_: object) -> None:
            self._state.run.list_again()
            self.forget_trashed(trashed)
            done(trashed)

        self._tasks.run(lambda _: work(trashed), key=f"restore {kind}", done=end, failed=failed)

    def forget_trashed(self, trashed: Trashed) -> None:
        """Stop offering to restore an item."""
        self._state.trashed = {kind: each for kind, each in self._state.trashed.items() if each != trashed}

    # Texts.

    def measure_texts(self, request: TextsRequest, items: Callable[[list[Any]], object], end: Callable[[], object],
                      progress: Callable[[int, int], object]) -> Task:
        """Measure texts. ``items``: called with lists of :class:`TextMeasured` and other answers; ``end``: called at
        the end, also after an error."""
        return self._tasks.run(
            lambda task: text_tasks.measure(task, request), key="texts", title=message("Reading texts"), items=items,
            done=lambda _: end(), failed=lambda _: end(), cancelled=end, progress=progress)

    def find_passage(self, passage: Passage, failed: Callable[[TaskError], object]) -> None:
        """Find a passage in the training text of its run. A new request replaces an earlier one."""
        self._tasks.run(lambda task: text_tasks.find(task, passage), key="passage",
                        title=message("Looking for the passage"), done=self.passage_found.emit, failed=failed)

    def train_on(self, texts: Sequence[str], split: str) -> None:
        """Choose texts, and the way in which their validation part is held out, on the Train page."""
        self._state.texts = tuple(texts)
        self._state.train_values = {**self._state.train_values, "split": split}
        self._state.show_page("train")
