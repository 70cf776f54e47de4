"""Heat map of a sweep of two settings: a cell for each pair of values, in the colour of its mean validation loss."""

from __future__ import annotations

import numpy as np

from gptstudio.gui.canvas.grid import Cell
from gptstudio.gui.plots.grid_view import Grid
from gptstudio.gui.plots.shades import Range
from gptstudio.gui.translation import tr
from gptstudio.history.sweep_results import SweepResults
from gptstudio.training.sweep_spec import shown_value

LARGEST = (10.0, 3.0)
"""Width and height of a cell at most, in heights of a letter."""


def sweep_grid(results: SweepResults | None) -> Grid:
    """Return the means of a sweep, the lowest framed; nothing where not two settings are varied."""
    groups = results.grid if results else None
    if not results or not groups:
        return Grid(square=False)
    rows, columns = results.spec.vary
    means = np.array([[np.nan if group.mean is None else group.mean for group in row] for row in groups])
    known = {Cell(*at): float(means[at]) for at in np.ndindex(means.shape) if np.isfinite(means[at])}

    def say(cell: Cell) -> str:
        group = groups[cell.row][cell.column]
        pairs = ", ".join(
            f"{tr(each.view.label)} {shown_value(group.values[each.field])}" for each in results.spec.vary)
        if group.mean is None:
            return tr("{values}: no run has finished yet", values=pairs)
        if group.spread is None:
            return tr("{values}: {mean} nats per token, one run", values=pairs, mean=f"{group.mean:.4f}")
        return tr("{values}: {mean} ± {spread} nats per token, mean and standard deviation of {n} runs", values=pairs,
                  mean=f"{group.mean:.4f}", spread=f"{group.spread:.4f}", n=group.count)

    return Grid(
        means, [shown_value(value) for value in rows.values], [shown_value(value) for value in columns.values],
        Range(max(known.values(), default=1.0), min(known.values(), default=0.0)), square=False, most=LARGEST,
        row_title=tr(rows.view.label), column_title=tr(columns.view.label),
        texts={cell: f"{mean:.3f}" for cell, mean in known.items()},
        framed=[cell for cell, mean in known.items() if mean == min(known.values())], entry=Cell(0, 0), say=say)
