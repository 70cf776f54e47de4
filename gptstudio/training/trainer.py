"""The training loop (seeds, chapter 5): a generator of events, to be read from the top."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import torch
from torch import Tensor

from gptstudio import devices
from gptstudio.gpt import sizing, tokenizer
from gptstudio.gpt.decoder import greedy
from gptstudio.training import corpus, init_weights, optimizer
from gptstudio.training.checkpoint_manager import CheckpointManager
from gptstudio.training.control import Control
from gptstudio.training.dataset import Batch, Batches
from gptstudio.training.divergence import NotFinite, diverged
from gptstudio.training.events import (
    Evaluated,
    Event,
    LearningRateChanged,
    MemoryRead,
    PhaseChanged,
    RunStarted,
    SampleWritten,
    StepDone,
)
from gptstudio.training.executor import Stream
from gptstudio.training.model_source import SavedModel
from gptstudio.training.run_folder import RunFolder
from gptstudio.training.schedule import learning_rate
from gptstudio.training.snapshot import Snapshot
from gptstudio.training.spec import TrainSpec
from gptstudio.training.step_report import StepInspector
from gptstudio.training.strategy import SINGLE_PROCESS, Strategy
from gptstudio.training.train_state import TrainState, build_state


def train(
    spec: TrainSpec, text: corpus.Corpus, folder: RunFolder, control: Control, start: Path | None = None,
    anyway: bool = False, strategy: Strategy = SINGLE_PROCESS, began_with: SavedModel | None = None,
) -> Stream:
    """Trains a model on ``text`` and keeps it in ``folder``: a fresh one, that of the checkpoint ``start``, or one that
    begins with the weights of ``began_with``.

    Steps count from 0, and an evaluation at step n comes after that step's update, as in the seeds.

    Args:
        anyway: trains also where the memory that is free is not expected to suffice.
        strategy: the processes that train it together; each of them is in this function, and yields the same events.

    Raises:
        UserError: the text gives no batch, the model does not fit into memory, or the weights to begin with are
            damaged; before anything is allocated.
        Diverged: the loss became infinite or undefined.
    """
    plan = corpus.plan(spec, text)
    device = strategy.device(spec.device)
    bf16 = spec.uses_bf16(device.fast_bf16)
    needed, expected_s = strategy.estimate(spec, plan, device)
    if not anyway:
        devices.check_memory(needed, device, "to train this model")
    keeper = CheckpointManager(spec, folder, start, strategy)
    weights = first_weights(began_with, spec, strategy)
    yield RunStarted(
        run=str(folder.path), device=device.name, dtype="bf16" if bf16 else "fp32", path=spec.path,
        parameters=sizing.parameter_count(spec.config), total_steps=plan.total_steps,
        steps_per_epoch=plan.steps_per_epoch, tokens_per_step=spec.tokens_per_step, first_step=keeper.first_step,
        predicted_bytes=needed, predicted_s=expected_s,
    )
    yield PhaseChanged(phase="preparing")
    meter = devices.MemoryMeter(device.key)
    state = build_state(spec, text, device, bf16, strategy, weights)
    if weights is not None:
        weights = None  # the model has a copy
        meter.forget_what_was_read()
    yield from keeper.load_state(state)
    clock = Stopwatch(keeper.elapsed_s)
    yield PhaseChanged(phase="training")
    yield from handle_controls(state, control, clock)

    for step, batches in state.steps(plan.total_steps, control):
        progress = state.progress
        rate = learning_rate(spec, step, plan.total_steps, progress.learning_rate)
        state.use_learning_rate(rate)
        examination = StepInspector(state, batches, batch_loss) if control.stepping else None
        try:
            with state.rng.active():
                loss, gradient_norm = training_step(state, batches, spec.gradient_clip)
        except NotFinite as error:
            raise diverged(error, spec, state, batches, folder) from None
        yield StepDone(
            step=step, epoch=progress.epoch, loss=loss, learning_rate=rate, gradient_norm=gradient_norm,
            tokens_seen=progress.tokens_seen, elapsed_s=clock.seconds(),
        )
        state.forget_gradients()
        if examination:
            yield examination.finish(step, gradient_norm)
        if step % spec.eval_freq == 0:
            with state.rng.active():
                train_loss, progress.val_loss = evaluate(state, spec.eval_iter)
            yield Evaluated(
                step=step, tokens_seen=progress.tokens_seen, train_loss=train_loss, val_loss=progress.val_loss
            )
            yield memory(device, meter)
        if state.epoch_over or progress.step == plan.total_steps:
            state.forget_gradients(keep_room=False)  # the sample needs some
            yield SampleWritten(step=step, epoch=progress.epoch, text=sample(state, spec))
        if keeper.due(state) and progress.step < plan.total_steps:
            yield from keeper.save(state, clock.seconds())
        yield from handle_controls(state, control, clock)

    yield memory(device, meter)
    yield from keeper.save(state, clock.seconds(), must=True)
    return "stopped" if control.stopping else "finished"


def first_weights(began_with: SavedModel | None, spec: TrainSpec, strategy: Strategy) -> dict[str, Tensor] | None:
    """The weights of the model to begin with; of several processes the one that leads reads them. None: to be drawn."""
    if began_with is None:
        return None
    weights: dict[str, Tensor] = {}
    strategy.on_rank_zero(lambda: weights.update(init_weights.read(began_with, spec.config)))
    return weights


def training_step(state: TrainState, batches: Sequence[Batch], gradient_clip: float = 0.0) -> tuple[float, float]:
    """One update of the weights by the mean gradient of ``batches``. Returns the loss before it, in nats per token,
    and the gradient's length.

    Raises:
        NotFinite: one of them is no number; the weights are as before.
    """
    state.optimizer.zero_grad()
    loss = torch.zeros((), device=state.device)
    for batch in state.strategy.accumulate(state.forward, batches):
        share = batch_loss(state, batch) / len(batches)
        share.backward()
        loss += share.detach()
    loss = state.strategy.mean(loss)
    weights = list(state.model.parameters())
    norm = state.strategy.full_tensor(optimizer.grad_norm(weights))
    if not (math.isfinite(loss.item()) and math.isfinite(norm.item())):
        raise NotFinite(loss.item(), norm.item())
    if gradient_clip:
        optimizer.clip_gradients(weights, gradient_clip, norm)
    state.optimizer.step()
    return loss.item(), norm.item()


def batch_loss(state: TrainState, batch: Batch) -> Tensor:
    """Cross-entropy of a batch, in nats per token: a scalar (seeds 5.1.2)."""
    inputs, targets = (part.to(state.device) for part in batch)  # (B, T) each
    with state.autocast():
        loss: Tensor = state.forward(inputs, targets=targets)
    return loss


@torch.no_grad()
def evaluate(state: TrainState, eval_iter: int) -> tuple[float, float]:
    """Training and validation loss, dropout off, each on at most ``eval_iter`` batches (seeds 5.2)."""
    state.model.eval()
    losses = [_mean_loss(state, batches, eval_iter) for batches in (state.training, state.validation)]
    state.model.train()
    return losses[0], losses[1]


def sample(state: TrainState, spec: TrainSpec) -> str:
    """The sample prompt, continued with the likeliest token each time (seeds 5.2)."""
    alone = state.strategy.size == 1  # otherwise this process may not have all the weights
    state.model.eval()
    prompt = tokenizer.encode(spec.sample_prompt)
    text = tokenizer.decode(greedy(state.model, prompt, spec.sample_tokens, "fp32" if alone else None))
    state.model.train()
    return text


def handle_controls(state: TrainState, control: Control, clock: Stopwatch) -> Iterator[Event]:
    """Between two steps: answers who asked for a look at the model, waits while paused, takes a new learning rate."""
    began, told = time.monotonic(), False
    while True:
        for look in control.take_snapshot_requests():
            look.set_result(Snapshot.of(state))
        if control.stopping or control.take_step():
            break
        if not told:
            yield PhaseChanged(phase="paused")
        told = True
        control.wait_while_paused()
    if told:
        yield PhaseChanged(phase="training")
    clock.leave_out(time.monotonic() - began)
    wanted = control.learning_rate
    if wanted is not None and wanted != state.progress.learning_rate:
        state.progress.learning_rate = wanted
        yield LearningRateChanged(step=state.progress.step, learning_rate=wanted)


def memory(device: devices.Device, meter: devices.MemoryMeter) -> MemoryRead:
    used, peak = devices.used_bytes(device.key), devices.peak_bytes(device.key)
    return MemoryRead(
        used_bytes=used, peak_bytes=peak, total_bytes=device.total_bytes, run_peak_bytes=max(0, meter.peak())
    )


class Stopwatch:
    """Seconds since it was made, and those before it, less those it was halted; from the monotonic clock."""

    def __init__(self, before_s: float = 0.0) -> None:
        self._start = time.monotonic() - before_s

    def seconds(self) -> float:
        return time.monotonic() - self._start

    def leave_out(self, seconds: float) -> None:
        self._start += seconds


def _mean_loss(state: TrainState, batches: Batches, limit: int) -> float:
    limit = min(limit, len(batches))
    firsts = (batch for _, batch in zip(range(limit), batches, strict=False))
    losses = [state.strategy.mean(batch_loss(state, batch), len(batch[0])).item() for batch in firsts]
    return sum(losses) / limit
