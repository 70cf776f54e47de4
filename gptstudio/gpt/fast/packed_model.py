"""Copy of a model for decoding on a CPU, where the time per token is the time to read the weights.

It computes the same function as :class:`gptstudio.gpt.model.GPTModel` in evaluation mode, from a copy of the matrices:
queries, keys and values in one product, and each matrix in the layout that the CPU reads fastest, in float32 or with
fewer bits.

====  ===============================================================================================================
fp32  the model's own weights
bf16  half the bits: the first 8 of each weight's 24 binary digits
int8  a quarter: the weights of each output as integers from -127 to 127, with one scale (Dettmers et al., 2022,
      "LLM.int8()", section 2.1)
====  ===============================================================================================================

With fewer bits, the inputs and outputs of a product are bf16, as in mixed precision. Everything else is float32: the
residual stream, norms, softmax, and cached keys and values.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from gptstudio.gpt.fast.kv_cache import KVCache, LayerCache
from gptstudio.gpt.fast.modules import fused_attention
from gptstudio.gpt.memory import Weights
from gptstudio.gpt.model import GPTModel, LayerNorm, TransformerBlock

Product = Callable[[Tensor], Tensor]
"""(N, in) -> (N, out) in float32, in new memory."""
SUM = 0
"""torch's number of the embedding bag mode that sums rows."""
EACH_READ = 16
"""Number of values that torch's int8 product reads at a time, to a multiple of which rows must be padded."""


class PackedModel:
    """Token ids (B, T) -> logits (B, T, V), or (B, 1, V) with ``last_only``.

    The matrices are copied; embeddings and norms are shared with the model.
    """

    @torch.no_grad()
    def __init__(self, model: GPTModel, weights: Weights):
        self.cfg, self.weights = model.cfg, weights
        self._tokens, self._positions = model.tok_emb.weight.detach(), model.pos_emb.weight.detach()
        self._blocks = [_Block(cast(TransformerBlock, block), self._product) for block in model.trf_blocks]
        self._norm, self._head = _norm(model.final_norm), self._output_layer(model.out_head)

    @torch.no_grad()
    def __call__(self, in_idx: Tensor, *, cache: KVCache | None = None, last_only: bool = False) -> Tensor:
        (batch, tokens), start = in_idx.shape, cache.length if cache else 0
        x = F.embedding(in_idx, self._tokens) + self._positions[start : start + tokens]  # (B, T, D)
        x = x.flatten(0, 1)  # (B T, D)
        for i, block in enumerate(self._blocks):
            x = block(x, batch, cache.layers[i] if cache else None, start)
        if cache:
            cache.length = start + tokens
        x = x.view(batch, tokens, -1)
        x = x[:, -1:] if last_only else x
        return self._head(self._norm(x.flatten(0, 1))).view(*x.shape[:2], -1)  # (B, T, V)

    def _product(self, layers: Sequence[nn.Linear]) -> Product:
        return _of_kind(*concatenated(layers), self.weights)

    def _output_layer(self, layer: nn.Linear) -> Product:
        """Return the product that computes the logits. GPT-2's logits share an offset of about 100, where bf16 has a
        resolution of 0.5: with fewer bits, the mean over the vocabulary is subtracted before the product and added in
        float32."""
        if self.weights == "fp32":
            return self._product([layer])
        mean = layer.weight.mean(0)  # (D,)
        around = _of_kind(layer.weight - mean, None, self.weights)
        return lambda x: around(x) + (x @ mean)[:, None]


class _Block:
    """Transformer block: attention, then feed-forward network, each added to the residual stream."""

    def __init__(self, block: TransformerBlock, make: Callable[[Sequence[nn.Linear]], Product]):
        att, widen, narrow = block.att, block.ff.layers[0], block.ff.layers[2]
        self._heads = att.n_heads, att.head_dim
        self._norm1, self._norm2 = _norm(block.norm1), _norm(block.norm2)
        self._project_qkv = make([att.W_query, att.W_key, att.W_value])
        self._gather = make([att.out_proj])
        self._widen, self._narrow = (make([cast(nn.Linear, each)]) for each in (widen, narrow))

    def __call__(self, x: Tensor, batch: int, kept: LayerCache | None, start: int) -> Tensor:
        x = self._gather(self._context(self._project_qkv(self._norm1(x)), batch, kept, start)).add_(x)  # (B T, D)
        return self._narrow(F.gelu(self._widen(self._norm2(x)), approximate="tanh")).add_(x)

    def _context(self, qkv: Tensor, batch: int, kept: LayerCache | None, start: int) -> Tensor:
        """Compute attention, (B T, 3D) -> (B T, D)."""
        queries, keys, values = qkv.view(batch, -1, 3, *self._heads).permute(2, 0, 3, 1, 4)  # (B, H, T, D/H) each
        if kept:
            keys, values = kept.extend(start, keys, values)
        return fused_attention(queries, keys, values, start).transpose(1, 2).reshape(len(qkv), -1)


