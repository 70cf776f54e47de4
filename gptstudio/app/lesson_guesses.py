"""A learner's guesses in lessons, with their questions, and the goals. No torch until a lesson refers to a lab."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from gptstudio.app import lesson_progress
from gptstudio.app.lesson_progress import LessonRecord
from gptstudio.errors import UserError
from gptstudio.history.guesses import MOST_GUESSES, MOST_LESSONS, Goal, Guess, LessonGuesses
from gptstudio.i18n import ENGLISH, message
from gptstudio.labs import lesson
from gptstudio.labs.lesson import Lesson
from gptstudio.pointed_token import PointedToken

LONGEST = 2_000


def read(language: str = ENGLISH) -> tuple[LessonGuesses, ...]:
    """Return the guesses and goals of all lessons that have any, the newest lesson last."""
    found = (_of(key, record, language) for key, record in lesson_progress.read().lessons.items() if record.has_results)
    return tuple(found)[-MOST_LESSONS:]


def _of(key: str, record: LessonRecord, language: str) -> LessonGuesses:
    opened = _opened(key, record, language)
    title = opened.title if opened else Path(key).stem
    return LessonGuesses(lesson=title[:LONGEST], guesses=tuple(_guesses(record, opened))[:MOST_GUESSES],
                         goals=tuple(_goals(record, opened))[:MOST_GUESSES])


def _opened(key: str, record: LessonRecord, language: str) -> Lesson | None:
    """Return the lesson with a key; None if it is missing, or if its number of steps has changed."""
    try:
        opened = lesson.load(lesson.path_of(key, language))
    except UserError:
        return None
    return opened if len(opened.steps) == record.steps else None


def _guesses(record: LessonRecord, opened: Lesson | None) -> Iterator[Guess]:
    for step, guess in sorted(record.guesses.items()):
        predict = opened.steps[step].predict if opened else None
        truth = record.truths.get(step)
        right = predict.is_right(guess, truth) if predict and guess is not None and truth is not None else None
        question = predict.question if predict else message("Step {n}", n=step + 1)
        yield Guess(question=str(question)[:LONGEST], guess=_words(guess), answer=_words(truth), right=right)


def _goals(record: LessonRecord, opened: Lesson | None) -> Iterator[Goal]:
    """Yield all goals of a lesson; if it cannot be opened, only the goals that were reached or skipped."""
    steps = [index for index, step in enumerate(opened.steps) if step.check] if opened else [
        *record.goals, *record.skipped]
    for index in sorted(steps):
        title = opened.steps[index].title if opened else message("Step {n}", n=index + 1)
        yield Goal(step=str(title)[:LONGEST], state=(
            "reached" if index in record.goals else "skipped" if index in record.skipped else "open"))


def _words(value: lesson_progress.Guess | None) -> str:
    if isinstance(value, PointedToken):
        return value.text
    return "" if value is None else f"{value:.10g}" if isinstance(value, float) else str(value)[:LONGEST]
