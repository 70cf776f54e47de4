"""Measurements on the model in training, besides its losses. They draw no random numbers and change neither weights,
gradients nor the order of the text: a run with them equals one without, to the bit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

import torch
from torch import Tensor

from gptstudio.training.events import Event
from gptstudio.training.train_state import TrainState


class Measurement:
    """One thing that is measured. Steps count from 0; ``state`` is that of the run, the same in every call."""

    def before_training(self, state: TrainState) -> Iterator[Event]:
        """Measure the model before its first update. Not called where a run is resumed."""
        yield from ()

    def before_step(self, state: TrainState, step: int) -> None:
        """Prepare for a step, before its update."""

    def after_step(self, state: TrainState, step: int) -> Iterator[Event]:
        """Measure the step, while its gradients are there (clipped, if the run clips them)."""
        yield from ()

    def after_sample(self, state: TrainState, step: int, ids: Sequence[int]) -> Iterator[Event]:
        """Measure the sample that was generated after the update of ``step``: the token ids of prompt and new text."""
        yield from ()

    def at_evaluation(self, state: TrainState, step: int) -> Iterator[Event]:
        """Measure the model after the update of ``step``, right after its losses. An evaluation that a stop interrupts
        is made once more when the run is resumed, and this with it."""
        yield from ()


class Measurements(Measurement):
    """Several, one after the other."""

    def __init__(self, parts: Sequence[Measurement]):
        self.parts = parts

    def before_training(self, state: TrainState) -> Iterator[Event]:
        for each in self.parts:
            yield from each.before_training(state)

    def before_step(self, state: TrainState, step: int) -> None:
        for each in self.parts:
            each.before_step(state, step)

    def after_step(self, state: TrainState, step: int) -> Iterator[Event]:
        for each in self.parts:
            yield from each.after_step(state, step)

    def at_evaluation(self, state: TrainState, step: int) -> Iterator[Event]:
        for each in self.parts:
            yield from each.at_evaluation(state, step)

    def after_sample(self, state: TrainState, step: int, ids: Sequence[int]) -> Iterator[Event]:
        for each in self.parts:
            yield from each.after_sample(state, step, ids)


ROWS_AT_ONCE = 4
"""On a processor, three rows times the output layer take longer than four: their number is made a multiple of this."""


@torch.no_grad()
def logits_at(state: TrainState, ids: Tensor, rows: Tensor, places: Tensor) -> Tensor:
    """Return the logits after some tokens, with dropout off.

    Args:
        ids: the texts, (B, T).
        rows: the text of each token that is asked for, (N,).
        places: its position there, (N,).

    Returns:
        (N, V), in the type that the model computes in.
    """
    model = state.model
    model.eval()
    try:
        if state.strategy.size > 1:  # whose wrapper must be called as a whole
            return cast(Tensor, model(ids)[rows, places])
        hidden = model.hidden_states(ids)[rows, places]  # (N, D)
        padded = torch.nn.functional.pad(hidden, (0, 0, 0, -len(hidden) % ROWS_AT_ONCE))
        return cast(Tensor, model.out_head(padded)[: len(hidden)])
    finally:
        model.train()
