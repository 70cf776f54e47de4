"""Functions for training on the fast path, which move and keep less memory than :mod:`gptstudio.gpt.model`.

A training step spends half its time on matrix products. This module reduces the other half: copies of the weights in
half precision that live until the backward pass, float32 logits of the whole batch, and attention weights kept three
times. Each is a function with its own backward pass.

Letters as in ``model.py``; N = B · T tokens.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import Any, cast

import torch
from torch import Tensor
from torch.autograd import Function
from torch.nn import functional as F

from gptstudio.gpt.fast import native_loss, native_training

LARGE = 32 * 2**20
"""Size in bytes from which the C library returns freed memory to the system at once (mallopt(3))."""
ROWS = 1_024
"""Number of tokens whose logits are in memory at the same time."""
ROWS_ALONE = 256
"""Number of tokens whose logits are in memory at the same time if no gradient is computed."""
FEW_ROWS = 16
"""Number of tokens whose logits are converted to float32 at once, so that they stay in the processor's cache."""
WORDS = 8_192
"""Number of rows of the output layer whose gradient is computed at once, so that it is never all in half precision."""
ROWS_ON_GPU = 4_096
"""Number of tokens whose logits are in memory at the same time on a GPU: enough not to slow down the products."""
ALIGNED = 64
"""A GPU multiplies matrices faster if the length of their rows is a multiple of this."""


