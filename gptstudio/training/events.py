"""Closed set of the events of a training run and of a generated text. Code that displays, prints or stores them matches
on their types.

Events are frozen and tagged by ``event``, so a journal is read back exactly as it was written. No torch.

``step`` counts updates from 0, as in journals and the folders of checkpoints. Displayed steps count from 1: step N is
the model after N updates.
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
"""Largest integer up to which all integers are exact as floats."""
Count = Annotated[int, Field(ge=0, le=MOST_COUNT)]
PositiveCount = Annotated[Count, Field(ge=1)]


class EventBase(BaseModel):
    """Frozen values, tagged by ``event``."""

    # Infinite and undefined losses are valid: in JSON they are the strings "Infinity" and "NaN".
    model_config = ConfigDict(frozen=True, ser_json_inf_nan="strings", arbitrary_types_allowed=True)


PARTS = {"parts": True}
"""Serialization context in which messages are written with their template and values."""

Text = Annotated[str, WrapValidator(lambda text, check: text if isinstance(text, Message) else check(text))]
"""Text that can be a translatable message."""


class WithText(BaseModel):
    """Event with a ``message`` for the user. A journal contains it in English and, as ``said``, its template and
    values, so that it can be translated."""

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
    """Token of a text; ``text`` is the token decoded separately, U+FFFD for an incomplete character."""

    id: int
    text: str


class PromptRead(EventBase):
    """Prompt as tokens.

    Attributes:
        dropped: number of tokens at the start that do not fit into the context, including tokens of a very long prompt
            that are not reported.
        context, stride: a text longer than the context is scored in windows of ``context`` tokens, ``stride`` tokens
            apart; None if it is read at once.
    """

    event: Literal["prompt_read"] = "prompt_read"
    pieces: list[Piece]
    dropped: int
    model: str
    context: int | None = None
    stride: int | None = None


class Candidate(EventBase):
    """Alternative for a sampled token.

    Attributes:
        probability: probability over the whole vocabulary under the model.
        stages: logit after each stage of sampling, in order; None once the token was removed.
        cut_by: the stage that removed it.
        after: probability after all stages.
    """

    id: int
    text: str
    logit: float
    probability: float
    stages: dict[str, float | None]
    cut_by: str | None
    after: float


class _Reading(EventBase):
    """Prediction of the model for one token of a text, from the tokens before it.

    Attributes:
        plain_probability: softmax of the logits, over the whole vocabulary. None without a prediction: for the first
            token that the model reads, and for all before it.
        rank: 1 for the most likely token.
        plain_entropy_bits: entropy of the model's distribution.
        logits: (V,), float32; kept in memory for the sampling stages, not written.
    """

    position: int
    id: int
    text: str
    plain_probability: float | None
    rank: int | None
    plain_entropy_bits: float | None
    logits: Any = Field(default=None, exclude=True, repr=False)


class TokenRead(_Reading):
    """Token of a given text: the prompt, a chosen alternative, or a text to score."""

    event: Literal["token_read"] = "token_read"


class TokenDrawn(_Reading):
    """Sampled token.

    Attributes:
        sample: index of the text, if several are generated at once.
        probability: probability of the token after all stages.
        entropy_bits: entropy of the distribution after all stages.
        random_number: random number in [0, 1) that selected it, determined by seed, sample and position.
        alternatives: the most likely tokens before any stage, by default ten.
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
        """Move the sampling parameters into one value; version 0.1 wrote them next to the others."""
        if not isinstance(values, Mapping) or "sampling_params" in values:
            return values
        params = {name: value for name, value in values.items() if name in SamplingParams.model_fields}
        return {name: value for name, value in values.items() if name not in params} | {"sampling_params": params}


