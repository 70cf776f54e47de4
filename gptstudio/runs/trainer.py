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
from gptstudio.runs import beginning, corpus, optimizer
from gptstudio.runs.bench import Bench, prepare
from gptstudio.runs.control import Control
from gptstudio.runs.dataset import Batch, Batches
from gptstudio.runs.divergence import NotFinite, diverged
from gptstudio.runs.events import (
    Evaluated,
    Event,
    LearningRateChanged,
    MemoryRead,
    PhaseChanged,
    RunStarted,
    SampleWritten,
    StepDone,
)
from gptstudio.runs.examine import Examination
from gptstudio.runs.executor import Stream
from gptstudio.runs.folder import RunFolder
from gptstudio.runs.generator import greedy
from gptstudio.runs.keeper import Keeper
from gptstudio.runs.schedule import learning_rate
from gptstudio.runs.snapshot import Snapshot
from gptstudio.runs.source import Saved, check_fits
from gptstudio.runs.spec import TrainSpec
from gptstudio.runs.world import ALONE, World


def train(
    spec: TrainSpec, text: corpus.Corpus, folder: RunFolder, control: Control, start: Path | None = None,
    anyway: bool = False, world: World = ALONE, began_with: Saved | None = None,
) -> Stream:
    """Trains a model on ``text`` and keeps it in ``folder``: a fresh one, that of the checkpoint ``start``, or one that
    begins with the weights of ``began_with``.

    Steps count from 0, and an evaluation at step n comes after that step's update, as in the seeds.

    Args:
        anyway: trains also where the memory that is free is not expected to suffice.
        world: the processes that train it together; each of them is in this function, and yields the same events.

    Raises:
        UserError: the text gives no batch, the model does not fit into memory, or the weights to begin with are
            damaged; before anything is allocated.
        Diverged: the loss became infinite or undefined.
    """
    plan = corpus.plan(spec, text)
    device = world.device(spec.device)
    bf16 = spec.uses_bf16(device.fast_bf16)
    needed, expected_s = world.expected(spec, plan, device)
    if not anyway:
        check_fits(needed, device, "to train this model")
    keeper = Keeper(spec, folder, start, world)
    weights = first_weights(began_with, spec, world)
    yield RunStarted(
        run=str(folder.path), device=device.name, dtype="bf16" if bf16 else "fp32", path=spec.path,
        parameters=sizing.parameter_count(spec.config), total_steps=plan.total_steps,
        steps_per_epoch=plan.steps_per_epoch, tokens_per_step=spec.tokens_per_step, first_step=keeper.first_step,
        predicted_bytes=needed, predicted_s=expected_s,
    )
    yield PhaseChanged(phase="preparing")
    meter = devices.MemoryMeter(device.key)
    bench = prepare(spec, text, device, bf16, world, weights)
    if weights is not None:
        weights = None  # the model has a copy
        meter.forget_what_was_read()
    yield from keeper.take_up(bench)
    clock = Stopwatch(keeper.elapsed_s)
    yield PhaseChanged(phase="training")
    yield from attend(bench, control, clock)

    for step, batches in bench.steps(plan.total_steps, control):
        progress = bench.progress
        rate = learning_rate(spec, step, plan.total_steps, progress.learning_rate)
        bench.use_learning_rate(rate)
        examination = Examination(bench, batches, batch_loss) if control.stepping else None
        try:
            with bench.chance.active():
                loss, gradient_norm = training_step(bench, batches, spec.gradient_clip)
        except NotFinite as error:
            raise diverged(error, spec, bench, batches, folder) from None
        yield StepDone(
            step=step, epoch=progress.epoch, loss=loss, learning_rate=rate, gradient_norm=gradient_norm,
            tokens_seen=progress.tokens_seen, elapsed_s=clock.seconds(),
        )
        bench.forget_gradients()
        if examination:
            yield examination.finish(step, gradient_norm)
        if step % spec.eval_freq == 0:
            with bench.chance.active():
                train_loss, progress.val_loss = evaluate(bench, spec.eval_iter)
            yield Evaluated(
                step=step, tokens_seen=progress.tokens_seen, train_loss=train_loss, val_loss=progress.val_loss
            )
            yield memory(device, meter)
        if bench.epoch_over or progress.step == plan.total_steps:
            bench.forget_gradients(keep_room=False)  # the sample needs some
            yield SampleWritten(step=step, epoch=progress.epoch, text=sample(bench, spec))
        if keeper.due(bench) and progress.step < plan.total_steps:
            yield from keeper.save(bench, clock.seconds())
        yield from attend(bench, control, clock)

    yield memory(device, meter)
    yield from keeper.save(bench, clock.seconds(), must=True)
    return "stopped" if control.stopping else "finished"


