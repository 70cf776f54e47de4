"""Checks shared by the requests of several labs: texts, lists of numbers, and matrices. Imports no torch."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from gptstudio.fields import Matrix, Problem, Spec
from gptstudio.i18n import Message, message


def text(spec: type[Spec], field: str, value: str, most: int, empty: Message | None = None) -> Iterator[Problem]:
    """Yield a problem if a text is longer than ``most`` characters, or empty although a message ``empty`` is given."""
    if empty and not value:
        yield Problem(field, empty)
    elif len(value) > most:
        yield Problem(field, message(
            "{name} has {count} characters; the maximum is {high}.",
            name=label(spec, field), count=f"{len(value):,}", high=f"{most:,}",
        ))


def surrogates(spec: type[Spec], field: str, value: str) -> Iterator[Problem]:
    """Yield a problem if a text contains an unpaired surrogate, which UTF-8 cannot encode."""
    if any("\ud800" <= char <= "\udfff" for char in value):
        yield Problem(field, message(
            "{name} contains an incomplete character (half of a surrogate pair), which has no bytes. Delete it.",
            name=label(spec, field),
        ))


def numbers(spec: type[Spec], field: str, values: Sequence[float], low: float, high: float) -> Iterator[Problem]:
    """Yield a problem for each number in a list that is not between ``low`` and ``high``."""
    for place, value in enumerate(values, start=1):
        if not low <= value <= high:
            yield Problem(field, message(
                "{name}, number {place}: {value} must be between {low} and {high}.",
                name=label(spec, field), place=place, value=value, low=f"{low:,g}", high=f"{high:,g}",
            ))


def matrix(
    spec: type[Spec], field: str, values: Matrix, *,
    rows: tuple[int, int], columns: tuple[int, int], largest: float = math.inf,
) -> Iterator[Problem]:
    """Yield the problems of a matrix with too few or too many rows or columns, rows of different length, or large
    numbers.

    Args:
        rows: smallest and largest number of rows.
        columns: smallest and largest number of columns.
        largest: largest allowed absolute value of a number.
    """
    name = label(spec, field)
    if not values:
        yield Problem(field, message("{name} is empty. Enter at least one row of numbers.", name=name))
        return
    if not rows[0] <= len(values) <= rows[1]:
        yield Problem(field, message(
            "{name}: the number of rows is {count}; it must be between {low} and {high}.",
            name=name, count=len(values), low=rows[0], high=rows[1],
        ))
    width = len(values[0])
    for number, row in enumerate(values, start=1):
        if len(row) != width:
            yield Problem(field, message(
                "{name}: the length of row {row} is {count}, but that of row 1 is {width}. All rows must have the same "
                "length.",
                name=name, row=number, count=len(row), width=width,
            ))
            return
    if not columns[0] <= width <= columns[1]:
        yield Problem(field, message(
            "{name}: the number of columns is {count}; it must be between {low} and {high}.",
            name=name, count=width, low=columns[0], high=columns[1],
        ))
    yield from _too_large(field, name, values, largest)


def _too_large(field: str, name: Message, values: Matrix, largest: float) -> Iterator[Problem]:
    """Yield a problem for the first number of a matrix with an absolute value above ``largest``."""
    for row, numbers in enumerate(values, start=1):
        for column, number in enumerate(numbers, start=1):
            if abs(number) > largest:
                yield Problem(field, message(
                    "{name}, row {row}, column {column}: {value} must be a number between {low} and {high}.",
                    name=name, row=row, column=column, value=f"{number:g}",
                    low=f"{-largest:,.0f}", high=f"{largest:,.0f}",
                ))
                return


def label(spec: type[Spec], field: str) -> Message:
    """Return the label of a field as a message; its name if it has none."""
    return message(spec.model_fields[field].title or field)
