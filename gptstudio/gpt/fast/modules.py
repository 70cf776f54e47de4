"""Modules of the model with faster forward passes. Parameters, their names and their order are those of the reference.

Letters as in :mod:`gptstudio.gpt.model`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import cast

import torch
from torch import Tensor, nn
from torch.nn import functional as F
from torch.utils.checkpoint import checkpoint

from gptstudio.gpt.fast import kernels, native_block
from gptstudio.gpt.fast.kv_cache import KVCache, LayerCache
from gptstudio.gpt.model import GELU, GPTModel, LayerNorm, MultiHeadAttention, TransformerBlock, causal_mask


class FastLinear(nn.Linear):
    """``x @ weight.T + bias``; within autocast on a CPU, no copy of the weight in half precision is kept."""

    def forward(self, x: Tensor) -> Tensor:
        if x.device.type != "cpu" or _product_dtype(x) == self.weight.dtype:
            return super().forward(x)
        out: Tensor = kernels.HalfLinear.apply(x, self.weight, self.bias, _product_dtype(x))
        return out


class FastLayerNorm(LayerNorm):
    """torch's fused layer normalisation, (B, T, D), with output in the dtype of the products that follow."""

    def forward(self, x: Tensor) -> Tensor:
        norm_x = F.layer_norm(x, self.scale.shape, self.scale, self.shift, self.eps)
        return norm_x.to(_product_dtype(x))  # once for all products


class FastGELU(GELU):
    """torch's fused GELU, tanh approximation."""

    def forward(self, x: Tensor) -> Tensor:
        return F.gelu(x, approximate="tanh")


class FastDropout(nn.Dropout):
    """Dropout that draws 16 bits for each value on a CPU (:func:`kernels.dropout_mask`)."""

    def forward(self, x: Tensor) -> Tensor:
        if not (self.training and self.p) or x.device.type != "cpu":
            return super().forward(x)
        kept, share = kernels.dropout_mask(x.shape, self.p, x.dtype)
        return x * kept * (1 / share)


class FastAttention(MultiHeadAttention):
    """Fused attention, (B, T, D) -> (B, T, D); with ``cache``, x contains the tokens from position ``start`` on."""

    def forward(self, x: Tensor, cache: LayerCache | None = None, start: int = 0) -> Tensor:
        queries = self.split_heads(self.W_query(x))  # (B, H, T, D/H)
        keys = self.split_heads(self.W_key(x))
        values = self.split_heads(self.W_value(x))
        if cache is not None:
            keys, values = cache.extend(start, keys, values)  # (B, H, start + T, D/H)
        context = fused_attention(queries, keys, values, start, self.dropout.p if self.training else 0.0)
        out: Tensor = self.out_proj(context.transpose(1, 2).reshape(x.shape))
        return out


class FastBlock(TransformerBlock):
    """Transformer block that can use a cache; with ``to_train``, computed by ``native_block`` if possible."""

    def forward(self, x: Tensor, cache: LayerCache | None = None, start: int = 0, to_train: bool = False) -> Tensor:
        if to_train and cache is None and native_block.can_compute(self, x, dtype := _product_dtype(x)):
            return native_block.computed(self, x, dtype)
        x = self.drop_shortcut(self.att(self.norm1(x), cache, start)) + x  # (B, T, D)
        out: Tensor = self.drop_shortcut(self.ff(self.norm2(x))) + x
        return out


class CompiledBlock(FastBlock):
    """Block compiled by torch in training mode; evaluation and decoding run it uncompiled."""

    def forward(self, x: Tensor, cache: LayerCache | None = None, start: int = 0, to_train: bool = False) -> Tensor:
        out: Tensor = _compiled_block()(self, x) if self.training else super().forward(x, cache, start, to_train)
        return out


@cache
def _compiled_block() -> Callable[[FastBlock, Tensor], Tensor]:
    """Return the forward pass of a block, compiled once for all blocks of the same shape."""
    return torch.compile(FastBlock.forward, dynamic=False)


class RecomputedBlock(FastBlock):
    """Block that keeps only its input for the backward pass, which recomputes the rest with the same dropout (Chen et
    al., 2016, "Training Deep Nets with Sublinear Memory Cost")."""

    def forward(self, x: Tensor, cache: LayerCache | None = None, start: int = 0, to_train: bool = False) -> Tensor:
        out: Tensor = checkpoint(super().forward, x, cache, start, to_train, use_reentrant=False)
        return out


