"""Figures of the rows before each row of a column, many at once. No torch."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from gptstudio.history.columns import Numbers

AT_ONCE = 20_000
"""Windows that are copied at once: 8 MB of them where each has 50 rows."""
MANY = 200
"""Rows from which on those that cannot be an anomaly are left out all at once, before the others are looked at."""
SURELY = 0.9
"""Share of a bound below which a figure is below the bound, however it was rounded."""


def of_windows(values: Numbers, width: int, begins: NDArray[np.intp], figure: Callable[[Numbers], Numbers]) -> Numbers:
    """Return a figure of the windows of ``width`` values that begin at these rows; (n,), (m,) -> (m,).

    Args:
        figure: of windows, (windows, width) -> (windows,).
    """
    parts = [np.empty(0)]
    for begin in range(0, len(begins), AT_ONCE):
        parts.append(figure(sliding_window_view(values, width)[begins[begin : begin + AT_ONCE]]))
    return np.concatenate(parts)
