"""The training text of the model whose text is shown: read once, in the background, and kept while it is the same."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from gptstudio.app.tasks import Task, TaskError, TaskRunner, Work
from gptstudio.data.ngram import NgramTable, VerbatimIndex
from gptstudio.i18n import message
from gptstudio.training import run_text
from gptstudio.training.model_source import ModelSource
from gptstudio.training.run_folder import RunFolder

READING = message("Reading the training text…")
CANCELLED = message("Reading the training text was cancelled.")
KEY = "training text"


@dataclass(frozen=True)
class Lookups:
    """Index and table of a training text.

    Attributes:
        key: the same for runs whose training texts and tokenizers are.
        index: of its stretches.
        table: of its 3-grams; None until it is made.
    """

    key: tuple[object, ...]
    index: VerbatimIndex
    table: NgramTable | None = None


def _look_up(run: RunFolder, known: list[Lookups]) -> Work:
    """Emit the lookups of a run's text, which may be ``known``; those of another text are released first."""

    def work(task: Task) -> None:
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

    return work


class TrainingText(QObject):
    """Reads the training text of a model, for all that is shown beside a text of the model.

    Attributes:
        run: the run that was trained on it; None if it is not known.
        why_not: why nothing is known of it, as a message; empty if something is.
    """

    changed = Signal()

    def __init__(self, tasks: TaskRunner, parent: QObject | None = None):
        super().__init__(parent)
        self._tasks = tasks
        self.run: RunFolder | None = None
        self.why_not = ""
        self._source: ModelSource | None = None
        self._found: list[Lookups] = []  # empty if there is none

    @property
    def index(self) -> VerbatimIndex | None:
        """The index of its stretches, once it is made."""
        return self._found[0].index if self._found else None

    @property
    def table(self) -> NgramTable | None:
        """The table of its 3-grams, once it is made."""
        return self._found[0].table if self._found else None

    def use(self, source: ModelSource | None, again: bool = False) -> None:
        """Read the training text of a model, unless it is known or being read; ``again``: also where that failed."""
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
            self._tasks.run(
                _look_up(run, self._found), key=KEY, title=message("Reading the training text"), items=self._take,
                failed=self._fail,
                cancelled=lambda: self._fail(TaskError(CANCELLED)))
        self._found = []
        self.changed.emit()

    def _take(self, made: list[tuple[RunFolder, Lookups]]) -> None:
        run, found = made[-1]
        if run == self.run:
            self._found, self.why_not = [found], ""
            self.changed.emit()

    def _fail(self, error: TaskError) -> None:
        if not self._found:  # without the table, copied stretches are known nevertheless
            self.why_not = error.message
        self.changed.emit()
