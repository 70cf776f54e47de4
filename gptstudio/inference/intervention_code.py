"""Interventions as Python that runs without GPT Studio: hooks on the modules of the book's model, by their names. No
torch."""

from __future__ import annotations

from collections.abc import Sequence

from gptstudio.inference.interventions import (
    AttentionPattern,
    Change,
    Intervention,
    Interventions,
    PermutedPositions,
    ReplacedEmbedding,
)

HEAD = '''"""Reads a text with a changed model. ``model`` is the book's GPTModel in eval mode, with its weights."""

import torch

ids = torch.tensor([{ids}])
blocks, head_dim = model.trf_blocks, {head_dim}
hooks = []
'''
MEANS = '''
# Means over a text: here over the one that is read. {over}
means, mean_ids = {{}}, ids
noting = []
for layer, block in enumerate(blocks):
    noting.append(block.att.out_proj.register_forward_pre_hook(
        lambda _, args, layer=layer: means.update({{("heads", layer): args[0][0].mean(dim=0)}})))
    noting.append(block.ff.register_forward_hook(
        lambda _, args, output, layer=layer: means.update({{("mlp", layer): output[0].mean(dim=0)}})))
with torch.no_grad():
    model(mean_ids)
for hook in noting:
    hook.remove()
'''
SCALE_HEAD = '''

def scale_head(layer, head, factor, mean=False):
    columns = slice(head * head_dim, (head + 1) * head_dim)

    def hook(_, args):
        changed = args[0].clone()
        base = means["heads", layer][columns] if mean else 0.0
        changed[..., columns] = base + factor * (changed[..., columns] - base)
        return (changed,)

    hooks.append(blocks[layer].att.out_proj.register_forward_pre_hook(hook))

'''
SCALE_MLP = '''

def scale_mlp(layer, factor, mean=False):
    def hook(_, args, output):
        base = means["mlp", layer] if mean else 0.0
        return base + factor * (output - base)

    hooks.append(blocks[layer].ff.register_forward_hook(hook))

'''
PATTERN = '''

def freeze_attention(layer, head, pattern):
    def hook(_, args, weights):  # (B, H, T, T)
        changed, tokens = weights.clone(), weights.shape[-1]
        rows = torch.arange(tokens)
        if pattern == "uniform":
            changed[:, head] = torch.ones(tokens, tokens).tril() / (rows + 1)[:, None]
        else:
            seen = rows if pattern == "itself" else (rows - 1).clamp(min=0)
            changed[:, head] = torch.nn.functional.one_hot(seen, tokens).float()
        return changed

    hooks.append(blocks[layer].att.dropout.register_forward_hook(hook))

'''
TAIL = '''
with torch.no_grad():
    logits = model(ids)[0, -1]
for hook in hooks:
    hook.remove()
for probability, token in zip(*torch.topk(torch.softmax(logits, dim=-1), min(10, len(logits)))):
    print(f"{probability:.4f}", token.item())
'''


def code_of(interventions: Interventions, ids: Sequence[int], head_dim: int) -> str:
    """Return the code for a text (T,) and a model whose heads have ``head_dim`` columns each."""
    changes = interventions.changes
    scaled = [each for each in changes if isinstance(each, Intervention)]
    parts = [HEAD.format(ids=list(ids), head_dim=head_dim)]
    if interventions.needs_means:
        over = f"It was {interventions.mean_over!a}: put its token ids there." if interventions.mean_over else ""
        parts.append(MEANS.format(over=over).replace(". \n", ".\n"))
    for definition, needed in (
        (SCALE_HEAD, any(each.head is not None for each in scaled)),
        (SCALE_MLP, any(each.head is None for each in scaled)),
        (PATTERN, any(isinstance(each, AttentionPattern) for each in changes)),
    ):
        if needed:
            parts.append(definition)
    return "".join([*parts, *map(_line, changes), TAIL])


def _line(change: Change) -> str:
    match change:
        case Intervention():
            what = f"mlp({change.layer}" if change.head is None else f"head({change.layer}, {change.head}"
            return f"scale_{what}, {change.factor}{', mean=True' if change.baseline == 'mean' else ''})\n"
        case AttentionPattern():
            return f'freeze_attention({change.layer}, {change.head}, "{change.pattern}")\n'
        case ReplacedEmbedding():
            return (
                f"hooks.append(model.tok_emb.register_forward_hook(  # reads another token at one position\n"
                f"    lambda module, _, output: torch.cat([output[:, :{change.position}], "
                f"module.weight[None, None, {change.token}], output[:, {change.position + 1}:]], dim=1)))\n")
        case PermutedPositions():
            return (
                f"order = {list(change.order)}\nhooks.append(model.pos_emb.register_forward_hook(\n"
                f"    lambda _, args, output: torch.cat([output[order], output[{change.count}:]])))\n")
