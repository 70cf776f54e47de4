"""Health of the layers over the evaluations of a run, as tables of numbers: a column for each layer. No torch."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import fmean
from typing import Literal, NamedTuple

import numpy as np

from gptstudio.history.columns import Columns, Numbers
from gptstudio.i18n import message
from gptstudio.training.events import ActivationsRead, BlockActivations, UpdatesRead

Quantity = Literal[
    "gradient_norm", "weight_norm", "update_ratio", "dead_units", "attention_entropy", "head_entropy", "logits",
]
"""``dead_units`` are in percent, entropies in bits."""
PLACES = ("step", "tokens_seen", "elapsed_s")
MOST_COLUMNS = 8_192
"""Of a table; what a file has beyond is left out. The largest GPT-2 has 1,200 heads."""


class Layer(NamedTuple):
    """A part of the model by its name, its block and its head, counted from 0, which a column is of."""

    part: str
    block: int | None = None
    head: int | None = None

    @property
    def words(self) -> str:
        """Its name for people, who count from 1; a message."""
        if self.head is not None:
            return message("head {head} of block {n}", head=f"{self.head + 1:,}", n=f"{(self.block or 0) + 1:,}")
        return message(NAMES.get(self.part, self.part), n=f"{(self.block or 0) + 1:,}")


NAMES = {
    "token_embedding": message("token embedding"), "position_embedding": message("position embedding"),
    "attention": message("attention of block {n}"), "feed_forward": message("feed-forward of block {n}"),
    "block": message("block {n}"), "final_norm": message("last norm"), "output_layer": message("output layer"),
    "std": message("standard deviation"), "largest": message("largest absolute value"),
}


class LayerTable:
    """A quantity of the layers at each evaluation. The first reading decides which layers there are: a run does not
    change its model.

    Attributes:
        layers: in the order of the model.
    """

    def __init__(self) -> None:
        self.layers: tuple[Layer, ...] = ()
        self._columns = Columns(*PLACES)

    def __len__(self) -> int:
        """Return the number of evaluations."""
        return len(self._columns)

    def place(self, name: str) -> Numbers:
        """Return a column of ``PLACES``, (evaluations,)."""
        return self._columns[name]

    @property
    def values(self) -> Numbers:
        """(layers, evaluations), a view; NaN where there is none."""
        return self._columns.below(len(PLACES))

    def row_at(self, step: float) -> int:
        """Return the index of the last evaluation at or before a step, counted from 0; -1 before the first."""
        return int(self.place("step").searchsorted(step, side="right")) - 1

    def add(self, places: Sequence[float], readings: Sequence[tuple[Layer, float | None]]) -> None:
        """Append an evaluation."""
        found = dict(readings[:MOST_COLUMNS])
        if not self.layers:
            self.layers = tuple(found)
            self._columns = Columns(*PLACES, *map(str, range(len(found))))
        self._columns.extend([[*places, *(_number(found.get(layer)) for layer in self.layers)]])

    def truncate_from(self, step: int) -> None:
        self._columns.truncate_from(step)


class HealthHistory:
    """Tables of all quantities."""

    def __init__(self) -> None:
        self.tables: dict[Quantity, LayerTable] = {name: LayerTable() for name in (
            "gradient_norm", "weight_norm", "update_ratio", "dead_units", "attention_entropy", "head_entropy", "logits",
        )}
        self.most_entropy, self.tokens = math.nan, 0
        """Of the last evaluation: the highest entropy that a head can have, and the tokens that were read."""

    def __getitem__(self, quantity: Quantity) -> LayerTable:
        return self.tables[quantity]

    @property
    def measured(self) -> bool:
        """True if there is anything to show."""
        return any(map(len, self.tables.values()))

    def add(self, read: UpdatesRead | ActivationsRead, elapsed_s: float) -> None:
        places = (read.step, read.tokens_seen, elapsed_s)
        if isinstance(read, UpdatesRead):
            layers = [Layer(part.part, part.block) for part in read.parts]
            for name in ("gradient_norm", "weight_norm", "update_ratio"):
                self.tables[name].add(places, [
                    (layer, getattr(part, name)) for layer, part in zip(layers, read.parts, strict=True)])
            return
        self.most_entropy, self.tokens = read.most_entropy, read.tokens
        blocks = list(enumerate(read.blocks))
        self["dead_units"].add(places, [(Layer("block", n), 100 * block.dead_share) for n, block in blocks])
        self["attention_entropy"].add(places, [(Layer("block", n), _mean(block)) for n, block in blocks])
        self["head_entropy"].add(places, [
            (Layer("block", n, head), bits) for n, block in blocks for head, bits in enumerate(block.entropies)])
        self["logits"].add(places, [(Layer("std"), read.logit_std), (Layer("largest"), read.largest_logit)])

    def last_ranges(self) -> dict[str, tuple[float, float]]:
        """Return the lowest and the highest value over the layers at the last evaluation, of what was measured."""
        ranges = {}
        for name, table in self.tables.items():
            values = table.values[:, -1:]
            if np.isfinite(values).any():
                ranges[str(name)] = float(np.nanmin(values)), float(np.nanmax(values))
        return ranges

    def truncate_from(self, step: int) -> None:
        """Forget the evaluations from a step on."""
        for table in self.tables.values():
            table.truncate_from(step)


def _mean(block: BlockActivations) -> float:
    return fmean(block.entropies) if block.entropies else math.nan


def _number(value: float | None) -> float:
    """Return a value that can be computed with: NaN where there is none, or one that no run has."""
    return value if value is not None and abs(value) < 1e150 else math.nan
