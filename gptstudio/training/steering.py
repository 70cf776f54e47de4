"""Handling of a run's control between steps and between the parts of an evaluation: pauses, snapshots of the model, and
reports of single steps."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.sizing import Parameters
from gptstudio.training import checkpoint
from gptstudio.training.checkpoint_manager import CheckpointManager
from gptstudio.training.control import Control
from gptstudio.training.dataset import Batch
from gptstudio.training.events import Change, Event, LearningRateChanged, PhaseChanged, StepReport
from gptstudio.training.freezing import component_of
from gptstudio.training.run_metrics import RunMeter
from gptstudio.training.train_state import TrainState


@dataclass(frozen=True)
class WeightsSnapshot:
    """Copy of the weights on the CPU. ``step`` is the last step that updated them; -1 before the first."""

    config: GPTConfig
    step: int
    weights: dict[str, Tensor]

    @classmethod
    def of(cls, state: TrainState) -> WeightsSnapshot:
        weights = {name: tensor.clone() for name, tensor in checkpoint.weights_of(state.model).items()}
        return cls(state.model.cfg, state.progress.step - 1, weights)


class StepInspector:
    """Inspector of one step, created before the step and read after it. Both losses are computed without dropout and
    draw no random numbers, so single steps do not change a run. It holds a copy of the weights."""

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
        """Return the parameter that changed most in each component, in the order of the model."""
        largest: dict[str, Change] = {}
        for name, weight in self._state.model.named_parameters():
            component = component_of(name)
            moved = (weight - self._weights[name]).abs().max().item()
            if component not in largest or moved > largest[component].largest:
                largest[component] = Change(component=component, parameter=name, largest=moved)
        return [largest[name] for name in Parameters.__dataclass_fields__ if name in largest]


def between_parts(state: TrainState, control: Control) -> None:
    """Answer snapshot requests between two batches of an evaluation or two tokens of a sample.

    Raises:
        Stopped: the run was stopped.
    """
    hand_out_snapshots(state, control)
    control.check_agreed()


def hand_out_snapshots(state: TrainState, control: Control) -> None:
    for request in control.take_snapshot_requests():
        request.set_result(WeightsSnapshot.of(state))


def handle_controls(
    state: TrainState, control: Control, meter: RunMeter, checkpoints: CheckpointManager
) -> Iterator[Event]:
    """Between two steps, answer snapshot requests, wait while paused, and apply a new learning rate. In a long pause,
    which the user may not end, the best model is saved."""
    start_s, paused = time.monotonic(), False
    best_wait_s = checkpoints.best_wait_s
    while True:
        hand_out_snapshots(state, control)
        if control.stopping or control.take_step():
            break
        if not paused:
            yield from checkpoints.finish_saving()
            yield PhaseChanged(phase="paused")
        paused = True
        if not control.wait_while_paused(best_wait_s):
            yield from checkpoints.save_best(state)
            best_wait_s = None
    if paused:
        yield PhaseChanged(phase="training")
    meter.leave_out(time.monotonic() - start_s)
    lr = control.learning_rate
    if lr is not None and lr != state.progress.learning_rate:
        state.progress.learning_rate = lr
        yield LearningRateChanged(step=state.progress.step, learning_rate=lr)
