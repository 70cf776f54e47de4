"""Random numbers for the labs: the same as from torch's global generator with a seed, but without touching it.

A run that trains at the same time draws from torch's global generator; seeding that would change the run. Each lab
therefore has its own generator, and draws in the same order as torch's modules. The numbers are bit for bit those of
the module after ``torch.manual_seed``.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor


class Draws:
    """Random numbers in torch's order, as after ``torch.manual_seed(seed)``."""

    def __init__(self, seed: int):
        self._generator = torch.Generator().manual_seed(seed)

    def randn(self, *shape: int) -> Tensor:
        """Return numbers as ``torch.randn`` does, and a new ``nn.Embedding`` for its weight."""
        return torch.randn(*shape, generator=self._generator)

    def rand(self, *shape: int) -> Tensor:
        """Return numbers as ``torch.rand`` does."""
        return torch.rand(*shape, generator=self._generator)

    def linear(self, inputs: int, outputs: int, bias: bool = True) -> tuple[Tensor, Tensor | None]:
        """Return the weight (outputs, inputs) and bias (outputs,) of a new ``nn.Linear``: uniform within one over the
        square root of ``inputs`` (He et al., 2015, with a = sqrt(5))."""
        weight, bound = torch.empty(outputs, inputs), 1 / math.sqrt(inputs)
        torch.nn.init.kaiming_uniform_(weight, a=math.sqrt(5), generator=self._generator)
        return weight, torch.empty(outputs).uniform_(-bound, bound, generator=self._generator) if bias else None

    def dropout(self, values: Tensor, rate: float) -> Tensor:
        """Apply dropout as in training: a fraction ``rate`` is set to zero, the rest is multiplied by 1 / (1 - rate).

        As in ``nn.Dropout``, no random number is drawn at a rate of 0.
        """
        if rate == 0:
            return values
        kept = torch.empty_like(values).bernoulli_(1 - rate, generator=self._generator)
        return values * (kept / (1 - rate)) if rate < 1 else torch.zeros_like(values)

    def multinomial(self, probabilities: Tensor, count: int) -> Tensor:
        """Draw ``count`` IDs with replacement, as ``torch.multinomial`` does."""
        return torch.multinomial(probabilities, count, replacement=True, generator=self._generator)
