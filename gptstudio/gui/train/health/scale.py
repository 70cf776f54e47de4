"""Scale from values to places between 0 and 1, linear or logarithmic."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from gptstudio.gui.canvas.grid import Cell
from gptstudio.gui.charts.readout import number
from gptstudio.gui.plots.shades import Floats
from gptstudio.gui.translation import tr
from gptstudio.history.columns import Numbers
from gptstudio.history.health_history import LayerTable

MOST_TICKS = 5


class Scale(NamedTuple):
    """From ``low`` to ``high``; if ``log``, both are above 0."""

    low: float = 0.0
    high: float = 1.0
    log: bool = False

    @classmethod
    def of(cls, values: Numbers, log: bool, *include: float, zero: bool = True) -> Scale:
        """Return the scale of all that can be shown: from a power of ten to one, or from 0 to a round number. Without
        ``zero``, a linear one goes from the lowest value to the highest."""
        known = np.concatenate([values[np.isfinite(values)], [each for each in include if math.isfinite(each)]])
        if not (log or zero) and known.size and known.max() > known.min() >= 0:
            return cls(float(known.min()), float(known.max()))
        known = known[known > 0]
        if not known.size:
            return cls(0.1, 1.0, True) if log else cls()
        low, high = float(known.min()), float(known.max())
        if log:
            return cls(_power(low, math.floor), max(_power(high, math.ceil), 10 * _power(low, math.floor)), True)
        return cls(0.0, _round_up(high))

    def shares(self, values: Floats) -> Floats:
        """Return places, in the same shape; NaN for what is not on the scale, such as 0 on a logarithmic one."""
        with np.errstate(all="ignore"):
            known = np.where(np.isfinite(values) & ((values > 0) | (not self.log)), values, np.nan)
            if self.log:
                low, high = math.log(self.low), math.log(self.high)
                return np.clip((np.log(known) - low) / (high - low), 0, 1)
            return np.clip((known - self.low) / (self.high - self.low), 0, 1)

    def legend(self, most: int) -> list[tuple[float, str]]:
        """Return at most ``most`` places from 0 to 1 and their labels."""
        ticks = self.ticks()
        few = ticks if len(ticks) <= most else [ticks[0], ticks[-1]]
        return [(float(share), tick_words(tick)) for tick, share in zip(few, self.shares(np.array(few)), strict=True)]

    def ticks(self) -> list[float]:
        """Return values to write beside the scale, from its low end: powers of ten, or both ends and the middle."""
        if not self.log:
            return [self.low, (self.low + self.high) / 2, self.high]
        first, last = round(math.log10(self.low)), round(math.log10(self.high))
        step = max(1, -(-(last - first) // (MOST_TICKS - 1)))
        return [10.0**power for power in range(first, last + 1, step)]


def _power(value: float, rounded: object) -> float:
    whole: int = rounded(math.log10(value))  # type: ignore[operator]
    return float(10.0**whole)


def _round_up(value: float) -> float:
    """Return the next of 1, 2, 5 times a power of ten."""
    power = _power(value, math.floor)
    return next(step * power for step in (1, 2, 5, 10) if step * power >= value)


def tick_words(value: float) -> str:
    """'10⁻³' would need a font; '0.001', '1e-5' are what people type."""
    return f"{value:.0e}".replace("e-0", "e-") if 0 < value < 1e-3 else number(value)


def cell_words(table: LayerTable, cell: Cell) -> str:
    """Return what is known of a layer at an evaluation."""
    value = float(table.values[cell])
    said = number(value) if np.isfinite(value) else tr("no value, as in a frozen layer")
    return tr("Step {n}, {layer}: {value}", n=f"{table.place('step')[cell.column] + 1:,.0f}",
              layer=tr(table.layers[cell.row].words), value=said)


def table_of(table: LayerTable) -> list[tuple[str, ...]]:
    """Return a row of texts for each layer, below the steps."""
    steps = [f"{step + 1:.0f}" for step in table.place("step")]
    return [(tr("Steps"), *steps)] + [
        (tr(layer.words), *(repr(float(value)) for value in row))
        for layer, row in zip(table.layers, table.values, strict=True)
    ] if len(table) else []
