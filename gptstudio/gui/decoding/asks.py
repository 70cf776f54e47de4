"""What the Generate page asks of a model, and how the answers come back. No torch.

The newest ask of a kind wins: a view leaves out an answer whose ask is not its last.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from gptstudio.gpt.sizing import Weights
from gptstudio.training.events import Event
from gptstudio.training.model_source import ModelSource
from gptstudio.training.spec import GenerateSpec


@dataclass(frozen=True)
class Model:
    """Which model, and where it is to compute."""

    source: ModelSource
    device: str = "auto"
    path: Literal["reference", "fast"] = "fast"
    weights: Weights = "fp32"


@dataclass(frozen=True)
class Write:
    """A text. Told as plain events.

    Attributes:
        ids: the tokens to go on from, instead of the spec's prompt.
        known: so many of them are on the screen already.
        anew: a model in training is copied again, as it is now.
    """

    spec: GenerateSpec
    source: ModelSource
    ids: tuple[int, ...] | None = None
    known: int = 0
    anew: bool = True

    @property
    def model(self) -> Model:
        return Model(self.source, self.spec.device, self.spec.path, self.spec.precision)


@dataclass(frozen=True)
class Compare:
    """The same prompt twice, with two models or two settings. Told as :class:`Told` with side 0 and 1."""

    left: Write
    right: Write


@dataclass(frozen=True)
class Score:
    """How surprising a text is. Told as :class:`Told`."""

    model: Model
    text: str


@dataclass(frozen=True)
class Look:
    """What the model made of the last of these tokens. Answered by a TokenRead with logits."""

    model: Model
    ids: tuple[int, ...]


@dataclass(frozen=True)
class Attend:
    """How one layer attends over these tokens. Answered by a :class:`gptstudio.inference.interpret.Attention`."""

    model: Model
    ids: tuple[int, ...]
    layer: int


@dataclass(frozen=True)
class Lens:
    """What each layer would say. Answered by a :class:`gptstudio.inference.interpret.LogitLens`."""

    model: Model
    ids: tuple[int, ...]


@dataclass(frozen=True)
class Near:
    """Which tokens lie near this one. Answered by a :class:`Nearby`."""

    model: Model
    token: int


@dataclass(frozen=True)
class Nearby:
    """Two :class:`gptstudio.inference.interpret.Neighbours`: before the model learned anything, and as it is.
    ``before`` is None where it has learned nothing, or nobody knows how it began."""

    before: Any
    after: Any


Question = Look | Attend | Lens | Near
Ask = Write | Compare | Score | Question


@dataclass(frozen=True)
class Told:
    """An event of a stream that was asked for; the last is an Ended."""

    ask: Compare | Score
    event: Event
    side: int = 0


@dataclass(frozen=True)
class Answered:
    """The answer to a single question."""

    ask: Question
    answer: Any


@dataclass(frozen=True)
class Refused:
    """Why a question could not be answered, for the user."""

    ask: Question
    words: str
