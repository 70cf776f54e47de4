"""Output layer, loss and their gradients in bf16, computed by ``loss.c``, which is faster than torch on processors with
vector instructions for bf16 but without a matrix unit.

Letters as in :mod:`gptstudio.gpt.model`; N = B · T tokens.
"""

from __future__ import annotations

import ctypes

import torch
from torch import Tensor

from gptstudio.gpt import native_library
from gptstudio.gpt.fast.native_training import reads
from gptstudio.gpt.memory import PARTS

COLUMNS = 64
"""loss.c computes multiples of this number of columns and tokens."""
FEWEST = 48
"""Smallest number of tokens for which loss.c is used."""


class _Loss(ctypes.Structure):
    _fields_ = [
        *((name, ctypes.c_void_p) for name in (
            "x", "words", "targets", "losses", "grad_x", "grad_words", "shares", "x_columns", "x_rows", "largest",
            "sums", "parts", "squares")),
        *((name, ctypes.c_int64) for name in ("rows", "padded", "width", "count", "add", "threads")),
        ("scale", ctypes.c_float),
    ]


def can_compute(x: Tensor, weight: Tensor, words: Tensor, targets: Tensor) -> bool:
    """Return whether :func:`losses` can compute the loss of x (N, D) on this processor. ``words`` (V, D): the output
    layer in the dtype of the products; its gradients have the dtype of ``weight``."""
    return (
        native_library.multiplies_bf16() and len(x) >= FEWEST and x.shape[1] % COLUMNS == 0
        and reads(words, dtype=torch.bfloat16) and reads(weight.detach()) and reads(targets, dtype=torch.int64)
        and bool(targets.min() >= 0) and bool(targets.max() < len(words)))


def padded(rows: int) -> int:
    """Return the number of tokens, rounded up to a multiple of COLUMNS."""
    return -(-rows // COLUMNS) * COLUMNS


def losses(
    x: Tensor, words: Tensor, targets: Tensor, scale: float, shares: Tensor | None, of_x: bool,
    grad_words: Tensor | None, add: bool,
) -> tuple[Tensor, Tensor | None, float]:
    """Return the cross-entropy (N,), in nats, of ``x @ words.T`` against the targets, with x (N, D) and words (V, D) in
    bf16; with ``of_x`` also the gradient with respect to x of the sum of the losses times ``scale``, (N, D) in float32;
    and the sum of the squares of ``grad_words``, 0 without it.

    ``grad_words`` (V, D): output for the gradient with respect to ``words``; with ``add``, the gradient is added.
    ``shares``: memory for (V, N) values in bf16, N padded; None if there are no gradients.
    """
    c, (rows, width), threads = native_library.loaded(), x.shape, torch.get_num_threads()
    sizes = (ctypes.c_int64 * 3)()
    c.gpt2_linear_loss_sizes(*map(ctypes.c_int64, (padded(rows), width, len(words))), sizes)

    def memory(*shape: int) -> Tensor:
        return torch.empty(*shape, dtype=torch.float32, device="cpu")

    found, grad_x = memory(rows), memory(rows, width) if of_x else None
    x_columns, x_rows = memory(2, padded(rows), width // 2)
    largest, sums = memory(2, sizes[0])
    parts, own = memory(sizes[1]) if of_x else None, memory(threads, sizes[2])
    squares = torch.zeros(PARTS, dtype=torch.float64, device="cpu")
    tensors = x, words, targets, found, grad_x, grad_words, shares, x_columns, x_rows, largest, sums, parts, squares
    given = _Loss(
        *(None if each is None else each.data_ptr() for each in tensors),
        rows, padded(rows), width, len(words), add, threads, scale)
    c.gpt2_linear_loss(ctypes.byref(given), ctypes.c_void_p(own.data_ptr()))
    return found, grad_x, squares.sum().item()
