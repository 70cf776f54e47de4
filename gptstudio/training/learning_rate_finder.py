"""Learning-rate finder: the range test of :mod:`gptstudio.training.rate_test` on a copy of the model with its own
random state. Nothing is saved."""

from __future__ import annotations

from collections.abc import Callable

import torch

from gptstudio import devices
from gptstudio.errors import UserError
from gptstudio.i18n import message
from gptstudio.training import corpus, init_weights
from gptstudio.training.control import Control
from gptstudio.training.divergence import NotFinite
from gptstudio.training.forecast import CostHistory, predicted_bytes
from gptstudio.training.rate_test import BETA, STEPS, RatePoint, RateTest, rates, too_high
from gptstudio.training.spec import TrainSpec
from gptstudio.training.strategy import SINGLE_PROCESS
from gptstudio.training.train_state import build_state
from gptstudio.training.trainer import training_step

FEWEST = 5
"""Smallest number of steps for a meaningful result."""


def find_learning_rate(
    spec: TrainSpec, control: Control, show: Callable[[RatePoint], object] = lambda _: None
) -> RateTest:
    """Run the range test with the model, text, batch size and optimizer of ``spec``; its schedule is not used.

    Args:
        control: can stop the test after a step.
        show: called with each step.

    Raises:
        SpecError: the text is too short for a batch, or the initial weights do not fit the model.
        UserError: there is not enough memory, or the loss does not fall at any rate.
        Stopped: the test was stopped.
    """
    initial = init_weights.find(spec)
    text = init_weights.read_text(spec, initial, lambda *_: control.check())
    spec = corpus.fitting(spec, text.tokenizer)
    corpus.plan(spec, text)  # raises an error if the text is too short
    control.check()
    device = devices.choose(spec.device)
    needed, _ = predicted_bytes(spec, device, CostHistory.read())
    devices.check_memory(needed, device, message("to look for a learning rate"))
    with devices.reusing_freed_memory():
        weights = init_weights.on_rank_zero(init_weights.current(initial, spec), spec.config, SINGLE_PROCESS)
        points, diverged = _ramp(spec, text, device, weights, control, show)
    if device.kind == "cuda":
        torch.cuda.empty_cache()
    return _judged(RateTest(tuple(points), diverged))


def _ramp(
    spec: TrainSpec, text: corpus.Corpus, device: devices.Device, weights: dict[str, torch.Tensor] | None,
    control: Control, show: Callable[[RatePoint], object],
) -> tuple[list[RatePoint], bool]:
    """Run the steps; return them, and whether the test ended because of the loss."""
    state = build_state(spec, text, device, spec.uses_bf16(device.fast_bf16), weights=weights)
    points: list[RatePoint] = []
    average = 0.0
    for rate, (step, batches) in zip(rates(), state.steps(STEPS, control), strict=False):
        state.set_learning_rate(rate)
        try:
            loss, _ = training_step(state, batches, spec.gradient_clip)
        except NotFinite:
            return points, True
        state.free_gradients()
        average = BETA * average + (1 - BETA) * loss
        points.append(RatePoint(rate, loss, average / (1 - BETA ** (step + 1))))
        show(points[-1])
        if too_high(points):
            return points, True
    control.check()
    return points, False


def _judged(test: RateTest) -> RateTest:
    """Return the test after checking that its result is meaningful.

    Raises:
        UserError: it ended at once, or the loss only rose.
    """
    if len(test.points) < FEWEST:
        raise UserError(message(
            "The loss became infinite or undefined at once, at a learning rate of {rate}, so no rate can be "
            "recommended. The initial weights may be damaged: start from others, or from random weights.",
            rate=f"{rates()[len(test.points)]:.2g}",
        ))
    if test.minimum == test.points[0]:
        raise UserError(message(
            "The loss did not fall at any learning rate, so none can be recommended. Train more of the model, use a "
            "larger batch, or choose a text that these weights have not learned yet.",
        ))
    return test
