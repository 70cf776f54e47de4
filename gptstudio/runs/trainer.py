"""The training loop (seeds, chapter 5): a generator of events, to be read from the top."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from itertools import count

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from gptstudio import devices
from gptstudio.errors import UserError
from gptstudio.gpt import sizing, tokenizer
from gptstudio.gpt.model import GPTModel
from gptstudio.runs import checkpoint, corpus
from gptstudio.runs.control import Control
from gptstudio.runs.dataset import Batch, Batches
from gptstudio.runs.events import (
    CheckpointSaved,
    Evaluated,
    Event,
    MemoryRead,
    PhaseChanged,
    RunStarted,
    SampleWritten,
    StepDone,
    Warned,
)
from gptstudio.runs.executor import Stream, in_words
from gptstudio.runs.folder import RunFolder
from gptstudio.runs.generator import greedy
from gptstudio.runs.seeding import RandomStream
from gptstudio.runs.source import check_fits
from gptstudio.runs.spec import TrainSpec

SAVE_EVERY_S = 30
"""Seconds that must have passed for an epoch's end to be saved; the end of the run always is."""


class Diverged(UserError):
    """The loss is no longer a number."""


def train(spec: TrainSpec, text: corpus.Corpus, folder: RunFolder, control: Control) -> Stream:
    """Trains a fresh model on ``text`` and keeps it in ``folder``.

    Steps count from 0, and an evaluation at step n comes after that step's update, as in the seeds.

    Raises:
        UserError: the text gives no batch, or the model does not fit into memory; before anything is allocated.
        Diverged: the loss became infinite or undefined.
    """
    plan = corpus.plan(spec, text)
    device = devices.choose(spec.device)
    bf16 = spec.uses_bf16(device.fast_bf16)
    needed = sizing.train_memory(spec.config, spec.batch_size, path=spec.path, bf16=bf16).total
    check_fits(needed, device, "to train this model")
    yield RunStarted(
        run=str(folder.path), device=device.name, dtype="bf16" if bf16 else "fp32", path=spec.path,
        parameters=sizing.parameter_count(spec.config), total_steps=plan.total_steps,
        steps_per_epoch=plan.steps_per_epoch, tokens_per_step=spec.tokens_per_step,
    )
    yield PhaseChanged(phase="preparing")
    bench = prepare(spec, text, device, bf16)
    model, optimizer, clock = bench.model, bench.optimizer, Stopwatch()
    tokens_seen, val_loss, saved_at = 0, None, time.monotonic()
    yield PhaseChanged(phase="training")

    for step, epoch, last_of_epoch, batch in bench.schedule(plan.total_steps):
        with bench.chance.active():
            loss, gradient_norm = training_step(bench, batch, spec.gradient_clip)
        tokens_seen += batch[0].numel()
        if not loss < float("inf"):
            raise Diverged(_diverged(loss, step, folder))
        yield StepDone(
            step=step, epoch=epoch, loss=loss, learning_rate=optimizer.param_groups[0]["lr"],
            gradient_norm=gradient_norm, tokens_seen=tokens_seen, elapsed_s=clock.seconds(),
        )
        if step % spec.eval_freq == 0:
            with bench.chance.active():
                train_loss, val_loss = evaluate(bench, spec.eval_iter)
            yield Evaluated(step=step, tokens_seen=tokens_seen, train_loss=train_loss, val_loss=val_loss)
            yield memory(device)
        if control.paused:
            yield from _pause(control, clock)
        if control.stopping:
            break
        if last_of_epoch:
            yield SampleWritten(step=step, epoch=epoch, text=sample(model, spec))
            if time.monotonic() - saved_at > SAVE_EVERY_S and step + 1 < plan.total_steps:
                yield from save(model, folder, step, epoch, tokens_seen, val_loss)
                saved_at = time.monotonic()

    yield from save(model, folder, step, epoch, tokens_seen, val_loss, must=True)
    return "stopped" if control.stopping else "finished"


@dataclass
class Bench:
    """What a training step needs: the model, its optimizer, the batches, and the chance they draw from."""

    model: GPTModel
    optimizer: torch.optim.Optimizer
    training: Batches
    validation: Batches
    chance: RandomStream
    device: str
    bf16: bool

    def schedule(self, total_steps: int) -> Iterator[tuple[int, int, bool, Batch]]:
        """(step, epoch, whether it is the epoch's last, batch), for as many epochs as the steps need."""
        step = 0
        for epoch in count(1):
            with self.chance.active():
                order = self.training.order()
            for i, batch in enumerate(self.training.along(order)):
                last = i + 1 == len(self.training) or step + 1 == total_steps
                yield step, epoch, last, batch
                step += 1
                if step == total_steps:
                    return

    def autocast(self) -> AbstractContextManager:
        return torch.autocast(torch.device(self.device).type, torch.bfloat16, enabled=self.bf16)


