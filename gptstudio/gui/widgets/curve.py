"""The points of a curve that grows, and what of them to draw: a million cost no more than fill the pixels.

Numpy only, no Qt. y is kept once, and with it the lows and highs of blocks of 4, 16, 64, ... points. The blocks are
counted in points and not in x, so that another x axis costs nothing: it is another column to look the pixels up in.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

FACTOR = 4
"""So many blocks make one of the next level."""

LEVELS = 8
"""So many sizes of blocks there are: with the largest, a billion points are 16,384 blocks."""

MOST_BLOCKS = 16_384
"""So many blocks, or points, are looked at to draw a curve: two to eight for each pixel, in a fraction of a ms."""

RUN = 64
"""So many points are averaged in one product with a matrix."""


class Column:
    """Growing array of numbers; its capacity doubles when it is full, so that appending is cheap."""

    def __init__(self) -> None:
        self._room, self._count = np.empty(256), 0

    def __len__(self) -> int:
        return self._count

    @property
    def values(self) -> np.ndarray:
        """(n,), a view."""
        return self._room[: self._count]

    def extend(self, values: np.ndarray) -> None:
        end = self._count + values.size
        if end > self._room.size:
            room = np.empty(max(end, 2 * self._room.size))
            room[: self._count] = self.values
            self._room = room
        self._room[self._count : end] = values
        self._count = end

    def cut(self, count: int) -> None:
        """Keeps the first ``count``."""
        self._count = min(count, self._count)


class Pyramid:
    """Values, and the lows and highs of ever larger blocks of them. What is not finite is a gap."""

    def __init__(self) -> None:
        self._points, self._levels = Column(), [(Column(), Column()) for _ in range(LEVELS)]
        self._counted = 0  # points that the levels know
        self.cuts = 0
        """Number of times that points were removed: followers of the values have to start again then."""

    def __len__(self) -> int:
        return len(self._points)

    @property
    def values(self) -> np.ndarray:
        """(n,), NaN where there is a gap."""
        return self._points.values

    def extend(self, values: np.ndarray) -> None:
        self._points.extend(np.where(np.isfinite(values), values, np.nan))

    def cut(self, count: int) -> None:
        """Keeps the first ``count`` values."""
        self._points.cut(count)
        self._counted = min(count, self._counted)
        self.cuts += 1

    def extremes(self, edges: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the starts of the ranges between ascending ``edges``, their minima and their maxima; (n,) each.

        Edges are moved to the next block, and ranges that become empty are left out. A range of gaps has NaN.
        """
        self._count_blocks()
        level, block = 0, 1
        while (edges[-1] - edges[0]) // block > MOST_BLOCKS and level < LEVELS:
            level, block = level + 1, block * FACTOR
        lows, highs = (column.values for column in self._levels[level - 1]) if level else (self.values, self.values)
        end = -(-int(edges[-1]) // block)
        begins = edges[:-1] // block
        begins = begins[(np.diff(begins, prepend=-1) > 0) & (begins < end)]
        return (
            np.maximum(begins * block, edges[0]),
            np.fmin.reduceat(lows[:end], begins),
            np.fmax.reduceat(highs[:end], begins),
        )

    def _count_blocks(self) -> None:
        """Brings the levels up to date: only from the first new point on, and the last block may be partial."""
        if self._counted == len(self):
            return
        lows, highs, changed = self.values, self.values, self._counted
        for low, high in self._levels:
            changed //= FACTOR
            begins = np.arange(changed * FACTOR, lows.size, FACTOR)
            low.cut(changed)
            low.extend(np.fmin.reduceat(lows, begins))
            high.cut(changed)
            high.extend(np.fmax.reduceat(highs, begins))
            lows, highs = low.values, high.values
        self._counted = len(self)


class Series:
    """One curve's points: a y, and an x for each axis it can be seen over, such as step, epoch, tokens and seconds."""

    def __init__(self) -> None:
        self._x: dict[str, Column] = {}
        self.y = Pyramid()

    def __len__(self) -> int:
        return len(self.y)

    def extend(self, x: Mapping[str, ArrayLike], y: ArrayLike) -> None:
        """Adds a point, or an array of them: axis -> x, nondecreasing over all points; y, where NaN leaves a gap.

        Raises:
            ValueError: the columns differ in length, or the axes are not those of the points before.
        """
        added = np.atleast_1d(np.asarray(y, dtype=np.float64))
        columns = {axis: np.atleast_1d(np.asarray(values, dtype=np.float64)) for axis, values in x.items()}
        if any(column.shape != added.shape for column in columns.values()):
            raise ValueError("every x needs as many values as y")
        if len(self) and columns.keys() != self._x.keys():
            raise ValueError(f"the axes are {sorted(self._x)}, not {sorted(columns)}")
        if not len(self):
            self._x = {axis: Column() for axis in columns}
        for axis, column in columns.items():
            self._x[axis].extend(column)
        self.y.extend(added)

    def cut_from(self, axis: str, x: float) -> None:
        """Takes away the points at ``x`` and after it: a run that is resumed goes on from there."""
        count = int(np.searchsorted(self.x(axis), x))
        for column in self._x.values():
            column.cut(count)
        self.y.cut(count)

    def x(self, axis: str) -> np.ndarray:
        """(n,); nothing where the points have no such axis."""
        return self._x[axis].values if axis in self._x else np.empty(0)

    def index_at(self, axis: str, x: float) -> int:
        """The last point at or before ``x``; -1 where there is none."""
        return int(np.searchsorted(self.x(axis), x, side="right")) - 1


def thinned(x: np.ndarray, y: Pyramid, left: float, right: float, pixels: int) -> tuple[np.ndarray, np.ndarray]:
    """Points that draw as y over x does from ``left`` to ``right`` on so many pixels; (m,), (m,), m <= 2 pixels + 6.

    All points where they are few, otherwise the lowest and the highest of each pixel. One beyond either end belongs
    to them, so that the line goes on to the edge.
    """
    first = max(int(np.searchsorted(x, left)) - 1, 0)
    end = min(int(np.searchsorted(x, right, side="right")) + 1, x.size)
    if end - first <= 2 * pixels:
        return x[first:end], y.values[first:end]
    inside = first + np.searchsorted(x[first:end], np.linspace(left, right, pixels + 1))
    begins, lows, highs = y.extremes(np.concatenate([[first], inside, [end]]))
    return np.repeat(x[begins], 2), np.stack([lows, highs], axis=1).ravel()


class Smoothed:
    """The debiased exponential moving average of values that grow: only what is new is computed.

    m[t] = s m[t-1] + (1 - s) y[t], divided by 1 - s**t: the correction of Kingma and Ba (Adam, 2015, section 3), for
    which the first points weigh as much as they should though the average starts at 0. t counts from 1, without gaps.
    """

    def __init__(self, source: Pyramid, strength: float):
        """``strength`` is s, from 0 to below 1."""
        self.strength = strength
        self._source = source
        self._begin()

    def up_to_date(self) -> Pyramid:
        """The averages, as many as there are values; a gap where the value is one."""
        if self._cuts != self._source.cuts:
            self._begin()
        new = self._source.values[len(self._averages) :]
        if new.size:
            self._averages.extend(self._average(new))
        return self._averages

    def _begin(self) -> None:
        self._averages, self._cuts = Pyramid(), self._source.cuts
        self._last, self._seen = 0.0, 0

    def _average(self, new: np.ndarray) -> np.ndarray:
        averages, there = np.full(new.size, np.nan), ~np.isnan(new)
        count = int(there.sum())
        if not count:
            return averages
        biased = decayed_sums((1 - self.strength) * new[there], self.strength, self._last)
        ages = np.arange(self._seen + 1, self._seen + count + 1)
        averages[there] = biased / (1 - self.strength**ages)
        self._last, self._seen = float(biased[-1]), self._seen + count
        return averages


def decayed_sums(values: np.ndarray, decay: float, before: float) -> np.ndarray:
    """m[t] = decay * m[t-1] + values[t], with m[-1] = ``before``; (n,) -> (n,), without a loop over the points.

    Runs of 64 are summed by a triangular matrix of powers of ``decay``; what one run leaves to the next is the same sum
    over the ends of the runs. All powers are from 0 to 1 and nothing is divided, so that no digits are lost.
    """
    count = -(-values.size // RUN)
    runs = np.zeros((count, RUN))
    runs.ravel()[: values.size] = values
    powers = decay ** np.arange(RUN + 1)
    lag = np.subtract.outer(np.arange(RUN), np.arange(RUN))
    sums = runs @ np.where(lag >= 0, powers[np.abs(lag)], 0.0).T
    left = np.full(count, before)
    if count > 1:
        left[1:] = decayed_sums(sums[:-1, -1], powers[RUN], before)
    sums += left[:, None] * powers[1:]
    return sums.ravel()[: values.size]
