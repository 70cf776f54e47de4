"""Training loop (book §5.2), a generator of events.

Steps count from 0, and an evaluation at step n follows the update of that step, as in the book.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from itertools import groupby, islice
from pathlib import Path

import torch
from torch import Tensor

from gptstudio import devices
from gptstudio.gpt import sizing
from gptstudio.gpt.decoder import greedy
from gptstudio.gpt.fast import FastGPTModel
from gptstudio.i18n import message
from gptstudio.training import compiling, corpus, init_weights
from gptstudio.training.checkpoint_manager import CheckpointManager
from gptstudio.training.control import Control, Stopped
from gptstudio.training.dataset import Batch, Batches
from gptstudio.training.divergence import Divergence, NotFinite, check_loss, diverged
from gptstudio.training.events import (
    Evaluated,
    Event,
    PhaseChanged,
    RunStarted,
    SampleWritten,
    StepDone,
)
from gptstudio.training.executor import Stream
from gptstudio.training.forecast import EVALUATED_TOKENS
from gptstudio.training.health import Health
from gptstudio.training.measurements import CopyFinder, Measurement, Probes, probes_of
from gptstudio.training.model_source import SavedModel
from gptstudio.training.optimizer import clip_gradients, grad_norm, updates_in_c
from gptstudio.training.run_folder import RunFolder
from gptstudio.training.run_metrics import RunMeter
from gptstudio.training.schedule import learning_rate
from gptstudio.training.spec import TrainSpec
from gptstudio.training.steering import StepInspector, between_parts, handle_controls
from gptstudio.training.strategy import SINGLE_PROCESS, Strategy
from gptstudio.training.train_state import TrainState, build_state


def train(
    spec: TrainSpec, text: corpus.Corpus, folder: RunFolder, control: Control, start: Path | None = None,
    anyway: bool = False, strategy: Strategy = SINGLE_PROCESS, initial_model: SavedModel | None = None,
) -> Stream:
    """Train a model on ``text`` and save it in ``folder``.

    Args:
        start: the checkpoint of this run to continue from; None to start from the beginning.
        anyway: train even if the free memory is not expected to suffice.
        strategy: the processes that train the model together; each runs this function and yields the same events.
        initial_model: the model with the initial weights; None for random weights.

    Raises:
        UserError: the text is too short for a batch, the model does not fit into memory, or the initial weights are
            damaged; raised before anything is allocated.
        Diverged: the loss became infinite or undefined, or stayed far above that of random guessing.
    """
    plan = corpus.plan(spec, text)
    checkpoints = CheckpointManager(spec, folder, start, strategy)
    state, meter = yield from prepare(spec, text, plan, folder, checkpoints, anyway, strategy, initial_model, control)
    try:
        measurements = measurements_of(spec, text)
        return (yield from training_loop(spec, state, plan.total_steps, checkpoints, meter, control, measurements))
    except Exception as error:
        yield from checkpoints.save_best(state)
        if isinstance(error, Divergence):
            raise diverged(error, spec, state, folder) from None
        raise
    finally:
        checkpoints.close()


def measurements_of(spec: TrainSpec, text: corpus.Corpus) -> list[Measurement]:
    """Return the measurements in addition to the losses."""
    health = [Health(spec)] if spec.health else []
    return [*health, Probes(probes_of(spec, text)), CopyFinder(spec, text)]


def prepare(
    spec: TrainSpec, text: corpus.Corpus, plan: corpus.Plan, folder: RunFolder, checkpoints: CheckpointManager,
    anyway: bool, strategy: Strategy, initial_model: SavedModel | None, control: Control,
) -> Generator[Event, None, tuple[TrainState, RunMeter]]:
    """Build the model, its optimizer and the batches, load the checkpoint to continue from, and compile the step."""
    device = strategy.device(spec.device)
    bf16 = spec.uses_bf16(device.fast_bf16)
    needed, expected_s = strategy.estimate(spec, plan, device)
    if not anyway:
        devices.check_memory(needed, device, message("to train this model"))
    weights = init_weights.on_rank_zero(initial_model, spec.config, strategy)
    yield RunStarted(
        run=str(folder.path), device=device.name, dtype=spec.dtype(device), path=spec.path,
        parameters=sizing.parameter_count(spec.config), total_steps=plan.total_steps,
        steps_per_epoch=plan.steps_per_epoch, tokens_per_step=spec.tokens_per_step,
        first_step=checkpoints.first_step, predicted_bytes=needed, predicted_s=expected_s,
        bytes_per_token=text.bytes_per_token,
    )
    yield PhaseChanged(phase="preparing")
    meter = RunMeter(device, compiler=not updates_in_c(spec.optimizer, spec.reference, device.kind))
    compiled = compiling.pays(spec, device, plan.total_steps, strategy)
    state = build_state(spec, text, device, bf16, strategy, weights, compiled)
    if weights is not None:
        weights = None  # the model has a copy
        meter.forget_what_was_read()
    yield from checkpoints.restore(state)
    yield from compiling.compile_step(state, spec, control, batch_loss)
    meter.restart(checkpoints.elapsed_s)
    yield PhaseChanged(phase="training")
    return state, meter


def training_loop(
    spec: TrainSpec, state: TrainState, total_steps: int, checkpoints: CheckpointManager, meter: RunMeter,
    control: Control, measurements: Sequence[Measurement],
) -> Stream:
    """Run all steps, with evaluations, measurements, samples and checkpoints.

    Raises:
        Divergence: the loss or its gradient is infinite or undefined, or the loss is far above random guessing.
    """
    progress = state.progress
    yield from handle_controls(state, control, meter, checkpoints)
    if progress.step == 0:
        for each in measurements:
            yield from each.before_training(state)
    if progress.evaluation_due or progress.sample_due:
        yield from evaluate_and_sample(spec, state, total_steps, meter, control, measurements)
        yield from checkpoints.finish_step(state, meter.elapsed_s, ends=progress.step == total_steps)

    for step, batches in state.steps(total_steps, control):
        lr = learning_rate(spec, step, total_steps, progress.learning_rate)
        state.set_learning_rate(lr)
        inspector = StepInspector(state, batches, batch_loss) if control.stepping else None
        for each in measurements:
            each.before_step(state, step)
        loss, norm = training_step(state, batches, spec.gradient_clip)
        yield StepDone(
            step=step, epoch=progress.epoch, loss=loss, learning_rate=lr, gradient_norm=norm,
            tokens_seen=progress.tokens_seen, elapsed_s=meter.elapsed_s,
        )
        for each in measurements:
            yield from each.after_step(state, step)
        state.free_gradients()
        if inspector:
            yield inspector.report(step, norm)
        check_loss(state, loss, batches[0][0])

        yield from evaluate_and_sample(spec, state, total_steps, meter, control, measurements)
        if progress.step < total_steps:
            yield from checkpoints.save_if_due(state, meter.elapsed_s)
        yield from handle_controls(state, control, meter, checkpoints)

    yield meter.memory()
    yield from checkpoints.save(state, meter.elapsed_s, final=True)
    return "stopped" if control.stopping else "finished"


def training_step(state: TrainState, batches: Sequence[Batch], gradient_clip: float = 0.0) -> tuple[float, float]:
    """Update the weights once, by the mean gradient of ``batches`` (gradient accumulation if there are several).

    Returns the loss before the update, in nats per token, and the gradient norm.

    Raises:
        NotFinite: one of the two is not finite; the weights are unchanged.
    """
    state.optimizer.zero_grad(set_to_none=not state.keeps_gradients)
    loss = torch.zeros((), device=state.device)
    with state.rng.active(), state.tf32():  # dropout is drawn from the run's random numbers
        for batch in state.strategy.accumulate(state.forward, batches):
            part = batch_loss(state, batch) / len(batches)
            part.backward()
            loss += part.detach()
    loss = state.strategy.mean(loss)
    parameters = list(state.model.parameters())
    norm = state.strategy.full_tensor(grad_norm(parameters, reference=not isinstance(state.model, FastGPTModel)))
    if state.guarded:  # on a GPU, everything is launched before a value is read: the GPU does not wait for the CPU
        state.optimizer.found_inf = 1 - (loss + norm).isfinite().float()  # type: ignore[attr-defined]
        _update(state, parameters, gradient_clip, norm)
    losses = loss.item(), norm.item()
    if not all(map(math.isfinite, losses)):
        raise NotFinite(*losses, batches[0][0])
    if not state.guarded:
        _update(state, parameters, gradient_clip, norm)
    state.gradient_norm = losses[1]
    return losses


def _update(state: TrainState, parameters: Sequence[Tensor], gradient_clip: float, norm: Tensor) -> None:
    if gradient_clip:
        clip_gradients(parameters, gradient_clip, norm)
    state.optimizer.step()


def batch_loss(state: TrainState, batch: Batch) -> Tensor:
    """Return the cross-entropy of a batch, in nats per token, a scalar (book §5.1.2)."""
    inputs, targets = (state.on_device(part) for part in batch)  # (B, T) each
    with state.autocast():
        loss: Tensor = state.forward(inputs, targets=targets)
    return loss


def evaluate_and_sample(
    spec: TrainSpec, state: TrainState, total_steps: int, meter: RunMeter, control: Control,
    measurements: Sequence[Measurement],
) -> Iterator[Event]:
    """Measure the losses and generate a sample after the last step, if they are due. If a stop interrupts one, it stays
    due until the run is resumed; after an interrupted evaluation, so does the sample."""
    progress = state.progress
    step = progress.step - 1
    if step % spec.evaluation_interval == 0 and not progress.sample_due:
        losses = evaluate(state, spec.eval_iter, control)
        progress.evaluation_due = losses is None
        if losses is None:
            return
        train_loss, progress.val_loss = losses
        yield Evaluated(step=step, tokens_seen=progress.tokens_seen, train_loss=train_loss, val_loss=progress.val_loss)
        for each in measurements:
            yield from each.at_evaluation(state, step)
        yield meter.memory()
    if state.epoch_over or progress.step == total_steps:
        state.free_gradients(keep_memory=False)  # the sample needs memory
        ids = sample(state, spec, control)
        progress.sample_due = ids is None
        if ids is not None:
            yield SampleWritten(step=step, epoch=progress.epoch, text=state.tokenizer.decode(ids, final=False))
            for each in measurements:
                yield from each.after_sample(state, step, ids)


@torch.no_grad()
def evaluate(state: TrainState, eval_iter: int, control: Control) -> tuple[float, float] | None:
    """Return training and validation loss, without dropout, each on at most ``eval_iter`` batches (book §5.2); None if
    a stop interrupts the evaluation, with the random state restored."""
    before = state.rng.state
    state.model.eval()
    try:
        with state.rng.active():  # for shuffling the training batches
            train_loss = _mean_loss(state, state.training, eval_iter, control)
            val_loss = _mean_loss(state, state.validation, eval_iter, control)
    except Stopped:
        state.rng.state = before
        return None
    finally:
        state.model.train()
    return train_loss, val_loss


def _mean_loss(state: TrainState, batches: Batches, eval_iter: int, control: Control) -> float:
    """Return the mean loss of the first ``eval_iter`` batches.

    Raises:
        Stopped: the run was stopped.
    """
    total, count = 0.0, min(eval_iter, len(batches))
    for batch, joined in _joined(islice(batches, count), _batches_at_once(state)):
        between_parts(state, control)
        total += state.strategy.mean(batch_loss(state, batch), len(batch[0])).item() * joined
    return total / count


def _batches_at_once(state: TrainState) -> int:
    """Return the number of batches to evaluate in one pass: 1 on the reference path, which sums as the book's code
    does, and with several processes, which share each batch."""
    if not isinstance(state.model, FastGPTModel) or state.strategy.size > 1:
        return 1
    return max(1, EVALUATED_TOKENS // (state.training.batch_size * state.model.cfg.context_length))


def _joined(batches: Iterable[Batch], most: int) -> Iterator[tuple[Batch, int]]:
    """Yield up to ``most`` batches of equal size as one, and their number. The last batch of a text may be smaller, but
    has the same weight as the others in the mean."""
    for _, alike in groupby(batches, key=lambda batch: len(batch[0])):
        while some := list(islice(alike, most)):
            inputs, targets = map(torch.cat, zip(*some, strict=True))
            yield (inputs, targets), len(some)


def sample(state: TrainState, spec: TrainSpec, control: Control) -> list[int] | None:
    """Return the token ids of a sample that the model generates, without drawing random numbers; None if a stop
    interrupts it."""
    try:
        prompt = state.tokenizer.encode(spec.sample_prompt)
        return generate_sample(state, prompt, spec.sample_tokens, lambda: between_parts(state, control))
    except Stopped:
        return None


def generate_sample(
    state: TrainState, prompt: Sequence[int], new_tokens: int, check: Callable[[], None] = lambda: None
) -> list[int]:
    """Return the token ids of a prompt and its greedy continuation (book §5.2). ``check`` is called before each token;
    it can raise to cancel."""
    alone = state.strategy.size == 1  # otherwise this process may not have all weights
    state.model.eval()
    try:
        return greedy(state.model, prompt, new_tokens, "fp32" if alone else None, check)
    finally:
        state.model.train()
