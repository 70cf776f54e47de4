"""Interventions as Python that runs without GPT Studio on the book's model: the source of the functions that compute
them here. No torch before it is asked for."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence

from gptstudio.inference.interventions import Interventions

HEAD = '''"""Reads a text with a changed model. ``model`` is the book's GPTModel in eval mode, with its weights."""

from __future__ import annotations

from functools import partial

import torch
from torch import Tensor

'''
MEANS = '''
# Means over a text: here over the one that is read. {over}
means, mean_ids = {{}}, ids


def note(name, out):
    means[name] = out[0].mean(dim=0)
    return out


with torch.no_grad():
    run(model, mean_ids, note)
'''
TAIL = '''

def change(name, out):
    for activation, replace in replacements:
        out = replace(out) if activation == name else out
    return out


with torch.no_grad():
    logits = run(model, ids, change)[0, -1]
for probability, token in zip(*torch.topk(torch.softmax(logits, dim=-1), min(10, len(logits)))):
    print(f"{probability:.4f}", token.item())
'''


class _Code(str):
    """Code in the place of a tensor: what is done with the tensor is written."""

    __slots__ = ()

    def __getitem__(self, index: object) -> _Code:
        return _Code(f"{self}[{index!r}]")

    def __repr__(self) -> str:
        return str(self)


class _Means:
    """Code in the place of :class:`~gptstudio.inference.means.Means`."""

    def __init__(self, layers: int) -> None:
        self.heads = [_Code(f'means["{layer}.attn.head_out"]') for layer in range(layers)]
        self.mlps = [_Code(f'means["{layer}.mlp_out"]') for layer in range(layers)]


def code_of(interventions: Interventions, ids: Sequence[int], head_dim: int) -> str:
    """Return the code for a text (T,) and a model whose heads have ``head_dim`` columns each."""
    from gptstudio.gpt import activations
    from gptstudio.inference import intervening

    layers = 1 + max((getattr(each, "layer", 0) for each in interventions.changes), default=0)
    found = [intervening.replacement(each, head_dim, _Means(layers), _Code("model.tok_emb.weight"))
             for each in interventions.changes]
    used = {replace.__name__: replace for _, replace, _ in found}
    if "columns_scaled" in used:
        used = {"scaled": intervening.scaled} | used
    if "with_pattern" in used:
        used = {"pattern_weights": intervening.pattern_weights} | used
    functions: tuple[Callable[..., object], ...] = (
        activations.unchanged, activations.go_on, activations.run, activations.hidden_states, activations.continued,
        activations.attention_out, activations.feed_forward_out, *used.values())
    lines = [f'    ("{name}", partial({replace.__name__}, {", ".join(map(repr, values))})),\n'
             for name, replace, values in found]
    over = f"It was {interventions.mean_over!a}: put its token ids there." if interventions.mean_over else ""
    return "".join([
        HEAD, *(f"\n{inspect.getsource(each)}\n" for each in functions), f"\nids = torch.tensor([{list(ids)}])\n",
        MEANS.format(over=over).replace(". \n", ".\n") if interventions.needs_means else "",
        "replacements = [  # names of activations, and what replaces them\n", *lines, "]\n", TAIL])
