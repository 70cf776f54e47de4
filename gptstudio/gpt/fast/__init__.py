"""The fast path: the function of :mod:`gptstudio.gpt.model` from the same parameters, computed faster.

:func:`build_model` makes either. The fast path uses torch's fused attention, LayerNorm and GELU, and on a CPU
:mod:`gptstudio.gpt.fast.kernels`. It agrees with the reference within float error; its dropout draws other numbers.
"""

from __future__ import annotations

from typing import Literal

from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.fast.modules import (
    FastGPTModel,
    accelerate,
    compile_training,
    compiler_failed,
    keep_uncompiled,
    recompute_activations,
)
from gptstudio.gpt.model import GPTModel

ModelPath = Literal["reference", "fast"]
"""reference: the book's arithmetic, digit by digit; fast: the same function, computed faster."""

__all__ = [
    "FastGPTModel", "ModelPath", "accelerate", "build_model", "compile_training", "compiler_failed",
    "keep_uncompiled", "recompute_activations",
]


def build_model(cfg: GPTConfig, path: ModelPath) -> GPTModel:
    """Build a model with random weights from torch's generator; both paths draw the same."""
    model = GPTModel(cfg)
    return accelerate(model) if path == "fast" else model
