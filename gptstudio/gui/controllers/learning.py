"""Learning: questions from the pages of the labs, and the open lesson."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from gptstudio.app import lab_tasks, lesson_progress
from gptstudio.app.lab_tasks import LabRequest
from gptstudio.app.lesson_progress import LessonProgress, LessonRecord, SettingsBefore
from gptstudio.app.requests import ModelCache
from gptstudio.app.state import AppState
from gptstudio.app.tasks import Queue, Task, TaskRunner, Work
from gptstudio.errors import UserError
from gptstudio.i18n import message
from gptstudio.training.executor import reported

if TYPE_CHECKING:
    from gptstudio.labs.lesson import Lesson

STOPPED = message("The model was needed for something else. Change any setting here to run it again.")
CANCELLED = message("Cancelled. The page shows the last result.")


class LearningController(QObject):
    """Controller that answers the labs outside the GUI thread, and opens and ends lessons. Lessons are imported on
    first use."""

    lesson_refused = Signal(object)
    """Emitted with the reason why a lesson cannot be opened, as a message; empty when a lesson is opened."""
    lesson_opened = Signal(object)
    """Emitted with a :class:`gptstudio.labs.lesson.Lesson` that begins."""
    lesson_ended = Signal()
    """Emitted when the open lesson has ended."""
    settings_left = Signal()
    """Emitted at the start if settings of a lesson that does not continue are still in place, since the program was
    killed."""
    progress_changed = Signal()
    """Emitted when progress in a lesson has been recorded."""

    def __init__(self, state: AppState, tasks: TaskRunner, models: ModelCache, parent: QObject):
        super().__init__(parent)
        self._state, self._tasks, self._models = state, tasks, models
        self.lesson: Lesson | None = None
        """The open lesson."""
        self.path: Path | None = None
        """File of the lesson that was opened last."""
        self.was_interrupted = False
        """True if the program was killed during the open lesson, which therefore continues at the same step."""
        self._noted: list[str] = []  # keys of the lessons whose records this window has changed, the newest last

    def ask(
        self, question: LabRequest, key: str, answered: Callable[[Any], object], refused: Callable[[str], object],
        progress: Callable[[int, int], object],
    ) -> Task | None:
        """Request the answer of a lab. It is computed at once if that takes no longer than a frame; otherwise a new
        question replaces an earlier one of the same lab."""
        slow = question.lab.slow(question.request)
        if not (question.source or slow or "torch" not in sys.modules):
            try:
                answer = question.find()
            except Exception as error:  # noqa: BLE001 - whatever is wrong is shown on the page
                refused(reported(error))
            else:
                answered(answer)
            return None
        work: Work
        queue: Queue
        trains = slow and question.lab.watched
        if trains:
            work, queue = lambda task: lab_tasks.train_for_lab(task, question), "labs"
        elif question.source:
            work, queue = self._models.work(question), "model"
        else:
            work, queue = lambda _: question.find(), "pool"
        return self._tasks.run(
            work, key=f"lab {key}", queue=queue, title=_title(question) if trains else "", progress=progress,
            done=answered, failed=lambda error: refused(error.message),
            cancelled=lambda: refused(CANCELLED if trains else STOPPED))

    def release_models(self) -> None:
        """Release the memory of the models that only labs use."""
        self._tasks.run(self._models.release_untrained, key="release", queue="model")

    def open_lesson(self, path: Path) -> None:
        """Begin a lesson; show a problem with its file on the Learn page."""
        from gptstudio.labs.lesson import load

        try:
            lesson = load(path)
        except UserError as error:
            self._state.show_page("learn")
            self.lesson_refused.emit(error.args[0])
            return
        self.lesson_refused.emit("")
        self.end_lesson()
        self.lesson, self.path = lesson, path
        self.was_interrupted = self.progress.open == _key(path)
        self._note_open(_key(path))
        self.lesson_opened.emit(lesson)

    def end_lesson(self) -> None:
        """End the open lesson, if there is one, and restore the window."""
        if self.lesson:
            self.lesson = None
            self._note_open("")
            self.lesson_ended.emit()

    def resume_interrupted(self, language: str) -> None:
        """Open the lesson that was open when the program was killed, if there is one."""
        from gptstudio.labs.lesson import path_of

        path = path_of(self.progress.open, language) if self.progress.open else None
        if path and os.path.isfile(path):
            self.open_lesson(path)
        elif self.progress.before:
            self.settings_left.emit()

    # Progress.

    @cached_property
    def progress(self) -> LessonProgress:
        """Records of all lessons that were begun."""
        return lesson_progress.read()

    @property
    def record(self) -> LessonRecord | None:
        """Record of the open lesson; None if it was never begun."""
        if not self.lesson or not self.path:
            return None
        return self.progress.of(_key(self.path), len(self.lesson.steps))

    @property
    def following(self) -> Path | None:
        """Lesson after the open one; None after the last one, or if the open one is not built in."""
        from gptstudio.labs.lesson import following

        return following(self.path) if self.path else None

    def record_of(self, path: Path) -> LessonRecord | None:
        return self.progress.lessons.get(_key(path))

    def note_progress(self, record: LessonRecord) -> None:
        """Record the progress in the open lesson; earlier progress in a finished lesson is kept."""
        before = self.record
        if before and before.finished:
            record = record.with_earlier(before)
        if self.path:
            key = _key(self.path)
            self._noted = [*(each for each in self._noted if each != key), key]
            self._keep(self.progress.noted(key, record))
            self.progress_changed.emit()

    def note_before(self, before: SettingsBefore | None) -> None:
        """Record the settings before the lesson; None once they have been restored."""
        self._keep(self.progress.but(before=before))

    def _note_open(self, key: str) -> None:
        self._keep(self.progress.but(open=key))

    def _keep(self, progress: LessonProgress) -> None:
        if progress != self.progress:
            self.progress = lesson_progress.keep(progress, self._noted)

    def open_following(self) -> None:
        if path := self.following:
            self.open_lesson(path)


def _title(request: LabRequest) -> str:
    """Return the title of a long task for the status bar."""
    from gptstudio.labs.catalogue import ENTRIES

    return ENTRIES[request.lab.name].title


def _key(path: Path) -> str:
    from gptstudio.labs.lesson import key_of

    return key_of(path)
