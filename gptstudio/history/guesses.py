"""What a learner has guessed in a lesson, as a report and a class view show it. No torch."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

MOST_LESSONS, MOST_GUESSES = 20, 200
"""Bounds of what is shown, and of what is read from a file."""
Words = Annotated[str, Field(max_length=2_000)]


class Guess(BaseModel):
    """One question, the learner's guess and the right answer; ``right`` is None while the answer is not known. An empty
    ``guess`` is none: the learner did not want to guess."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    question: Words
    guess: Words
    answer: Words = ""
    right: bool | None = None


class LessonGuesses(BaseModel):
    """The guesses of one lesson, in the order of its steps."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    lesson: Words
    guesses: Annotated[tuple[Guess, ...], Field(max_length=MOST_GUESSES)]

    @property
    def right(self) -> int:
        """Number of right guesses."""
        return sum(each.right is True for each in self.guesses)

    @property
    def known(self) -> int:
        """Number of guesses of which it is known whether they are right."""
        return sum(each.right is not None for each in self.guesses)
