"""A copy of the weights at the lowest validation loss, for a checkpoint that is not due yet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from torch import Tensor

from gptstudio.training.checkpoint_files import State


@dataclass
class BestCopy:
    """Weights at the lowest validation loss so far, on the processor, while no checkpoint on the disk has them.

    Attributes:
        weights: memory that is used again at each new lowest loss; empty except on rank zero.
        state: of their checkpoint; None while there is nothing to save.
        first: no validation loss was measured before.
    """

    weights: dict[str, Tensor] = field(default_factory=dict)
    state: State | None = None
    first: bool = False

    def take(self, weights: Mapping[str, Tensor], state: State, first: bool) -> None:
        """Copy ``weights``, which are on the processor and may be those that are trained."""
        for name, tensor in weights.items():
            if name in self.weights:
                self.weights[name].copy_(tensor)
            else:
                self.weights[name] = tensor.clone()
        self.state, self.first = state, first

    def is_better(self, val_loss: float | None) -> bool:
        """Return whether the copy has a lower validation loss than the one that was measured last."""
        best = self.state.val_loss if self.state else None
        return best is not None and not (val_loss is not None and val_loss <= best)

    def drop_for(self, saved: State) -> None:
        """Drop the copy if the checkpoint that was saved is of the same step, or of a lower validation loss."""
        best = self.state
        if best and best.val_loss is not None and saved.val_loss is not None and (
            saved.step == best.step or saved.val_loss < best.val_loss
        ):
            self.state = None
