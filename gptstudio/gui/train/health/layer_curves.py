"""A quantity as a small chart with a line for each layer: the blocks in colours by depth, all else in grey."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor

from gptstudio.gui.canvas import tint
from gptstudio.gui.canvas.grid import Cell
from gptstudio.gui.plots.curve_view import Curves, Line
from gptstudio.gui.plots.shades import Range
from gptstudio.gui.theme import colour
from gptstudio.gui.train.health.scale import Scale, cell_words, table_of
from gptstudio.history.health_history import LayerTable

FAINTEST = 0.3
"""Share of the colour scale at which the first block begins: below, a line could not be seen on the ground."""


@dataclass(frozen=True)
class Steps(Range):
    """Scale over the steps, with the first and the last written."""

    def legend(self, most: int) -> list[tuple[float, str]]:
        ends = [(0.0, f"{self.low + 1:,.0f}"), (1.0, f"{self.high + 1:,.0f}")]
        return ends[: most if self.high > self.low else 1]


def depth_colour(share: float) -> QColor:
    """Return the colour of a block: 0 for the first, 1 for the last."""
    return tint.shade(FAINTEST + share * (1 - FAINTEST))


def layer_curves(table: LayerTable, log: bool, usual: tuple[float, float] | None) -> Curves:
    """Return the chart of a table; ``usual``: the band that is shaded, or a dotted line where it is one value."""
    if not len(table):
        return Curves()
    steps = np.array(table.place("step"))
    return Curves(
        steps, [Line(values, *_look(table, row), behind=table.layers[row].block is None)
                for row, values in enumerate(table.values)],
        pointed=len(table.layers), x_scale=Steps(float(steps[0]), float(steps[-1])),
        y_scale=Scale.of(table.values, log, *(usual or ())),
        band=(np.array([usual[0]]), np.array([usual[1]])) if usual else None, entry=Cell(0, len(table) - 1),
        say=partial(cell_words, table), table=partial(table_of, table))


def _look(table: LayerTable, row: int) -> tuple[Callable[[], QColor], None, float, Qt.PenStyle]:
    """Return colour, x, width and dashes of the line of a layer."""
    layer, blocks = table.layers[row], [each.block for each in table.layers if each.block is not None]
    if layer.block is None:
        return partial(colour, "muted"), None, 1.4, Qt.PenStyle.DashLine if row % 2 else Qt.PenStyle.SolidLine
    style = Qt.PenStyle.DashLine if layer.part == "attention" else Qt.PenStyle.SolidLine
    return partial(depth_colour, layer.block / max(1, *blocks)), None, 1.4, style