def concatenated(layers: Sequence[nn.Linear]) -> tuple[Tensor, Tensor | None]:
    """Return the concatenated weights (outs, in) and biases (outs,), or None, of layers with the same input."""
    weight = torch.cat([layer.weight for layer in layers]) if layers[1:] else layers[0].weight.detach()
    return weight, None if layers[0].bias is None else torch.cat([layer.bias for layer in layers])


def _norm(norm: LayerNorm) -> Product:
    scale, shift, shape = norm.scale.detach(), norm.shift.detach(), norm.scale.shape
    return lambda x: F.layer_norm(x, shape, scale, shift, norm.eps)


def _of_kind(weight: Tensor, bias: Tensor | None, weights: Weights) -> Product:
    half = _packed if can_multiply_bf16() else _plain
    kinds: dict[Weights, Callable[[Tensor, Tensor | None], Product]] = {"fp32": _Exact, "bf16": half, "int8": _int8}
    return kinds[weights](weight, bias)


def can_multiply_bf16() -> bool:
    """Return whether oneDNN multiplies bf16: torch for Apple's processors does not include oneDNN, and oneDNN does not
    support bf16 on processors without AVX-512 or later."""
    if not torch.backends.mkldnn.is_available():
        return False
    return bool(torch.ops.mkldnn._is_mkldnn_bf16_supported())  # noqa: SLF001 - no public name


class _Exact:
    """Product in float32, with the transposed matrix (in, out) split by outputs into a table for each thread.

    The product with a single row is the weighted sum of an embedding bag, which torch computes as fast as it can read
    the table, and faster than its matrix-vector product.
    """

    def __init__(self, weight: Tensor, bias: Tensor | None):
        (self._outputs, inputs), threads = weight.shape, torch.get_num_threads()
        whole = F.pad(weight, (0, 0, 0, -self._outputs % threads))  # so that all tables have the same width
        self._tables = whole.view(threads, -1, inputs).transpose(1, 2).contiguous()  # (threads, in, out / threads)
        self._every = torch.arange(threads * inputs, device=weight.device)
        self._firsts, self._bias = self._every[::inputs].contiguous(), bias

    def __call__(self, x: Tensor) -> Tensor:
        product = self._of_row(x) if len(x) == 1 else (x @ self._tables).transpose(0, 1).flatten(1)
        product = product[:, : self._outputs]  # (N, out)
        return product if self._bias is None else product + self._bias

    def _of_row(self, x: Tensor) -> Tensor:
        times = x.expand(len(self._tables), -1).flatten()
        table = self._tables.flatten(0, 1)
        return torch.embedding_bag(table, self._every, self._firsts, mode=SUM, per_sample_weights=times)[0].view(1, -1)


def _packed(weight: Tensor, bias: Tensor | None) -> Product:
    """Return a product in bf16, with the matrix in the blocked layout of oneDNN instead of row by row."""
    mkldnn, half_bias = torch.ops.mkldnn, None if bias is None else bias.bfloat16()
    packed = mkldnn._reorder_linear_weight(weight.bfloat16(), 1)  # noqa: SLF001 - no public name
    product = mkldnn._linear_pointwise  # noqa: SLF001 - no public name
    return lambda x: product(x.bfloat16(), packed, half_bias, "none", [], "").float()


def _plain(weight: Tensor, bias: Tensor | None) -> Product:
    """Return a product in bf16 with the matrix in rows, which works on any processor."""
    half, half_bias = weight.bfloat16(), None if bias is None else bias.bfloat16()
    return lambda x: F.linear(x.bfloat16(), half, half_bias).float()


def _int8(weight: Tensor, bias: Tensor | None) -> Product:
    """Return a product with int8 weights and a scale for each output: weight = numbers * scale, rounded."""
    missing = -weight.shape[1] % EACH_READ
    scale = (weight.abs().amax(1) / 127).clamp(min=torch.finfo(torch.float32).tiny).bfloat16()  # (out,)
    numbers = F.pad((weight / scale.float()[:, None]).round().clamp(-127, 127).to(torch.int8), (0, missing))

    def product(x: Tensor) -> Tensor:
        x = F.pad(x.bfloat16(), (0, missing)) if missing else x.bfloat16()
        out = torch._weight_int8pack_mm(x, numbers, scale)  # noqa: SLF001 - no public name
        return out.float() if bias is None else out + bias  # float32

    return product
