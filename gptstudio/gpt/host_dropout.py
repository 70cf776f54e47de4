"""Dropout that draws its numbers on the processor, for reference arithmetic on a GPU."""

from __future__ import annotations

import torch
from torch import Tensor, nn


class HostDropout(nn.Dropout):
    """Dropout with the mask that ``nn.Dropout`` would draw on the processor, for an input on any device.

    A GPU draws other random numbers from the same seed, so a run of the book would have other losses there.
    """

    def forward(self, x: Tensor) -> Tensor:
        if not (self.training and self.p):
            return x
        kept = torch.empty(x.shape, dtype=x.dtype, device="cpu").bernoulli_(1 - self.p)
        return x * kept.div_(1 - self.p).to(x.device)


def draw_on_processor(model: nn.Module) -> None:
    """Have all dropout of a model on the reference path draw its numbers on the processor."""
    for module in model.modules():
        if type(module) is nn.Dropout:
            module.__class__ = HostDropout
