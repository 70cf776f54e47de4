"""Curves of millions of points as few points that look the same. No torch."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gptstudio.history.columns import Numbers


def rows_that_matter(y: Numbers, ranges: int) -> NDArray[np.intp]:
    """Return rows in ascending order: the lowest and the highest point of each range, the first and the
    last; all where they are few. So a single point that stands out stays. Gaps (not finite) count for none."""
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
    """Return the points of a curve that matter; what is not finite is NaN."""
    rows = rows_that_matter(y, ranges)
    return x[rows], np.where(np.isfinite(y[rows]), y[rows], np.nan)
