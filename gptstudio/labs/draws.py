"""Random numbers for the labs: torch's own stream of a seed, without touching torch's global generator.

A run that trains at the same time draws from torch's generator; seeding that would change the run. So each lab has its
own generator, and draws in the order in which torch's modules do. The numbers are those that ``torch.manual_seed``
followed by the module gives, to the bit.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor


class Draws:
    """Numbers in torch's order, as after ``torch.manual_seed(seed)``."""

    def __init__(self, seed: int):
        self._generator = torch.Generator().manual_seed(seed)

    def randn(self, *shape: int) -> Tensor:
        """Return numbers as ``torch.randn`` does."""
        return torch.randn(*shape, generator=self._generator)

    def rand(self, *shape: int) -> Tensor:
        """Return numbers as ``torch.rand`` does."""
        return torch.rand(*shape, generator=self._generator)

    def linear(self, inputs: int, outputs: int, bias: bool = True) -> tuple[Tensor, Tensor | None]:
        """Return weight (outputs, inputs) and bias (outputs,) as a new ``nn.Linear`` draws them: uniform within one
        over the square root of ``inputs`` (He et al., 2015, with a = sqrt(5))."""
        weight, bound = torch.empty(outputs, inputs), 1 / math.sqrt(inputs)
        torch.nn.init.kaiming_uniform_(weight, a=math.sqrt(5), generator=self._generator)
        return weight, torch.empty(outputs).uniform_(-bound, bound, generator=self._generator) if bias else None

    def embedding(self, rows: int, width: int) -> Tensor:
        """Return (rows, width) as a new ``nn.Embedding`` draws it: standard normal."""
        return self.randn(rows, width)

    def dropout(self, values: Tensor, rate: float) -> Tensor:
        """Return values after dropout as in training: a fraction ``rate`` is zero, the rest is multiplied by 1 / (1 -
        rate).

        As in ``nn.Dropout``, no random number is drawn at a rate of 0.
        """
        if rate == 0:
            return values
        kept = torch.empty_like(values).bernoulli_(1 - rate, generator=self._generator)
        return values * (kept / (1 - rate)) if rate < 1 else torch.zeros_like(values)

    def multinomial(self, probabilities: Tensor, count: int) -> Tensor:
        """Return ``count`` ids, drawn as by ``torch.multinomial`` with replacement."""
        return torch.multinomial(probabilities, count, replacement=True, generator=self._generator)
