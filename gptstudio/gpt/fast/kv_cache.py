"""Cache of the keys and values of attention for decoding."""

from __future__ import annotations

import copy
from collections.abc import Sequence

import torch
from torch import Tensor

from gptstudio.gpt.config import GPTConfig


class LayerCache:
    """Keys and values of one attention layer for all previous positions, (B, H, C, D/H) each; ``both`` holds them
    together, (2, B, H, C, D/H)."""

    def __init__(self, both: Tensor):
        self.both = both
        self.keys, self.values = both[0], both[1]

    def extend(self, start: int, keys: Tensor, values: Tensor) -> tuple[Tensor, Tensor]:
        """Write keys and values (B, H, T, D/H) at ``start``, and return all up to there, (B, H, start + T, D/H)."""
        stop = start + keys.shape[2]
        self.keys[:, :, start:stop], self.values[:, :, start:stop] = keys, values
        return self.keys[:, :, :stop].to(keys.dtype), self.values[:, :, :stop].to(values.dtype)


class KVCache:
    """Keys and values of all layers.

    GPT-2 has absolute positions, so the cache holds at most C tokens. Past that the window slides, every token gets a
    different position, and the caller starts again with an empty cache.
    """

    def __init__(
        self, cfg: GPTConfig, batch: int, device: torch.device | str, dtype: torch.dtype, masked: bool = False
    ):
        """Create an empty cache.

        ``masked``: the model reads the space after the texts, masked, so it is filled with zeros. Otherwise it takes no
        memory on a CPU.
        """
        shape, new = (2, batch, cfg.n_heads, cfg.context_length, cfg.head_dim), torch.zeros if masked else torch.empty
        self.layers = [LayerCache(new(shape, device=device, dtype=dtype)) for _ in range(cfg.n_layers)]
        self.batch, self.length, self._masked = batch, 0, masked

    def truncate(self, length: int) -> None:
        """Keep only the first ``length`` tokens."""
        self.length = min(self.length, length)

    def select(self, rows: Sequence[int]) -> KVCache:
        """Return a new cache with copies of the texts in these rows."""
        other = copy.copy(self)
        other.layers = [LayerCache(self._select(layer.both, rows)) for layer in self.layers]
        other.batch = len(rows)
        return other

    def reorder(self, rows: Sequence[int]) -> None:
        """Rearrange the texts in place: row i gets the text of row ``rows[i]``."""
        for layer in self.layers:
            layer.both[:, :, :, : self.length] = layer.both[:, list(rows), :, : self.length]

    def _select(self, kept: Tensor, rows: Sequence[int]) -> Tensor:
        shape = 2, len(rows), *kept.shape[2:]
        other = kept.new_zeros(shape) if self._masked else kept.new_empty(shape)
        other[:, :, :, : self.length] = kept[:, list(rows), :, : self.length]
        return other
