"""The modules of the model with faster forward passes. Parameters, their names and their order are the reference's.

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
    """``x @ weight.T + bias``; within autocast on a CPU without keeping a copy of the weight in half precision."""

    def forward(self, x: Tensor) -> Tensor:
        if x.device.type != "cpu" or _product_dtype(x) == self.weight.dtype:
            return super().forward(x)
        out: Tensor = kernels.HalfLinear.apply(x, self.weight, self.bias, _product_dtype(x))
        return out


class FastLayerNorm(LayerNorm):
    """torch's fused layer normalisation, (B, T, D), in the dtype of the products that read it."""

    def forward(self, x: Tensor) -> Tensor:
        norm_x = F.layer_norm(x, self.scale.shape, self.scale, self.shift, self.eps)
        return norm_x.to(_product_dtype(x))  # once, for all that multiply it


class FastGELU(GELU):
    """torch's fused GELU, tanh form."""

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
    """Fused attention, (B, T, D) -> (B, T, D); with ``cache``, x holds the tokens from position ``start`` on."""

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
    """A transformer block that can use a cache; ``to_train``, as :mod:`gptstudio.gpt.fast.native_block` computes it
    where it can."""

    def forward(self, x: Tensor, cache: LayerCache | None = None, start: int = 0, to_train: bool = False) -> Tensor:
        if to_train and cache is None and native_block.can_compute(self, x, dtype := _product_dtype(x)):
            return native_block.computed(self, x, dtype)
        x = self.drop_shortcut(self.att(self.norm1(x), cache, start)) + x  # (B, T, D)
        out: Tensor = self.drop_shortcut(self.ff(self.norm2(x))) + x
        return out


class CompiledBlock(FastBlock):
    """A block whose passes in training are compiled by torch; evaluation and decoding run it as it is."""

    def forward(self, x: Tensor, cache: LayerCache | None = None, start: int = 0, to_train: bool = False) -> Tensor:
        out: Tensor = _compiled_block()(self, x) if self.training else super().forward(x, cache, start, to_train)
        return out


@cache
def _compiled_block() -> Callable[[FastBlock, Tensor], Tensor]:
    """Return the forward pass of a block, compiled once for all blocks of the same shape."""
    return torch.compile(FastBlock.forward, dynamic=False)


class RecomputedBlock(FastBlock):
    """A block of which only the input is kept for the backward pass, which computes the rest again, with the same
    dropout (Chen et al., 2016, "Training Deep Nets with Sublinear Memory Cost")."""

    def forward(self, x: Tensor, cache: LayerCache | None = None, start: int = 0, to_train: bool = False) -> Tensor:
        out: Tensor = checkpoint(super().forward, x, cache, start, to_train, use_reentrant=False)
        return out


class FastGPTModel(GPTModel):
    """Token ids (B, T) -> logits (B, T, V), or (B, 1, V) with ``last_only``; with ``targets``, the mean cross-entropy
    in nats per token, without all logits in memory at once."""

    compiled = False
    """Whether torch compiles what training computes; see :func:`compile_training`."""

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
        """Token ids (B, T) -> what the output layer reads, (B, T, D) or (B, 1, D); ``cache`` grows by these tokens."""
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
        """Token ids (B, T) -> rows of the output layer's matrix, (B, T, D).

        Their gradient is added to that of the output layer, which is there by then: autograd would write the sum of
        both into memory of its own, as large as the matrix.
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
"""Each module of the reference and its faster counterpart."""


def accelerate(model: GPTModel) -> FastGPTModel:
    """Replace the forward pass of every module by a faster one, in place; parameters and hooks stay."""
    for module in model.modules():
        if module is not model.out_head:  # which the loss reads by itself
            module.__class__ = FAST.get(type(module), type(module))
    return cast(FastGPTModel, model)


def recompute_activations(model: GPTModel) -> None:
    """Keep only the input of each block for the backward pass; of a model on the fast path."""
    for block in model.trf_blocks:
        block.__class__ = RecomputedBlock


def compile_training(model: GPTModel) -> None:
    """Have torch compile the blocks and the loss of a model on the fast path when it is first trained."""
    cast(FastGPTModel, model).compiled = True
    for block in model.trf_blocks:
        if type(block) is FastBlock:  # what is computed again in the backward pass is not compiled
            block.__class__ = CompiledBlock


def compiler_failed(error: Exception) -> bool:
    """Return whether torch's compiler raised an error, or is not there (the installers come without it)."""
    return isinstance(error, ImportError) or type(error).__module__.startswith(("torch._dynamo", "torch._inductor"))


def keep_uncompiled(model: GPTModel) -> None:
    """Undo :func:`compile_training`."""
    cast(FastGPTModel, model).compiled = False
    for block in model.trf_blocks:
        if isinstance(block, CompiledBlock):
            cast(nn.Module, block).__class__ = FastBlock


def fused_attention(queries: Tensor, keys: Tensor, values: Tensor, start: int, drop: float = 0.0) -> Tensor:
    """Attention without its weights in memory where nothing is dropped: (B, H, T, D/H) and twice (B, H, start + T, D/H)
    -> (B, H, T, D/H)."""
    tokens = queries.shape[2]
    if drop and queries.device.type == "cpu":  # where torch's fused attention has no dropout
        kept, share = kernels.dropout_mask((*queries.shape[:3], tokens), drop, queries.dtype)
        context: Tensor = kernels.DroppedAttention.apply(queries, keys, values, kept, share)
        return context
    # A single new token may look at everything; only a block of tokens behind others needs a mask of its own.
    mask = ~causal_mask(start + tokens, queries.device)[start:] if start and tokens > 1 else None
    return F.scaled_dot_product_attention(
        queries, keys, values, attn_mask=mask, dropout_p=drop, is_causal=start == 0 and tokens > 1
    )


def _product_dtype(x: Tensor) -> torch.dtype:
    """Return the dtype in which ``x`` is multiplied by matrices: half precision within autocast."""
    kind = x.device.type
    return torch.get_autocast_dtype(kind) if torch.is_autocast_enabled(kind) else x.dtype