def first_weights(began_with: Saved | None, spec: TrainSpec, world: World) -> dict[str, Tensor] | None:
    """The weights of the model to begin with; of several processes the one that leads reads them. None: to be drawn."""
    if began_with is None:
        return None
    weights: dict[str, Tensor] = {}
    world.first(lambda: weights.update(beginning.read(began_with, spec.config)))
    return weights


def training_step(bench: Bench, batches: Sequence[Batch], gradient_clip: float = 0.0) -> tuple[float, float]:
    """One update of the weights by the mean gradient of ``batches``. Returns the loss before it, in nats per token,
    and the gradient's length.

    Raises:
        NotFinite: one of them is no number; the weights are as before.
    """
    bench.optimizer.zero_grad()
    loss = torch.zeros((), device=bench.device)
    for batch in bench.world.accumulate(bench.forward, batches):
        share = batch_loss(bench, batch) / len(batches)
        share.backward()
        loss += share.detach()
    loss = bench.world.mean(loss)
    weights = list(bench.model.parameters())
    norm = bench.world.whole(optimizer.length(weights))
    if not (math.isfinite(loss.item()) and math.isfinite(norm.item())):
        raise NotFinite(loss.item(), norm.item())
    if gradient_clip:
        optimizer.shorten(weights, gradient_clip, norm)
    bench.optimizer.step()
    return loss.item(), norm.item()


def batch_loss(bench: Bench, batch: Batch) -> Tensor:
    """Cross-entropy of a batch, in nats per token: a scalar (seeds 5.1.2)."""
    inputs, targets = (part.to(bench.device) for part in batch)  # (B, T) each
    with bench.autocast():
        loss: Tensor = bench.forward(inputs, targets=targets)
    return loss


@torch.no_grad()
def evaluate(bench: Bench, eval_iter: int) -> tuple[float, float]:
    """Training and validation loss, dropout off, each on at most ``eval_iter`` batches (seeds 5.2)."""
    bench.model.eval()
    losses = [_mean_loss(bench, batches, eval_iter) for batches in (bench.training, bench.validation)]
    bench.model.train()
    return losses[0], losses[1]


def sample(bench: Bench, spec: TrainSpec) -> str:
    """The sample prompt, continued with the likeliest token each time (seeds 5.2)."""
    alone = bench.world.size == 1  # otherwise this process may not have all the weights
    bench.model.eval()
    prompt = tokenizer.encode(spec.sample_prompt)
    text = tokenizer.decode(greedy(bench.model, prompt, spec.sample_tokens, "fp32" if alone else None))
    bench.model.train()
    return text


def attend(bench: Bench, control: Control, clock: Stopwatch) -> Iterator[Event]:
    """Between two steps: answers who asked for a look at the model, waits while paused, takes a new learning rate."""
    began, told = time.monotonic(), False
    while True:
        for look in control.take_looks():
            look.set_result(Snapshot.of(bench))
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
    if wanted is not None and wanted != bench.progress.learning_rate:
        bench.progress.learning_rate = wanted
        yield LearningRateChanged(step=bench.progress.step, learning_rate=wanted)


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


def _mean_loss(bench: Bench, batches: Batches, limit: int) -> float:
    limit = min(limit, len(batches))
    firsts = (batch for _, batch in zip(range(limit), batches, strict=False))
    losses = [bench.world.mean(batch_loss(bench, batch), len(batch[0])).item() for batch in firsts]
    return sum(losses) / limit
