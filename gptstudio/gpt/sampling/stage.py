"""Base class of the sampler's stages: declaration of the parameter, computation, and explanation."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from gptstudio.i18n import message

if TYPE_CHECKING:
    from gptstudio.gpt.sampling.arrays import Floats, Mask


@dataclass(frozen=True)
class SamplerStage(ABC):
    """Stage of the sampler, with the value of its parameter.

    Attributes:
        value: value of the parameter; ``off`` if the stage changes nothing.
        name: name of the parameter in JSON and on the command line.
        label, short, phrase: name as a heading, as a narrow heading, and within a sentence.
        type, field: type of the parameter, and its label, help and range, made by :func:`gptstudio.fields.setting`.
        slider: values at the positions of a slider, from left to right.
        removes: True if the purpose of the stage is to remove tokens.
        common: True if it is shown even while it is off.
    """

    value: Any

    name: ClassVar[str]
    label: ClassVar[str]
    short: ClassVar[str]
    phrase: ClassVar[str]
    type: ClassVar[Any] = float
    field: ClassVar[Any]
    off: ClassVar[float | None]
    slider: ClassVar[tuple[float | None, ...]]
    removes: ClassVar[bool] = True
    common: ClassVar[bool] = True

    @property
    def is_off(self) -> bool:
        return bool(self.value == self.off)

    @abstractmethod
    def apply(self, logits: Floats, context: Sequence[int]) -> Floats:
        """Return the logits (V,) after the stage; -inf for a removed token.

        Args:
            logits: logits after the previous stage, (V,).
            context: IDs of the tokens in the text so far.
        """

    @abstractmethod
    def explain(self, step: Step, token: int, context: Sequence[int]) -> str:
        """Return as text the calculation that gives the logit of a token, or the reason for its removal."""

    def reasons(self, step: Step, token: int) -> tuple[str, ...]:
        """Return texts of different lengths, longest first, that give the reason why the stage removed a token."""
        return message("removed by {stage}", stage=self.phrase), message("removed")

    def expression(self, text: str, step: Step, token: int, context: Sequence[int]) -> str:
        """Return the logit of a token as an expression, '6.28/1.2'. ``text``: the expression of the previous stage."""
        return text


@dataclass(frozen=True)
class Step:
    """Result of a stage. Arrays have one entry for each token of the vocabulary (V,).

    Attributes:
        before, after: logits before and after the stage; -inf for removed tokens.
        cut: mask of the tokens that this stage removed.
    """

    stage: SamplerStage
    before: Floats
    after: Floats
    cut: Mask
