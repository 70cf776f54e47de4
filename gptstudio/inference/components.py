"""Components of a model, the heads and the feed-forward networks, and interventions in what they write.

Each writes into the residual stream, from which all later ones read (Elhage et al., "A Mathematical Framework for
Transformer Circuits", 2021). Names as in TransformerLens: ``blocks.3.attn.head.5``, ``blocks.3.mlp``.

Shapes: B batch, T tokens, H heads, D width.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple, cast

import torch
from torch import Tensor, nn

from gptstudio.errors import UserError
from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.model import GPTModel, TransformerBlock
from gptstudio.i18n import message

NAME = re.compile(r"(?:blocks\.)?(\d{1,6})\.(?:attn\.head\.)?(\d{1,6})|(?:blocks\.)?(\d{1,6})\.mlp", re.ASCII)
LARGEST_FACTOR = 2.0


class Component(NamedTuple):
    """A head, or where ``head`` is None, a feed-forward network (MLP); both counted from 0."""

    layer: int
    head: int | None = None

    def __str__(self) -> str:
        inside = "mlp" if self.head is None else f"attn.head.{self.head}"
        return f"blocks.{self.layer}.{inside}"


def read_component(text: str, config: GPTConfig) -> Component:
    """Return the component of a name, whole or short (``3.5`` and ``3.mlp``).

    Raises:
        UserError: it names none, or none of this model.
    """
    found = NAME.fullmatch(text.strip())
    if not found:
        raise UserError(message(
            "{text} names no part of a model. Write 3.5 for head 5 of layer 3, and 3.mlp for the feed-forward network "
            "of layer 3; both are counted from 0.", text=text[:60]))
    layer = int(found[1] or found[3])
    head = None if found[2] is None else int(found[2])
    if layer >= config.n_layers or (head or 0) >= config.n_heads:
        raise UserError(message(
            "This model has no {name}: its layers are 0 to {layers}, its heads 0 to {heads}.", name=text[:60],
            layers=config.n_layers - 1, heads=config.n_heads - 1))
    return Component(layer, head)


@dataclass(frozen=True)
class Intervention:
    """A component whose output is multiplied by a factor: 0 takes it away (zero ablation). The output of a head is
    what it adds before the bias of the output projection, which belongs to no head.

    Raises:
        UserError: the factor is not from 0 to 2.
    """

    component: Component
    factor: float = 0.0

    def __post_init__(self) -> None:
        if not 0 <= self.factor <= LARGEST_FACTOR:
            raise UserError(message(
                "The factor of {name} must be from 0 to 2: 0 takes its output away, 1 leaves it, 2 doubles it.",
                name=str(self.component)))


@contextmanager
def intervening(model: GPTModel, interventions: Sequence[Intervention]) -> Iterator[None]:
    """Change what the model computes as long as this lasts. The reference path only."""
    hooks = []
    try:
        for each in interventions:
            block = cast(TransformerBlock, model.trf_blocks[each.component.layer])
            if each.component.head is None:
                hooks.append(block.ff.register_forward_hook(partial(_scale_output, each.factor)))
            else:
                hooks.append(block.att.out_proj.register_forward_pre_hook(
                    partial(_scale_head, columns_of(model.cfg, each.component.head), each.factor)))
        yield
    finally:
        for hook in hooks:
            hook.remove()


def columns_of(config: GPTConfig, head: int) -> slice:
    """Return the columns of a head in the input of the output projection."""
    return slice(head * config.head_dim, (head + 1) * config.head_dim)


def _scale_output(factor: float, _module: nn.Module, _args: object, output: Tensor) -> Tensor:
    return output * factor


def _scale_head(columns: slice, factor: float, _module: nn.Module, args: tuple[Tensor]) -> tuple[Tensor]:
    changed = args[0].clone()  # (B, T, D)
    changed[..., columns] *= factor
    return (changed,)


@torch.no_grad()
def changed_logits(model: GPTModel, ids: Sequence[int], interventions: Sequence[Intervention]) -> Tensor:
    """Return the logits (T, V) with the interventions, of a model on the reference path."""
    with intervening(model, interventions):
        logits: Tensor = model(torch.tensor([list(ids)], device=model.tok_emb.weight.device))[0]
    return logits.float()
