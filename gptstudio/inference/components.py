"""Components of a model: the heads and the feed-forward networks. No torch.

Each writes into the residual stream, from which all later ones read (Elhage et al., "A Mathematical Framework for
Transformer Circuits", 2021). Names as in TransformerLens: ``blocks.3.attn.head.5``, ``blocks.3.mlp``.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from gptstudio.errors import UserError
from gptstudio.gpt.config import GPTConfig
from gptstudio.i18n import message

NAME = re.compile(r"(?:blocks\.)?(\d{1,6})\.(?:attn\.head\.)?(\d{1,6})|(?:blocks\.)?(\d{1,6})\.mlp", re.ASCII)


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


def columns_of(config: GPTConfig, head: int) -> slice:
    """Return the columns of a head in the input of the output projection."""
    return slice(head * config.head_dim, (head + 1) * config.head_dim)
