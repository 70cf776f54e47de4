"""Quantities that are shown of the layers: their names, what they are, and on which scale they are drawn."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from gptstudio.history.health_history import HEALTHY_UPDATES, HealthHistory, LayerTable, Quantity
from gptstudio.i18n import message


class Shown(NamedTuple):
    """One quantity.

    Attributes:
        words: its name, with the unit.
        term: key in the glossary.
        help: what it is, and what is usual; a sentence or two.
        log: drawn by its logarithm.
        cells: the table of the heat map, where it has more rows than there are lines.
        usual: the band that is shaded, from the history.
    """

    words: str
    term: str
    help: str
    log: bool = False
    cells: Quantity | None = None
    usual: Callable[[HealthHistory], tuple[float, float] | None] = lambda _: None


def _most(health: HealthHistory) -> tuple[float, float] | None:
    return (health.most_entropy, health.most_entropy) if health.most_entropy > 0 else None


SHOWN: dict[Quantity, Shown] = {
    "update_ratio": Shown(
        message("Update ratio"), "update-ratio",
        message("How far a step moves the weights of a layer, as a share of their norm. By Karpathy's rule of thumb "
                "(CS231n notes, 2015), about 1 in 1,000 is healthy: the shaded band."),
        log=True, usual=lambda _: HEALTHY_UPDATES),
    "gradient_norm": Shown(
        message("Gradient norm"), "gradient-norm",
        message("The length of the gradient of each layer, before clipping. Layers that get far less than others "
                "hardly learn."), log=True),
    "dead_units": Shown(
        message("Dead units (%)"), "dead-unit",
        message("Share of the units in a feed-forward network whose activation is about zero at every measured token: "
                "they do nothing there, and hardly learn.")),
    "attention_entropy": Shown(
        message("Attention entropy (bits)"), "attention-entropy",
        message("How widely the heads of a block look around, mean over the tokens: 0 bits at a single token. The "
                "dotted line is the most there can be: evenly at all."),
        cells="head_entropy", usual=_most),
    "logits": Shown(
        message("Logits"), "logit-scale",
        message("How far the logits spread over the vocabulary (standard deviation), and the largest absolute value.")),
    "weight_norm": Shown(
        message("Weight norm"), "weight-norm",
        message("The length of the weights of each layer. It may grow slowly; a layer that grows fast overtakes the "
                "others."), log=True),
}


def cells(health: HealthHistory, quantity: Quantity) -> LayerTable:
    """Return the table that the heat map shows."""
    return health[SHOWN[quantity].cells or quantity]
