"""Events that say what was measured on the model in training, besides its losses. No torch."""

from __future__ import annotations

import math
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from gptstudio.training.event_base import MOST_COUNT, Count, EventBase


class Change(BaseModel):
    """Change of a model's component in one step: its largest change of a weight, and of which parameter."""

    model_config = ConfigDict(frozen=True)

    component: str
    parameter: str
    largest: float


class StepReport(EventBase):
    """Report on a single step. Both losses in nats per token on the step's own batch, dropout off."""

    event: Literal["step_examined"] = "step_examined"
    step: Count
    loss_before: float
    loss_after: float
    gradient_norm: float
    changes: list[Change]


class ProbeReading(BaseModel):
    """Next token of one probe prompt, as the model predicts it. Probabilities are over the whole vocabulary.

    Attributes:
        text: the prompt; ``dropped`` tokens at its beginning do not fit into the context.
        ids: the tokens that have been among the twelve most probable at any reading so far; ``probabilities``: theirs.
        entropy_bits: of the whole distribution.
        true_id: the token that follows in the text; None where none is known.
        true_rank: 1 if the model considers it the most probable.
    """

    model_config = ConfigDict(frozen=True, ser_json_inf_nan="strings")

    text: str
    ids: tuple[Count, ...]
    probabilities: tuple[float, ...]
    entropy_bits: float
    dropped: Count = 0
    true_id: Count | None = None
    true_probability: float | None = None
    true_rank: Count | None = None

    @model_validator(mode="after")
    def _fit(self) -> Self:
        if len(self.ids) != len(self.probabilities):
            raise ValueError("as many probabilities as tokens")
        return self


class ProbesRead(EventBase):
    """Readings of all probe prompts after the update of ``step``; -1: before the first."""

    event: Literal["probes_read"] = "probes_read"
    step: Annotated[int, Field(ge=-1, le=MOST_COUNT)]
    tokens_seen: Count
    probes: tuple[ProbeReading, ...]


class Copy(BaseModel):
    """A stretch of a sample that stands in the training text: characters ``start`` to ``stop`` of the sample."""

    model_config = ConfigDict(frozen=True)

    start: Count
    stop: Count
    tokens: Count


class CopiesFound(EventBase):
    """Copied stretches of the sample after ``step``: of ``tokens`` new tokens ``copied`` are in a stretch of at least
    five that stands in the training text, the longest of which has ``longest`` tokens."""

    event: Literal["copies_found"] = "copies_found"
    step: Count
    tokens: Count
    copied: Count
    longest: Count
    copies: tuple[Copy, ...] = ()

    @property
    def share(self) -> float:
        """Copied share of the new tokens, from 0 to 1; NaN without any."""
        return min(self.copied / self.tokens, 1.0) if self.tokens else math.nan


PartName = Literal[
    "token_embedding", "position_embedding", "attention", "feed_forward", "final_norm", "output_layer",
]
MOST_PARTS = 4_096
"""In a line of a journal: more than twice the blocks that a model can have."""
MOST_HEADS = 1_024


class PartUpdate(EventBase):
    """Effect of a step on a part of the model; None where it is frozen.

    Attributes:
        block: of an attention or feed-forward network, counted from 0.
        gradient_norm: before clipping.
        weight_norm: after the step.
        update_ratio: norm of the change over the norm of the weights before, estimated from some weights.
    """

    part: PartName
    block: Count | None = None
    gradient_norm: float | None = None
    weight_norm: float
    update_ratio: float | None = None


class UpdatesRead(EventBase):
    """Effect of ``step`` on each part of the model, in the order of the model."""

    event: Literal["updates_read"] = "updates_read"
    step: Count
    tokens_seen: Count = 0
    parts: tuple[PartUpdate, ...] = Field((), max_length=MOST_PARTS)


class BlockActivations(EventBase):
    """Activations of a block: the share of units of its feed-forward network that were dead at every token, 0 to 1, and
    the entropy of the attention weights of each head in bits, mean over the tokens."""

    dead_share: float
    entropies: tuple[float, ...] = Field((), max_length=MOST_HEADS)


class ActivationsRead(EventBase):
    """Activations of the model after ``step`` for the first ``tokens`` tokens of the validation text, dropout off.

    Attributes:
        most_entropy: what the entropy of a head is at most, in bits: each token looks evenly at all before it.
        logit_std: standard deviation of the logits over the vocabulary, root mean square over the tokens.
        largest_logit: the largest absolute value.
        blocks: in their order.
    """

    event: Literal["activations_read"] = "activations_read"
    step: Count
    tokens_seen: Count = 0
    tokens: Count
    most_entropy: float = math.nan
    logit_std: float = math.nan
    largest_logit: float = math.nan
    blocks: tuple[BlockActivations, ...] = Field((), max_length=MOST_PARTS)
