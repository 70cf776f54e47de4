"""Measurement of the training speed: a few real steps of models with one and two layers, extrapolated to the full
model.

The cost of embeddings and output layer does not depend on the number of layers, and all layers cost the same; a frozen
layer costs less than a trained one.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median

import torch

from gptstudio import devices
from gptstudio.data.texts import Label
from gptstudio.gpt import sizing
from gptstudio.gpt.tokenizer import GPT2
from gptstudio.i18n import message
from gptstudio.training.control import Control
from gptstudio.training.corpus import Corpus
from gptstudio.training.forecast import Speed, Workload
from gptstudio.training.spec import TrainSpec
from gptstudio.training.train_state import TrainState, build_state
from gptstudio.training.trainer import batch_loss, generate_sample, training_step

STEPS = 3
"""Number of timed steps, after an untimed one that loads kernels and creates the optimizer state."""
SAMPLE = 8
"""Number of tokens generated to time a sample."""
MAX_DIRECT_S = 1.5
"""If all steps of the full model together are expected to take less than this, the full model is measured."""


def calibrate(spec: TrainSpec, device: devices.Device, control: Control) -> Speed | None:
    """Return the seconds per step and per sampled token of ``spec`` on ``device``; None if stopped before the end.

    The measurement has its own random state, reads no text, writes no files, and frees all memory.

    Raises:
        UserError: not even two layers fit into memory.
    """
    with devices.reusing_freed_memory():
        speed = _calibrate(spec, device, control)
    if device.kind == "cuda":
        torch.cuda.empty_cache()
    return speed


def _calibrate(spec: TrainSpec, device: devices.Device, control: Control) -> Speed | None:
    layers, frozen = spec.config.n_layers, spec.freeze_blocks
    one = _measure(_with_layers(spec, 1), device, control)
    if one is None or layers == 1:
        return one
    expected_s = (STEPS + 1) * one.step_s * _work(spec, layers) / _work(spec, 1)
    if expected_s < MAX_DIRECT_S:
        return _measure(_with_layers(spec, layers, frozen), device, control)
    step_s, token_s = one.step_s, one.token_s
    for more, blocks in ((layers - frozen - 1, 0), (frozen, 1)):  # trained layers, then frozen ones
        if more:
            two = _measure(_with_layers(spec, 2, blocks), device, control)
            if two is None:
                return None
            step_s += more * _layer_s(spec, one.step_s, two.step_s)
            token_s += more * _layer_s(spec, one.token_s, two.token_s)
    source = message("from {n} steps of a one-layer and a two-layer model", n=STEPS)
    return Speed(step_s=step_s, token_s=token_s, source=source)


def _layer_s(spec: TrainSpec, one: float, two: float) -> float:
    """Return the seconds of an additional layer, from the seconds of models with one and two layers. Two corrections
    for uneven load by other programs: if the second layer seems to cost nothing, its share of the operations is used;
    it never costs more than the whole one-layer model."""
    return min(two - one if two > one else two * (1 - _work(spec, 1) / _work(spec, 2)), one)


def _work(spec: TrainSpec, layers: int) -> int:
    return sizing.flops_per_token(_with_layers(spec, layers).config)


def _with_layers(spec: TrainSpec, layers: int, frozen: int = 0) -> TrainSpec:
    config = spec.config.but(n_layers=layers)
    return spec.but(config=config, stride=None, init_from=None, freeze_blocks=frozen)


def _measure(spec: TrainSpec, device: devices.Device, control: Control) -> Speed | None:
    """Measure the speed of this model on a text of consecutive token ids."""
    work = Workload.of(spec, device)
    devices.check_memory(work.memory(device.kind).total, device, message("to measure how long this takes"))
    tokens = spec.batch_size * spec.config.context_length + 1
    ids = [position % spec.config.vocab_size for position in range(tokens)]
    state = build_state(spec, Corpus(ids, ids, Label("", "")), device, work.bf16)
    batch = state.training.batch(torch.arange(spec.batch_size), 0)
    steps, more = [], [0.0]
    for _ in range(STEPS + 1):
        if control.stopping:
            return None
        steps.append(_seconds(device, lambda: training_step(state, [batch], spec.gradient_clip)))
        if spec.accumulation > 1:  # each additional batch costs a forward and a backward pass, but no update
            with state.rng.active():
                more.append(_seconds(device, lambda: batch_loss(state, batch).backward()))
    token_s = _token_seconds(state, spec, device)
    step_s = median(steps[1:]) + (spec.accumulation - 1) * median(more[-STEPS:])
    return Speed(step_s=step_s, token_s=token_s, source=message("from {n} steps of this model", n=STEPS))


def _token_seconds(state: TrainState, spec: TrainSpec, device: devices.Device) -> float:
    """Return the seconds per sampled token, with a share of the first token's cost (prompt and copy of the weights)."""
    if not spec.sample_tokens:
        return 0.0
    # The run's own tokenizer is unknown without the text, but gives about as many tokens.
    prompt = [token % spec.config.vocab_size for token in GPT2.encode(spec.sample_prompt)]
    first = _seconds(device, lambda: generate_sample(state, prompt, 1))
    few = _seconds(device, lambda: generate_sample(state, prompt, 1 + SAMPLE))
    return max(few - first, 0.0) / SAMPLE + first / spec.sample_tokens


def _seconds(device: devices.Device, work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    if device.kind == "cuda":
        torch.cuda.synchronize(device.key)
    return time.perf_counter() - start
