"""Plain sentences about the health of the layers, by rules. No torch.

The rules compare layers with each other, and with what is usual for networks of this kind. They are rules of thumb: a
run that breaks one may be fine, and one that keeps them all may still learn nothing.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

from gptstudio.history.columns import Numbers
from gptstudio.history.health_history import HealthHistory, Layer, LayerTable, Quantity
from gptstudio.i18n import Message, message, percent

SETTLED = 20
"""Steps from which on updates are judged: in its first ones, before its averages have settled, AdamW moves every weight
by nearly the learning rate, whatever its gradient (Kingma and Ba, 2015, section 2.1)."""
USUAL_UPDATE = 1e-3
"""Karpathy, CS231n notes, "Ratio of weights:updates", 2015: "somewhere around 1e-3"."""
HEALTHY_UPDATES = (USUAL_UPDATE / 10**0.5, USUAL_UPDATE * 10**0.5)
"""The band around it: half a power of ten to either side."""
FASTEST_UPDATE, SLOWEST_UPDATE = 3e-2, 1e-5
"""Median over the layers beyond which the pace is a problem: a half power of ten beyond ten times, and a hundredth."""
TIMES_FASTER = 5.0
"""Factor by which a layer that stands out moves faster than the median layer."""
UNEVEN_GRADIENTS, BAD_GRADIENTS = 10.0, 100.0
"""Largest over smallest gradient norm of the blocks: uneven from one power of ten on; from two on, the gradient
vanishes or explodes on its way through the blocks (Glorot and Bengio, 2010)."""
GROWN = 2.0
"""Times by which the weights of a layer have grown since the first evaluation."""
MANY_DEAD, TOO_MANY_DEAD = 10.0, 40.0
"""Percent. Karpathy, CS231n notes, "ReLU", 2015: "as much as 40 %" are dead where the learning rate was too high."""
SHARP_HEAD, EVEN_HEAD = 0.1, 0.98
"""Of the highest entropy: below, a head looks at almost one token (attention entropy collapse: Zhai et al., 2023);
above, evenly at all."""
FLAT_LOGITS, WIDE_LOGITS = 0.1, 10.0
"""Standard deviation of the logits. e**0.1 is 1.1: all tokens are about as likely. At 10, a token two deviations above
the mean is e**20 times as likely as a usual one: rounding in bf16 then changes probabilities (PaLM, Chowdhery et al.,
2022, section 5, keeps logits small for this reason)."""

Level = Literal["good", "note", "bad"]


class HealthReading(NamedTuple):
    """A sentence about a quantity at an evaluation. ``bad``: it should be looked into."""

    quantity: Quantity
    level: Level
    message: Message
    step: int


def reading(health: HealthHistory, quantity: Quantity, row: int = -1) -> HealthReading | None:
    """Return what a rule says of a quantity at an evaluation, by its index; None where nothing was measured."""
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
        return "note", message("The blocks are frozen, or their updates are no numbers.")
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
        return "note", message("The blocks are frozen, or their gradients are no numbers.")
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
        return "note", message("The weights are no numbers.")
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
        return "note", message("The activations are no numbers.")
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
        return "note", message("The attention weights are no numbers.")
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
        return "bad", message("The logits are no numbers.")
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
    """Return the layers that have a finite value that is not negative, and these; ``parts``: of these only."""
    values = table.values[:, row]
    chosen = [
        index for index, layer in enumerate(table.layers)
        if (not parts or layer.part in parts) and np.isfinite(values[index]) and values[index] >= 0
    ]
    return [table.layers[index] for index in chosen], values[chosen]


def _blocks(layers: list[Layer], norms: Numbers) -> dict[int, float]:
    """Return the norm of each block, of those of its parts."""
    blocks: dict[int, float] = {}
    for layer, norm in zip(layers, norms.tolist(), strict=True):
        if layer.block is not None:
            blocks[layer.block] = float(np.hypot(blocks.get(layer.block, 0.0), norm))
    return blocks


def _one_in(ratio: float) -> str:
    """'1,000' for 0.001: with two digits, as they are read."""
    return f"{float(f'{1 / ratio:.2g}'):,.0f}" if ratio > 0 else "∞"


def _times(ratio: float) -> str:
    return f"{float(f'{ratio:.2g}'):,.0f}" if ratio >= 10 else f"{ratio:.1f}"


def _percent(growth: float) -> str:
    return percent(growth - 1, sign=True).replace(" ", "\N{NO-BREAK SPACE}")
