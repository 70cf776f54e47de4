"""Means of what the components of a model write, over the tokens of a text: what mean ablation puts in their place.

Shapes: D width.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
import torch
from torch import Tensor, nn

from gptstudio.data import texts, tokens
from gptstudio.errors import UserError
from gptstudio.gpt.activations import Check, go_on, hidden_states
from gptstudio.gpt.model import GPTModel
from gptstudio.gpt.tokenizer import GPT2, Tokenizer
from gptstudio.i18n import message
from gptstudio.inference.interventions import Interventions

MOST_TOKENS = 4_096


@dataclass(frozen=True, eq=False)
class Means:
    """Outputs of each layer's components, averaged over the tokens of a text.

    Attributes:
        heads: (D,) for each layer, the outputs of its heads side by side, before the output projection.
        mlps: (D,) for each layer.
    """

    heads: list[Tensor]
    mlps: list[Tensor]


_last: WeakKeyDictionary[nn.Module, tuple[tuple[int, ...], Means]] = WeakKeyDictionary()
"""Of each model in memory, those over the text that was asked about last."""


def means_for(
    model: GPTModel, interventions: Interventions, ids: Sequence[int], check: Check = go_on, tokenizer: Tokenizer = GPT2
) -> Means | None:
    """Return the means that these interventions need; None if they need none. ``ids``: the text that is read, and
    ``tokenizer`` that of the model.

    Raises:
        UserError: the text for the means cannot be read, or has tokens that the model does not have.
    """
    if not interventions.needs_means:
        return None
    over = tuple(_tokens_of(interventions.mean_over, model, tokenizer) if interventions.mean_over else ids)
    kept = _last.get(model)
    if kept is None or kept[0] != over:
        kept = _last[model] = over, means_over(model, over, check)
    return kept[1]


@torch.no_grad()
def means_over(model: GPTModel, ids: Sequence[int], check: Check = go_on) -> Means:
    """Return the means over these tokens, at least one, read in windows of the context length."""
    weight, context, layers = model.tok_emb.weight, model.cfg.context_length, model.cfg.n_layers
    heads, mlps = ([torch.zeros(model.cfg.emb_dim, dtype=torch.float64) for _ in range(layers)] for _ in range(2))
    totals = {f"{layer}.attn.head_out": total for layer, total in enumerate(heads)}
    totals |= {f"{layer}.mlp_out": total for layer, total in enumerate(mlps)}

    def add(name: str, out: Tensor) -> Tensor:
        if name in totals:
            totals[name] += out[0].double().sum(dim=0).cpu()
        return out

    for start in range(0, len(ids), context):
        hidden_states(model, torch.tensor([list(ids[start : start + context])], device=weight.device), add, check)
    return Means(*([(each / len(ids)).to(weight) for each in some] for some in (heads, mlps)))


def _tokens_of(name: str, model: GPTModel, tokenizer: Tokenizer) -> list[int]:
    """Return the first tokens of a text.

    Raises:
        UserError: it cannot be read, or the model does not have all of its tokens.
    """
    ids = np.asarray(tokens.of(texts.read(name), tokenizer)[:MOST_TOKENS])
    if ids.max() >= model.cfg.vocab_size:
        raise UserError(message(
            "The means cannot be taken over this text: it has tokens that the model does not have. Choose another "
            "text."))
    found: list[int] = ids.tolist()
    return found
