"""Health of the layers over the evaluations of a run, and plain sentences about it. Imports no torch.

The tables have one column per layer. The rules compare layers with each other, and with typical values of networks of
this kind. They are rules of thumb: a run that breaks one may be fine, and a run that keeps them all may still learn
nothing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import fmean
from typing import Literal, NamedTuple, get_args

import numpy as np

from gptstudio.history.columns import Columns, Numbers
from gptstudio.i18n import Message, message, percent
from gptstudio.training.events import ActivationsRead, BlockActivations, Event, RunStarted, UpdatesRead

Quantity = Literal[
    "gradient_norm", "weight_norm", "update_ratio", "dead_units", "attention_entropy", "head_entropy", "logits",
]
"""``dead_units`` is in percent, entropies are in bits."""
PLACES = ("step", "tokens_seen", "elapsed_s")
MOST_COLUMNS = 8_192
"""Largest number of columns in a table; further ones in a file are ignored. The largest GPT-2 has 1,200 heads."""


class Layer(NamedTuple):
    """Part of the model that a column describes: its name, and its block and its head, both counted from 0."""

    part: str
    block: int | None = None
    head: int | None = None

    @property
    def words(self) -> str:
        """Display name, counted from 1; a message."""
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
    """One quantity of the layers at each evaluation. The first reading determines the layers, because a run does not
    change its model.

    Attributes:
        layers: layers in the order of the model.
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
        """Values as a view, (layers, evaluations); NaN if there is none."""
        return self._columns.below(len(PLACES))

    def row_at(self, step: float) -> int:
        """Return the index of the last evaluation at or before a step, counted from 0; -1 before the first."""
        return int(self.place("step").searchsorted(step, side="right")) - 1

    def add(self, places: Sequence[float], readings: Sequence[tuple[Layer, float | None]]) -> None:
        """Append the readings of an evaluation."""
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
        self.tables: dict[Quantity, LayerTable] = {name: LayerTable() for name in get_args(Quantity)}
        self.most_entropy, self.tokens = math.nan, 0
        """Highest possible entropy of a head at the last evaluation, and number of tokens that were read."""

    def __getitem__(self, quantity: Quantity) -> LayerTable:
        return self.tables[quantity]

    @property
    def measured(self) -> bool:
        """True if any quantity was measured."""
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
        """Return the range over the layers at the last evaluation (lowest, highest), for each measured quantity."""
        ranges = {}
        for name, table in self.tables.items():
            values = table.values[:, -1:]
            if np.isfinite(values).any():
                ranges[str(name)] = float(np.nanmin(values)), float(np.nanmax(values))
        return ranges

    def truncate_from(self, step: int) -> None:
        """Discard the evaluations from ``step`` on."""
        for table in self.tables.values():
            table.truncate_from(step)


def _mean(block: BlockActivations) -> float:
    return fmean(block.entropies) if block.entropies else math.nan


def _number(value: float | None) -> float:
    """Return a value that can be computed with: NaN if there is none, or if it is larger than in any run."""
    return value if value is not None and abs(value) < 1e150 else math.nan


SETTLED = 20
"""First step with judged updates: in earlier ones, before its averages have settled, AdamW moves every weight by nearly
the learning rate, for any gradient (Kingma and Ba, 2015, section 2.1)."""
USUAL_UPDATE = 1e-3
"""Karpathy, CS231n notes, "Ratio of weights:updates", 2015: "somewhere around 1e-3"."""
HEALTHY_UPDATES = (USUAL_UPDATE / 10**0.5, USUAL_UPDATE * 10**0.5)
"""Healthy band around it: half a power of ten to either side."""
FASTEST_UPDATE, SLOWEST_UPDATE = 3e-2, 1e-5
"""Limits of the median over the layers: 30 times the usual update, and a hundredth of it."""
TIMES_FASTER = 5.0
"""Factor by which a layer must be faster than the median layer to be mentioned."""
UNEVEN_GRADIENTS, BAD_GRADIENTS = 10.0, 100.0
"""Largest gradient norm of the blocks over the smallest: uneven from a factor of 10; from 100, the gradient vanishes or
explodes on its way through the blocks (Glorot and Bengio, 2010)."""
GROWN = 2.0
"""Factor by which a layer's weights must have grown since the first evaluation to be mentioned."""
MANY_DEAD, TOO_MANY_DEAD = 10.0, 40.0
"""Percent. Karpathy, CS231n notes, "ReLU", 2015: "as much as 40 %" are dead if the learning rate was too high."""
SHARP_HEAD, EVEN_HEAD = 0.1, 0.98
"""Fractions of the highest entropy: below the first, a head attends to almost one token (attention entropy collapse:
Zhai et al., 2023); above the second, evenly to all tokens."""
FLAT_LOGITS, WIDE_LOGITS = 0.1, 10.0
"""Standard deviation of the logits. e**0.1 is 1.1: all tokens are about equally likely. At 10, a token two deviations
above the mean is e**20 times as likely as an average one: rounding in bf16 then changes probabilities (PaLM, Chowdhery
et al., 2022, section 5, keeps logits small for this reason)."""

