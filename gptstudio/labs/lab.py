"""A lab: a request, the function that answers it, the figures that the book prints, and the code. No torch."""

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
"""Numbers of an answer; each place says their shape."""


@dataclass(frozen=True)
class LabProgress:
    """Progress of an answer that takes long, in steps."""

    done: int
    total: int


Watch = Callable[[LabProgress], None]
"""Callback with the progress of an answer; it may end the computation by raising."""


def unwatched(_progress: LabProgress) -> None:
    """Ignore the progress."""


@dataclass(frozen=True)
class BookSource:
    """Section of the book ("3.3"), or exercise ("exercise 4.3"), that an experiment follows, and its title."""

    section: str
    title: str

    def __str__(self) -> str:
        return f"{'§' if self.section[0].isdigit() else ''}{self.section}, {self.title}"


@dataclass(frozen=True)
class Example:
    """An input whose output the book prints, or the study notes where they differ from it."""

    name: str
    request: Spec


@dataclass(frozen=True)
class Figure:
    """Numbers that the book prints, and the same numbers of an answer.

    Attributes:
        place: keys that lead to them in ``resources/reference/book_numbers.json``.
        of: returns the same numbers of an answer, nested in the same way: a list, an array, a number or a text. May
            raise LookupError if an answer has no such thing (another shape).
        name: display name.
        example: the name of the example whose input gives them; empty: the lab's first.
        digits: number of printed decimals that must agree.
        relative: instead of digits, the largest relative difference.
        also: the printed value itself, if it is not in that file; ``place`` is then only its name.
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
        name: its name on the command line; its title is in the catalogue.
        request: the fields that can be set, with labels, ranges and help; its problems are found all at once.
        answer: computes a frozen answer from a request; where ``model`` is not None, from a request and a model.
        sources: sections of the book.
        examples: the book's inputs; the page opens on the first.
        figures: the numbers that the book prints for them.
        code: the lines of torch that compute the same as a request, to be copied and run.
        table: an answer as rows.
        values: an answer's single figures by name, for a lesson's checks.
        model: the book's model, for a lab that is about a model; any other may be passed, in evaluation mode and on the
            reference path.
        reads: whether a request needs that model.
        trained: what a trained model shows here that an untrained one does not, as a message; empty: nothing.
        slow: whether a request takes more than 50 ms, and must not be answered on the window's thread.
        watched: whether ``answer`` also takes a ``watch``, which is called with its progress.
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


@dataclass(frozen=True)
class Comparison:
    """A printed figure beside the computed one.

    Attributes:
        equal: for each number whether it agrees, in the figure's shape; None if the answer has no such thing.
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
    """Return each figure of a lab beside the value of an answer in its place."""
    return [_compare(figure, answer) for figure in lab.figures]


def printed(place: Sequence[str]) -> Any:
    """Return figures that the book prints, by their keys.

    Raises:
        KeyError: there is no such place.
    """
    return reduce(getitem, place, _book_numbers())


def plain(value: Any) -> Any:
    """Return answers and requests as values for JSON. A number that is not finite becomes text."""
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


def _book_numbers() -> Any:
    path = paths.resources() / "reference" / "book_numbers.json"
    return json.loads(path.read_text(encoding="utf-8"))


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
    # A printed number is the nearest of its digits; float32 may sit a hair's breadth on the other side of the middle.
    allowed = 0.5 * 10.0**-figure.digits + 1e-7 if figure.relative is None else figure.relative * np.abs(theirs)
    near: np.ndarray = np.abs(ours.astype(np.float64) - theirs) <= allowed
    return near
