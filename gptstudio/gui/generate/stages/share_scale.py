"""Position of a probability on a bar: linear from 0, or logarithmic by whole decades."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

LOWEST = 1e-12
"""A logarithmic bar goes no further down, however small a share is."""


@dataclass(frozen=True)
class ShareScale:
    """From ``low`` at 0 to ``high`` at 1."""

    low: float = 0.0
    high: float = 1.0
    logarithmic: bool = False

    @classmethod
    def over(cls, shares: Iterable[float], logarithmic: bool) -> ShareScale:
        """The scale on which all of these can be seen."""
        seen = [each for each in shares if each > 0] or [1.0]
        if not logarithmic:
            return cls(0.0, max(seen))
        high = math.ceil(math.log10(max(seen)) - 1e-9)
        # The smallest has a length too, so the scale begins below it.
        low = math.ceil(math.log10(max(LOWEST, min(seen))) - 0.05) - 1
        return cls(10.0**low, 10.0**high, True)

    def at(self, share: float) -> float:
        """0 at the left end, 1 at the right."""
        if share <= self.low:
            return 0.0
        if self.logarithmic:
            return math.log(share / self.low) / math.log(self.high / self.low)
        return share / self.high

    def decades(self) -> list[float]:
        """The powers of ten between its ends; none where it is linear."""
        if not self.logarithmic:
            return []
        return [10.0**power for power in range(round(math.log10(self.low)) + 1, round(math.log10(self.high)))]
