"""Residual stream of one pass: what attention and the feed-forward network of each block write into it.

Nothing but these updates changes the stream (Elhage et al., "A Mathematical Framework for Transformer Circuits", 2021):
here each state is the sum of the updates before it. Shapes: T tokens, D width, L layers.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

Floats = NDArray[np.floating]


class ResidualStream:
    """Reads the residual stream in one pass of a model over one text; passed as ``change``, it changes nothing.

    Attributes:
        states: (T, D) after the embedding, and after each block: L + 1; the last is what the last norm reads.
    """

    def __init__(self) -> None:
        self.states: list[Tensor] = []
        self._norms: list[Tensor] = []  # (T,) of the embedding, and after each update
        self._updates: list[Tensor] = []  # (T,) of attention and MLP by turns

    def __call__(self, name: str, out: Tensor) -> Tensor:
        match name.split("."):
            case "0", "resid_pre":
                self.states.append(out[0])
                self._norms.append(_norm(out[0]))
            case _, "attn_out":
                self.states.append(self.states[-1])  # of the block, which the MLP completes
                self._add(out[0])
            case _, "mlp_out":
                self._add(out[0])
        return out

    @property
    def norms(self) -> Floats:
        """(L + 1, T): L2 norms of the states."""
        return _numbers(self._norms[::2])

    @property
    def updates(self) -> Floats:
        """(L, 2, T): L2 norms of what attention and MLP write."""
        return _numbers(self._updates).reshape(-1, 2, self.states[0].shape[0])

    @property
    def shares(self) -> Floats:
        """(L, 2, T): norms of the updates, divided by those of the stream that each is added to; 0 of an empty one."""
        before = _numbers(self._norms[:-1]).reshape(self.updates.shape)
        return np.divide(self.updates, before, out=np.zeros_like(before), where=before > 0)

    def _add(self, update: Tensor) -> None:
        self._updates.append(_norm(update))
        self.states[-1] = self.states[-1] + update
        self._norms.append(_norm(self.states[-1]))


def _norm(x: Tensor) -> Tensor:
    norm: Tensor = torch.linalg.vector_norm(x.float(), dim=-1)
    return norm


def _numbers(rows: Sequence[Tensor]) -> Floats:
    numbers: Floats = torch.stack(list(rows)).cpu().numpy()
    return numbers
