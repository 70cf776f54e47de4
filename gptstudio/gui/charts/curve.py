"""Points of a growing curve, and the selection of points to draw: a million cost no more than enough to fill the
pixels.

NumPy only, no Qt. x and y are columns of a table that other code fills; this module adds the minima and maxima of
blocks of points. Blocks are counted in points, not in x, so that another x axis costs nothing: the pixels are looked up
in another column.

pyqtgraph's own peak downsampling reads all points at each repaint: for five growing curves of a million points it took
39 ms of processor time per tick, and this module 7 ms. It also omits up to one pixel of the newest points, draws a gap
if one value in a pixel is NaN, and assumes that x is evenly spaced.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from gptstudio.history.columns import Axis, Columns, Numbers

BLOCK = 16
"""Number of points per block, whose minimum and maximum are kept."""

MANY = 65_536
"""Number of points above which a curve is drawn from its blocks: at least two for each pixel."""

AVERAGED = 64
"""Number of points averaged in one matrix product."""


class CurveColumn:
    """Column of a table, with the minima and maxima of its blocks. Values that are not finite are gaps."""

    def __init__(self, table: Columns, name: str, divisor: Callable[[], float] = lambda: 1.0) -> None:
        """Create the column. ``divisor``: of the values, such as bytes per megabyte; called once there are any."""
        self.table = table
        self._name, self._divisor = name, divisor
        self._blocks, self._truncations = Columns("low", "high"), table.truncations

    def __len__(self) -> int:
        return len(self.table)

    def __getitem__(self, rows: Any) -> Numbers:
        """Return values, with NaN for gaps."""
        values = self.table[self._name][rows] / self._divisor()
        return np.where(np.isfinite(values), values, np.nan)

    def extremes(self, edges: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the starts of the ranges between ascending ``edges``, their minima and their maxima; (n,) each.

        With many points, edges are moved to block boundaries. Empty ranges are omitted; a range of gaps only has NaN.
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
        """Return the minima and maxima of blocks; reads only new points and the last block, which may be partial."""
        if self._truncations != self.table.truncations:
            self._blocks, self._truncations = Columns("low", "high"), self.table.truncations
        known = max(len(self._blocks) - 1, 0)
        values = self[known * BLOCK :]
        begins = np.arange(0, values.size, BLOCK)
        self._blocks.truncate(known)
        self._blocks.extend(np.column_stack([np.fmin.reduceat(values, begins), np.fmax.reduceat(values, begins)]))
        return self._blocks["low"][read], self._blocks["high"][read]


class Series:
    """Points of one curve: a column of a table over the columns that serve as x axes."""

    def __init__(
        self, table: Columns, name: str, axes: Mapping[str, Axis], divisor: Callable[[], float] = lambda: 1.0
    ) -> None:
        """Create the series. ``axes``: nondecreasing columns, may be filled later; ``divisor``: see ``CurveColumn``."""
        self.y = CurveColumn(table, name, divisor)
        self._table, self._axes = table, axes

    def __len__(self) -> int:
        return len(self._table)

    @property
    def state(self) -> tuple[int, int]:
        """Number of points, and of truncations of the table: while it is unchanged, so are the points."""
        return len(self._table), self._table.truncations

    def has(self, axis: str) -> bool:
        """Return whether there are points over this axis."""
        return len(self) > 0 and axis in self._axes

    def x(self, axis: str, rows: Any = slice(None)) -> Numbers:
        """Return positions of points on one of their axes."""
        column, divisor, offset = self._axes[axis]
        positions: Numbers = self._table[column][rows] / divisor + offset
        return positions

    def index_at(self, axis: str, x: float) -> int:
        """Return the index of the last point at or before ``x``; -1 if there is none."""
        if not self.has(axis):
            return -1
        column, divisor, offset = self._axes[axis]
        return bisect_right(self._table[column], x, key=lambda value: value / divisor + offset) - 1

    def thinned(
        self, axis: str, left: float, right: float, pixels: int, y: CurveColumn | None = None
    ) -> tuple[Numbers, Numbers]:
        """Return points that look like all points when drawn from ``left`` to ``right``; (m,), (m,), m <= 2 pixels + 6.

        Few points are returned unchanged; of many, the minimum and maximum of each pixel. One point beyond each end is
        included, so that the line reaches the edge.

        Args:
            y: values to use instead of ``self.y``.
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
    """Debiased exponential moving average of a growing column: only new values are computed.

    m[t] = s m[t-1] + (1 - s) y[t], divided by 1 - s**t: the bias correction of Kingma and Ba (Adam, 2015, section 3),
    which gives the first points their full weight although the average starts at 0. t counts from 1, without gaps.
    """

    def __init__(self, source: CurveColumn, strength: float):
        """Create the average. ``strength``: s, from 0 to below 1."""
        self.strength = strength
        self._source, self._averages = source, CurveColumn(Columns("average"), "average")
        self._restart()

    def up_to_date(self) -> CurveColumn:
        """Return the averages, as many as there are values; gaps stay gaps."""
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
    """Return m[t] = decay * m[t-1] + values[t], with m[-1] = ``before``; (n,) -> (n,), without a loop over the points.

    A triangular matrix of powers of ``decay`` sums blocks of 64; the carry from block to block is the same sum over the
    ends of the blocks. All powers are from 0 to 1 and nothing is divided, so that no digits are lost.
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
