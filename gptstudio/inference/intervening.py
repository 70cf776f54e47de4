"""Models with interventions: hooks on the reference path, where every quantity is computed as the book does.

Shapes: B batch, T tokens, H heads, D width, V vocabulary.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, cast

import torch
from torch import Tensor, nn

from gptstudio.gpt.model import GPTModel, TransformerBlock
from gptstudio.inference.components import columns_of
from gptstudio.inference.interpret import Check, go_on, reference_copy
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


def changed_copy(
    model: GPTModel, interventions: Interventions = NO_INTERVENTIONS, means: Means | None = None, check: Check = go_on
) -> GPTModel:
    """Return a model with the same weights, not copied, on the reference path, that computes with the interventions.

    Changes that belong to another model, with more layers or heads, are left out.

    Args:
        means: needed for mean ablation.
    """
    changed = reference_copy(model, check)
    for change in interventions.fitting(model.cfg).changes:
        _apply(changed, change, means)
    return changed


@torch.no_grad()
def changed_logits(
    model: GPTModel, ids: Sequence[int], interventions: Interventions = NO_INTERVENTIONS, means: Means | None = None,
    check: Check = go_on,
) -> Tensor:
    """Return the logits (T, V) after each of the last C of the tokens, with the interventions."""
    changed = changed_copy(model, interventions, means, check)
    text = list(ids)[-model.cfg.context_length :]
    logits: Tensor = changed(torch.tensor([text], device=changed.tok_emb.weight.device))[0]
    return logits.float()


def _apply(model: GPTModel, change: Change, means: Means | None) -> None:
    match change:
        case Intervention(head=None):
            block, base = _block(model, change.layer), _baseline(change, means)
            block.ff.register_forward_hook(partial(_scale_output, change.factor, base))
        case Intervention():
            block, base = _block(model, change.layer), _baseline(change, means)
            columns = columns_of(model.cfg, cast(int, change.head))
            block.att.out_proj.register_forward_pre_hook(partial(_scale_head, columns, change.factor, base))
        case AttentionPattern():
            _block(model, change.layer).att.dropout.register_forward_hook(partial(_replace_pattern, change))
        case PermutedPositions():
            model.pos_emb.register_forward_hook(partial(_permute, change))
        case ReplacedEmbedding():
            model.tok_emb.register_forward_hook(partial(_replace_embedding, change))


def _block(model: GPTModel, layer: int) -> TransformerBlock:
    return cast(TransformerBlock, model.trf_blocks[layer])


def _baseline(change: Intervention, means: Means | None) -> Tensor | float:
    """Return what the output is moved to, (D,); 0 for zero ablation."""
    if change.baseline == "zero":
        return 0.0
    if means is None:
        raise ValueError("mean ablation without means")
    return (means.mlps if change.head is None else means.heads)[change.layer]


def _scale_output(factor: float, base: Any, _module: nn.Module, _args: object, output: Tensor) -> Tensor:
    changed: Tensor = base + factor * (output - base)
    return changed


def _scale_head(
    columns: slice, factor: float, base: Any, _module: nn.Module, args: tuple[Tensor]
) -> tuple[Tensor]:
    own = base if isinstance(base, float) else base[columns]
    changed = args[0].clone()  # (B, T, D)
    changed[..., columns] = own + factor * (changed[..., columns] - own)
    return (changed,)


def _replace_pattern(change: AttentionPattern, _module: nn.Module, _args: object, weights: Tensor) -> Tensor:
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


def _permute(change: PermutedPositions, _module: nn.Module, _args: object, output: Tensor) -> Tensor:
    """(T, D) with its first rows in another order."""
    if len(output) < change.count:  # the text was longer when they were permuted
        return output
    return torch.cat([output[list(change.order)], output[change.count :]])


def _replace_embedding(
    change: ReplacedEmbedding, module: nn.Embedding, _args: object, output: Tensor
) -> Tensor:
    """(B, T, D) with another token's embedding at the position."""
    if change.position >= output.shape[1]:
        return output
    changed = output.clone()
    changed[:, change.position] = module.weight[change.token]
    return changed
