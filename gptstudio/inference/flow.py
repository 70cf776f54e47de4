"""Stages from the embedding to the logits at one token, and attention between all tokens. No torch.

Shapes: T tokens.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating]


class AttentionSource(NamedTuple):
    """Whose attention: of a head, the mean over the heads of a layer, or attention rollout over all layers. Layers and
    heads are counted from 0; what a kind does not name is 0."""

    kind: Literal["head", "mean", "rollout"] = "head"
    layer: int = 0
    head: int = 0


@dataclass(frozen=True, eq=False)
class TextAttention:
    """Attention between all tokens that the model read.

    Attributes:
        weights: (T, T) a row for each token, with its weights for itself and all before it, which sum to 1.
    """

    weights: Floats

    @property
    def read(self) -> int:
        """T, how many tokens the model read."""
        return len(self.weights)

    def most(self, row: int, count: int) -> list[tuple[int, float]]:
        """Return the columns that a row attends to most, the greatest weight first, each with its weight."""
        weights = self.weights[row, : row + 1]
        return [(at, float(weights[at])) for at in np.argsort(-weights, kind="stable")[:count].tolist()]


class FlowStep(NamedTuple):
    """Stage on the way from the embedding to the logits, at one token.

    Attributes:
        layer: index of the block, from 0; None for the embedding, which is first, and the logits, which are last.
        norm: L2 norm of the residual stream after it.
        updates: norms of what attention and the feed-forward network of a block write.
        shares: these, divided by the norm of the stream that each is added to.
        token, probability: prediction of the logit lens there.
    """

    layer: int | None
    norm: float
    updates: tuple[float, ...]
    shares: tuple[float, ...]
    token: int
    probability: float
