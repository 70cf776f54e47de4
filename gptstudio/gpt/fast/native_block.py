"""Transformer block for training on a CPU: torch computes the products with weights, and ``block.c`` computes
everything between them, in few passes over memory and with little kept for the backward pass.

Letters as in :mod:`gptstudio.gpt.model`; N = B · T tokens.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any, NamedTuple, cast

import torch
from torch import Tensor, nn
from torch.autograd import Function
from torch.nn import functional as F

from gptstudio.gpt import native_library
from gptstudio.gpt.fast import kernels
from gptstudio.gpt.fast.native_training import KINDS, at, reads
from gptstudio.gpt.model import TransformerBlock

PART = 16
"""Number of tokens whose gradients of a vector block.c sums at a time."""
_SIZES = ctypes.c_int64 * 6


class DropoutBits(NamedTuple):
    """Random bits of dropout: a value is kept if its bits are at least ``least``, and then multiplied by ``by``.
    Without bits, all values are kept."""

    bits: Tensor | None = None
    least: int = 0
    by: float = 1.0


KEEP_ALL = DropoutBits()


class Weights(NamedTuple):
    """Parameters of a block; the biases of queries, keys and values may be missing."""

    scale1: Tensor
    shift1: Tensor
    query: Tensor
    key: Tensor
    value: Tensor
    query_bias: Tensor | None
    key_bias: Tensor | None
    value_bias: Tensor | None
    out: Tensor
    out_bias: Tensor
    scale2: Tensor
    shift2: Tensor
    up: Tensor
    up_bias: Tensor
    down: Tensor
    down_bias: Tensor

    def qkv(self, dtype: torch.dtype) -> Tensor:
        """Return the concatenated matrices of queries, keys and values, (3D, D)."""
        return torch.cat([self.query.to(dtype), self.key.to(dtype), self.value.to(dtype)])


class _Dropout(ctypes.Structure):
    _fields_ = [("bits", ctypes.c_void_p), ("least", ctypes.c_int32), ("by", ctypes.c_float)]


def weights_of(block: TransformerBlock) -> Weights:
    """Return the parameters of a block."""
    att, ff = block.att, block.ff.layers
    q, k, v, up, down = att.W_query, att.W_key, att.W_value, cast(nn.Linear, ff[0]), cast(nn.Linear, ff[2])
    return Weights(
        block.norm1.scale, block.norm1.shift, q.weight, k.weight, v.weight, q.bias, k.bias, v.bias,
        att.out_proj.weight, att.out_proj.bias, block.norm2.scale, block.norm2.shift,
        up.weight, up.bias, down.weight, down.bias)


def can_compute(block: TransformerBlock, x: Tensor, dtype: torch.dtype) -> bool:
    """Return whether :class:`NativeBlock` can compute this block with products in ``dtype``: C can read its parameters,
    and no module has hooks."""
    weights = (each for each in weights_of(block) if each is not None)
    hooked = (each._forward_hooks or each._forward_pre_hooks for each in block.modules())  # noqa: SLF001 - no public name
    return dtype in KINDS and reads(x, *weights) and not any(hooked)


def computed(block: TransformerBlock, x: Tensor, dtype: torch.dtype) -> Tensor:
    """Return the output of a block, (B, T, D), with products in ``dtype``."""
    batch, tokens, _ = x.shape
    heads = block.att.n_heads
    drop = dropout(block.att.dropout, (batch, heads, tokens, tokens)), *(
        dropout(block.drop_shortcut, x.shape) for _ in range(2))
    out: Tensor = NativeBlock.apply(x, heads, dtype, drop, torch.is_grad_enabled(), *weights_of(block))
    return out


def dropout(module: nn.Dropout, shape: Sequence[int]) -> DropoutBits:
    """Draw the random bits of a dropout module for values of this shape; no bits if it keeps all values."""
    if not (module.training and module.p):
        return KEEP_ALL
    bits, least = kernels.dropout_bits(shape, module.p)
    return DropoutBits(bits, least, 1 / kernels.share_kept(least))


class NativeBlock(Function):
    """``x + att(norm1(x))``, then ``x + ff(norm2(x))``, with dropout as in :class:`TransformerBlock`.

    x: (B, T, D) in float32. Products and intermediate values are in ``dtype``, sums and norms in float32.
    """

    @staticmethod
    def forward(
        ctx: Any, x: Tensor, n_heads: int, dtype: torch.dtype, drop: tuple[DropoutBits, ...], learns: bool,
        *parameters: Tensor | None,
    ) -> Tensor:
        w, (batch, tokens, width), of_weights = Weights(*cast(Any, parameters)), x.shape, drop[0]
        heads = batch, tokens, n_heads
        x = x.reshape(-1, width)
        _, norm1, stats1 = add_norm(x, w.scale1, w.shift1, dtype)
        biases = w.query_bias, w.key_bias, w.value_bias
        bias = None if w.query_bias is None else torch.cat([cast(Tensor, each).to(dtype) for each in biases])
        qkv = F.linear(norm1, w.qkv(dtype), bias)  # (N, 3D)
        context, weights = attention(qkv, heads, of_weights, learns)
        sums, norm2, stats2 = add_norm(x, w.scale2, w.shift2, dtype, context @ w.out.to(dtype).T, w.out_bias, drop[1])
        before = norm2 @ w.up.to(dtype).T  # (N, 4D)
        after = gelu(before, w.up_bias, keep=learns)
        out = add(sums, after @ w.down.to(dtype).T, w.down_bias, drop[2])
        if learns:
            bits = (each.bits for each in drop[1:])
            ctx.save_for_backward(
                x, norm1, stats1, qkv, context, weights, sums, norm2, stats2, before, after, *bits, *parameters)
            ctx.heads, ctx.dtype, ctx.drop = heads, dtype, [each._replace(bits=None) for each in drop]
        return out.view(batch, tokens, width)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
        x, norm1, stats1, qkv, context, weights, sums, norm2, stats2, before, after, *rest = ctx.saved_tensors
        w, dtype = Weights(*rest[2:]), ctx.dtype
        first, second = (each._replace(bits=bits) for each, bits in zip(ctx.drop[1:], rest[:2], strict=True))
        made: dict[str, Tensor] = {}
        wanted = dict(zip(Weights._fields, ctx.needs_input_grad[5:], strict=True))

        def multiply(name: str, of_output: Tensor, given: Tensor) -> Tensor:
            """Compute the gradient of a matrix, and return the gradient of its input."""
            if wanted[name]:
                made[name] = (of_output.T @ given).float()
            of_given: Tensor = of_output @ getattr(w, name).to(dtype)
            return of_given

        grad = grad.reshape(x.shape).contiguous()
        _, given, vectors = add_norm_backward(grad, dtype, drop=second)
        made["down_bias"] = vectors[2]
        given = multiply("down", cast(Tensor, given), after)
        made["up_bias"] = gelu_backward(before, given)
        given = multiply("up", given, norm2)
        grad, of_out, vectors = add_norm_backward(grad, dtype, (given, sums, stats2, w.scale2), first)
        made["scale2"], made["shift2"], made["out_bias"] = vectors
        given = multiply("out", cast(Tensor, of_out), context)
        given = attention_backward(qkv, weights, ctx.heads, ctx.drop[0].by, given)
        if wanted["query"] or wanted["key"] or wanted["value"]:
            made["query"], made["key"], made["value"] = (given.T @ norm1).float().chunk(3)
        if w.query_bias is not None:
            biases = given.sum(0, dtype=torch.float32).chunk(3)
            made["query_bias"], made["key_bias"], made["value_bias"] = biases
        grad, _, vectors = add_norm_backward(grad, dtype, (given @ w.qkv(dtype), x, stats1, w.scale1))
        made["scale1"], made["shift1"], _ = vectors
        of_input = grad.view(*ctx.heads[:2], -1) if ctx.needs_input_grad[0] else None
        return of_input, None, None, None, None, *(made.get(name) if wanted[name] else None for name in wanted)


def add_norm(
    x: Tensor, scale: Tensor, shift: Tensor, dtype: torch.dtype, added: Tensor | None = None,
    bias: Tensor | None = None, drop: DropoutBits = KEEP_ALL,
) -> tuple[Tensor, Tensor, Tensor]:
    """Return the sums ``x + dropout(added + bias)`` (``x`` itself without ``added``), their layer normalisation, and
    the mean and inverse standard deviation of each row, (N, 2)."""
    sums = x if added is None else torch.empty_like(x)
    norm = torch.empty(x.shape, dtype=dtype, device="cpu")
    stats = torch.empty(len(x), 2, dtype=torch.float32, device="cpu")
    native_library.loaded().gpt2_add_norm(
        _sizes(dtype, x), *map(at, (x, added, bias)), _given(drop), *map(at, (sums, scale, shift, norm, stats)))
    return sums, norm, stats


def add(x: Tensor, added: Tensor, bias: Tensor, drop: DropoutBits) -> Tensor:
    """Return ``x + dropout(added + bias)``."""
    sums = torch.empty_like(x)
    native_library.loaded().gpt2_add_norm(
        _sizes(added.dtype, x), *map(at, (x, added, bias)), _given(drop), at(sums), None, None, None, None)
    return sums


def add_norm_backward(
    grad: Tensor, dtype: torch.dtype, norm: tuple[Tensor, Tensor, Tensor, Tensor] | None = None,
    drop: DropoutBits | None = None,
) -> tuple[Tensor, Tensor | None, Tensor]:
    """Return the gradients of the sums of :func:`add_norm`, of ``added`` (if ``drop`` is given), and of scale, shift
    and bias, (3, D).

    ``grad``: gradient of the sums, without the part through the norm. ``norm``: the gradient of the norm's output, the
    sums, their means and inverse standard deviations, and the scale.
    """
    of_norm, sums, stats, scale = norm or (None, None, None, None)
    of_sums = grad if norm is None else torch.empty_like(grad)
    of_added = None if drop is None else torch.empty(grad.shape, dtype=dtype, device="cpu")
    parts, vectors = _parts(grad, 3), torch.empty(3, grad.shape[1], dtype=torch.float32, device="cpu")
    native_library.loaded().gpt2_add_norm_backward(
        _sizes(dtype, grad), *map(at, (grad, of_norm, sums, stats, scale, of_sums)), _given(drop or KEEP_ALL),
        *map(at, (of_added, parts, vectors)))
    return of_sums, of_added, vectors


def gelu(before: Tensor, bias: Tensor, keep: bool) -> Tensor:
    """Add the bias (4D) to ``before`` (N, 4D) in place, and return its GELU, in separate memory if ``keep``."""
    after = torch.empty_like(before) if keep else before
    native_library.loaded().gpt2_gelu(_sizes(before.dtype, before), *map(at, (before, bias, after)))
    return after


def gelu_backward(before: Tensor, grad: Tensor) -> Tensor:
    """Replace the gradient of GELU's output by that of ``before``, in place; return the gradient of the bias."""
    parts, of_bias = _parts(grad, 1), torch.empty(grad.shape[1], dtype=torch.float32, device="cpu")
    native_library.loaded().gpt2_gelu_backward(_sizes(grad.dtype, grad), *map(at, (before, grad, parts, of_bias)))
    return of_bias


