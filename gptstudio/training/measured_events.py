"""Events that say what was measured on the model in training, besides its losses. No torch."""

from __future__ import annotations

import math
from typing import Literal

from pydantic import BaseModel, ConfigDict

from gptstudio.training.event_base import Count, EventBase


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
