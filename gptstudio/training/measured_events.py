"""Events that say what was measured on the model in training, besides its losses. No torch."""

from __future__ import annotations

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