def attention(qkv: Tensor, heads: tuple[int, int, int], drop: DropoutBits, keep: bool) -> tuple[Tensor, Tensor | None]:
    """Return the causal attention of B texts of T tokens in H heads, (N, 3D) -> (N, D); with ``keep`` also its weights
    (B, H, T, T), negated where dropped, and undefined above the diagonal."""
    batch, tokens, n_heads = heads
    out = torch.empty(len(qkv), qkv.shape[1] // 3, dtype=qkv.dtype, device="cpu")
    shape = batch, n_heads, tokens, tokens
    weights = torch.empty(shape, dtype=qkv.dtype, device="cpu") if keep else None
    sizes, scratch = _heads(qkv, heads)
    native_library.loaded().gpt2_attention(sizes, at(qkv), _given(drop), *map(at, (weights, out, scratch)))
    return out, weights


def attention_backward(qkv: Tensor, weights: Tensor, heads: tuple[int, int, int], by: float, grad: Tensor) -> Tensor:
    """Return the gradient (N, 3D) of ``qkv`` from the gradient (N, D) of the output of :func:`attention`. ``by``: its
    dropout factor."""
    of_qkv = torch.empty_like(qkv)
    sizes, scratch = _heads(qkv, heads)
    native_library.loaded().gpt2_attention_backward(
        sizes, *map(at, (qkv, weights)), ctypes.c_float(by), *map(at, (grad, of_qkv, scratch)))
    return of_qkv


def _sizes(dtype: torch.dtype, rows: Tensor) -> Any:
    return _SIZES(KINDS[dtype], *rows.shape, torch.get_num_threads())


def _heads(qkv: Tensor, heads: tuple[int, int, int]) -> tuple[Any, Tensor]:
    """Return the sizes for attention in C, and the working memory of its threads."""
    threads = torch.get_num_threads()
    sizes = _SIZES(KINDS[qkv.dtype], *heads, qkv.shape[1] // (3 * heads[2]), threads)
    floats = native_library.loaded().gpt2_attention_scratch(sizes)
    return sizes, torch.empty(threads, floats, dtype=torch.float32, device="cpu")


def _parts(grad: Tensor, vectors: int) -> Tensor:
    return torch.empty(-(-len(grad) // PART), vectors, grad.shape[1], dtype=torch.float32, device="cpu")


def _given(drop: DropoutBits) -> Any:
    return ctypes.byref(_Dropout(None if drop.bits is None else drop.bits.data_ptr(), drop.least, drop.by))
