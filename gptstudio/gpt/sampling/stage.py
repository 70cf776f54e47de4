"""One stage between the logits and the drawn token: what it declares, does, and says about it."""

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
        value: of the parameter; ``off`` if the stage changes nothing.
        name: of the parameter, in JSON and on the command line.
        label, short, phrase: as a heading, as a narrow one, and within a sentence.
        type, field: of the parameter: label, help and range, as :func:`gptstudio.fields.setting` makes it.
        slider: values at the positions of a slider, from its left end to its right.
        removes: True if removing tokens is what the stage is for.
        common: True if it is shown also while it is off.
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
        """Return the logits (V,) as the stage leaves them; -inf where it removes a token.

        Args:
            logits: (V,), as the stage before left them.
            context: IDs of the tokens in the text so far.
        """

    @abstractmethod
    def explain(self, step: Step, token: int, context: Sequence[int]) -> str:
        """Return the arithmetic by which the logit of a token became what it is, as text."""

    def reasons(self, step: Step, token: int) -> tuple[str, ...]:
        """Return why the stage removed a token, the longest text first, to choose by space."""
        return message("removed by {stage}", stage=self.phrase), message("removed")

    def expression(self, text: str, step: Step, token: int, context: Sequence[int]) -> str:
        """Return the logit of a token as an expression, made of that of the stage before: '6.28/1.2'."""
        return text


@dataclass(frozen=True)
class Step:
    """One stage, done. Arrays have one entry for each token of the vocabulary (V,).

    Attributes:
        before, after: the logits around it; -inf where a token is removed.
        cut: the tokens that this stage removed.
    """

    stage: SamplerStage
    before: Floats
    after: Floats
    cut: Mask
