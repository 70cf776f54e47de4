"""A question of a lesson's step that asks for a guess before the task is shown. No torch."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Self

from pydantic import PlainValidator, model_validator

from gptstudio import toml_file as toml
from gptstudio.i18n import message
from gptstudio.labs.lesson_places import LessonPlace
from gptstudio.pointed_token import PointedToken

Value = float | str | bool
Guess = Value | PointedToken

NumberOrName = Annotated[
    float | str, PlainValidator(lambda value: value if isinstance(value, str) and value else toml.number(value)),
    toml.must_be(message("a number, or the name of a value"))]


@dataclass(frozen=True)
class Predict:
    """Question before a step's task, with one right answer.

    Attributes:
        choices: answers to choose from; ``answer`` is the right one.
        number: the right number, or the name of the value of the place that has it once the goal is reached.
        token: the name of the token of the place that is the right one; the guess is the token that is chosen there.
        tolerance: how far a guess may be from the number.
        explanation: said with the right answer.
    """

    __pydantic_config__ = toml.TABLE
    question: toml.NonEmptyText
    choices: tuple[toml.NonEmptyText, ...] = ()
    answer: toml.Text = ""
    number: NumberOrName | None = None
    token: toml.Text = ""
    tolerance: toml.Number = 0.0
    explanation: toml.Text = ""

    @model_validator(mode="after")
    def _answerable(self) -> Self:
        if [bool(self.choices), self.number is not None, bool(self.token)].count(True) != 1:
            raise ValueError(message("a question needs one of these: choices with an answer, a number, or a token."))
        if self.choices and len(set(self.choices)) < max(2, len(self.choices)):
            raise toml.invalid((("choices",), message("choices needs at least two answers, all of them different.")))
        if self.choices and self.answer not in self.choices:
            raise toml.invalid((("answer",), message(
                "answer is '{answer}'; it must be one of the choices: {choices}.",
                answer=toml.abbreviate(self.answer), choices=", ".join(self.choices))))
        if self.tolerance < 0 or (self.number is None and self.tolerance):
            raise toml.invalid((("tolerance",), message("tolerance is for a number, and cannot be below 0.")))
        return self

    @property
    def value(self) -> str:
        """Name of the value of the place that is the answer; empty if the answer is written in the lesson."""
        return self.token or (self.number if isinstance(self.number, str) else "")

    @property
    def written(self) -> Value | None:
        """The answer that is written in the lesson; None if a value of the place is the answer."""
        return self.answer if self.choices else None if self.value else self.number

    def is_right(self, guess: Guess, truth: Guess) -> bool:
        """Return whether a guess is the answer, or near enough."""
        if isinstance(guess, (str, bool, PointedToken)) or isinstance(truth, (str, bool, PointedToken)):
            return guess == truth
        return abs(guess - truth) <= self.tolerance or math.isclose(guess, truth, rel_tol=1e-6, abs_tol=1e-9)


def problems(place: LessonPlace, names: tuple[str, ...] | None, predict: Predict) -> Iterator[str]:
    """Yield messages on why the answer can never be read. ``names``: result of :func:`lesson_places.value_names`."""
    name: Any = predict.value
    if not name:
        return
    if predict.token:
        if name not in place.tokens:
            yield message("there is no token '{token}' to point at here; available tokens: {known}.",
                          token=toml.abbreviate(name), known=", ".join(place.tokens)) if place.tokens else message(
                "no token can be pointed at here; that is possible with tab = \"generate\".")
        return
    view = place.fields().get(name)
    if names is not None and name not in names:
        yield message("there is no value '{value}' here; available values: {known}.",
                      value=toml.abbreviate(name), known=", ".join(names)) if names else message(
            "there are no values here; write the number itself.")
    elif view is not None and view.kind not in ("int", "float"):
        yield message("{value} is not a number.", value=name)
