"""Models with interventions: passes in which named activations are replaced (:mod:`gptstudio.gpt.activations`).

Shapes: B batch, T tokens, H heads, D width, V vocabulary.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import cast

import torch
from torch import Tensor

from gptstudio.gpt import activations
from gptstudio.gpt.activations import Check, go_on, text_of
from gptstudio.gpt.model import GPTModel
from gptstudio.inference.components import columns_of
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
        name, replace = _replacement(model, each, means)
        replacements.setdefault(name, []).append(replace)

    def change(name: str, out: Tensor) -> Tensor:
        for replace in replacements.get(name, ()):
            out = replace(out)
        return out

    return change


def _replacement(model: GPTModel, change: Change, means: Means | None) -> tuple[str, Replace]:
    """Return the name of the activation that a change concerns, and what replaces it."""
    match change:
        case Intervention(head=None):
            return f"{change.layer}.mlp_out", partial(_scaled, change.factor, _baseline(change, means))
        case Intervention():
            columns = columns_of(model.cfg, cast(int, change.head))
            base = _baseline(change, means)
            own = base if isinstance(base, float) else base[columns]
            return f"{change.layer}.attn.head_out", partial(_with_columns_scaled, columns, change.factor, own)
        case AttentionPattern():
            return f"{change.layer}.attn.pattern", partial(_with_pattern, change)
        case PermutedPositions():
            return "pos_embed", partial(_permuted, change)
        case ReplacedEmbedding():
            return "embed", partial(_with_embedding, change, model.tok_emb.weight)


def _baseline(change: Intervention, means: Means | None) -> Tensor | float:
    """Return what the output is moved to, (D,); 0 for zero ablation."""
    if change.baseline == "zero":
        return 0.0
    if means is None:
        raise ValueError("mean ablation without means")
    return (means.mlps if change.head is None else means.heads)[change.layer]


def _scaled(factor: float, base: Tensor | float, out: Tensor) -> Tensor:
    return base + factor * (out - base)


def _with_columns_scaled(columns: slice, factor: float, base: Tensor | float, heads: Tensor) -> Tensor:
    """(B, T, D), the outputs of the heads side by side, with those of one head scaled."""
    changed = heads.clone()
    changed[..., columns] = _scaled(factor, base, changed[..., columns])
    return changed


def _with_pattern(change: AttentionPattern, weights: Tensor) -> Tensor:
    """(B, H, T, T) with the pattern in the place of one head's weights."""
    changed = weights.clone()
    changed[:, change.head] = pattern_weights(change, weights.shape[-1]).to(weights)
    return changed


def pattern_weights(change: AttentionPattern, tokens: int) -> Tensor:
    """Return the attention weights of a pattern, (T, T): each row sums to 1."""
    match change.pattern:
        case "uniform":
            return torch.ones(tokens, tokens).tril() / torch.arange(1, tokens + 1)[:, None]
        case "previous":
            weights = torch.diag(torch.ones(tokens - 1), diagonal=-1)
            weights[0, 0] = 1
            return weights
        case "itself":
            return torch.eye(tokens)


def _permuted(change: PermutedPositions, out: Tensor) -> Tensor:
    """(T, D) with its first rows in another order."""
    if len(out) < change.count:  # the text was longer when they were permuted
        return out
    return torch.cat([out[list(change.order)], out[change.count :]])


def _with_embedding(change: ReplacedEmbedding, embeddings: Tensor, out: Tensor) -> Tensor:
    """(B, T, D) with another token's embedding at the position."""
    if change.position >= out.shape[1]:
        return out
    changed = out.clone()
    changed[:, change.position] = embeddings[change.token]
    return changed
