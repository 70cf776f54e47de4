"""Interventions: changes of a model's computation, as values that can be saved, and the components they change. No
torch.

Heads and feed-forward networks write to the residual stream, which all later ones read (Elhage et al., "A Mathematical
Framework for Transformer Circuits", 2021). Names follow TransformerLens: ``blocks.3.attn.head.5``, ``blocks.3.mlp``.
:mod:`gptstudio.inference.intervening` applies the changes to a model.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, Literal, NamedTuple

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, NonNegativeInt

from gptstudio.errors import UserError
from gptstudio.gpt.config import GPTConfig
from gptstudio.i18n import message

NAME = re.compile(r"(?:blocks\.)?(\d{1,6})\.(?:attn\.head\.)?(\d{1,6})|(?:blocks\.)?(\d{1,6})\.mlp", re.ASCII)


class Component(NamedTuple):
    """Head, or feed-forward network (MLP) if ``head`` is None; layers and heads are counted from 0."""

    layer: int
    head: int | None = None

    def __str__(self) -> str:
        inside = "mlp" if self.head is None else f"attn.head.{self.head}"
        return f"blocks.{self.layer}.{inside}"


def read_component(text: str, config: GPTConfig) -> Component:
    """Return the component with a full or short name (``3.5`` and ``3.mlp``).

    Raises:
        UserError: the name is not valid, or the model has no such component.
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


LARGEST_FACTOR = 2.0
MOST_CHANGES = 1_000
LONGEST_NAME = 48
Index = Annotated[int, Field(ge=0, lt=2**31)]
Pattern = Literal["uniform", "previous", "itself"]


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class _OfComponent(_Value):
    layer: Index
    head: Index | None = None

    @property
    def component(self) -> Component:
        return Component(self.layer, self.head)


class Intervention(_OfComponent):
    """Scaling of a component's output towards zero or its mean: baseline + factor · (output − baseline).

    Factor 0 is zero ablation or mean ablation. The output of a head does not include the bias of the output projection,
    which belongs to no head.
    """

    kind: Literal["scale"] = "scale"
    factor: float = Field(default=0.0, ge=0.0, le=LARGEST_FACTOR)
    baseline: Literal["zero", "mean"] = "zero"

    @property
    def of_mean(self) -> bool:
        """True for mean ablation."""
        return self.baseline == "mean"

    @classmethod
    def of(cls, component: Component, factor: float = 0.0, baseline: Literal["zero", "mean"] = "zero") -> Intervention:
        """Return the intervention on a component.

        Raises:
            UserError: the factor is not between 0 and 2.
        """
        if not 0 <= factor <= LARGEST_FACTOR:
            raise UserError(message(
                "The factor of {name} must be from 0 to 2: 0 takes its output away, 1 leaves it, 2 doubles it.",
                name=str(component)))
        return cls(layer=component.layer, head=component.head, factor=factor, baseline=baseline)


class AttentionPattern(_OfComponent):
    """Replacement of a head's attention weights: equal weights for all visible tokens (uniform), weight 1 for the
    previous token (for the first token: itself), or weight 1 for the token itself."""

    kind: Literal["pattern"] = "pattern"
    pattern: Pattern = "uniform"


class PermutedPositions(_Value):
    """Permutation of the position embeddings of the first ``count`` tokens, drawn from a seed."""

    kind: Literal["positions"] = "positions"
    count: Annotated[int, Field(ge=0, le=2**20)] = 0
    seed: NonNegativeInt = Field(default=0, lt=2**63)

    @property
    def order(self) -> tuple[int, ...]:
        """New position of each of these tokens."""
        return tuple(np.random.default_rng(self.seed).permutation(self.count).tolist())


class ReplacedEmbedding(_Value):
    """Replacement of the token embedding at a position of the text by that of another token."""

    kind: Literal["embedding"] = "embedding"
    position: Index
    token: Index


Change = Annotated[Intervention | AttentionPattern | PermutedPositions | ReplacedEmbedding, Field(discriminator="kind")]


class Interventions(_Value):
    """Set of changes that apply together.

    Attributes:
        changes: changes in the order in which they were made, at most one of each kind per place.
        mean_over: name of the text for means; empty for the text that is read.
    """

    changes: tuple[Change, ...] = Field(default=(), max_length=MOST_CHANGES)
    mean_over: str = Field(default="", max_length=1_000)

    def __bool__(self) -> bool:
        return bool(self.changes)

    @property
    def needs_means(self) -> bool:
        return any(isinstance(each, Intervention) and each.of_mean for each in self.changes)

    @property
    def moves_positions(self) -> bool:
        """True if a change depends on a position of the text, so that the text must fit the context."""
        return any(isinstance(each, PermutedPositions | ReplacedEmbedding) for each in self.changes)

    def of(self, component: Component) -> list[Change]:
        """Return the changes of a component."""
        return [each for each in self.changes if isinstance(each, _OfComponent) and each.component == component]

    def having(self, change: Change) -> Interventions:
        """Return these changes with one added, which replaces a change at the same place."""
        return self.model_copy(update={"changes": (*self.without(place_of(change)).changes, change)})

    def without(self, place: tuple[object, ...]) -> Interventions:
        return self.model_copy(update={"changes": tuple(each for each in self.changes if place_of(each) != place)})

    def fitting(self, config: GPTConfig) -> Interventions:
        """Return the changes that apply to a model with this configuration; a document may belong to another model."""
        return self.model_copy(update={"changes": tuple(each for each in self.changes if _fits(each, config))})


NO_INTERVENTIONS = Interventions()


def place_of(change: Change) -> tuple[object, ...]:
    """Return the place of a change, which is unique within a set."""
    match change:
        case Intervention() | AttentionPattern():
            return change.kind, *change.component
        case ReplacedEmbedding():
            return change.kind, change.position
        case _:
            return (change.kind,)


def of_components(pairs: Sequence[tuple[Component, float]]) -> Interventions:
    """Return interventions that scale these components towards zero by these factors.

    Raises:
        UserError: a factor is not between 0 and 2.
    """
    made = NO_INTERVENTIONS
    for component, factor in pairs:
        made = made.having(Intervention.of(component, factor))
    return made


def _fits(change: Change, config: GPTConfig) -> bool:
    match change:
        case Intervention() | AttentionPattern():
            return change.layer < config.n_layers and (change.head or 0) < config.n_heads
        case ReplacedEmbedding():
            return change.position < config.context_length and change.token < config.vocab_size
        case _:
            return change.count <= config.context_length
