"""Attention of a whole text as one table: a head, the mean over the heads of a layer, or rollout over the layers.

Shapes: T tokens, H heads, D width.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

import numpy as np
import torch
from torch import Tensor

from gptstudio.gpt.model import GPTModel, MultiHeadAttention, TransformerBlock, causal_mask
from gptstudio.inference.finite import check_finite
from gptstudio.inference.flow import AttentionSource, TextAttention
from gptstudio.inference.interpret import Check, attention, go_on, read_tokens, reference_copy


def text_attention(
    model: GPTModel, ids: Sequence[int], source: AttentionSource, check: Check = go_on
) -> TextAttention:
    """Return how much each of the last C of the tokens attends to each. Layers and heads beyond the last mean the last.

    Raises:
        BrokenLogits: the weights are not numbers.
    """
    if source.kind == "rollout":
        weights = attention_rollout(model, ids, check).cpu().numpy()
    else:
        of_layer = attention(model, ids, source.layer, check)
        heads = len(of_layer.scores)
        if source.kind == "head":
            weights = of_layer.head(min(source.head, heads - 1)).weights[0]
        else:
            weights = np.zeros_like(of_layer.scores[0])
            for head in range(heads):  # one at a time: each takes 4 MB for 1,024 tokens
                check()
                weights += of_layer.head(head).weights[0] / heads
    check_finite(weights)
    return TextAttention(weights)


@torch.no_grad()
def attention_rollout(model: GPTModel, ids: Sequence[int], check: Check = go_on) -> Tensor:
    """Return attention rollout over all layers, (T, T): the product of the layers' matrices 0.5 A + 0.5 I, where A is
    the mean over the heads and I stands for the residual stream (Abnar and Zuidema, "Quantifying Attention Flow in
    Transformers", 2020, §3). Read in one pass, which keeps one table.
    """
    reading = reference_copy(model, check)
    tokens = min(len(ids), model.cfg.context_length)
    rolled = torch.eye(tokens, device=reading.tok_emb.weight.device)

    def add(weights: Tensor) -> None:
        nonlocal rolled
        mixed = 0.5 * weights + 0.5 * torch.eye(tokens, device=weights.device)
        rolled = (mixed / mixed.sum(dim=-1, keepdim=True)) @ rolled

    for block in cast(Sequence[TransformerBlock], reading.trf_blocks):
        block.att.register_forward_pre_hook(_with_mean_weights(add, check))
    read_tokens(reading, ids)
    return rolled


def _with_mean_weights(use: Callable[[Tensor], None], check: Check) -> Callable[..., None]:
    """Return a hook that computes the mean of the heads' weights, (T, T), from what an attention reads."""

    def hook(att: MultiHeadAttention, args: tuple[Tensor, ...]) -> None:
        queries, keys = (att.split_heads(each(args[0]))[0].float() for each in (att.W_query, att.W_key))  # (H, T, D/H)
        later = causal_mask(queries.shape[1], queries.device)
        mean = torch.zeros(later.shape, device=queries.device)
        for query, key in zip(queries, keys, strict=True):
            check()
            scores = (query @ key.T).masked_fill_(later, -torch.inf)
            mean += torch.softmax(scores / att.head_dim**0.5, dim=-1) / att.n_heads
        use(mean)
        check()

    return hook
