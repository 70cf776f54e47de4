"""The fast path: the same function as :mod:`gptstudio.gpt.model` with the same parameters, computed faster.

:func:`build_model` builds a model for either path. The fast path uses torch's fused attention, LayerNorm and GELU, and
on a CPU :mod:`gptstudio.gpt.fast.kernels`. It agrees with the reference within rounding errors; its dropout draws
different random numbers.
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
"""reference: the book's arithmetic, bit for bit; fast: the same function, computed faster."""

__all__ = [
    "FastGPTModel", "ModelPath", "accelerate", "build_model", "compile_training", "compiler_failed",
    "keep_uncompiled", "recompute_activations",
]


def build_model(cfg: GPTConfig, path: ModelPath) -> GPTModel:
    """Build a model with random weights from torch's generator; they are the same for both paths."""
    model = GPTModel(cfg)
    return accelerate(model) if path == "fast" else model
