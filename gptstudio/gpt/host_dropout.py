"""Dropout with random numbers drawn on the CPU, for reference arithmetic on a GPU."""

from __future__ import annotations

import torch
from torch import Tensor, nn


class HostDropout(nn.Dropout):
    """Dropout with the mask that ``nn.Dropout`` would draw on the CPU, for an input on any device.

    A GPU draws different random numbers from the same seed, so the book's training run would have different losses.
    """

    def forward(self, x: Tensor) -> Tensor:
        if not (self.training and self.p):
            return x
        kept = torch.empty(x.shape, dtype=x.dtype, device="cpu").bernoulli_(1 - self.p)
        return x * kept.div_(1 - self.p).to(x.device)


def draw_on_processor(model: nn.Module) -> None:
    """Make all dropout modules of a model on the reference path draw their random numbers on the CPU."""
    for module in model.modules():
        if type(module) is nn.Dropout:
            module.__class__ = HostDropout
