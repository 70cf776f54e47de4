"""Sampling parameters of text generation: the value of each stage, and the order of the stages.

The fields are declared by the stages, so this module imports neither torch nor numpy.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from pydantic import create_model, field_validator, model_validator

from gptstudio.fields import Problem, Spec, setting
from gptstudio.gpt.sampling import STAGES, USUAL_ORDER
from gptstudio.gpt.sampling.stage import SamplerStage
from gptstudio.i18n import message

if TYPE_CHECKING:
    class StageFields(Spec):
        """One field for each stage, with the stage's name."""

        def __init__(self, **values: Any) -> None: ...
        def __getattr__(self, name: str) -> Any: ...
else:
    StageFields = create_model(
        "StageFields", __base__=Spec, **{name: (stage.type, stage.field) for name, stage in STAGES.items()}
    )


class SamplingFields(StageFields):
    """Parameters of all stages with the defaults for a new text, and the order in which the stages are applied."""

    order: tuple[str, ...] = setting(
        USUAL_ORDER, "Order",
        "Order in which the sampling stages are applied. Stages that are not listed keep their usual place.",
        panel=False,
    )

    @field_validator("order", mode="before")
    @classmethod
    def _complete(cls, order: Any) -> Any:
        """Return the order with all stages; it may be given as one string, as on the command line:
        top_k,temperature."""
        parts = (order,) if isinstance(order, str) else order
        if not isinstance(parts, (tuple, list)) or not all(isinstance(part, str) for part in parts):
            return order
        return _with_all_stages([name.strip() for part in parts for name in part.split(",")])

    @classmethod
    def relations(cls, values: Mapping[str, Any]) -> Iterator[Problem]:
        order = values.get("order", USUAL_ORDER)
        if sorted(order) != sorted(STAGES):
            yield Problem("order", message(
                "Order is {order}; it can contain each of {stages} once.",
                order=",".join(order), stages=", ".join(STAGES),
            ))


class SamplingParams(SamplingFields):
    """Sampling parameters of text generation; by default, all stages are off."""

    if TYPE_CHECKING:
        def __init__(self, **values: Any) -> None: ...

    @model_validator(mode="before")
    @classmethod
    def _others_off(cls, values: Any) -> Any:
        off = {name: stage.off for name, stage in STAGES.items()}
        return off | dict(values) if isinstance(values, Mapping) else values

    def stages(self) -> list[SamplerStage]:
        """Return the stages with their values, in the order in which they are applied."""
        return [STAGES[name](getattr(self, name)) for name in self.order]

    def shown(self) -> tuple[str, ...]:
        """Return the names of the stages to be displayed, in order: the common ones, and others that are not off."""
        return tuple(name for name in self.order if STAGES[name].common or self.changes(name))

    def changes(self, name: str) -> bool:
        """Return whether a stage is not off."""
        return not STAGES[name](getattr(self, name)).is_off


def _with_all_stages(order: list[str]) -> tuple[str, ...]:
    """Return the order with each missing stage inserted after its usual predecessor; unchanged if it is not valid.

    Files from versions with fewer stages stay valid, and the default order of those versions becomes the current one.
    """
    whole = list(order)
    if len(set(order)) < len(order) or not set(order) <= STAGES.keys():
        return tuple(order)  # not valid
    for place, name in enumerate(USUAL_ORDER):
        if name not in whole:
            whole.insert(whole.index(USUAL_ORDER[place - 1]) + 1 if place else 0, name)
    return tuple(whole)
