"""Stages from the embedding to the logits at one token, and attention between all tokens. No torch.

Shapes: T tokens.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from gptstudio.gpt.sampling.arrays import Floats


class AttentionSource(NamedTuple):
    """Source of attention: a head, the mean over the heads of a layer, or attention rollout over all layers. Layers and
    heads are counted from 0; unused ones are 0."""

    kind: Literal["head", "mean", "rollout"] = "head"
    layer: int = 0
    head: int = 0


@dataclass(frozen=True, eq=False)
class TextAttention:
    """Attention between all tokens that the model read.

    Attributes:
        weights: attention weights (T, T), with a row for each token that sums to 1 over itself and earlier tokens.
    """

    weights: Floats

    @property
    def read(self) -> int:
        """Number of tokens that the model read, T."""
        return len(self.weights)

    def most(self, row: int, count: int) -> list[tuple[int, float]]:
        """Return the columns with the largest weights in a row, largest first, with their weights."""
        weights = self.weights[row, : row + 1]
        return [(at, float(weights[at])) for at in np.argsort(-weights, kind="stable")[:count].tolist()]


class FlowStep(NamedTuple):
    """Stage between the embedding and the logits, at one token.

    Attributes:
        layer: index of the block, from 0; None for the embedding (the first stage) and the logits (the last stage).
        norm: L2 norm of the residual stream after the stage.
        updates: norms of the outputs of attention and feed-forward network of a block.
        shares: these norms, divided by the norm of the stream before each update.
        token, probability: prediction of the logit lens after the stage.
    """

    layer: int | None
    norm: float
    updates: tuple[float, ...]
    shares: tuple[float, ...]
    token: int
    probability: float
