"""The model of a run between two steps, copied, so that one can talk to it while training continues."""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor

from gptstudio.gpt.config import GPTConfig
from gptstudio.training import checkpoint
from gptstudio.training.train_state import TrainState


@dataclass(frozen=True)
class Snapshot:
    """Weights on the processor, wherever training runs. ``step`` is the last step that they have learned from; -1
    before the first."""

    config: GPTConfig
    step: int
    weights: dict[str, Tensor]

    @classmethod
    def of(cls, state: TrainState) -> Snapshot:
        weights = {name: tensor.clone() for name, tensor in checkpoint.weights_of(state.model).items()}
        return cls(state.model.cfg, state.progress.step - 1, weights)
