"""Progress in lessons, saved between starts: the goals that were reached and the guesses that were made. Also the
settings before the open lesson."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Self

from pydantic import BaseModel, Field, model_validator

from gptstudio import formats, paths
from gptstudio.app import kept_model
from gptstudio.inference.spec import GenerateSpec
from gptstudio.pointed_token import PointedToken
from gptstudio.training.spec import TrainSpec

LARGEST_BYTES = 1024 * 1024
"""A larger file was not written by this program."""
MOST_LESSONS = 200
"""Maximum number of lessons to remember: those opened most recently."""

Number = Annotated[float, Field(allow_inf_nan=False)]
Value = bool | Number | str
Guess = Value | PointedToken
Step = Annotated[int, Field(ge=0, lt=10_000)]
Name = Annotated[str, Field(min_length=1, max_length=4096)]


class LessonRecord(BaseModel, frozen=True, extra="forbid", strict=True):
    """Record of one lesson, with its steps counted from 0.

    Attributes:
        steps: number of steps of the lesson.
        step: the current step; ``furthest``: the last one that was shown.
        goals: values with which goals were reached, by step.
        skipped: steps that were left before their goal was reached.
        guesses: the learner's answers to questions; None for a question that was skipped.
        truths: right answers to these questions, as far as they are known.
        runs: names of the folders of runs that were started during the lesson.
        finished: whether the last step has been completed.
    """

    steps: Annotated[int, Field(ge=1, le=10_000)]
    step: Step = 0
    furthest: Step = 0
    goals: dict[Step, Value] = {}
    skipped: frozenset[Step] = frozenset()
    guesses: dict[Step, Guess | None] = {}
    truths: dict[Step, Guess] = {}
    runs: frozenset[Name] = frozenset()
    finished: bool = False

    @model_validator(mode="after")
    def _within(self) -> Self:
        named = {self.step, self.furthest, *self.goals, *self.skipped, *self.guesses, *self.truths}
        if max(named) >= self.steps:
            raise ValueError("a step that the lesson does not have")
        return self

    @property
    def done(self) -> int:
        """Number of completed steps, without those that were skipped."""
        return (self.steps if self.finished else self.furthest) - len(self.skipped)

    @property
    def complete(self) -> bool:
        """True if every step has been completed."""
        return self.done == self.steps

    @property
    def has_results(self) -> bool:
        """True if there is a guess, or a goal that was reached or skipped."""
        return bool(self.guesses or self.goals or self.skipped)

    def with_earlier(self, before: LessonRecord) -> LessonRecord:
        """Return this record of a finished lesson combined with an earlier one, so that repeating a lesson loses
        nothing. New guesses replace earlier ones."""
        reached = before.goals | self.goals
        return self.model_copy(update={
            "furthest": max(self.furthest, before.furthest), "goals": reached, "finished": True,
            "skipped": self.skipped & before.skipped, "guesses": before.guesses | self.guesses,
            "truths": before.truths | self.truths, "runs": before.runs | self.runs})

    @property
    def can_continue(self) -> bool:
        return not self.finished and self.step > 0


class SettingsBefore(BaseModel, frozen=True, extra="forbid", strict=True):
    """Settings before the open lesson, which are restored when it ends.

    Attributes:
        changed: the settings that the lesson has changed, each after its field of the state: ``train_values.steps``.
        model: whether the lesson has changed the model to train.
        spec, generate: settings with the changed ones as before the lesson; None if one of these had a problem.
    """

    changed: frozenset[Name] = frozenset()
    model: bool = False
    spec: TrainSpec | None = None
    generate: GenerateSpec | None = None


class LessonProgress(BaseModel, frozen=True, extra="forbid", strict=True):
    """Records of lessons by key (:func:`gptstudio.labs.lesson.key_of`), the newest last.

    Attributes:
        open: key of the open lesson; still set at the next start if the program was killed during it.
        before: settings before the open lesson, or before the last one if a run still uses the settings of the lesson.
    """

    version: Annotated[int, Field(ge=1, le=formats.LESSON_PROGRESS)] = formats.LESSON_PROGRESS
    lessons: dict[str, LessonRecord] = {}
    open: str = ""
    before: SettingsBefore | None = None

    def of(self, key: str, steps: int) -> LessonRecord | None:
        """Return the record of a lesson; None if there is none, or if the lesson's number of steps has changed."""
        record = self.lessons.get(key)
        return record if record and record.steps == steps else None

    def noted(self, key: str, record: LessonRecord) -> LessonProgress:
        """Return the records with a lesson's record added or replaced."""
        others = [(name, each) for name, each in self.lessons.items() if name != key]
        return self.but(lessons=dict([*others[1 - MOST_LESSONS:], (key, record)]))

    def but(self, **changes: object) -> LessonProgress:
        """Return a copy with some fields changed."""
        return self.model_copy(update=changes)


def read() -> LessonProgress:
    """Return the saved progress; empty if the file is missing or invalid."""
    return kept_model.read(paths.lesson_progress(), LessonProgress, LARGEST_BYTES)


def keep(progress: LessonProgress, lessons: Iterable[str]) -> LessonProgress:
    """Save the progress, with the records of these lessons, and return what was saved. The records of other lessons
    stay as they are in the file: another window may have changed them."""
    saved = read()
    for key in lessons:
        if record := progress.lessons.get(key):
            saved = saved.noted(key, record)
    saved = saved.but(open=progress.open, before=progress.before)
    kept_model.keep(paths.lesson_progress(), saved)
    return saved
