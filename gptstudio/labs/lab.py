"""A lab: a request, the function that answers it, the figures that the book prints, and the code. Imports no torch."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import getitem
from typing import Any

import numpy as np

from gptstudio import paths
from gptstudio.fields import Spec
from gptstudio.training.model_source import UntrainedModel

Floats = np.ndarray
"""Numbers of an answer; each attribute states its shape."""


@dataclass(frozen=True)
class BookSource:
    """Section of the book ("3.3") or exercise ("exercise 4.3") that an experiment follows, and its title."""

    section: str
    title: str

    def __str__(self) -> str:
        return f"{'§' if self.section[0].isdigit() else ''}{self.section}, {self.title}"


@dataclass(frozen=True)
class Example:
    """An input; in a lab of the book, one for which the book, or the study notes where they differ from it, print the
    output."""

    name: str
    request: Spec


@dataclass(frozen=True)
class Figure:
    """Numbers that the book prints, and a function that reads the same numbers from an answer.

    Attributes:
        place: keys of the numbers in ``resources/reference/book_numbers.json``.
        of: returns the same numbers of an answer, nested in the same way: a list, an array, a number or a text. Raises
            LookupError if an answer does not have them (another shape).
        name: display name.
        example: name of the example that produces them; empty: the first example of the lab.
        digits: number of printed decimals that must agree.
        relative: largest allowed relative difference, instead of ``digits``.
        also: the printed value, if it is not in that file; ``place`` is then only its name.
    """

    place: tuple[str, ...]
    of: Callable[[Any], Any]
    name: str
    example: str = ""
    digits: int = 4
    relative: float | None = None
    also: Any = None


@dataclass(frozen=True)
class Table:
    """Rows for a CSV file."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]


@dataclass(frozen=True)
class Lab:
    """One experiment.

    Attributes:
        name: name on the command line; the title is in the catalogue.
        request: the fields that can be set, with labels, ranges and help; all its problems are found at once.
        answer: computes a frozen answer from a request, or from a request and a model if ``model`` is not None.
        sources: sections of the book.
        examples: inputs; the page opens with the first.
        figures: the numbers that the book prints for these inputs.
        code: returns torch code that computes the same as a request, to be copied and run.
        table: returns an answer as rows.
        values: returns the single figures of an answer by name, for the checks of a lesson.
        model: the model of a lab about a model; any other model may be passed, in evaluation mode and on the
            reference path.
        reads: returns whether a request needs this model.
        trained: message on the difference that a trained model makes here; empty: none.
        slow: returns whether a request takes more than 50 ms, and so must not be answered on the GUI thread.
        watched: whether ``answer`` also accepts ``progress``, a callback for its finished steps and their number.
        papers: sources besides the book.
    """

    name: str
    request: type[Spec]
    answer: Callable[..., Any]
    sources: tuple[BookSource, ...]
    examples: tuple[Example, ...]
    figures: tuple[Figure, ...]
    code: Callable[[Any], str]
    table: Callable[[Any], Table]
    values: Callable[[Any], Mapping[str, float]]
    model: UntrainedModel | None = None
    reads: Callable[[Any], bool] = lambda _: True
    trained: str = ""
    slow: Callable[[Any], bool] = lambda _: False
    watched: bool = False
    papers: tuple[str, ...] = ()

    @property
    def of_book(self) -> bool:
        """True if the examples are the book's, which prints figures for them."""
        return bool(self.figures)


@dataclass(frozen=True)
class Comparison:
    """A printed figure with the computed one.

    Attributes:
        equal: for each number, in the figure's shape, whether it agrees; None if the answer does not have the figure.
    """

    figure: Figure
    printed: Any
    equal: np.ndarray | None

    @property
    def agrees(self) -> bool:
        return self.equal is not None and bool(self.equal.all())

    @property
    def count(self) -> int:
        """Number of printed values."""
        return np.asarray(self.printed, dtype=object).size


def compare(lab: Lab, answer: Any) -> list[Comparison]:
    """Compare each figure of a lab with the value of an answer."""
    return [_compare(figure, answer) for figure in lab.figures]


def printed(place: Sequence[str]) -> Any:
    """Return figures that the book prints, by their keys.

    Raises:
        KeyError: there are no figures with these keys.
    """
    path = paths.resources() / "reference" / "book_numbers.json"
    return reduce(getitem, place, json.loads(path.read_text(encoding="utf-8")))


def plain(value: Any) -> Any:
    """Convert answers and requests to values for JSON. A number that is not finite becomes text."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, Spec):
        return plain(value.shallow())
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, Mapping):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    if isinstance(value, bytes):
        return value.hex(" ")
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def _compare(figure: Figure, answer: Any) -> Comparison:
    expected = printed(figure.place) if figure.also is None else figure.also
    try:
        computed = figure.of(answer)
    except LookupError:
        return Comparison(figure, expected, None)
    return Comparison(figure, expected, _equal(expected, computed, figure))


def _equal(expected: Any, computed: Any, figure: Figure) -> np.ndarray | None:
    theirs, ours = np.asarray(expected), np.asarray(computed)
    if theirs.shape != ours.shape:
        return None
    if theirs.dtype.kind not in "iuf":
        same: np.ndarray = theirs == ours
        return same
    # Printed numbers are rounded to their digits; float32 may fall just on the other side of a midpoint.
    allowed = 0.5 * 10.0**-figure.digits + 1e-7 if figure.relative is None else figure.relative * np.abs(theirs)
    near: np.ndarray = np.abs(ours.astype(np.float64) - theirs) <= allowed
    return near
