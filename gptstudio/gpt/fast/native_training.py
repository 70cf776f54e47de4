"""Parts of a training step that ``train.c`` computes in one pass over memory: the loss from logits, the norm of the
gradients, and AdamW's update."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor
from torch.autograd.graph import increment_version

from gptstudio.gpt import native_library

PART = 32_768
"""Number of values whose squares train.c sums at a time."""
KINDS = {torch.float32: 0, torch.bfloat16: 1}


def reads(*tensors: Tensor, dtype: torch.dtype = torch.float32) -> bool:
    """Return whether there is a library that can read these tensors: plain, contiguous CPU tensors of this dtype."""
    return native_library.library() is not None and all(
        type(each) in (Tensor, torch.nn.Parameter) and each.dtype == dtype and each.device.type == "cpu"
        and each.layout == torch.strided and each.is_contiguous()
        for each in tensors
    )


def can_fill_losses(logits: Tensor, targets: Tensor) -> bool:
    """Return whether :func:`fill_losses` can read these tensors, and all targets are within the vocabulary."""
    readable = logits.dtype in KINDS and reads(logits, dtype=logits.dtype) and reads(targets, dtype=torch.int64)
    return readable and bool(targets.min() >= 0) and bool(targets.max() < logits.shape[1])


def fill_losses(logits: Tensor, targets: Tensor, losses: Tensor, gradient: bool) -> None:
    """Fill ``losses`` (N,) with the cross-entropy of logits (N, V) against targets (N,), in nats; with ``gradient``,
    overwrite the logits with the gradient of the sum of the losses."""
    c = native_library.loaded()
    c.gpt2_losses(
        _int(KINDS[logits.dtype]), *map(at, (logits, targets, losses)), *map(_int, logits.shape), _int(gradient),
        _int(torch.get_num_threads()))


def sum_of_squares(values: Tensor) -> float:
    """Return the sum of the squares of all values, in double precision, in an order independent of the threads."""
    c, parts = native_library.loaded(), torch.empty(values.numel() // PART + 1, dtype=torch.float64, device="cpu")
    squares: float = c.gpt2_squares(at(values), _int(values.numel()), at(parts), _int(torch.get_num_threads()))
    return squares


class Update(NamedTuple):
    """In-place update of a parameter by one step of AdamW.

    Attributes:
        weight, mean, square: the parameter and its two moments, of the same shape.
        half: optional output for the updated parameter in bf16.
        grad: gradient of the same shape, or only its rows ``touched``; all other rows are then zero.
        touched: sorted row numbers (R,).
        moved: one byte for each row, 0 where all moments are zero; updated by the step. Requires epsilon > 0.
        factors: step, keep, new1, beta2, new2, by and eps of train.c.
    """

    weight: Tensor
    mean: Tensor
    square: Tensor
    half: Tensor | None
    grad: Tensor
    touched: Tensor | None
    moved: Tensor | None
    factors: tuple[float, ...]


class _Parameter(ctypes.Structure):
    _fields_ = [
        *((name, ctypes.c_void_p) for name in ("weight", "mean", "square", "half", "grad", "touched", "moved")),
        *((name, ctypes.c_int64) for name in ("rows", "width", "count")),
        *((name, ctypes.c_float) for name in ("step", "keep", "new1", "beta2", "new2", "by", "eps")),
    ]


def adamw(updates: Sequence[Update]) -> None:
    """Perform a step of AdamW (Loshchilov and Hutter, 2019), reading and writing each value once."""
    c, made = native_library.loaded(), (_Parameter * len(updates))()
    for n, each in enumerate(updates):
        rows = len(each.weight) if each.touched is not None else 1
        made[n] = _Parameter(
            *map(at, each[:7]),
            rows, each.weight.numel() // rows, 0 if each.touched is None else len(each.touched), *each.factors)
    c.gpt2_adamw(made, _int(len(updates)), _int(torch.get_num_threads()))
    for each in updates:
        increment_version(each.weight)  # as torch's in-place operations do


def _int(value: int) -> ctypes.c_int64:
    return ctypes.c_int64(value)


def at(tensor: Tensor | None) -> ctypes.c_void_p | None:
    """Return the address of the values of a tensor for C; None without a tensor."""
    return None if tensor is None else ctypes.c_void_p(tensor.data_ptr())
