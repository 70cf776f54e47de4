"""Token ids -> windows -> batches (seeds 2.6). B windows in a batch, T tokens in a window."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import torch
from torch import Tensor

Batch = tuple[Tensor, Tensor]
"""Inputs and targets, each (B, T) of token ids; a target is the token after its input."""


class Batches:
    """The windows of a text in batches, in a new order at each pass where shuffled.

    Draws from torch's generator exactly as ``torch.utils.data.DataLoader`` does without workers, so the seeds'
    order of batches comes out; but an epoch's order is one tensor, which can be saved and taken up again.
    """

    def __init__(
        self, ids: Sequence[int], context: int, stride: int, batch_size: int, shuffle: bool, drop_last: bool
    ):
        # One tensor of all tokens; windows are views into it. (N, T + 1)
        self.windows = torch.tensor(ids, dtype=torch.long).unfold(0, context + 1, stride)
        self.batch_size, self.shuffle, self.drop_last = batch_size, shuffle, drop_last

    def __len__(self) -> int:
        count = len(self.windows)
        return count // self.batch_size if self.drop_last else -(-count // self.batch_size)

    def __iter__(self) -> Iterator[Batch]:
        return self.along(self.order())

    def along(self, order: Tensor) -> Iterator[Batch]:
        """The batches of one pass, each copied out of the text only when its turn comes."""
        for i in range(len(self)):
            batch = self.windows[order[i * self.batch_size : (i + 1) * self.batch_size]]  # (B, T + 1)
            yield batch[:, :-1], batch[:, 1:]

    def order(self) -> Tensor:
        """Indices of the windows for one pass, (N,)."""
        _draw_seed()  # DataLoader draws one for its workers at each pass, also when it has none
        if not self.shuffle:
            return torch.arange(len(self.windows))
        return torch.randperm(len(self.windows), generator=torch.Generator().manual_seed(_draw_seed()))


def _draw_seed() -> int:
    return int(torch.empty((), dtype=torch.int64).random_().item())
