"""Generation: streams of text, questions to a model, and the search for stretches copied from the training text."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

from PySide6.QtCore import QObject, Signal

from gptstudio.app.requests import Compare, ModelCache, ModelRequest, Score, Write
from gptstudio.app.state import AppState
from gptstudio.app.tasks import NO_ERROR, Task, TaskError, TaskRunner, Work
from gptstudio.app.text_tasks import Passage, open_passage
from gptstudio.app.training_tasks import find_devices_after
from gptstudio.data import ngram
from gptstudio.data.ngram import CopiedStretch, GrowingSearch, NgramTable, VerbatimIndex
from gptstudio.i18n import message
from gptstudio.training import run_text
from gptstudio.training.control import Control
from gptstudio.training.events import Ended, Event, Outcome
from gptstudio.training.model_source import ModelSource, SavedModel
from gptstudio.training.run_folder import RunFolder

READING = message("Reading the training text…")
CANCELLED = message("Reading the training text was cancelled.")
KEY = "training text"


@dataclass(frozen=True)
class Lookups:
    """Index and table of a training text.

    Attributes:
        key: equal for runs with the same training text and tokenizer.
        index: index of the text, to search it for copied stretches.
        table: table of its 3-grams; None until it is made.
    """

    key: tuple[object, ...]
    index: VerbatimIndex
    table: NgramTable | None = None


def _look_up(task: Task, run: RunFolder, known: list[Lookups]) -> None:
    """Emit the lookups of a run's training text, from ``known`` if possible; lookups of other texts are released
    first."""
    key = run_text.key_of(run)
    kept = [each for each in known if each.key == key and each.table]
    known.clear()
    if kept:
        task.emit((run, kept[0]))
        return
    read = run_text.searchable(run, task.report)
    index = VerbatimIndex(read.train_ids)
    task.emit((run, Lookups(key, index)))
    task.control.check()
    task.emit((run, Lookups(key, index, NgramTable(read.train_ids, read.tokenizer.size))))


class TrainingText(QObject):
    """Reader of the training text of a model, for the copied stretches and the table of 3-grams shown with a text.

    Attributes:
        run: the run that was trained on the text; None if it is not known.
        why_not: the reason why the text is not available, as a message; empty if it is.
    """

    changed = Signal()

    def __init__(self, tasks: TaskRunner, parent: QObject):
        super().__init__(parent)
        self._tasks = tasks
        self.run: RunFolder | None = None
        self.why_not = ""
        self._source: ModelSource | None = None
        self._found: list[Lookups] = []  # one at most

    @property
    def index(self) -> VerbatimIndex | None:
        """Index of the text; None until it is made."""
        return self._found[0].index if self._found else None

    @property
    def table(self) -> NgramTable | None:
        """Table of the 3-grams of the text; None until it is made."""
        return self._found[0].table if self._found else None

    def use(self, source: ModelSource | None, again: bool = False) -> None:
        """Read the training text of a model, unless it is known or being read. ``again``: try again after a failure."""
        failed = self.why_not not in ("", READING)
        if source == self._source and (self.run or self.why_not) and not (again and failed):
            return
        self._source = source
        try:
            run, why_not = run_text.run_of(source), ""
        except run_text.NoTrainingText as error:
            run, why_not = None, error.args[0]
        if run and run == self.run and not failed:
            return
        self.run, self.why_not = run, why_not or READING
        for task in self._tasks.tasks:
            if task.key == KEY:
                task.forget()
        if run:
            known = self._found
            self._tasks.run(
                lambda task: _look_up(task, run, known), key=KEY, title=message("Reading the training text"),
                items=self._take, failed=self._fail,
                cancelled=lambda: self._fail(TaskError(CANCELLED)))
        self._found = []
        self.changed.emit()

    def _take(self, made: list[tuple[RunFolder, Lookups]]) -> None:
        run, found = made[-1]
        if run == self.run:
            self._found, self.why_not = [found], ""
            self.changed.emit()

    def _fail(self, error: TaskError) -> None:
        if not self._found:  # otherwise the table failed, and the index still finds copied stretches
            self.why_not = error.message
        self.changed.emit()


STOPPED = message("The model was needed for something else. Select a token to run it again.")
QUESTION = "question "
"""Prefix of the task keys of all questions; these are cancelled when a text is generated."""

Take = Callable[[list[Any]], object]


class GenerationController(QObject):
    """Controller of the views of the Generate page; one stream of events runs at a time."""

    events_arrived = Signal(object)
    """Emitted with a list of events of the text that is being written."""
    checkpoint_replaced = Signal()
    """Emitted before the chosen model is used if another process has replaced its checkpoint."""

    def __init__(self, state: AppState, tasks: TaskRunner, models: ModelCache, parent: QObject):
        super().__init__(parent)
        self._state, self._tasks, self._models = state, tasks, models
        self._control = Control()
        self.training_text = TrainingText(tasks, self)
        self.copies = CopiesController(state, tasks, self.training_text, self)
        state.on(self._pass_sampling_params, "sampling_params")

    def chosen_model(self) -> ModelSource | None:
        """Return the model to use now. A model of a deleted run stays chosen, and using it is an error."""
        model = self._state.model
        if isinstance(model, SavedModel) and not os.path.isdir(model.path) and RunFolder(model.run_path).checkpoints():
            self.checkpoint_replaced.emit()
        return self._state.model_with_seed

    def write(self, request: Write) -> None:
        """Generate a text; its events arrive through ``events_arrived``."""
        self._run("write", self._models.work(request), self.events_arrived.emit)

    def score(self, request: Score, take: Take) -> None:
        """Score a text; ``take`` is called with lists of events."""
        self._run("score", self._models.work(request), take)

    def compare(self, request: Compare, take: Take) -> None:
        """Generate two texts alternately; ``take`` is called with lists of pairs (side, event)."""
        self._run("compare", self._models.work(request), take, lambda event: (0, event))

    def check_text(self, run: RunFolder, checked: Callable[[str], object]) -> None:
        """Check in the background that the training text of a run can be read and searched. ``checked`` is called with
        the reason if it cannot, as a message, or else with an empty text."""
        def work(task: Task) -> None:
            run_text.searchable(run, task.report)

        self._tasks.run(
            work, key=f"text of {run.path}", done=lambda _: checked(""), failed=lambda error: checked(error.message),
            cancelled=lambda: checked(CANCELLED))

    def stop(self) -> None:
        """End the stream after its current token."""
        self._control.stop()

    def ask(
        self, question: ModelRequest, key: str, answered: Callable[[Any], object], refused: Callable[[str], object],
        progress: Callable[[int, int], object],
    ) -> Task:
        """Ask the model. A new question replaces an earlier one with the same key; generating a text cancels all
        questions, and ``refused`` is called."""
        return self._tasks.run(
            self._models.work(question), queue="model", key=QUESTION + key, done=answered, progress=progress,
            failed=lambda error: refused(error.message), cancelled=lambda: refused(STOPPED))

    def _run(
        self, view: Literal["write", "compare", "score"], work: Work, take: Take,
        item: Callable[[Event], Any] = lambda event: event,
    ) -> None:
        for task in self._tasks.tasks:
            if task.key.startswith(QUESTION):
                task.cancel()
        self._control, self._state.generating = Control(), view

        def took(items: list[Any]) -> None:
            ends = [each for each in map(_event, items) if isinstance(each, Ended)]
            if ends:
                self._state.generating = ""
                find_devices_after(ends[-1], self._state, self._tasks)
            take(items)

        def end(outcome: Outcome, error: TaskError = NO_ERROR) -> None:
            took([item(Ended(outcome=outcome, message=error.message, details=error.details))])

        title = message("Scoring a text") if view == "score" else message("Generating text")
        self._tasks.run(
            work, queue="model", title=title, control=self._control, items=took,
            failed=partial(end, "failed"), cancelled=lambda: end("stopped"))

    def _pass_sampling_params(self) -> None:
        """Apply changed sampling parameters from the next token."""
        if self._state.generating == "write":
            self._control.sampling_params = self._state.sampling_params


def _event(item: Any) -> Any:
    return item[1] if isinstance(item, tuple) else item


# Copied stretches.


@dataclass(frozen=True)
class Copies:
    """Copied stretches of a text.

    Attributes:
        ids: tokens of the searched text.
        given: number of prompt tokens at its start.
        stretches: copied stretches, with positions counted from the first token of the text.
        why_not: the reason why the copies are not known, as a message; empty if they are.
    """

    ids: tuple[int, ...] = ()
    given: int = 0
    stretches: tuple[CopiedStretch, ...] = ()
    why_not: str = ""

    @property
    def share(self) -> float:
        """Copied share of the new tokens, from 0 to 1."""
        here = [CopiedStretch(each.start - self.given, each.stop - self.given, each.place) for each in self.stretches]
        return ngram.copied_share(here, len(self.ids) - self.given)

    @property
    def longest(self) -> int:
        return max((each.stop - each.start for each in self.stretches), default=0)

    def at(self, position: int | None) -> CopiedStretch | None:
        """Return the longest copied stretch that contains a position, or the longest of all for None."""
        around = [each for each in self.stretches if position is None or each.start <= position < each.stop]
        return max(around, key=lambda each: each.stop - each.start, default=None)


@dataclass(frozen=True)
class _Text:
    source: ModelSource | None
    ids: tuple[int, ...]
    given: int


class CopiesController(QObject):
    """Searcher for copied stretches in the shown text; searches run one at a time, each on the latest text."""

    changed = Signal()

    def __init__(self, state: AppState, tasks: TaskRunner, text: TrainingText, parent: QObject):
        super().__init__(parent)
        self._state, self._tasks, self._text = state, tasks, text
        self.found = Copies()
        self._wanted: _Text | None = None
        self._index: VerbatimIndex | None = None  # of ``_search``
        self._search: GrowingSearch | None = None
        self._searching = False
        text.changed.connect(self._take_index)

    def look(self, source: ModelSource | None, ids: Sequence[int], given: int) -> None:
        """Search a text that a model has written. ``given``: number of prompt tokens at its start."""
        wanted = _Text(source, tuple(ids), given) if self._state.marks_copies and len(ids) > given else None
        if wanted == self._wanted:
            return
        before, self._wanted = self._wanted, wanted
        if wanted is None:
            self._show(Copies())
            return
        if before is None or before.source != wanted.source:
            self._text.use(wanted.source, again=before is None)
        self._take_index()

    def open_passage(self, stretch: CopiedStretch) -> str:
        """Show a copied stretch of the shown text in the training text. Return the reason if that is not possible, as a
        message."""
        words, run = self._state.document.tokenizer.decode(self.found.ids[stretch.start : stretch.stop]), self._text.run
        return open_passage(self._state, Passage(run.path, words)) if run else self._text.why_not

    def _take_index(self) -> None:
        index = self._text.index
        if index is not self._index:
            self._index, self._search = index, GrowingSearch(index) if index else None
        if self._wanted and not index:
            self._show(Copies(self._wanted.ids, self._wanted.given, why_not=self._text.why_not))
        self._search_next()

    def _search_next(self) -> None:
        wanted, search = self._wanted, self._search
        if self._searching or not wanted or not search:
            return
        self._searching = True

        def work(_: Task) -> Copies:
            found = search.stretches(wanted.ids[wanted.given :])
            return Copies(wanted.ids, wanted.given, tuple(
                CopiedStretch(each.start + wanted.given, each.stop + wanted.given, each.place) for each in found))

        def done(found: Any) -> None:
            self._searching = False
            if search is self._search and self._wanted:
                self._show(found)
            if wanted is not self._wanted:
                self._search_next()

        self._tasks.run(work, key="copies", done=done, failed=self._fail, cancelled=self._give_up)

    def _fail(self, error: TaskError) -> None:
        self._searching = False
        if self._wanted:
            self._show(Copies(self._wanted.ids, self._wanted.given, why_not=error.message))

    def _give_up(self) -> None:
        self._searching = False

    def _show(self, found: Copies) -> None:
        if found != self.found:
            self.found = found
            self.changed.emit()