class FastGPTModel(GPTModel):
    """GPT model, token ids (B, T) -> logits (B, T, V), or (B, 1, V) with ``last_only``; with ``targets`` it returns the
    mean cross-entropy in nats per token, without holding all logits in memory."""

    compiled = False
    """True if torch compiles the training computation; see :func:`compile_training`."""

    def forward(
        self, in_idx: Tensor, targets: Tensor | None = None, *, cache: KVCache | None = None, last_only: bool = False
    ) -> Tensor:
        if targets is None:
            logits: Tensor = self.out_head(self.hidden_states(in_idx, cache, last_only))
            return logits
        x = self.hidden_states(in_idx, cache, last_only, to_train=True)
        weight = self.out_head.weight
        given = x.flatten(0, 1), weight, targets.flatten(), _product_dtype(x)
        return kernels.linear_cross_entropy(*given, compiled=self.training and self.compiled)

    def hidden_states(
        self, in_idx: Tensor, cache: KVCache | None = None, last_only: bool = False, to_train: bool = False
    ) -> Tensor:
        """Return the input of the output layer, (B, T, D) or (B, 1, D), for token ids (B, T); extend ``cache``."""
        start = cache.length if cache else 0
        stop = start + in_idx.shape[1]
        self.check_length(stop)
        positions = torch.arange(start, stop, device=in_idx.device)
        tied = to_train and self.cfg.tie_weights and self.tok_emb.sparse and self.tok_emb.weight.requires_grad
        tokens = self._tied_embeddings(in_idx) if tied and torch.is_grad_enabled() else self.tok_emb(in_idx)
        x = self.drop_emb(tokens + self.pos_emb(positions))  # (B, T, D)
        for i, block in enumerate(self.trf_blocks):
            x = block(x, cache.layers[i] if cache else None, start, to_train)
        if cache:
            cache.length = stop
        x = self.final_norm(x[:, -1:] if last_only else x)
        return cast(Tensor, x)

    def _tied_embeddings(self, in_idx: Tensor) -> Tensor:
        """Return the embeddings (B, T, D) of token ids (B, T) from the matrix of the tied output layer.

        Their gradient is added in place to the gradient of the output layer, which is computed earlier: autograd would
            allocate memory as large as the matrix for the sum of both.
        """
        weight = self.tok_emb.weight

        def add(grad: Tensor) -> None:
            cast(Tensor, weight.grad).index_add_(0, in_idx.flatten(), grad.flatten(0, 1))

        rows = F.embedding(in_idx, weight.detach()).requires_grad_()
        rows.register_hook(add)
        return rows


FAST: dict[type[nn.Module], type[nn.Module]] = {
    nn.Linear: FastLinear, nn.Dropout: FastDropout, LayerNorm: FastLayerNorm, GELU: FastGELU,
    MultiHeadAttention: FastAttention, TransformerBlock: FastBlock, GPTModel: FastGPTModel,
}
"""Modules of the reference -> their faster counterparts."""


def accelerate(model: GPTModel) -> FastGPTModel:
    """Replace the forward pass of every module by a faster one, in place; parameters and hooks are kept."""
    for module in model.modules():
        if module is not model.out_head:  # the loss reads its weight directly
            module.__class__ = FAST.get(type(module), type(module))
    return cast(FastGPTModel, model)


def recompute_activations(model: GPTModel) -> None:
    """Make a model on the fast path keep only the input of each block for the backward pass."""
    for block in model.trf_blocks:
        block.__class__ = RecomputedBlock


def compile_training(model: GPTModel) -> None:
    """Make torch compile the blocks and the loss of a model on the fast path on the first training step."""
    cast(FastGPTModel, model).compiled = True
    for block in model.trf_blocks:
        if type(block) is FastBlock:  # recomputed blocks are not compiled
            block.__class__ = CompiledBlock


def compiler_failed(error: Exception) -> bool:
    """Return whether torch's compiler raised the error or is missing (the installers do not include it)."""
    return isinstance(error, ImportError) or type(error).__module__.startswith(("torch._dynamo", "torch._inductor"))


def keep_uncompiled(model: GPTModel) -> None:
    """Undo :func:`compile_training`."""
    cast(FastGPTModel, model).compiled = False
    for block in model.trf_blocks:
        if isinstance(block, CompiledBlock):
            cast(nn.Module, block).__class__ = FastBlock


def fused_attention(queries: Tensor, keys: Tensor, values: Tensor, start: int, drop: float = 0.0) -> Tensor:
    """Return causal attention, (B, H, T, D/H), of queries (B, H, T, D/H), keys and values (B, H, start + T, D/H).

    Without dropout, the attention weights are never all in memory.
    """
    tokens = queries.shape[2]
    if drop and queries.device.type == "cpu":  # torch's fused attention has no dropout on a CPU
        kept, share = kernels.dropout_mask((*queries.shape[:3], tokens), drop, queries.dtype)
        context: Tensor = kernels.DroppedAttention.apply(queries, keys, values, kept, share)
        return context
    # A single new token attends to everything; only several tokens after cached ones need an explicit mask.
    mask = ~causal_mask(start + tokens, queries.device)[start:] if start and tokens > 1 else None
    return F.scaled_dot_product_attention(
        queries, keys, values, attn_mask=mask, dropout_p=drop, is_causal=start == 0 and tokens > 1
    )


def _product_dtype(x: Tensor) -> torch.dtype:
    """Return the dtype of products of ``x`` with matrices: half precision within autocast."""
    kind = x.device.type
    return torch.get_autocast_dtype(kind) if torch.is_autocast_enabled(kind) else x.dtype
