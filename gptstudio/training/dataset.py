"""Windows and batches of token ids (book §2.6). B windows in a batch, T tokens in a window."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import torch
from torch import Tensor

from gptstudio.training.corpus import TokenIds

Batch = tuple[Tensor, Tensor]
"""Inputs and targets, token ids (B, T) each; a target is the token after its input."""


class Windows:
    """Windows of T + 1 tokens, ``stride`` tokens apart. The tokens are read when needed; those of a large text are on
    disk, in 16 bits each."""

    def __init__(self, ids: TokenIds, context: int, stride: int):
        self._ids, self._length = ids, context + 1
        self._starts = range(0, len(ids) - context, stride)

    def __len__(self) -> int:
        return len(self._starts)

    def __getitem__(self, which: Tensor) -> Tensor:
        """Return copies of these windows, (B, T + 1)."""
        starts = [self._starts[i] for i in which.tolist()]
        return torch.from_numpy(np.array([self._ids[s : s + self._length] for s in starts], dtype=np.int64))


class Batches:
    """Batches of a text's windows, in a new random order for each epoch if shuffled.

    Random numbers are drawn from torch's generator exactly as by ``torch.utils.data.DataLoader`` without workers, which
    reproduces the book's order of batches; but the order of an epoch is one tensor, which can be saved and restored.
    """

    def __init__(self, ids: TokenIds, context: int, stride: int, batch_size: int, shuffle: bool, drop_last: bool):
        self.windows = Windows(ids, context, stride)
        self.batch_size, self.shuffle, self.drop_last = batch_size, shuffle, drop_last

    def __len__(self) -> int:
        count = len(self.windows)
        return count // self.batch_size if self.drop_last else -(-count // self.batch_size)

    def __iter__(self) -> Iterator[Batch]:
        """Return the batches of one epoch."""
        order = self.order()
        return (self.batch(order, i) for i in range(len(self)))

    def batch(self, order: Tensor, i: int) -> Batch:
        """Return batch ``i`` of an epoch, copied from the text."""
        batch = self.windows[order[i * self.batch_size : (i + 1) * self.batch_size]]  # (B, T + 1)
        return batch[:, :-1], batch[:, 1:]

    def order(self) -> Tensor:
        """Return the indices of the windows for one epoch, (N,)."""
        _draw_seed()  # DataLoader draws a seed for its workers in each epoch, even without workers
        if not self.shuffle:
            return torch.arange(len(self.windows))
        return torch.randperm(len(self.windows), generator=torch.Generator().manual_seed(_draw_seed()))


def _draw_seed() -> int:
    return int(torch.empty((), dtype=torch.int64).random_().item())
