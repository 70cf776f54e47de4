"""Events about the tokens of a text: read, generated, ended. No torch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import AliasChoices, Field, model_validator

from gptstudio.gpt.sampling.params import SamplingParams
from gptstudio.training.event_base import Count, EventBase


class Piece(EventBase):
    """One token of a text: ``text`` as decoded by itself, U+FFFD where it is half a character."""

    id: int
    text: str


class PromptRead(EventBase):
    """Prompt as tokens; ``dropped`` counts those at its start that do not fit into the context, including those of a
    very long one that are not reported. A longer text than the context is scored in windows of ``context`` tokens, each
    ``stride`` tokens after the one before; None where it is read at once."""

    event: Literal["prompt_read"] = "prompt_read"
    pieces: list[Piece]
    dropped: int
    model: str
    context: int | None = None
    stride: int | None = None


class Candidate(EventBase):
    """A token that could have come.

    Attributes:
        probability: over the whole vocabulary, as the model gives it.
        stages: its logit after each stage of sampling in their order; None once it was removed.
        cut_by: the stage that removed it.
        after: its probability after all stages.
    """

    id: int
    text: str
    logit: float
    probability: float
    stages: dict[str, float | None]
    cut_by: str | None
    after: float


class _Reading(EventBase):
    """Prediction of the model for one token of a text, before reading it.

    Attributes:
        plain_probability: softmax of the logits, over the whole vocabulary. None if the model was not evaluated: for
            the first token that it reads, and for those before it.
        rank: 1 for the token that the model considered most likely.
        plain_entropy_bits: entropy of the model's distribution.
        logits: (V,), float32; kept in memory for the stages and not written.
    """

    position: int
    id: int
    text: str
    plain_probability: float | None
    rank: int | None
    plain_entropy_bits: float | None
    logits: Any = Field(default=None, exclude=True, repr=False)


class TokenRead(_Reading):
    """A token of a text that was given: the prompt, a chosen alternative, or a text to score."""

    event: Literal["token_read"] = "token_read"


class TokenDrawn(_Reading):
    """A new token.

    Attributes:
        sample: of several texts that are written at once, which.
        probability: what it was drawn with, after all stages.
        entropy_bits: how open the choice was after all stages.
        random_number: the number from 0 up to 1 that chose it; it belongs to seed, sample and position.
        alternatives: the likeliest tokens before anything was changed, ten unless more were asked for.
    """

    event: Literal["token_drawn"] = "token_drawn"
    sample: int = 0
    probability: float
    entropy_bits: float
    random_number: float = Field(validation_alias=AliasChoices("random_number", "chance"))
    took_s: float
    sampling_params: SamplingParams
    alternatives: list[Candidate]

    @model_validator(mode="before")
    @classmethod
    def _of_version_0_1(cls, values: Any) -> Any:
        """Return the values with the sampling parameters in one place; version 0.1 wrote them beside the others."""
        if not isinstance(values, Mapping) or "sampling_params" in values:
            return values
        params = {name: value for name, value in values.items() if name in SamplingParams.model_fields}
        return {name: value for name, value in values.items() if name not in params} | {"sampling_params": params}


class Beam(EventBase):
    """A continuation that a beam search has reached.

    Attributes:
        ids: its tokens behind the prompt; all else here but ``score`` and the sum is about the last of them.
        log_probability: sum over these tokens, in nats.
        score: this sum divided by the length penalty; the search keeps the highest.
        ending: why it ended by itself; empty while it is in progress.
    """

    ids: tuple[int, ...]
    text: str
    plain_probability: float
    rank: int
    plain_entropy_bits: float
    log_probability: float
    score: float
    ending: Literal["", "end_of_text", "stop_text"] = ""


class BeamStep(EventBase):
    """One step of a beam search: the beams that it keeps and the next best that it prunes, each the best first."""

    event: Literal["beam_step"] = "beam_step"
    step: Count
    kept: tuple[Beam, ...]
    pruned: tuple[Beam, ...] = ()


class TextEnded(EventBase):
    """A text came to its end by itself: with ``<|endoftext|>``, or with the text that was asked to end it."""

    event: Literal["text_ended"] = "text_ended"
    sample: int
    position: int
    reason: Literal["end_of_text", "stop_text"]
