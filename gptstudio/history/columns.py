"""Growing tables of numbers, stored by column, and curves thinned to their extreme points. Imports no torch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]


class Axis(NamedTuple):
    """Positions on an axis, computed from a column: value / ``divisor`` + ``offset``."""

    column: str
    divisor: float = 1.0
    offset: float = 0.0


class Columns:
    """Named columns of float64. The capacity doubles when exceeded, so that each number is moved twice on average.

    Attributes:
        truncations: number of times that rows were removed; results computed from them must then be computed again.
    """

    def __init__(self, *names: str):
        self.names = names
        self.truncations = 0
        self._buffer = np.empty((len(names), 64))
        self._length = 0

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, name: str) -> Numbers:
        """Return a column, (rows,): a view, valid until rows are removed."""
        return self._buffer[self.names.index(name), : self._length]

    def below(self, first: int) -> Numbers:
        """Return the columns from index ``first`` on, (columns, rows): a view, valid until rows are removed."""
        return self._buffer[first:, : self._length]

    def extend(self, rows: Sequence[Sequence[float]] | Numbers) -> None:
        """Append rows, (rows, columns); missing columns at the end are NaN."""
        if not len(rows):
            return
        block = np.asarray(rows, dtype=float).T
        end = self._length + len(rows)
        if end > self._buffer.shape[1]:
            larger = np.empty((len(self.names), 2 * end))
            larger[:, : self._length] = self._buffer[:, : self._length]
            self._buffer = larger
        self._buffer[: len(block), self._length : end] = block
        self._buffer[len(block) :, self._length : end] = np.nan
        self._length = end

    def truncate(self, length: int) -> None:
        """Keep the first ``length`` rows."""
        if length < self._length:
            self._length = length
            self.truncations += 1

    def truncate_from(self, step: int) -> None:
        """Remove the rows from ``step`` on; the column ``step`` must be nondecreasing."""
        self.truncate(int(np.searchsorted(self["step"], step)))


def rows_that_matter(y: Numbers, ranges: int) -> NDArray[np.intp]:
    """Return the rows to draw, in ascending order: the lowest and the highest point of each range, the first row and
    the last; all rows if there are few. A single outlier is thus kept. Gaps (not finite) are ignored."""
    if y.size <= 2 * ranges + 2:
        return np.arange(y.size)
    begins = np.linspace(0, y.size, ranges, endpoint=False).astype(int)
    kept = [np.array([0, y.size - 1])]
    for empty, find in ((np.inf, np.argmin), (-np.inf, np.argmax)):
        values = np.where(np.isfinite(y), y, empty)
        kept.append(np.array([begin + find(part) for begin, part in zip(begins, np.split(values, begins[1:]),
                                                                       strict=True)]))
    return np.unique(np.concatenate(kept))


def thinned(x: Numbers, y: Numbers, ranges: int) -> tuple[Numbers, Numbers]:
    """Return the points of a curve to draw; values that are not finite become NaN."""
    rows = rows_that_matter(y, ranges)
    return x[rows], np.where(np.isfinite(y[rows]), y[rows], np.nan)
