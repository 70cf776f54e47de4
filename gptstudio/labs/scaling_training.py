"""Training of the models of the scaling lab, in memory: no run folder, no checkpoint, no sample."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from itertools import product

from gptstudio import devices
from gptstudio.data import texts
from gptstudio.data.encodings import Progress
from gptstudio.errors import UserError
from gptstudio.fields import SpecError
from gptstudio.gpt import sizing
from gptstudio.gpt.config import GPTConfig
from gptstudio.i18n import joined, message
from gptstudio.labs.scaling_request import (
    BATCH,
    Outcome,
    ScalingPoints,
    ScalingRequest,
    SizePoint,
    step_flops,
    without_embeddings,
)
from gptstudio.training import corpus
from gptstudio.training.control import Control
from gptstudio.training.divergence import LOST_FACTOR, Divergence, check_loss
from gptstudio.training.forecast import Workload
from gptstudio.training.schedule import learning_rate
from gptstudio.training.spec import TrainSpec
from gptstudio.training.train_state import build_state
from gptstudio.training.trainer import evaluate, training_step

FIRST_SEED = 123
"""The book's random seed; further seeds count up from it."""
EVALUATIONS = 6
"""Number of evaluations during a training, evenly spaced; the last one follows the last step."""
EVALUATED_BATCHES = 8
"""Largest number of batches for measuring a loss: more than the validation part of The Verdict has."""


def train_sizes(request: ScalingRequest, progress: Progress) -> ScalingPoints:
    """Train every size with every seed, the last size first.

    Args:
        progress: called after each step; can stop all trainings by raising an exception.

    Raises:
        UserError: the text cannot be read or is too short, or there is not enough free memory.
    """
    specs = [_spec(request, cfg) for cfg in request.sizes]
    text = _read(specs[0], progress)
    _check_text(specs[0], text)
    cpu = devices.cpu()
    needed = max(Workload.of(spec, cpu).memory(cpu.kind).total for spec in specs)
    devices.check_memory(needed, cpu, message("to train the largest of these models"))
    total = request.seeds * sum(spec.steps or 0 for spec in specs)
    done = 0
    outcomes: list[list[Outcome]] = [[] for _ in specs]

    def step(taken: int) -> None:
        progress(done + taken, total)

    for seed, place in product(range(request.seeds), reversed(range(len(specs)))):
        spec = specs[place].but(seed=FIRST_SEED + seed)
        outcomes[place].append(_train(spec, text, step))
        done += spec.steps or 0
        step(0)
    points = tuple(
        _point(spec, found, len(text.train_ids)) for spec, found in zip(specs, outcomes, strict=True))
    return ScalingPoints(str(text.text.name), len(text.train_ids), len(text.val_ids), needed, points)


def _spec(request: ScalingRequest, cfg: GPTConfig) -> TrainSpec:
    """Return the training settings of one size: AdamW and cosine schedule as in Kaplan et al., down to a tenth."""
    rate, steps = request.rate(cfg), request.steps(cfg)
    return TrainSpec(
        config=cfg, text=(request.text,), steps=steps, batch_size=BATCH, learning_rate=rate, schedule="cosine",
        warmup_steps=max(1, steps // 10), min_learning_rate=rate / 10, gradient_clip=1.0, precision="fp32",
        device="cpu", sample_tokens=0, seed=FIRST_SEED)


def _read(spec: TrainSpec, progress: Progress) -> corpus.Corpus:
    """Read the text, or the story that ships with the program if The Verdict is not on this computer."""
    def read_bytes(_done: int, _total: int) -> None:
        progress(0, 0)

    try:
        return corpus.read(spec, read_bytes)
    except texts.TextNotHere:
        if spec.text != ("verdict",):
            raise
        return corpus.read(spec.but(text="story"), read_bytes)


def _check_text(spec: TrainSpec, text: corpus.Corpus) -> None:
    """Raise UserError for a text without a batch to train on, or without a window to validate with."""
    try:
        corpus.plan(spec, text)
    except SpecError as error:
        raise UserError(joined(" ", *(problem.message for problem in error.problems))) from None


def _train(spec: TrainSpec, text: corpus.Corpus, step: Callable[[int], None]) -> Outcome:
    """Train one model with one seed. It has diverged if a loss is not a number, stays far above the loss of random
    guessing for many steps, or is far above it at the end."""
    steps, cpu_s = spec.steps or 0, time.thread_time()
    due = {round(steps * share / EVALUATIONS) for share in range(1, EVALUATIONS + 1)}
    seen: list[tuple[float, float]] = []  # training and validation losses, measured without dropout
    with devices.reusing_freed_memory():
        state = build_state(spec, text, devices.cpu(), bf16=False)
        try:
            for at, batches in state.steps(steps, Control()):
                step(at)
                state.set_learning_rate(learning_rate(spec, at, steps))
                loss, _ = training_step(state, batches, spec.gradient_clip)
                state.free_gradients()
                check_loss(state, loss, batches[0][0])
                if at + 1 in due:
                    seen.append(evaluate(state, EVALUATED_BATCHES, Control()) or (math.nan, math.nan))
        except Divergence:
            return Outcome(None, None, None, time.thread_time() - cpu_s)
    train_loss, last = seen[-1]
    lowest = min(validation for _, validation in seen)
    highest = LOST_FACTOR * math.log(spec.config.vocab_size)
    if not (last <= highest and math.isfinite(train_loss)):  # also false for NaN
        return Outcome(None, None, None, time.thread_time() - cpu_s)
    return Outcome(last, lowest, train_loss, time.thread_time() - cpu_s)


def _point(spec: TrainSpec, outcomes: list[Outcome], train_tokens: int) -> SizePoint:
    cfg, steps = spec.config, spec.steps or 0
    tokens = steps * spec.tokens_per_step
    return SizePoint(
        emb_dim=cfg.emb_dim, n_layers=cfg.n_layers, n_heads=cfg.n_heads, parameters=without_embeddings(cfg),
        all_parameters=sizing.parameter_count(cfg), learning_rate=spec.learning_rate, steps=steps, tokens=tokens,
        epochs=tokens / train_tokens, flops=float(steps * step_flops(cfg)),
        output_share=6 * cfg.vocab_size * cfg.emb_dim * spec.tokens_per_step / step_flops(cfg),
        outcomes=tuple(outcomes))
