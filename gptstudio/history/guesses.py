"""Guesses and goals of a learner in lessons, for reports and the class view. Imports no torch."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

MOST_LESSONS, MOST_GUESSES = 20, 200
"""Largest numbers that are shown, and accepted from a file."""
LONGEST_LEARNER, LONGEST_WORDS = 200, 1_000
"""Largest number of characters in the name of a learner, and in their own words."""
Words = Annotated[str, Field(max_length=2_000)]


class Guess(BaseModel, frozen=True, extra="forbid"):
    """A question, the learner's guess and the right answer; ``right`` is None as long as the answer is not known. An
    empty ``guess``: the learner did not want to guess."""

    question: Words
    guess: Words
    answer: Words = ""
    right: bool | None = None


class Goal(BaseModel, frozen=True, extra="forbid"):
    """Goal of one step, by the title of the step. ``open``: neither reached nor skipped yet."""

    step: Words
    state: Literal["reached", "skipped", "open"]


class LessonGuesses(BaseModel, frozen=True, extra="forbid"):
    """Guesses and goals of one lesson, each in the order of its steps."""

    lesson: Words
    guesses: Annotated[tuple[Guess, ...], Field(max_length=MOST_GUESSES)]
    goals: Annotated[tuple[Goal, ...], Field(max_length=MOST_GUESSES)] = ()

    @property
    def right(self) -> int:
        """Number of right guesses."""
        return sum(each.right is True for each in self.guesses)

    @property
    def known(self) -> int:
        """Number of guesses known to be right or wrong."""
        return sum(each.right is not None for each in self.guesses)

    def count(self, state: Literal["reached", "skipped"]) -> int:
        """Return the number of goals in a state."""
        return sum(each.state == state for each in self.goals)


class Learner(BaseModel, frozen=True, extra="forbid"):
    """Author of a report that was handed in.

    Attributes:
        name: name as typed.
        id: hexadecimal digits that distinguish learners of the same name, made once for each user of a computer.
        words: answer to "What did you see?"; may be empty.
    """

    name: Annotated[str, Field(max_length=LONGEST_LEARNER)]
    id: Annotated[str, Field(pattern="^[0-9a-f]{0,32}$")] = ""
    words: Annotated[str, Field(max_length=LONGEST_WORDS)] = ""