def prepare(spec: TrainSpec, text: corpus.Corpus, device: devices.Device, bf16: bool) -> Bench:
    """Builds the model from the seed, its optimizer, and the batches."""
    chance = RandomStream(spec.seed, device.key)
    with chance.active():
        model = GPTModel(spec.config, spec.path)
    model.to(device.key).train()
    optimizer = torch.optim.AdamW(
        model.parameters(), lr=spec.learning_rate, weight_decay=spec.weight_decay, fused=not spec.reference
    )
    shape = (spec.config.context_length, spec.window_stride, spec.batch_size)
    training = Batches(text.train_ids, *shape, shuffle=True, drop_last=True)
    validation = Batches(text.val_ids, *shape, shuffle=False, drop_last=False)
    return Bench(model, optimizer, training, validation, chance, device.key, bf16)


def training_step(bench: Bench, batch: Batch, gradient_clip: float = 0.0) -> tuple[float, float]:
    """One update of the weights. Returns the loss before it, in nats per token, and the gradient's length."""
    bench.optimizer.zero_grad()
    loss = batch_loss(bench, batch)
    loss.backward()
    gradients = [p.grad for p in bench.model.parameters() if p.grad is not None]
    norm = torch.nn.utils.get_total_norm(gradients)
    if gradient_clip:
        torch.nn.utils.clip_grads_with_norm_(bench.model.parameters(), gradient_clip, norm)
    bench.optimizer.step()
    return loss.item(), norm.item()


def batch_loss(bench: Bench, batch: Batch) -> Tensor:
    """Cross-entropy of a batch, in nats per token: a scalar (seeds 5.1.2)."""
    inputs, targets = (part.to(bench.device) for part in batch)  # (B, T) each
    with bench.autocast():
        logits = bench.model(inputs)  # (B, T, V)
    return cross_entropy(logits.flatten(0, 1).float(), targets.flatten())


@torch.no_grad()
def evaluate(bench: Bench, eval_iter: int) -> tuple[float, float]:
    """Training and validation loss, dropout off, each on at most ``eval_iter`` batches (seeds 5.2)."""
    bench.model.eval()
    losses = [_mean_loss(bench, batches, eval_iter) for batches in (bench.training, bench.validation)]
    bench.model.train()
    return losses[0], losses[1]


def sample(model: GPTModel, spec: TrainSpec) -> str:
    """The sample prompt, continued with the likeliest token each time (seeds 5.2)."""
    model.eval()
    text = tokenizer.decode(greedy(model, tokenizer.encode(spec.sample_prompt), spec.sample_tokens))
    model.train()
    return text


def save(
    model: GPTModel, folder: RunFolder, step: int, epoch: int, tokens_seen: int, val_loss: float | None,
    must: bool = False,
) -> Iterator[Event]:
    """Saves, then removes the checkpoint before. A failure is told of, and the earlier checkpoint stays.

    Raises:
        UserError, OSError: it failed, and ``must``.
    """
    yield PhaseChanged(phase="saving")
    try:
        path = checkpoint.save(model, folder.checkpoint_folder, step, epoch, tokens_seen, val_loss)
    except (UserError, OSError) as error:
        if must:
            raise
        yield Warned(words=f"The checkpoint of step {step:,} was not saved. {in_words(error)}")
    else:
        folder.keep_only(path)
        yield CheckpointSaved(step=step, path=str(path), val_loss=val_loss)
    yield PhaseChanged(phase="training")


def memory(device: devices.Device) -> MemoryRead:
    used, peak = devices.used_bytes(device.key), devices.peak_bytes(device.key)
    return MemoryRead(used_bytes=used, peak_bytes=peak, total_bytes=device.total_bytes)


class Stopwatch:
    """Seconds since it was made, less those it was halted; from the monotonic clock."""

    def __init__(self) -> None:
        self._start = time.monotonic()

    def seconds(self) -> float:
        return time.monotonic() - self._start

    def leave_out(self, seconds: float) -> None:
        self._start += seconds


def _pause(control: Control, clock: Stopwatch) -> Iterator[Event]:
    began = time.monotonic()
    yield PhaseChanged(phase="paused")
    control.wait_while_paused()
    clock.leave_out(time.monotonic() - began)
    yield PhaseChanged(phase="training")


def _mean_loss(bench: Bench, batches: Batches, limit: int) -> float:
    limit = min(limit, len(batches))
    losses = [batch_loss(bench, batch).item() for _, batch in zip(range(limit), batches, strict=False)]
    return sum(losses) / limit


def _diverged(loss: float, step: int, folder: RunFolder) -> str:
    kept = folder.checkpoints()
    return (
        f"The loss of step {step:,} is {loss}: training has diverged. The usual cause is a learning rate that is too "
        "high; try a tenth of it, or a gradient clip of 1. "
        + (f"The checkpoint {kept[-1].name} is kept." if kept else "No checkpoint had been saved yet.")
    )
