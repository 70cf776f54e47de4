"""Closed set of events that a run consists of. Code that displays, prints or stores a run matches on these.

Frozen and tagged by ``event``, so a journal is read back exactly as it was written. No torch.

Every ``step`` counts updates from 0, as journals and the folders of checkpoints do. Displayed steps count from 1: step
N is the model after N updates.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AliasChoices, Field, TypeAdapter

from gptstudio.training.event_base import MOST_COUNT, Count, EventBase, PositiveCount
from gptstudio.training.event_text import PARTS, Text, WithText
from gptstudio.training.measured_events import (
    ActivationsRead,
    BlockActivations,
    Change,
    CopiesFound,
    Copy,
    PartUpdate,
    ProbeReading,
    ProbesRead,
    StepReport,
    UpdatesRead,
)
from gptstudio.training.token_events import (
    Beam,
    BeamStep,
    Candidate,
    Piece,
    PromptRead,
    TextEnded,
    TokenDrawn,
    TokenRead,
)

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
