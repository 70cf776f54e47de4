"""Runs of a model with activations of another run: the passes of activation patching.

Shapes: B variants, T tokens, H heads, D width, V vocabulary.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, cast

import torch
from torch import Tensor

from gptstudio.gpt.activations import Check, go_on, hidden_states
from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.model import GPTModel, TransformerBlock
from gptstudio.inference.components import columns_of
from gptstudio.inference.prompt_pair import Kind

BYTES_AT_ONCE = 8 * 2**20
"""Of the largest tensor of the variants that are computed together, unless one alone needs more: a fraction of a second
of a layer of gpt2-small on two cores, after which a cancelled task ends."""


def patch_bytes(config: GPTConfig, tokens: int) -> int:
    """Return an estimate of the memory that patching takes: what both runs keep, up to three tensors of each layer, and
    the variants that are computed together, with what a block makes of them."""
    read = min(tokens, config.context_length)
    kept = 2 * 3 * 4 * (config.n_layers + 1) * read * config.emb_dim
    alone = 4 * max(config.n_heads * read * read, 4 * config.emb_dim * read, config.vocab_size)
    return kept + 6 * max(BYTES_AT_ONCE, alone)


class Pass(NamedTuple):
    """Outputs of the parts of a model in one pass.

    Attributes:
        before: (T, D) for each layer, the residual that it read; and the last, what the last norm read.
        heads: (T, D) for each layer, the outputs of its heads side by side, before the output projection.
        attention, mlps: (T, D) for each layer.

    Lists that are not needed are empty.
    """

    before: list[Tensor]
    heads: list[Tensor]
    attention: list[Tensor]
    mlps: list[Tensor]


def run(model: GPTModel, ids: Sequence[int], kind: Kind, check: Check = go_on) -> Pass:
    """Run the model, and return what its parts wrote, as far as it is needed to copy activations of a kind."""
    made = Pass([], [], [], [])
    lists = {"resid_pre": made.before, f"{model.cfg.n_layers - 1}.resid_post": made.before}
    if kind == "heads":
        lists["attn.head_out"] = made.heads
    if kind in ("attention", "mlp"):
        lists["attn_out"] = made.attention
    if kind == "mlp":
        lists["mlp_out"] = made.mlps

    def keep(name: str, out: Tensor) -> Tensor:
        for each in (name, name.partition(".")[2]):
            if each in lists:
                lists[each].append(out[0])
        return out

    hidden_states(model, torch.tensor([list(ids)], device=model.tok_emb.weight.device), keep, check)
    return made


def batches(model: GPTModel, tokens: int, places: range) -> Iterator[range]:
    """Return places whose variants are computed together."""
    cfg = model.cfg
    largest = 4 * max(cfg.n_heads * tokens * tokens, 4 * cfg.emb_dim * tokens, cfg.vocab_size)  # bytes of one variant
    step = max(1, BYTES_AT_ONCE // largest)
    return (places[at : at + step] for at in range(0, len(places), step))


def patched(
    model: GPTModel, kind: Kind, layer: int, places: range, clean: Pass, corrupted: Pass
) -> tuple[int, Tensor]:
    """Return the corrupted run with each of the places of a layer from the clean one: the layer from which on it is to
    be continued, and what that reads, (B, T, D)."""
    block = cast(TransformerBlock, model.trf_blocks[layer])
    if kind == "resid":
        return layer, _exchanged(corrupted.before[layer], clean.before[layer], places)
    if kind == "mlp":
        middle = corrupted.before[layer] + corrupted.attention[layer]
        return layer + 1, middle + _exchanged(corrupted.mlps[layer], clean.mlps[layer], places)
    if kind == "attention":
        written = _exchanged(corrupted.attention[layer], clean.attention[layer], places)
    else:
        values = corrupted.heads[layer].repeat(len(places), 1, 1)
        for variant, head in enumerate(places):
            columns = columns_of(model.cfg, head)
            values[variant, :, columns] = clean.heads[layer][:, columns]
        written = block.att.out_proj(values)
    middle = corrupted.before[layer] + written
    return layer + 1, middle + block.ff(block.norm2(middle))


def _exchanged(values: Tensor, others: Tensor, places: range) -> Tensor:
    """(T, D) -> (B, T, D), each with the value at one place from the other run."""
    made = values.repeat(len(places), 1, 1)
    for variant, place in enumerate(places):
        made[variant, place] = others[place]
    return made


@torch.no_grad()
def last_logits(model: GPTModel, x: Tensor) -> Tensor:
    """(B, T, D) -> (B, V) after the last token."""
    logits: Tensor = model.out_head(model.final_norm(x[:, -1]))
    return logits.float()