def dropout_bits(shape: Sequence[int], p: float) -> tuple[Tensor, int]:
    """Return 16 random bits for each value, as int16, and the threshold below which they lie with probability p,
    rounded to a multiple of 1/65,536. This takes a quarter of the draws of one per value."""
    size = math.prod(shape)
    drawn = torch.empty(-(-size // 4), dtype=torch.int64, device="cpu").random_(-(2**63), None)
    return drawn.view(torch.int16)[:size].view(*shape), round(p * 2**16) - 2**15


def dropout_mask(shape: Sequence[int], p: float, dtype: torch.dtype) -> tuple[Tensor, float]:
    """Return a dropout mask, which is 1 with probability 1 - p and 0 otherwise, and the exact probability of a 1."""
    bits, least = dropout_bits(shape, p)
    return torch.ge(bits, least, out=torch.empty(*shape, dtype=dtype, device="cpu")), share_kept(least)


def share_kept(least: int) -> float:
    """Return the probability that 16 random bits are not below ``least``."""
    return (2**15 - least) / 2**16


class HalfLinear(Function):
    """``x @ weight.T + bias`` in half precision, as with autocast; but the half-precision copy of the weight is created
    again for the backward pass instead of being kept."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, weight: Tensor, bias: Tensor | None, dtype: torch.dtype) -> Tensor:
        halved = x.to(dtype)
        ctx.save_for_backward(halved, weight)
        ctx.dtypes = x.dtype, None if bias is None else bias.dtype
        return F.linear(halved, weight.to(dtype), None if bias is None else bias.to(dtype))  # (…, out)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
        x, weight = ctx.saved_tensors
        dtype, bias_dtype = ctx.dtypes
        wants_x, wants_weight, wants_bias, _ = ctx.needs_input_grad
        rows = grad.reshape(-1, grad.shape[-1])  # (N, out)
        grad_x = (grad @ weight.to(grad.dtype)).to(dtype) if wants_x else None
        grad_weight = (rows.T @ x.reshape(-1, x.shape[-1])).to(weight.dtype) if wants_weight else None
        grad_bias = rows.sum(0, dtype=bias_dtype) if wants_bias else None
        return grad_x, grad_weight, grad_bias, None


class DroppedAttention(Function):
    """Causal attention with dropout on its weights (Vaswani et al., 2017), which torch's fused attention lacks on a
    CPU. Only one (B, H, T, T) tensor is kept for the backward pass, in the dtype of the queries: the softmax, negated
    where it was dropped.

    Queries, keys, values: (B, H, T, D/H); ``keep`` (B, H, T, T) is 1 with probability ``share``, else 0.
    """

    @staticmethod
    def forward(ctx: Any, queries: Tensor, keys: Tensor, values: Tensor, keep: Tensor, share: float) -> Tensor:
        tokens, scale = queries.shape[2], queries.shape[3] ** -0.5
        queries = queries * scale
        scores = queries @ keys.transpose(2, 3)  # (B, H, T, T)
        scores += torch.full((tokens, tokens), -torch.inf, dtype=scores.dtype, device=scores.device).triu(1)
        weights = torch.softmax(scores, dim=-1)
        signed = weights.mul_(keep * 2 - 1)
        ctx.save_for_backward(queries, keys, values, signed)
        ctx.scale, ctx.share = scale, share
        return signed.relu() @ (values / share)  # (B, H, T, D/H)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
        queries, keys, values, signed = ctx.saved_tensors
        grad, weights = grad / ctx.share, signed.abs()
        grad_values = signed.relu().transpose(2, 3) @ grad
        grad_weights = (grad @ values.transpose(2, 3)).mul_(signed.sign().relu_())
        backward = torch._softmax_backward_data  # noqa: SLF001 - no public name
        grad_scores = backward(grad_weights, weights, -1, weights.dtype)
        grad_queries = (grad_scores @ keys).mul_(ctx.scale)
        grad_keys = grad_scores.transpose(2, 3) @ queries  # already scaled
        return grad_queries, grad_keys, grad_values, None, None


def linear_cross_entropy(
    x: Tensor, weight: Tensor, targets: Tensor, dtype: torch.dtype, compiled: bool = False
) -> Tensor:
    """Apply :class:`LinearCrossEntropy`, which computes gradients together with the loss, if gradients are enabled."""
    if not torch.is_grad_enabled():
        buffers = getattr(weight, "loss_buffers", {})
        x, weight = x.detach(), weight.detach()
        weight.loss_buffers = buffers  # type: ignore[attr-defined]  # an evaluation during training reuses that memory
    loss: Tensor = LinearCrossEntropy.apply(x, weight, targets, dtype, compiled)
    return loss


def free_gradients(parameters: Iterable[Tensor], keep_memory: bool = True) -> None:
    """Remove the gradients; with ``keep_memory``, keep the memory of the output layer's gradient for the next one.

    The system zeroes new memory page by page, which for GPT-2's output layer takes as long as a product with it.
    """
    for parameter in parameters:
        grad, parameter.grad = parameter.grad, None
        if not hasattr(parameter, "gradient_buffer"):  # its gradient never uses a buffer
            continue
        if not keep_memory:
            parameter.gradient_buffer = None
            parameter.loss_buffers = {}  # type: ignore[attr-defined]
        elif grad is not None and not grad.is_sparse and grad.nbytes >= LARGE and grad.device.type == "cpu":
            parameter.gradient_buffer = grad


def _gradient_buffer(weight: Tensor) -> Tensor:
    """Return uninitialized memory in the shape of ``weight``."""
    buffer, weight.gradient_buffer = getattr(weight, "gradient_buffer", None), None  # type: ignore[attr-defined]
    return torch.empty_like(weight) if buffer is None else buffer


def _loss_buffer(weight: Tensor, name: str, shape: Sequence[int], dtype: torch.dtype, keep: bool) -> Tensor:
    """Return uninitialized memory for a matrix that the loss computes at each step: new memory of this size takes as
    long as a product with it. With ``keep``, it is attached to the output layer until the next step."""
    buffers: dict[str, Tensor] = getattr(weight, "loss_buffers", {})
    kept, (rows, columns) = buffers.get(name), shape
    if kept is None or kept.dtype != dtype or kept.shape[1] != columns or len(kept) < rows:
        kept = torch.empty(rows, columns, dtype=dtype, device=weight.device)
        if keep:
            weight.loss_buffers = buffers | {name: kept}  # type: ignore[attr-defined]
    return kept if len(kept) == rows else kept[:rows]


def _in_half_precision(weight: Tensor, dtype: torch.dtype, keep: bool) -> Tensor:
    """Return the output layer in half precision: the copy that its update wrote, if still valid."""
    half = _loss_buffer(weight, "weight", weight.shape, dtype, keep)
    if getattr(half, "version", None) != weight._version:  # noqa: SLF001 - no public name
        half.copy_(weight.detach())
    return half


def half_precision_copy(parameter: Tensor) -> Tensor | None:
    """Return the memory of the bf16 copy that the loss keeps of the output layer; None for any other parameter."""
    kept: Tensor | None = getattr(parameter, "loss_buffers", {}).get("weight")
    return kept if kept is not None and kept.dtype == torch.bfloat16 and kept.shape == parameter.shape else None


def note_half_precision_copy(parameter: Tensor) -> None:
    """Mark the bf16 copy as equal to the current parameter."""
    kept = half_precision_copy(parameter)
    if kept is not None:
        kept.version = parameter._version  # type: ignore[attr-defined]  # noqa: SLF001


def sum_of_squares(parameter: Tensor) -> float:
    """Return the sum of the squares of a gradient: the one that the loss computed with it, if it is unchanged."""
    grad = cast(Tensor, parameter.grad)
    known: tuple[tuple[int, int], float] | None = getattr(parameter, "gradient_squares", None)
    if known is not None and known[0] == _identity(grad):
        return known[1]
    return native_training.sum_of_squares(grad.coalesce().values() if grad.is_sparse else grad)


def _identity(values: Tensor) -> tuple[int, int]:
    """Return the address of a tensor and the number of changes to it, which differ if its values do."""
    return values.data_ptr(), values._version  # noqa: SLF001 - no public name


class LinearCrossEntropy(Function):
    """Mean cross-entropy, in nats, of ``x @ weight.T`` against ``targets``, without ever holding all (N, V) logits: for
    some rows at a time they are computed, overwritten by their gradient, and used (Wijmans et al., 2024, "Cut Your
    Losses in Large-Vocabulary Language Models").

    x: (N, D), weight: (V, D), targets: (N,). Softmax and loss are computed in float32, the products in ``dtype``.
    """

    @staticmethod
    def forward(
        ctx: Any, x: Tensor, weight: Tensor, targets: Tensor, dtype: torch.dtype, compiled: bool = False
    ) -> Tensor:
        if x.device.type != "cpu":
            with torch.autocast(x.device.type, enabled=False):
                return loss_on_gpu(ctx, x, weight, targets, dtype, compiled)
        wants_x, wants_weight = ctx.needs_input_grad[:2]
        ctx.grad_x = torch.empty_like(x) if wants_x else None
        ctx.grad_weight = _gradient_buffer(weight) if wants_weight else None
        losses, squares = torch.empty(len(x), dtype=torch.float32, device=x.device), None
        words, learns = weight.detach(), wants_x or wants_weight
        if dtype != weight.dtype:  # one copy for all products of this step
            words = _in_half_precision(weight, dtype, keep=learns)
        native, shares = native_loss.can_compute(x, weight, words, targets), None
        if native and learns:
            shape = len(weight), native_loss.padded(min(len(x), ROWS))
            shares = _loss_buffer(weight, "logits", shape, dtype, keep=True)
        kept = getattr(weight, "loss_buffers", {}).get("logits", ())  # an evaluation in training needs no new memory
        for rows in _slices(len(x), ROWS if native or learns else len(kept) or ROWS_ALONE):
            some = x[rows].to(dtype).contiguous()
            if native:
                losses[rows], grad, squares = native_loss.losses(
                    some, words, targets[rows], 1 / len(x), shares, wants_x, ctx.grad_weight, add=rows.start > 0)
                if grad is not None:
                    ctx.grad_x[rows] = grad
                continue
            logits = _loss_buffer(weight, "logits", (len(some), len(weight)), dtype, keep=learns)
            torch.mm(some, words.T, out=logits)
            fill_losses(logits, targets[rows], losses[rows], gradient=learns)
            if ctx.grad_x is not None:
                ctx.grad_x[rows] = (logits @ words).to(x.dtype) / len(x)
            if ctx.grad_weight is not None:
                _add_gradient_of_words(ctx.grad_weight, logits, some / len(x), first=rows.start == 0)
        if ctx.grad_weight is not None:
            weight.gradient_squares = None if squares is None else (_identity(ctx.grad_weight), squares)  # type: ignore[attr-defined]
        return losses.mean()

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
        grads, ctx.grad_x, ctx.grad_weight = (ctx.grad_x, ctx.grad_weight), None, None  # no other references to them
        for each in grads:
            if each is not None and (grad.device.type != "cpu" or grad != 1):
                each.mul_(grad)
        return *grads, None, None, None


def loss_on_gpu(
    ctx: Any, x: Tensor, weight: Tensor, targets: Tensor, dtype: torch.dtype, compiled: bool = False
) -> Tensor:
    """Compute :meth:`LinearCrossEntropy.forward` with few passes over the logits, which take longer on a GPU than the
    products. ``compiled``: one kernel, which torch compiles on the first call."""
    wants_x, wants_weight = ctx.needs_input_grad[:2]
    ctx.grad_x = torch.empty_like(x) if wants_x else None
    ctx.grad_weight = torch.zeros_like(weight) if wants_weight else None
    losses = torch.empty(len(x), dtype=torch.float32, device=x.device)
    missing = -len(weight) % ALIGNED
    words = F.pad(weight.to(dtype), (0, 0, 0, missing)) if missing else weight.to(dtype)  # (V and up to 63 more, D)
    both = _compiled_losses() if compiled else losses_and_gradient_in_place
    for rows in _slices(len(x), ROWS_ON_GPU):
        some = x[rows].to(dtype)
        if not (wants_x or wants_weight):
            logits = float32_product(some, words[: len(weight)].T)  # (n, V)
            losses[rows] = F.cross_entropy(logits, targets[rows], reduction="none")
            continue
        at, scale = targets[rows, None], 1 / len(x)
        # (n,) and (n, V and more); no variable here refers to the logits, so that their memory is freed as soon as
        # possible
        losses[rows], grad = both(float32_product(some, words.T), at, len(weight), scale, dtype)
        if ctx.grad_x is not None:
            ctx.grad_x[rows] = grad @ words
        if ctx.grad_weight is not None:
            ctx.grad_weight += float32_product(grad.T, some)[: len(weight)]
        del grad
    return losses.mean()


def losses_and_gradient(
    logits: Tensor, at: Tensor, words: int, scale: float, dtype: torch.dtype
) -> tuple[Tensor, Tensor]:
    """Return the losses (n,) of float32 logits (n, V and more) against targets (n, 1), and the gradient of their sum
    times ``scale``, (n, V and more) in ``dtype``: the softmax minus 1 at the target, and 0 after the first
    ``words``."""
    column = torch.arange(logits.shape[1], device=logits.device)
    logits = torch.where(column < words, logits, -torch.inf)
    log_shares = torch.log_softmax(logits, dim=-1)
    grad = (log_shares.exp() - (column == at).float()) * scale
    return -log_shares.gather(1, at).flatten(), grad.to(dtype)


def losses_and_gradient_in_place(
    logits: Tensor, at: Tensor, words: int, scale: float, dtype: torch.dtype
) -> tuple[Tensor, Tensor]:
    """Compute :func:`losses_and_gradient` kernel by kernel, in the memory of the logits and one copy."""
    logits[:, words:] = -torch.inf
    log_shares = torch.log_softmax(logits, dim=-1)
    del logits
    at_target = log_shares.gather(1, at)
    grad = log_shares.exp_().scatter_(1, at, at_target.exp() - 1)
    scaled = torch.empty(grad.shape, dtype=dtype, device=grad.device)
    return -at_target.flatten(), torch.mul(grad, scale, out=scaled)


@cache
def _compiled_losses() -> Callable[..., tuple[Tensor, Tensor]]:
    return torch.compile(losses_and_gradient, dynamic=False)


def float32_product(one: Tensor, other: Tensor) -> Tensor:
    """Return the product of two matrices, accumulated and stored in float32."""
    if one.dtype == torch.float32:
        return one @ other
    if one.device.type != "cuda":
        return one.float() @ other.float()
    return torch.mm(one, other, out_dtype=torch.float32)


def fill_losses(logits: Tensor, targets: Tensor, losses: Tensor, gradient: bool) -> None:
    """Fill ``losses`` (n,); with ``gradient``, overwrite logits with their gradient: softmax minus 1 at the target."""
    if native_training.can_fill_losses(logits, targets):
        native_training.fill_losses(logits, targets, losses, gradient)
        return
    for few in _slices(len(logits), FEW_ROWS):
        at = targets[few, None]
        log_shares = torch.log_softmax(logits[few], dim=-1, dtype=torch.float32)
        losses[few] = -log_shares.gather(1, at).flatten()
        if gradient:
            shares = log_shares.exp_()
            logits[few] = shares.scatter_add_(1, at, torch.full_like(at, -1, dtype=shares.dtype))


def _add_gradient_of_words(total: Tensor, grad: Tensor, rows: Tensor, first: bool) -> None:
    """Add the product (V, D) of (n, V) transposed and (n, D) to ``total``; with ``first``, overwrite ``total``."""
    for words in _slices(len(total), WORDS):
        part = grad[:, words].T @ rows
        total[words] = part if first else total[words] + part


def _slices(length: int, step: int) -> Iterator[slice]:
    return (slice(start, min(start + step, length)) for start in range(0, length, step))