class Beam(EventBase):
    """Continuation found by a beam search.

    Attributes:
        ids: tokens after the prompt; ``text``, ``plain_probability``, ``rank`` and ``plain_entropy_bits`` describe the
            last of them.
        log_probability: sum over these tokens, in nats.
        score: this sum divided by the length penalty; the search keeps the highest scores.
        ending: the reason why the text ended; empty while it is in progress.
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
    """Step of a beam search: the beams it keeps, and the next best ones, which it prunes; best first."""

    event: Literal["beam_step"] = "beam_step"
    step: Count
    kept: tuple[Beam, ...]
    pruned: tuple[Beam, ...] = ()


class TextEnded(EventBase):
    """A text ended before its maximum length: with ``<|endoftext|>``, or with the requested stop text."""

    event: Literal["text_ended"] = "text_ended"
    sample: int
    position: int
    reason: Literal["end_of_text", "stop_text"]


class Change(EventBase):
    """Change of a component of the model in one step: the largest change of a weight, and its parameter."""

    component: str
    parameter: str
    largest: float


class StepReport(EventBase):
    """Report on a single step. Both losses are in nats per token on the batch of the step, without dropout."""

    event: Literal["step_examined"] = "step_examined"
    step: Count
    loss_before: float
    loss_after: float
    gradient_norm: float
    changes: list[Change]


class ProbeReading(EventBase):
    """Predicted next token of a probe prompt. Probabilities are over the whole vocabulary.

    Attributes:
        text: the prompt; ``dropped`` tokens at its beginning do not fit into the context.
        ids, probabilities: the tokens that have been among the twelve most probable in any reading so far.
        entropy_bits: entropy of the whole distribution.
        true_id: the token that follows in the text; None if unknown.
        true_rank: rank of that token; 1 if it is the most probable.
    """

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
    """Readings of all probe prompts after the update of ``step``; -1 for before the first."""

    event: Literal["probes_read"] = "probes_read"
    step: Annotated[int, Field(ge=-1, le=MOST_COUNT)]
    tokens_seen: Count
    probes: tuple[ProbeReading, ...]


class Copy(EventBase):
    """Passage of a sample that occurs in the training text: characters ``start`` to ``stop`` of the sample."""

    start: Count
    stop: Count
    tokens: Count


class CopiesFound(EventBase):
    """Copied passages of the sample after ``step``: ``copied`` of the ``tokens`` new tokens are in passages of at least
    five tokens that occur in the training text; the longest passage has ``longest`` tokens."""

    event: Literal["copies_found"] = "copies_found"
    step: Count
    tokens: Count
    copied: Count
    longest: Count
    copies: tuple[Copy, ...] = ()

    @property
    def share(self) -> float:
        """Copied fraction of the new tokens, from 0 to 1; NaN without new tokens."""
        return min(self.copied / self.tokens, 1.0) if self.tokens else math.nan


PartName = Literal["token_embedding", "position_embedding", "attention", "feed_forward", "final_norm", "output_layer"]
MOST_PARTS = 4_096
"""Maximum number of parts in a line of a journal: more than twice the maximum number of blocks."""
MOST_HEADS = 1_024


class PartUpdate(EventBase):
    """Effect of a step on a part of the model.

    Attributes:
        block: block of an attention or feed-forward network, counted from 0.
        gradient_norm: norm before clipping; None if frozen.
        weight_norm: norm after the step.
        update_ratio: norm of the change divided by the norm of the weights before it, estimated from some of the
            weights; None if frozen.
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
    """Activations of a block: the fraction of units of its feed-forward network that were dead at every token, and the
    entropy of each head's attention weights in bits, averaged over the tokens."""

    dead_share: float
    entropies: tuple[float, ...] = Field((), max_length=MOST_HEADS)


class ActivationsRead(EventBase):
    """Activations of the model after ``step`` for the first ``tokens`` tokens of the validation text, without dropout.

    Attributes:
        most_entropy: highest possible entropy of a head in bits, with uniform attention.
        logit_std: standard deviation of the logits over the vocabulary, root mean square over the tokens.
        largest_logit: largest absolute value of a logit.
        blocks: activations of the blocks, in order.
    """

    event: Literal["activations_read"] = "activations_read"
    step: Count
    tokens_seen: Count = 0
    tokens: Count
    most_entropy: float = math.nan
    logit_std: float = math.nan
    largest_logit: float = math.nan
    blocks: tuple[BlockActivations, ...] = Field((), max_length=MOST_PARTS)


class RunStarted(EventBase):
    """First event of a training run, and of its continuation at ``first_step``.

    Attributes:
        predicted_bytes: expected peak memory of training.
        predicted_s: expected seconds of all steps; None if unknown.
        bytes_per_token: mean bytes per token of the training text and of the validation text; 0 in logs of earlier
            versions.
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
    """Update of the weights. ``loss`` is in nats per token, with dropout, before the update."""

    event: Literal["step_done"] = "step_done"
    step: Count
    epoch: Count
    loss: float
    learning_rate: float
    gradient_norm: float
    tokens_seen: Count
    elapsed_s: float


class Evaluated(EventBase):
    """Losses in nats per token, without dropout, after the update of ``step`` (book §5.2)."""

    event: Literal["evaluated"] = "evaluated"
    step: Count
    tokens_seen: Count
    train_loss: float
    val_loss: float


class LearningRateChanged(EventBase):
    """New learning rate from ``step`` on; with a schedule, the highest value."""

    event: Literal["learning_rate_changed"] = "learning_rate_changed"
    step: Count
    learning_rate: float


class SampleWritten(EventBase):
    """Text generated after ``epoch`` by greedy decoding."""

    event: Literal["sample_written"] = "sample_written"
    step: Count
    epoch: Count
    text: str


class CheckpointSaved(EventBase):
    """A checkpoint was saved. ``best``: lowest validation loss; ``model_only``: no run can continue from it."""

    event: Literal["checkpoint_saved"] = "checkpoint_saved"
    step: Count
    path: str
    val_loss: float | None
    bytes: Count = 0
    best: bool = False
    model_only: bool = False


class MemoryRead(EventBase):
    """Memory in use. ``run_peak_bytes``: peak of training itself, without the memory used before it began."""

    event: Literal["memory_read"] = "memory_read"
    used_bytes: Count
    peak_bytes: Count
    total_bytes: Count
    run_peak_bytes: Count = 0


class Warned(EventBase, WithText):
    """Warning to the user; the run continues."""

    event: Literal["warned"] = "warned"
    message: Text = Field(validation_alias=AliasChoices("message", "words"))  # as version 0.1 called it


Outcome = Literal["finished", "stopped", "failed"]


class Ended(EventBase, WithText):
    """Last event, created exactly once, by the executor.

    Attributes:
        error: class name of the error.
        instead: another checkpoint from which the run can continue, if the requested one is unusable.
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
    """Return an event as one line of JSON without line end; ``parts``: include templates and values of messages."""
    return event.model_dump_json(context=PARTS if parts else None)


def from_json(line: str | bytes) -> Event:
    """Return the event in a line of JSON.

    Raises:
        pydantic.ValidationError: the line is not an event.
    """
    return _adapter.validate_json(line)
