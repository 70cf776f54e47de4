"""Diagnosis of a run that has diverged: its step, its batch, and the most likely causes."""

from __future__ import annotations

import math

from torch import Tensor

from gptstudio.errors import UserError
from gptstudio.i18n import Message, joined, message
from gptstudio.training.run_folder import RunFolder, step_of
from gptstudio.training.spec import TrainSpec
from gptstudio.training.train_state import TrainState

SHOWN_TOKENS = 12

LOST_FACTOR = 2
"""A step is lost if its loss exceeds this multiple of the loss of random guessing, ln(vocabulary size): the model then
gives the right tokens a probability below 1 / vocabulary size squared. Random weights start at about 1.02 times."""

LOST_STEPS = 20
"""Number of consecutive lost steps that are a divergence; small models recover from 3, at a learning rate of 0.3."""


class Divergence(Exception):
    """Divergence of a run, which cannot continue.

    ``what`` describes the finding; ``inputs`` (B, T) are the token ids of the first batch of the step.
    """

    def __init__(self, what: Message, inputs: Tensor):
        super().__init__(what)
        self.what, self.inputs = what, inputs


class NotFinite(Divergence):
    """The loss or gradient of a step is infinite or undefined; raised before the weights are changed."""

    def __init__(self, loss: float, gradient_norm: float, inputs: Tensor):
        what = message("The gradient norm is {value}", value=gradient_norm) if math.isfinite(loss) else message(
            "The loss is {value}", value=loss
        )
        super().__init__(what, inputs)


class Lost(Divergence):
    """The loss was far above the loss of random guessing for many steps."""

    def __init__(self, loss: float, guessing: float, inputs: Tensor):
        super().__init__(message(
            "For {steps} steps, the loss was more than {factor} times that of random guessing ({guessing}), and it is "
            "{loss}",
            steps=LOST_STEPS, factor=LOST_FACTOR, guessing=f"{guessing:.2f}", loss=f"{loss:,.1f}",
        ), inputs)


class Diverged(UserError):
    """Training has diverged; the message gives the step, possible causes and advice."""


def check_loss(state: TrainState, loss: float, inputs: Tensor) -> None:
    """Count consecutive lost steps; ``loss`` is in nats per token, ``inputs`` (B, T) are the step's token ids.

    Raises:
        Lost: there were ``LOST_STEPS`` of them.
    """
    guessing = math.log(state.model.cfg.vocab_size)
    progress = state.progress
    progress.lost_steps = progress.lost_steps + 1 if loss > LOST_FACTOR * guessing else 0
    if progress.lost_steps >= LOST_STEPS:
        raise Lost(loss, guessing, inputs)


def diverged(error: Divergence, spec: TrainSpec, state: TrainState, folder: RunFolder) -> Diverged:
    """Return the error for a run that has diverged."""
    progress = state.progress
    where = message(
        "Training has diverged. {what} at step {step} (step {taken} of epoch {epoch}), on the batch that starts with "
        "“{text}”.",
        what=error.what, step=f"{progress.step:,}", taken=f"{progress.taken:,}", epoch=f"{progress.epoch:,}",
        text=" ".join(state.tokenizer.decode(error.inputs[0, :SHOWN_TOKENS].tolist()).split()),
    )
    return Diverged(joined(" ", where, _causes(spec, state), _left(folder)))


def _left(folder: RunFolder) -> Message:
    """Describe the saved checkpoints of the run."""
    saved, resumable = folder.checkpoints(), folder.resumable()
    if resumable:
        return message(
            "The checkpoint of step {n} is kept: continue from it with a lower learning rate, or generate with it.",
            n=f"{step_of(resumable[-1]) + 1:,}",
        )
    if saved:
        return message("The model of step {n} is saved: you can generate with it, but not continue the run.",
                       n=f"{step_of(saved[-1]) + 1:,}")
    return message("No checkpoint was saved yet.")


def _causes(spec: TrainSpec, state: TrainState) -> Message:
    """Return the causes that apply to this run, most likely first."""
    rate, optimizer = state.progress.learning_rate, spec.chosen_optimizer
    usual, lower = optimizer.high_rate, {"rate": f"{rate:g}", "lower": f"{optimizer.lower_rate(rate):g}"}
    causes = []
    if rate > usual:
        causes.append(message(
            "a learning rate of {rate}, where {usual} is already high (try {lower})", usual=f"{usual:g}", **lower
        ))
    if not spec.gradient_clip:
        causes.append(message("no gradient clipping (try a gradient clip of 1)"))
    if spec.schedule == "constant" or not spec.warmup_steps:
        causes.append(message(
            "the full learning rate from the first step (try the cosine schedule, which has a warm-up)"
        ))
    if state.bf16:
        causes.append(message("sums rounded in bf16 (try fp32)"))
    if rate <= usual:
        causes.append(message("a learning rate of {rate} that is too high for this model (try {lower})", **lower))
    return message("Possible causes, the most likely first: {causes}.", causes=joined("; ", *causes))
