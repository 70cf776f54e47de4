"""Forward pass of a model in which every activation has a name and can be read or replaced.

Names follow TransformerLens, without "blocks." and "hook_": for layer 3,

====================  ==============  =================================================================
name                  shape           activation
====================  ==============  =================================================================
``embed``             (B, T, D)       token embeddings
``pos_embed``         (T, D)          position embeddings
``3.resid_pre``       (B, T, D)       residual stream that the block reads
``3.attn.q``          (B, H, T, D/H)  queries; keys and values are ``3.attn.k`` and ``3.attn.v``
``3.attn.pattern``    (B, H, T, T)    attention weights
``3.attn.head_out``   (B, T, D)       concatenated outputs of the heads, the input of the output projection
``3.attn_out``        (B, T, D)       output of attention, added to the residual stream
``3.mlp.pre``         (B, T, 4D)      feed-forward network before GELU; ``3.mlp.post`` after it
``3.mlp_out``         (B, T, D)       output of the feed-forward network, added to the residual stream
``3.resid_post``      (B, T, D)       residual stream after the block
====================  ==============  =================================================================

Letters as in :mod:`gptstudio.gpt.model`. Dropout is always off, also in training mode. The functions need only the
modules of the book's model, so that users can copy their source as code.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence

import torch
from torch import Tensor

from gptstudio.gpt.model import GPTModel, MultiHeadAttention, TransformerBlock

Change = Callable[[str, Tensor], Tensor]
"""Receives the name of an activation and its value, and returns the value to use instead."""
Check = Callable[[], None]
"""Called between the parts of each block, because a block of a large model takes a while; can raise to cancel."""


def unchanged(_name: str, out: Tensor) -> Tensor:
    """Return the activation unchanged."""
    return out


def no_check() -> None:
    """Check nothing: the default for callers that never cancel."""


def kept(found: dict[str, Tensor], names: Container[str]) -> Change:
    """Return a change that replaces nothing and stores the activations with these names in ``found``."""

    def keep(name: str, out: Tensor) -> Tensor:
        if name in names:
            found[name] = out
        return out

    return keep


def run(model: GPTModel, ids: Tensor, change: Change = unchanged, check: Check = no_check) -> Tensor:
    """Return the logits (B, T, V) of token ids (B, T), as ``model(ids)`` does in evaluation mode."""
    logits: Tensor = model.out_head(hidden_states(model, ids, change, check))
    return logits


def hidden_states(model: GPTModel, ids: Tensor, change: Change = unchanged, check: Check = no_check) -> Tensor:
    """Return the input of the output layer, (B, T, D), for token ids (B, T)."""
    if ids.shape[1] > len(model.pos_emb.weight):
        raise ValueError(f"{ids.shape[1]:,} tokens do not fit into a context of {len(model.pos_emb.weight):,}.")
    positions = torch.arange(ids.shape[1], device=ids.device)
    x = change("embed", model.tok_emb(ids)) + change("pos_embed", model.pos_emb(positions))  # (B, T, D)
    out: Tensor = model.final_norm(continued(model, 0, x, change, check))
    return out


def continued(model: GPTModel, layer: int, x: Tensor, change: Change = unchanged, check: Check = no_check) -> Tensor:
    """Run the blocks from number ``layer`` on over the residual stream, (B, T, D) -> (B, T, D)."""
    for number in range(layer, len(model.trf_blocks)):
        block: TransformerBlock = model.trf_blocks[number]  # type: ignore[assignment]
        x = change(f"{number}.resid_pre", x)
        check()
        x = change(f"{number}.attn_out", attention_out(block.att, f"{number}.attn", block.norm1(x), change, check)) + x
        check()
        x = change(f"{number}.mlp_out", feed_forward_out(block, f"{number}.mlp", block.norm2(x), change, check)) + x
        x = change(f"{number}.resid_post", x)
    return x


def text_of(model: GPTModel, ids: Sequence[int]) -> Tensor:
    """Return the last C tokens as a batch of one text, (1, T), on the device of the model."""
    return torch.tensor([list(ids)[-model.cfg.context_length :]], device=model.tok_emb.weight.device)


def attention_out(att: MultiHeadAttention, name: str, x: Tensor, change: Change, check: Check) -> Tensor:
    """Return the output of attention for normalised input, (B, T, D) -> (B, T, D)."""
    queries, keys, values = (
        change(f"{name}.{letter}", layer(x).unflatten(-1, (-1, att.head_dim)).transpose(1, 2))  # (B, H, T, D/H)
        for letter, layer in (("q", att.W_query), ("k", att.W_key), ("v", att.W_value))
    )
    scores = queries @ keys.transpose(2, 3)  # (B, H, T, T)
    later = torch.ones(scores.shape[-2:], dtype=torch.bool, device=x.device).triu(diagonal=1)
    scores = scores.masked_fill_(later, -torch.inf)
    pattern = change(f"{name}.pattern", torch.softmax(scores / att.head_dim**0.5, dim=-1))
    heads = change(f"{name}.head_out", (pattern @ values).transpose(1, 2).reshape(x.shape))
    check()
    out: Tensor = att.out_proj(heads)
    return out


def feed_forward_out(block: TransformerBlock, name: str, x: Tensor, change: Change, check: Check) -> Tensor:
    """Return the output of the feed-forward network for normalised input, (B, T, D) -> (B, T, D)."""
    widen, gelu, narrow = block.ff.layers
    inner = change(f"{name}.post", gelu(change(f"{name}.pre", widen(x))))  # (B, T, 4D)
    check()
    out: Tensor = narrow(inner)
    return out
