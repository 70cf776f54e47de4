"""Request for the texts of all decoding strategies from one prompt. No torch until it is answered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gptstudio.app.requests import ModelQuery
from gptstudio.app.tasks import Task
from gptstudio.inference.beam_spec import BeamSpec
from gptstudio.inference.spec import GenerateSpec


@dataclass(frozen=True)
class StrategyQuery(ModelQuery):
    """Answered with a tuple of :class:`gptstudio.inference.strategies.StrategyText`, from the weights as they are,
    whatever the precision.

    Attributes:
        ids: the tokens to continue.
        spec: length, seed, sampling parameters, and where a text ends.
    """

    ids: tuple[int, ...]
    spec: GenerateSpec
    beams: BeamSpec

    def find(self, model: Any, task: Task) -> Any:
        from gptstudio.gpt.decoder import Decoder
        from gptstudio.inference import generator, strategies

        generator.check_vocabulary(model, self.ids)
        generator.check_free_space(model, self.beams.width, self.spec.device)
        return tuple(strategies.compare(Decoder(model), self.ids, self.spec, self.beams, task.control.check))
