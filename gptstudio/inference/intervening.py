"""Models with interventions: passes in which named activations are replaced (:mod:`gptstudio.gpt.activations`).

Shapes: B batch, T tokens, H heads, D width, V vocabulary.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import torch
from torch import Tensor

from gptstudio.gpt import activations
from gptstudio.gpt.activations import Check, go_on, text_of
from gptstudio.gpt.model import GPTModel
from gptstudio.inference.interventions import (
    NO_INTERVENTIONS,
    AttentionPattern,
    Change,
    Intervention,
    Interventions,
    PermutedPositions,
    ReplacedEmbedding,
)
from gptstudio.inference.means import Means

Replace = Callable[[Tensor], Tensor]
"""Receives an activation and returns what takes its place."""


class ChangedModel(GPTModel):
    """A model whose passes replace activations; on the reference path, where every quantity is computed as the book
    does."""

    change: activations.Change = staticmethod(activations.unchanged)
    check: Check = staticmethod(go_on)

    def hidden_states(self, in_idx: Tensor) -> Tensor:
        return activations.hidden_states(self, in_idx, self.change, self.check)


def changed_copy(
    model: GPTModel, interventions: Interventions = NO_INTERVENTIONS, means: Means | None = None, check: Check = go_on
) -> ChangedModel:
    """Return a model with the same weights, not copied, that computes with the interventions.

    Changes that belong to another model, with more layers or heads, are left out.

    Args:
        means: needed for mean ablation.
    """
    with torch.device("meta"):
        changed = ChangedModel(model.cfg)
    changed.load_state_dict(model.state_dict(), assign=True)
    changed.change, changed.check = change_of(model, interventions, means), check
    return changed.eval()


@torch.no_grad()
def changed_logits(
    model: GPTModel, ids: Sequence[int], interventions: Interventions = NO_INTERVENTIONS, means: Means | None = None,
    check: Check = go_on,
) -> Tensor:
    """Return the logits (T, V) after each of the last C of the tokens, with the interventions."""
    change = change_of(model, interventions, means)
    return activations.run(model, text_of(model, ids), change, check)[0].float()


def change_of(model: GPTModel, interventions: Interventions, means: Means | None) -> activations.Change:
    """Return the change of activations that interventions make in a model."""
    replacements: dict[str, list[Replace]] = {}
    for each in interventions.fitting(model.cfg).changes:
        name, replace, values = replacement(each, model.cfg.head_dim, means, model.tok_emb.weight)
        replacements.setdefault(name, []).append(partial(replace, *values))

    def change(name: str, out: Tensor) -> Tensor:
        for replace in replacements.get(name, ()):
            out = replace(out)
        return out

    return change


def replacement(
    change: Change, head_dim: int, means: Any, embeddings: Any
) -> tuple[str, Callable[..., Tensor], tuple[Any, ...]]:
    """Return the name of the activation that a change concerns, the function that replaces it, and the values that this
    function is given before the activation.

    Args:
        means: :class:`~gptstudio.inference.means.Means` for mean ablation, or what stands for it in code.
        embeddings: (V, D), or what stands for them in code.
    """
    match change:
        case Intervention(layer=layer, factor=factor, head=None):
            return f"{layer}.mlp_out", scaled, (factor, _known(means).mlps[layer] if change.of_mean else 0.0)
        case Intervention(layer=layer, factor=factor, head=int(head)):
            columns = slice(head * head_dim, (head + 1) * head_dim)
            base = _known(means).heads[layer][columns] if change.of_mean else 0.0
            return f"{layer}.attn.head_out", columns_scaled, (columns, factor, base)
        case AttentionPattern():
            return f"{change.layer}.attn.pattern", with_pattern, (change.head, change.pattern)
        case PermutedPositions():
            return "pos_embed", permuted, (list(change.order),)
        case ReplacedEmbedding():
            return "embed", with_embedding, (change.position, embeddings[change.token])
    raise TypeError(change)


def _known(means: Any) -> Any:
    if means is None:
        raise ValueError("mean ablation without means")
    return means


def scaled(factor: float, base: Tensor | float, out: Tensor) -> Tensor:
    """Return an output moved towards ``base``."""
    return base + factor * (out - base)


def columns_scaled(columns: slice, factor: float, base: Tensor | float, heads: Tensor) -> Tensor:
    """Return the outputs of the heads side by side, (B, T, D), with those of one head scaled."""
    changed = heads.clone()
    changed[..., columns] = scaled(factor, base, changed[..., columns])
    return changed


def with_pattern(head: int, pattern: str, weights: Tensor) -> Tensor:
    """Return attention weights (B, H, T, T) with a pattern in the place of one head's."""
    changed = weights.clone()
    changed[:, head] = pattern_weights(pattern, weights.shape[-1]).to(weights)
    return changed


def pattern_weights(pattern: str, tokens: int) -> Tensor:
    """Return the attention weights of a pattern, (T, T): each row sums to 1."""
    if pattern == "uniform":
        return torch.ones(tokens, tokens).tril() / torch.arange(1, tokens + 1)[:, None]
    weights = torch.eye(tokens)
    if pattern == "previous":  # the first token sees itself
        weights[1:] = weights[:-1].clone()
    return weights


def permuted(order: list[int], out: Tensor) -> Tensor:
    """Return (T, D) with its first rows in another order."""
    if len(out) < len(order):  # the text was longer when they were permuted
        return out
    return torch.cat([out[order], out[len(order) :]])


def with_embedding(position: int, embedding: Tensor, out: Tensor) -> Tensor:
    """Return (B, T, D) with another token's embedding (D,) at a position."""
    changed = out.clone()
    changed[:, position : position + 1] = embedding
    return changed
