"""Closed set of events that a run consists of. Code that displays, prints or stores a run matches on these.

Frozen and tagged by ``event``, so a journal is read back exactly as it was written. No torch.

Every ``step`` counts updates from 0, as journals and the folders of checkpoints do. Displayed steps count from 1: step
N is the model after N updates.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, TypeAdapter, model_validator

from gptstudio.gpt.sampling.params import SamplingParams
from gptstudio.training.event_text import PARTS, Text, WithText

MOST_COUNT = 2**53
"""As far as every integer is exact as a float."""
Count = Annotated[int, Field(ge=0, le=MOST_COUNT)]
PositiveCount = Annotated[Count, Field(ge=1)]


class _Message(BaseModel):
    # Infinite and undefined losses are news, not errors: JSON carries them as the strings "Infinity" and "NaN".
    model_config = ConfigDict(frozen=True, ser_json_inf_nan="strings", arbitrary_types_allowed=True)


class RunStarted(_Message):
    """Always the first message of a training run, and of its going on at ``first_step``.

    ``predicted_bytes`` is what training was expected to hold at most, ``predicted_s`` how long all steps were expected
    to take, where that was known.
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


class PhaseChanged(_Message):
    event: Literal["phase_changed"] = "phase_changed"
    phase: Literal["loading", "preparing", "training", "saving", "paused", "generating"]


class StepDone(_Message):
    """One update of the weights. ``loss`` in nats per token, dropout on, before the update."""

    event: Literal["step_done"] = "step_done"
    step: Count
    epoch: Count
    loss: float
    learning_rate: float
    gradient_norm: float
    tokens_seen: Count
    elapsed_s: float


class Evaluated(_Message):
    """Both losses in nats per token, dropout off, after the update of ``step`` (book §5.2)."""

    event: Literal["evaluated"] = "evaluated"
    step: Count
    tokens_seen: Count
    train_loss: float
    val_loss: float


class Change(BaseModel):
    """Change of a model's component in one step: its largest change of a weight, and of which parameter."""

    model_config = ConfigDict(frozen=True)

    component: str
    parameter: str
    largest: float


class StepReport(_Message):
    """Report on a single step. Both losses in nats per token on the step's own batch, dropout off."""

    event: Literal["step_examined"] = "step_examined"
    step: Count
    loss_before: float
    loss_after: float
    gradient_norm: float
    changes: list[Change]


class LearningRateChanged(_Message):
    """From ``step`` on another (peak) learning rate holds."""

    event: Literal["learning_rate_changed"] = "learning_rate_changed"
    step: Count
    learning_rate: float


class SampleWritten(_Message):
    """Text that the model generated after ``epoch``, with greedy decoding."""

    event: Literal["sample_written"] = "sample_written"
    step: Count
    epoch: Count
    text: str


class CheckpointSaved(_Message):
    """``model_only``: a run cannot continue from it."""

    event: Literal["checkpoint_saved"] = "checkpoint_saved"
    step: Count
    path: str
    val_loss: float | None
    bytes: Count = 0
    best: bool = False
    model_only: bool = False


class MemoryRead(_Message):
    """``run_peak_bytes`` is the most that training itself held, without what the program held before it began."""

    event: Literal["memory_read"] = "memory_read"
    used_bytes: Count
    peak_bytes: Count
    total_bytes: Count
    run_peak_bytes: Count = 0


class Warned(_Message, WithText):
    """Something the user should know; the run goes on."""

    event: Literal["warned"] = "warned"
    message: Text = Field(validation_alias=AliasChoices("message", "words"))  # as version 0.1 called it


Outcome = Literal["finished", "stopped", "failed"]


class Ended(_Message, WithText):
    """Always the last message, exactly once, made by the executor alone.

    Attributes:
        error: the name of its kind.
        instead: the checkpoint from which the run can go on, where the one that was asked for was refused.
    """

    event: Literal["ended"] = "ended"
    outcome: Outcome
    message: Text = Field(validation_alias=AliasChoices("message", "words"))
    details: str = ""
    user_error: bool = False
    error: str = ""
    instead: str = ""


class Piece(_Message):
    """One token of a text: ``text`` as decoded by itself, U+FFFD where it is half a character."""

    id: int
    text: str


class PromptRead(_Message):
    """Prompt as tokens; ``dropped`` counts those at its start that do not fit into the context, including those of a
    very long one that are not reported. A longer text than the context is scored in windows of ``context`` tokens, each
    ``stride`` tokens after the one before; None where it is read at once."""

    event: Literal["prompt_read"] = "prompt_read"
    pieces: list[Piece]
    dropped: int
    model: str
    context: int | None = None
    stride: int | None = None


class Candidate(_Message):
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


class _Reading(_Message):
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


class TextEnded(_Message):
    """A text came to its end by itself: with ``<|endoftext|>``, or with the text that was asked to end it."""

    event: Literal["text_ended"] = "text_ended"
    sample: int
    position: int
    reason: Literal["end_of_text", "stop_text"]


Event = (
    RunStarted | PhaseChanged | StepDone | StepReport | LearningRateChanged | Evaluated | SampleWritten
    | CheckpointSaved | MemoryRead | Warned | Ended | PromptRead | TokenRead | TokenDrawn | TextEnded
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
