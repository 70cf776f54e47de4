"""Closed set of events that a run consists of, and those about the tokens of a text. Code that displays, prints or
stores a run matches on these.

Frozen and tagged by ``event``, so a journal is read back exactly as it was written. No torch.

Every ``step`` counts updates from 0, as journals and the folders of checkpoints do. Displayed steps count from 1: step
N is the model after N updates.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import (
    AliasChoices,
    BaseModel,
    ConfigDict,
    Field,
    SerializationInfo,
    SerializerFunctionWrapHandler,
    TypeAdapter,
    WrapValidator,
    model_serializer,
    model_validator,
)

from gptstudio.gpt.sampling.params import SamplingParams
from gptstudio.i18n import Message, from_parts, to_parts

MOST_COUNT = 2**53
"""As far as every integer is exact as a float."""
Count = Annotated[int, Field(ge=0, le=MOST_COUNT)]
PositiveCount = Annotated[Count, Field(ge=1)]


class EventBase(BaseModel):
    """Frozen values, tagged by ``event``."""

    # Infinite and undefined losses are news, not errors: JSON carries them as the strings "Infinity" and "NaN".
    model_config = ConfigDict(frozen=True, ser_json_inf_nan="strings", arbitrary_types_allowed=True)


PARTS = {"parts": True}
"""The context with which an event is written with how its words were made."""

Text = Annotated[str, WrapValidator(lambda text, check: text if isinstance(text, Message) else check(text))]
"""Words that a window can say in its language."""


class WithText(BaseModel):
    """An event whose ``message`` is for people. A journal keeps it in English, and beside that how it was made: as
    ``said``, a template and its values."""

    @model_validator(mode="before")
    @classmethod
    def _as_made(cls, values: Any) -> Any:
        made = from_parts(values.get("said")) if isinstance(values, Mapping) else None
        return {**values, "message": made} if made is not None and made == values.get("message") else values

    @model_serializer(mode="wrap")
    def _with_parts(self, write: SerializerFunctionWrapHandler, info: SerializationInfo) -> dict[str, Any]:
        written: dict[str, Any] = write(self)
        text = self.__dict__["message"]
        return {**written, "said": to_parts(text)} if info.context and isinstance(text, Message) else written


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


__all__ = [
    "MOST_COUNT",
    "ActivationsRead",
    "Beam",
    "BeamStep",
    "BlockActivations",
    "Candidate",
    "Change",
    "CheckpointSaved",
    "CopiesFound",
    "Copy",
    "Ended",
    "Evaluated",
    "Event",
    "LearningRateChanged",
    "MemoryRead",
    "Outcome",
    "PartUpdate",
    "PhaseChanged",
    "Piece",
    "ProbeReading",
    "ProbesRead",
    "PromptRead",
    "RunStarted",
    "SampleWritten",
    "StepDone",
    "StepReport",
    "TextEnded",
    "TokenDrawn",
    "TokenRead",
    "UpdatesRead",
    "Warned",
    "from_json",
    "to_json",
]


class RunStarted(EventBase):
    """Always the first message of a training run, and of its continuation at ``first_step``.

    ``predicted_bytes`` is what training was expected to hold at most, ``predicted_s`` how long all steps were expected
    to take, where that was known. ``bytes_per_token`` are the mean bytes of a token of the training text, and of the
    validation text; 0 in logs of earlier versions.
    """

    event: Literal["run_started"] = "run_started"
    run: str
    device: str
    dtype: str
    path: str
    parameters: Count
    total_steps: PositiveCount
    steps_per_epoch: PositiveCount
    tokens_per_step: PositiveCount
    first_step: Count = 0
    predicted_bytes: Count = 0
    predicted_s: float | None = None
    bytes_per_token: tuple[float, float] = (0.0, 0.0)


class PhaseChanged(EventBase):
    event: Literal["phase_changed"] = "phase_changed"
    phase: Literal["loading", "preparing", "compiling", "training", "saving", "paused", "generating"]


class StepDone(EventBase):
    """One update of the weights. ``loss`` in nats per token, dropout on, before the update."""

    event: Literal["step_done"] = "step_done"
    step: Count
    epoch: Count
    loss: float
    learning_rate: float
    gradient_norm: float
    tokens_seen: Count
    elapsed_s: float


class Evaluated(EventBase):
    """Both losses in nats per token, dropout off, after the update of ``step`` (book §5.2)."""

    event: Literal["evaluated"] = "evaluated"
    step: Count
    tokens_seen: Count
    train_loss: float
    val_loss: float


class LearningRateChanged(EventBase):
    """From ``step`` on another (peak) learning rate holds."""

    event: Literal["learning_rate_changed"] = "learning_rate_changed"
    step: Count
    learning_rate: float


class SampleWritten(EventBase):
    """Text that the model generated after ``epoch``, with greedy decoding."""

    event: Literal["sample_written"] = "sample_written"
    step: Count
    epoch: Count
    text: str


class CheckpointSaved(EventBase):
    """``model_only``: a run cannot continue from it."""

    event: Literal["checkpoint_saved"] = "checkpoint_saved"
    step: Count
    path: str
    val_loss: float | None
    bytes: Count = 0
    best: bool = False
    model_only: bool = False


class MemoryRead(EventBase):
    """``run_peak_bytes`` is the most that training itself held, without what the program held before it began."""

    event: Literal["memory_read"] = "memory_read"
    used_bytes: Count
    peak_bytes: Count
    total_bytes: Count
    run_peak_bytes: Count = 0


class Warned(EventBase, WithText):
    """Something the user should know; the run continues."""

    event: Literal["warned"] = "warned"
    message: Text = Field(validation_alias=AliasChoices("message", "words"))  # as version 0.1 called it


Outcome = Literal["finished", "stopped", "failed"]


class Ended(EventBase, WithText):
    """Always the last message, exactly once, made by the executor alone.

    Attributes:
        error: the name of its kind.
        instead: the checkpoint from which the run can continue, where the one that was asked for was refused.
    """

    event: Literal["ended"] = "ended"
    outcome: Outcome
    message: Text = Field(validation_alias=AliasChoices("message", "words"))
    details: str = ""
    user_error: bool = False
    error: str = ""
    instead: str = ""


Event = (
    RunStarted | PhaseChanged | StepDone | StepReport | CopiesFound | ProbesRead | LearningRateChanged | Evaluated
    | UpdatesRead | ActivationsRead | SampleWritten | CheckpointSaved | MemoryRead | Warned | Ended | PromptRead
    | TokenRead | TokenDrawn | BeamStep | TextEnded
)

_adapter: TypeAdapter[Event] = TypeAdapter(Annotated[Event, Field(discriminator="event")])


def to_json(event: Event, parts: bool = False) -> str:
    """One line, without the line end; ``parts``: with how the words in it were made."""
    return event.model_dump_json(context=PARTS if parts else None)


def from_json(line: str | bytes) -> Event:
    """The message of one line.

    Raises:
        pydantic.ValidationError: the line is no message of this set.
    """
    return _adapter.validate_json(line)
