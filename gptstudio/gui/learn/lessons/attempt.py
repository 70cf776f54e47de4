"""One attempt at a lesson: the goals that were reached, with their values, and the guesses. No widgets."""

from __future__ import annotations

from collections.abc import Callable

from gptstudio.app.lesson_progress import LessonRecord
from gptstudio.labs.lesson import Guess, Lesson, LessonStep, Value
from gptstudio.pointed_token import PointedToken

Reads = Callable[[LessonStep], Value | None]
ReadsObstacle = Callable[[LessonStep, frozenset[str]], str]
ReadsAnswer = Callable[[LessonStep], Guess | None]


class Attempt:
    """Goals and guesses of a lesson so far.

    Args:
        value: the current value that a step's goal asks for; None if there is none.
        obstacle: the reason why that value does not count now, as a message; empty if it does. It is given the names
            of the runs that were started during the lesson.
        answer: the current value that a step's question asks for; None if there is none.
    """

    def __init__(
        self, lesson: Lesson, value: Reads, obstacle: ReadsObstacle, answer: ReadsAnswer
    ) -> None:
        self.lesson, self.record = lesson, LessonRecord(steps=len(lesson.steps))
        self._value, self._obstacle, self._answer = value, obstacle, answer

    @property
    def reached(self) -> set[int]:
        """Steps whose goals were reached."""
        return set(self.record.goals)

    def begin(self, index: int) -> None:
        """Note that a step is shown."""
        self._note(step=index, furthest=max(self.record.furthest, index))

    def leave(self, index: int) -> None:
        """Note that the user leaves a step: with its goal not reached, it is skipped."""
        if self.is_open(index):
            self._note(skipped=self.record.skipped | {index})

    def finish(self) -> None:
        self._note(finished=True)

    def note_run(self, name: str) -> bool:
        """Note a run that was started during the lesson; return whether it was not known yet."""
        known = name in self.record.runs
        if not known:
            self._note(runs=self.record.runs | {name})
        return not known

    def is_open(self, index: int) -> bool:
        """Return whether a step has a goal that is not reached yet."""
        return self.lesson.steps[index].check is not None and index not in self.record.goals

    def is_asking(self, index: int) -> bool:
        """Return whether a step's question waits for an answer."""
        return self.lesson.steps[index].predict is not None and index not in self.record.guesses

    def guess(self, index: int, guess: Guess | None) -> None:
        """Take the answer to a step's question; None if the user does not want to guess."""
        self._note(guesses={**self.record.guesses, index: None if guess is None else _plain_guess(guess)})
        self._find_truth(index)

    def look(self, index: int) -> bool:
        """Note the goal of a step if it is reached now; return whether it is."""
        step = self.lesson.steps[index]
        if not step.check or not self.is_open(index):
            return False
        now = self.value(index)
        if now is None or not step.check.reached(now) or self.obstacle(index):
            return False
        self._note(goals={**self.record.goals, index: _plain(now)}, skipped=self.record.skipped - {index})
        self._find_truth(index)
        return True

    def value(self, index: int) -> Value | None:
        return self._value(self.lesson.steps[index])

    def obstacle(self, index: int) -> str:
        return self._obstacle(self.lesson.steps[index], self.record.runs)

    def _find_truth(self, index: int) -> None:
        """Note the right answer once the goal is reached, or at once if there is none."""
        step = self.lesson.steps[index]
        if step.predict and not self.is_open(index) and index not in self.record.truths:
            written = step.predict.written
            truth = written if written is not None else self._answer(step)
            if truth is not None:
                self._note(truths={**self.record.truths, index: _plain_guess(truth)})

    def _note(self, **changes: object) -> None:
        self.record = self.record.model_copy(update=changes)


def _plain_guess(guess: Guess) -> Guess:
    return guess if isinstance(guess, PointedToken) else _plain(guess)


def _plain(value: Value) -> Value:
    """Return a value as its file has it: a number is a float, also one of numpy or an int."""
    return value if isinstance(value, (str, bool)) else float(value)
