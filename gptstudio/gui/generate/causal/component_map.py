"""Diagram of a model's components: a row for each layer, a column for each head and for the feed-forward network (MLP).

The first layer is at the bottom, where a token enters the model; a cross marks what is off, a figure what is scaled, a
dot where methods disagree.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

import numpy as np

from gptstudio.gui.canvas.grid import Cell
from gptstudio.gui.generate.causal.change_words import component_name
from gptstudio.gui.plots.grid_view import Grid
from gptstudio.gui.plots.shades import Floats, Range
from gptstudio.gui.translation import joined, tr
from gptstudio.i18n import with_minus
from gptstudio.inference.interventions import Component

MLP = "MLP"
OFF = "×"
UNKNOWN = 0.15
"""Place on the scale of colours where no effect is known."""
TILE = 6.0, 3.0
"""Largest width and height of a tile, in heights of a letter."""


def component_grid(
    shape: tuple[int, int], effects: Floats | None, marks: Mapping[Component, str],
    disagree: Collection[Component] = (),
) -> Grid:
    """Return the map.

    Args:
        shape: (L, H + 1), a row for each layer, its heads and then its MLP.
        effects: of that shape; None: not known.
        marks: texts on changed components; "×" is drawn as a cross.
        disagree: components that have a dot.
    """
    layers, columns = shape
    values = np.zeros(shape) if effects is None else effects

    def say(cell: Cell) -> str:
        component = component_at(shape, cell)
        changed = marks.get(component, "")
        value = "" if effects is None else tr("{value} nats", value=with_minus(f"{values[::-1][cell]:+.3g}"))
        parts = component_name(component), tr("off") if changed == OFF else changed, value
        return joined("  ·  ", *filter(None, parts))

    return Grid(
        values[::-1], [tr("Layer {n}", n=layer) for layer in range(layers, 0, -1)],
        [*(tr("Head {n}", n=head) for head in range(1, columns)), MLP],
        Range(-UNKNOWN, 1.0) if effects is None else Range.around_zero(values), diverging=effects is not None,
        square=False, most=TILE, legend=effects is not None,
        texts={cell_of(shape, component): text for component, text in marks.items() if text != OFF},
        crossed=[cell_of(shape, component) for component, text in marks.items() if text == OFF],
        dotted=[cell_of(shape, component) for component in disagree], say=say)


def component_at(shape: tuple[int, int], cell: Cell) -> Component:
    """Return the component of a cell; ``shape``: (L, H + 1)."""
    layers, columns = shape
    return Component(layers - 1 - cell.row, None if cell.column == columns - 1 else cell.column)


def cell_of(shape: tuple[int, int], component: Component) -> Cell:
    """Return the cell of a component; ``shape``: (L, H + 1)."""
    layers, columns = shape
    return Cell(layers - 1 - component.layer, columns - 1 if component.head is None else component.head)