Level = Literal["good", "note", "bad"]


class HealthReading(NamedTuple):
    """A sentence about a quantity at an evaluation. Level ``bad``: it should be investigated."""

    quantity: Quantity
    level: Level
    message: Message
    step: int


def reading(health: HealthHistory, quantity: Quantity, row: int = -1) -> HealthReading | None:
    """Return the reading of a quantity at an evaluation, by its index; None if nothing was measured."""
    table = health[quantity]
    if not -len(table) <= row < len(table) or not table.layers:
        return None
    step = int(table.place("step")[row])
    level, words = RULES[quantity](health, table, row)
    return HealthReading(quantity, level, words, step)


Verdict = tuple[Level, Message]


def _update_ratio(_health: HealthHistory, table: LayerTable, row: int) -> Verdict:
    layers, ratios = _of(table, row, "attention", "feed_forward")
    if not len(ratios):
        return "note", message("The blocks are frozen, or their updates are not valid numbers.")
    if table.place("step")[row] < SETTLED:
        return "good", message(
            "The first {n} steps are not judged: updates settle in them.", n=SETTLED)
    median, fastest = float(np.median(ratios)), int(np.argmax(ratios))
    one_in = {name: _one_in(value) for name, value in (("low", ratios.min()), ("high", ratios.max()), ("n", median))}
    if median > FASTEST_UPDATE:
        return "bad", message(
            "The layers move by about 1 in {n} per step: too fast. Try a lower learning rate.", n=one_in["n"])
    if median < SLOWEST_UPDATE:
        return "bad", message("The layers hardly move: by about 1 in {n} per step. Try a higher learning rate.",
                              n=one_in["n"])
    if ratios[fastest] > TIMES_FASTER * median:
        return "note", message("Fastest: {layer}, moving {n} times as fast as the median layer.",
                               layer=layers[fastest].words, n=_times(ratios[fastest] / median))
    low, high = HEALTHY_UPDATES
    if low <= ratios.min() and ratios.max() <= high:
        return "good", message("All blocks move by about 1 in {n} per step: a healthy pace.", n=one_in["n"])
    return "note", message(
        "The blocks move by 1 in {low} to 1 in {high} per step; around 1 in 1,000 is usual.", **one_in)


def _gradient_norm(_health: HealthHistory, table: LayerTable, row: int) -> Verdict:
    blocks = _blocks(*_of(table, row, "attention", "feed_forward"))
    if len(blocks) < 1:
        return "note", message("The blocks are frozen, or their gradients are not valid numbers.")
    largest, smallest = max(blocks, key=blocks.__getitem__), min(blocks, key=blocks.__getitem__)
    if blocks[smallest] <= 0:
        return "bad", message("No gradient reaches block {n}: it does not learn.", n=f"{smallest + 1:,}")
    times = blocks[largest] / blocks[smallest]
    if times >= UNEVEN_GRADIENTS:
        return "bad" if times >= BAD_GRADIENTS else "note", message(
            "The gradient of block {large} is {n} times that of block {small}.", large=f"{largest + 1:,}",
            small=f"{smallest + 1:,}", n=_times(times))
    if len(blocks) == 1:
        return "good", message("The gradient norm of the block is {value}.", value=f"{blocks[largest]:.2g}")
    return "good", message(
        "Gradients reach all blocks: the largest is {n} times the smallest.", n=_times(times))


def _weight_norm(_health: HealthHistory, table: LayerTable, row: int) -> Verdict:
    first, now = table.values[:, 0], table.values[:, row]
    with np.errstate(all="ignore"):
        growth = np.where((first > 0) & np.isfinite(now), now / first, np.nan)
    if not np.isfinite(growth).any():
        return "note", message("The weights are not valid numbers.")
    most, least = int(np.nanargmax(growth)), int(np.nanargmin(growth))
    if growth[most] >= GROWN:
        return "note", message("Grown most since the first evaluation: {layer}, to {n} times its norm.",
                               layer=table.layers[most].words, n=_times(growth[most]))
    return "good", message(
        "Since the first evaluation, the norms of the layers have changed by {low} to {high}.",
        low=_percent(growth[least]), high=_percent(growth[most]))


def _dead_units(_health: HealthHistory, table: LayerTable, row: int) -> Verdict:
    layers, shares = _of(table, row, "block")
    if not len(shares):
        return "note", message("The activations are not valid numbers.")
    worst = int(np.argmax(shares))
    if shares[worst] >= MANY_DEAD:
        return "bad" if shares[worst] >= TOO_MANY_DEAD else "note", message(
            "{share} % of the units in {layer} are dead.", share=f"{shares[worst]:.0f}", layer=layers[worst].words)
    if shares[worst] > 0:
        return "good", message("Few units are dead: at most {share} %, in {layer}.", share=f"{shares[worst]:.2g}",
                               layer=layers[worst].words)
    return "good", message("No unit is dead.")


