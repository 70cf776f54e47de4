"""Questions of the pane "What if" to a model. No torch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gptstudio import devices
from gptstudio.app.requests import ModelQuery
from gptstudio.app.tasks import Task
from gptstudio.i18n import message
from gptstudio.inference.interventions import Interventions
from gptstudio.inference.spec import GenerateSpec


@dataclass(frozen=True)
class ComponentsQuery(ModelQuery):
    """Request for the components of a model. Answer: its :class:`gptstudio.gpt.config.GPTConfig`."""

    def find(self, model: Any, _task: Task, /) -> Any:
        return model.cfg


@dataclass(frozen=True)
class ChangedReadingQuery(ModelQuery):
    """Request for a text as the model reads it with interventions, and for its prediction of the token at a position.
    Answer: :class:`gptstudio.inference.changed_reading.ChangedReading`."""

    ids: tuple[int, ...]
    position: int
    interventions: Interventions

    def find(self, model: Any, task: Task, /) -> Any:
        from gptstudio.inference.changed_reading import read_changed

        return read_changed(model, self.ids, self.position, self.interventions, task.control.check)


@dataclass(frozen=True)
class ChangedTextsQuery(ModelQuery):
    """Request for two continuations of a text, without and with interventions.
    Answer: :class:`gptstudio.inference.changed_reading.ChangedTexts`."""

    ids: tuple[int, ...]
    spec: GenerateSpec
    interventions: Interventions

    def find(self, model: Any, task: Task, /) -> Any:
        from gptstudio.inference.changed_reading import continue_changed

        return continue_changed(model, self.ids, self.spec, self.interventions, task.control, task.report)


@dataclass(frozen=True)
class EffectsQuery(ModelQuery):
    """Request for what every component does for the last of these tokens, predicted from those before it.
    Answer: :class:`gptstudio.inference.effects.Effects`."""

    ids: tuple[int, ...]

    def find(self, model: Any, task: Task, /) -> Any:
        from gptstudio.inference.effects import effects, effects_bytes

        *text, token = self.ids
        device = devices.choose(self.model.device)
        devices.check_memory(
            effects_bytes(model.cfg, len(text)), device, message("to compute what every part of the model does"))
        return effects(model, text, token, task.control.check, task.report)
