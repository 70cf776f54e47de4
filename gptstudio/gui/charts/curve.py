"""The points of a curve that grows, and what of them to draw: a million cost no more than fill the pixels.

Numpy only, no Qt. x and y are columns of a table that somebody else fills. What is added here are the lows and highs of
blocks of points. The blocks are counted in points and not in x, so that another x axis costs nothing: it is another
column to look the pixels up in.

pyqtgraph's own peak downsampling reads all points at each repaint: five growing curves of a million took 39 ms a tick
of processor time with it and 7 ms with this. It also leaves out the newest points, up to one pixel of them, draws a gap
where one value of a pixel is NaN, and takes x as evenly spaced.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from gptstudio.history.columns import Axis, Columns, Numbers

BLOCK = 16
"""Number of points whose low and high are kept."""

MANY = 65_536
"""Number of points from which on their blocks are read to draw a curve: at least two for each pixel."""

AVERAGED = 64
"""Number of points that are averaged in one product with a matrix."""


class CurveColumn:
    """A column of a table, and the lows and highs of its blocks. What is not finite is a gap."""

    def __init__(self, table: Columns, name: str, divisor: Callable[[], float] = lambda: 1.0) -> None:
        """``divisor``: of the values, such as bytes in a megabyte; known once there are values."""
        self.table = table
        self._name, self._divisor = name, divisor
        self._blocks, self._truncations = Columns("low", "high"), table.truncations

    def __len__(self) -> int:
        return len(self.table)

    def __getitem__(self, rows: Any) -> Numbers:
        """Return values, NaN where there is a gap."""
        values = self.table[self._name][rows] / self._divisor()
        return np.where(np.isfinite(values), values, np.nan)

    def extremes(self, edges: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the starts of the ranges between ascending ``edges``, their minima and their maxima; (n,) each.

        Of many points, edges are moved to the next block. Ranges that are empty are left out; one of gaps has NaN.
        """
        block = BLOCK if edges[-1] - edges[0] >= MANY else 1
        end = -(-int(edges[-1]) // block)
        begins = edges[:-1] // block
        begins = begins[(np.diff(begins, prepend=-1) > 0) & (begins < end)]
        read = slice(begins[0], end)
        lows, highs = self._read_blocks(read) if block > 1 else (self[read], self[read])
        return (
            np.maximum(begins * block, edges[0]),
            np.fmin.reduceat(lows, begins - begins[0]),
            np.fmax.reduceat(highs, begins - begins[0]),
        )

    def _read_blocks(self, read: slice) -> tuple[np.ndarray, np.ndarray]:
        """Return lows and highs of blocks. Read are new points and the last block, which may be partial."""
        if self._truncations != self.table.truncations:
            self._blocks, self._truncations = Columns("low", "high"), self.table.truncations
        known = max(len(self._blocks) - 1, 0)
        values = self[known * BLOCK :]
        begins = np.arange(0, values.size, BLOCK)
        self._blocks.truncate(known)
        self._blocks.extend(np.column_stack([np.fmin.reduceat(values, begins), np.fmax.reduceat(values, begins)]))
        return self._blocks["low"][read], self._blocks["high"][read]


class Series:
    """The points of one curve: a column of a table, over those of its columns that are an x axis."""

    def __init__(
        self, table: Columns, name: str, axes: Mapping[str, Axis], divisor: Callable[[], float] = lambda: 1.0
    ) -> None:
        """``axes``: their columns are nondecreasing. It may be filled later. ``divisor``: of y, as for a column."""
        self.y = CurveColumn(table, name, divisor)
        self._table, self._axes = table, axes

    def __len__(self) -> int:
        return len(self._table)

    @property
    def state(self) -> tuple[int, int]:
        """Number of points, and of times that points were removed: as long as it is the same, so are the points."""
        return len(self._table), self._table.truncations

    def has(self, axis: str) -> bool:
        """Return whether there are points over this axis."""
        return len(self) > 0 and axis in self._axes

    def x(self, axis: str, rows: Any = slice(None)) -> Numbers:
        """Return positions on an axis that the points have."""
        column, divisor, offset = self._axes[axis]
        positions: Numbers = self._table[column][rows] / divisor + offset
        return positions

    def index_at(self, axis: str, x: float) -> int:
        """Return the index of the last point at or before ``x``; -1 where there is none."""
        if not self.has(axis):
            return -1
        column, divisor, offset = self._axes[axis]
        return bisect_right(self._table[column], x, key=lambda value: value / divisor + offset) - 1

    def thinned(
        self, axis: str, left: float, right: float, pixels: int, y: CurveColumn | None = None
    ) -> tuple[Numbers, Numbers]:
        """Return points that draw as all do from ``left`` to ``right``; (m,), (m,), m <= 2 pixels + 6.

        All points where they are few, otherwise the lowest and the highest of each pixel. One beyond either end belongs
        to them, so that the line reaches the edge.

        Args:
            y: drawn instead of the points' own.
        """
        if not self.has(axis):
            return np.empty(0), np.empty(0)
        column, divisor, offset = self._axes[axis]
        x, y = self._table[column], self.y if y is None else y
        edges = (np.linspace(left, right, pixels + 1) - offset) * divisor
        first = max(int(np.searchsorted(x, edges[0])) - 1, 0)
        end = min(int(np.searchsorted(x, edges[-1], side="right")) + 1, x.size)
        if end - first <= 2 * pixels:
            return self.x(axis, slice(first, end)), y[first:end]
        inside = first + np.searchsorted(x[first:end], edges)
        begins, lows, highs = y.extremes(np.concatenate([[first], inside, [end]]))
        return np.repeat(self.x(axis, begins), 2), np.stack([lows, highs], axis=1).ravel()


class Smoothed:
    """Debiased exponential moving average of values that grow: only new values are computed.

    m[t] = s m[t-1] + (1 - s) y[t], divided by 1 - s**t: the correction of Kingma and Ba (Adam, 2015, section 3), for
    which the first points weigh as much as they should though the average starts at 0. t counts from 1, without gaps.
    """

    def __init__(self, source: CurveColumn, strength: float):
        """``strength`` is s, from 0 to below 1."""
        self.strength = strength
        self._source, self._averages = source, CurveColumn(Columns("average"), "average")
        self._restart()

    def up_to_date(self) -> CurveColumn:
        """Return the averages, as many as there are values; a gap where the value is one."""
        if self._truncations != self._source.table.truncations:
            self._restart()
        new = self._source[len(self._averages) :]
        if new.size:
            self._averages.table.extend(self._average(new)[:, None])
        return self._averages

    def _restart(self) -> None:
        self._averages.table.truncate(0)
        self._truncations = self._source.table.truncations
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

    Blocks of 64 are summed by a triangular matrix of powers of ``decay``; what one leaves to the next is the same sum
    over the ends of the blocks. All powers are from 0 to 1 and nothing is divided, so that no digits are lost.
    """
    count = -(-values.size // AVERAGED)
    blocks = np.zeros((count, AVERAGED))
    blocks.ravel()[: values.size] = values
    powers = decay ** np.arange(AVERAGED + 1)
    lag = np.subtract.outer(np.arange(AVERAGED), np.arange(AVERAGED))
    sums = blocks @ np.where(lag >= 0, powers[np.abs(lag)], 0.0).T
    left = np.full(count, before)
    if count > 1:
        left[1:] = decayed_sums(sums[:-1, -1], powers[AVERAGED], before)
    sums += left[:, None] * powers[1:]
    return sums.ravel()[: values.size]
