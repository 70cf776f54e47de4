"""Requests of the Generate page to a model. No torch."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from gptstudio.gpt.memory import Weights
from gptstudio.inference.beam_spec import BeamSpec
from gptstudio.inference.spec import GenerateSpec
from gptstudio.training.model_source import ModelSource

if TYPE_CHECKING:  # Qt stays out of the state
    from gptstudio.app.tasks import Task


@dataclass(frozen=True)
class Model:
    """Model to load, and the device, code path and precision that it runs with."""

    source: ModelSource
    device: str = "auto"
    path: Literal["reference", "fast"] = "fast"
    weights: Weights = "fp32"


@dataclass(frozen=True)
class Write:
    """Request for a text, answered by a stream of events.

    Attributes:
        ids: the tokens to continue from, instead of the spec's prompt.
        known: number of tokens that are displayed already.
        refresh: copy the current state of a model in training again.
        beams: search for the most probable text instead of sampling.
    """

    spec: GenerateSpec
    source: ModelSource
    ids: tuple[int, ...] | None = None
    known: int = 0
    refresh: bool = True
    beams: BeamSpec | None = None

    @property
    def model(self) -> Model:
        return Model(self.source, self.spec.device, self.spec.path, self.spec.precision)


@dataclass(frozen=True)
class Compare:
    """Request for two texts from one prompt, answered by one stream of events for both sides."""

    left: Write
    right: Write


@dataclass(frozen=True)
class Score:
    """Request for the surprisal of each token of a text, answered by a stream of events."""

    model: Model
    text: str


@dataclass(frozen=True)
class ReadingQuery:
    """Request for the model's prediction of the last of these tokens. Answered with a TokenRead with logits."""

    model: Model
    ids: tuple[int, ...]


@dataclass(frozen=True)
class AttentionQuery:
    """Request for a layer's attention over these tokens. Answer: :class:`gptstudio.inference.interpret.Attention`."""

    model: Model
    ids: tuple[int, ...]
    layer: int


@dataclass(frozen=True)
class LensQuery:
    """Request for the prediction after each layer. Answered with :class:`gptstudio.inference.interpret.LogitLens`."""

    model: Model
    ids: tuple[int, ...]


@dataclass(frozen=True)
class NeighbourQuery:
    """Request for the tokens nearest to this one. Answered with a :class:`NeighbourAnswer`."""

    model: Model
    token: int


@dataclass(frozen=True)
class NeighbourAnswer:
    """Two :class:`gptstudio.inference.interpret.Neighbours`: of the model before training, and of its current state.
    ``before`` is None if the model is untrained, or its initial weights are unknown."""

    before: Any
    after: Any


@dataclass(frozen=True)
class ModelQuery(ABC):
    """Question about a model that finds its answer itself: a new one is a subclass."""

    model: Model
    for_text: ClassVar[bool] = True
    """Whether it is about a text, for which the model needs GPT-2's vocabulary."""

    @abstractmethod
    def find(self, model: Any, task: Task, /) -> Any:
        """Return the answer of a loaded :class:`gptstudio.gpt.model.GPTModel`.

        Raises:
            Stopped: the task was cancelled.
        """


Question = ReadingQuery | AttentionQuery | LensQuery | NeighbourQuery | ModelQuery
Request = Write | Compare | Score | Question
