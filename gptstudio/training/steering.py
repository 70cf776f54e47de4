"""Answers of a run to its control, between two steps and between the parts of an evaluation."""

from __future__ import annotations

import time
from collections.abc import Iterator

from gptstudio.training.checkpoint_manager import CheckpointManager
from gptstudio.training.control import Control
from gptstudio.training.events import Event, LearningRateChanged, PhaseChanged
from gptstudio.training.run_meter import RunMeter
from gptstudio.training.snapshot import Snapshot
from gptstudio.training.train_state import TrainState


def between_parts(state: TrainState, control: Control) -> None:
    """Between two batches of an evaluation, or two tokens of a sample: hand out snapshots, which changes nothing here.

    Raises:
        Stopped: the run is to end.
    """
    hand_out_snapshots(state, control)
    control.check_agreed()


def hand_out_snapshots(state: TrainState, control: Control) -> None:
    for request in control.take_snapshot_requests():
        request.set_result(Snapshot.of(state))


def handle_controls(
    state: TrainState, control: Control, meter: RunMeter, checkpoints: CheckpointManager
) -> Iterator[Event]:
    """Between two steps: hand out snapshots, wait while paused, take a new learning rate. A long pause may be the end:
    the best model is saved."""
    start_s, paused = time.monotonic(), False
    best_wait_s = checkpoints.best_wait_s
    while True:
        hand_out_snapshots(state, control)
        if control.stopping or control.take_step():
            break
        if not paused:
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
