"""One step under the glass: the loss before and after on its own batch, and what moved how far."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch

from gptstudio.gpt.sizing import Parameters
from gptstudio.training.dataset import Batch
from gptstudio.training.events import Change, StepReport
from gptstudio.training.freezing import component_of
from gptstudio.training.train_state import TrainState


class StepInspector:
    """Inspector of one step, created before it and finished after it. Both losses are without dropout, and draw no
    random numbers: a run with single steps equals one without. Holds a copy of the weights in between."""

    def __init__(self, state: TrainState, batches: Sequence[Batch], loss: Callable[[TrainState, Batch], torch.Tensor]):
        self._state, self._batches, self._loss = state, batches, loss
        self._before = self._mean_loss()
        self._weights = {name: weight.detach().clone() for name, weight in state.model.named_parameters()}

    def report(self, step: int, gradient_norm: float) -> StepReport:
        """Return the effect of the step on the loss and on the weights."""
        return StepReport(
            step=step, loss_before=self._before, loss_after=self._mean_loss(), gradient_norm=gradient_norm,
            changes=self._changes(),
        )

    @torch.no_grad()
    def _mean_loss(self) -> float:
        self._state.model.eval()
        losses = [self._loss(self._state, batch).item() for batch in self._batches]
        self._state.model.train()
        return sum(losses) / len(losses)

    @torch.no_grad()
    def _changes(self) -> list[Change]:
        """Return for each component the parameter that changed most, in the order of the model."""
        largest: dict[str, Change] = {}
        for name, weight in self._state.model.named_parameters():
            component = component_of(name)
            moved = (weight - self._weights[name]).abs().max().item()
            if component not in largest or moved > largest[component].largest:
                largest[component] = Change(component=component, parameter=name, largest=moved)
        return [largest[name] for name in Parameters.__dataclass_fields__ if name in largest]
