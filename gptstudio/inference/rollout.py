"""Attention of a whole text as one table: a head, the mean over the heads of a layer, or rollout over the layers.

Shapes: T tokens, H heads, D width.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from gptstudio.gpt.activations import Check, go_on, hidden_states, text_of
from gptstudio.gpt.model import GPTModel
from gptstudio.inference.finite import check_finite
from gptstudio.inference.flow import AttentionSource, TextAttention
from gptstudio.inference.interpret import attention


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
    text = text_of(model, ids)
    identity = torch.eye(text.shape[1], device=text.device)
    rolled = identity

    def add(name: str, out: Tensor) -> Tensor:
        nonlocal rolled
        if name.endswith(".attn.pattern"):
            mixed = 0.5 * out[0].float().mean(dim=0) + 0.5 * identity
            rolled = (mixed / mixed.sum(dim=-1, keepdim=True)) @ rolled
        return out

    hidden_states(model, text, add, check)
    return rolled
