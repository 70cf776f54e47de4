"""Number of decimals needed to show numbers as they were typed."""

from __future__ import annotations

import numpy as np


def decimals(numbers: np.ndarray, least: int = 1, most: int = 4) -> int:
    """The fewest that lose nothing, within bounds."""
    enough = (count for count in range(least, most) if np.allclose(numbers, np.round(numbers, count), atol=1e-6))
    return next(enough, most)