def _attention_entropy(health: HealthHistory, _table: LayerTable, row: int) -> Verdict:
    table, most = health["head_entropy"], health.most_entropy
    layers, bits = _of(table, row)
    if not len(bits) or not most > 0:
        return "note", message("The attention weights are not valid numbers.")
    sharp = np.flatnonzero(bits < SHARP_HEAD * most)
    values = {"low": f"{bits.min():.2f}", "high": f"{bits.max():.2f}", "most": f"{most:.2f}"}
    if len(sharp) * 2 >= len(bits) and len(bits) > 1:
        return "bad", message(
            "Of {count} heads, {n} look at almost one token only: attention may have collapsed.",
            count=f"{len(bits):,}", n=f"{len(sharp):,}")
    if len(sharp):
        sharpest = int(np.argmin(bits))
        return "note", message(
            "Sharpest: {layer}, which looks at almost one token only ({low} of at most {most} bits).",
            layer=layers[sharpest].words, **values)
    if bits.min() > EVEN_HEAD * most:
        return "good", message(
            "All heads still look almost evenly at all earlier tokens ({low} of at most {most} bits).", **values)
    return "good", message("The heads have {low} to {high} bits, of at most {most}.", **values)


def _logits(_health: HealthHistory, table: LayerTable, row: int) -> Verdict:
    std = float(table.values[0, row])
    if not np.isfinite(std):
        return "bad", message("The logits are not valid numbers.")
    values = {"std": f"{std:.2g}"}
    if std > WIDE_LOGITS:
        return "bad", message(
            "The logits spread by {std}: so widely that almost all probability goes to one token.", **values)
    if std < FLAT_LOGITS:
        return "note", message("The logits spread by {std} only: all tokens are about as likely.", **values)
    return "good", message("The logits spread by {std}: a usual scale.", **values)


RULES = {
    "update_ratio": _update_ratio, "gradient_norm": _gradient_norm, "weight_norm": _weight_norm,
    "dead_units": _dead_units, "attention_entropy": _attention_entropy, "head_entropy": _attention_entropy,
    "logits": _logits,
}


def _of(table: LayerTable, row: int, *parts: str) -> tuple[list[Layer], Numbers]:
    """Return the layers with a finite value that is not negative, and these values; only of ``parts``, if given."""
    values = table.values[:, row]
    chosen = [
        index for index, layer in enumerate(table.layers)
        if (not parts or layer.part in parts) and np.isfinite(values[index]) and values[index] >= 0
    ]
    return [table.layers[index] for index in chosen], values[chosen]


def _blocks(layers: list[Layer], norms: Numbers) -> dict[int, float]:
    """Return the norm of each block, combined from the norms of its parts."""
    blocks: dict[int, float] = {}
    for layer, norm in zip(layers, norms.tolist(), strict=True):
        if layer.block is not None:
            blocks[layer.block] = float(np.hypot(blocks.get(layer.block, 0.0), norm))
    return blocks


def _one_in(ratio: float) -> str:
    """Return 1 / ratio with two significant digits, as '1,000' for 0.001."""
    return f"{float(f'{1 / ratio:.2g}'):,.0f}" if ratio > 0 else "∞"


def _times(ratio: float) -> str:
    return f"{float(f'{ratio:.2g}'):,.0f}" if ratio >= 10 else f"{ratio:.1f}"


def _percent(growth: float) -> str:
    return percent(growth - 1, sign=True).replace(" ", "\N{NO-BREAK SPACE}")


UPDATES: tuple[Quantity, ...] = ("update_ratio", "gradient_norm", "weight_norm")
ACTIVATIONS: tuple[Quantity, ...] = ("dead_units", "attention_entropy", "logits")


class HealthWatch:
    """Detector of unhealthy readings."""

    def __init__(self) -> None:
        self._health = HealthHistory()
        self._bad: set[Quantity] = set()

    def update(self, event: Event) -> list[HealthReading]:
        """Add the next event of the run; return the readings that it turns bad."""
        match event:
            case RunStarted():
                self._health.truncate_from(event.first_step)
                self._bad.clear()
            case UpdatesRead() | ActivationsRead():
                self._health.add(event, 0.0)
                return self._news(UPDATES if isinstance(event, UpdatesRead) else ACTIVATIONS)
        return []

    def _news(self, quantities: tuple[Quantity, ...]) -> list[HealthReading]:
        found = [made for name in quantities if (made := reading(self._health, name)) and made.level == "bad"]
        news = [made for made in found if made.quantity not in self._bad]
        self._bad = (self._bad - set(quantities)) | {made.quantity for made in found}
        return news
