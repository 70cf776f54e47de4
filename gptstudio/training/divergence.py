"""Diagnosis of a loss that is no longer a number: its step, its batch, and the most likely causes."""

from __future__ import annotations

from torch import Tensor

from gptstudio.errors import UserError
from gptstudio.gpt import tokenizer
from gptstudio.training.run_folder import RunFolder, step_of
from gptstudio.training.spec import TrainSpec
from gptstudio.training.train_state import TrainState

USUAL_RATE = 1e-3
"""A learning rate above this is high for AdamW on a GPT-2: the book trains with 4e-4."""

SHOWN_TOKENS = 12


class NotFinite(Exception):
    """A step's loss or gradient is infinite or undefined. Raised before the weights are changed.

    ``inputs`` (B, T) are the token ids of its first batch.
    """

    def __init__(self, loss: float, gradient_norm: float, inputs: Tensor):
        super().__init__(f"loss {loss}, gradient norm {gradient_norm}")
        self.loss, self.gradient_norm, self.inputs = loss, gradient_norm, inputs


class Diverged(UserError):
    """The loss is no longer a number; the words say where, why, and what to do."""


def diverged(error: NotFinite, spec: TrainSpec, state: TrainState, folder: RunFolder) -> Diverged:
    """The words for a run that cannot go on."""
    progress = state.progress
    batch_text = tokenizer.decode(error.inputs[0, :SHOWN_TOKENS].tolist())
    what = f"The loss is {error.loss}" if error.loss != error.loss or error.loss == float("inf") else (
        f"The gradient norm is {error.gradient_norm}"
    )
    kept = folder.checkpoints()
    offer = (
        f"The checkpoint of step {step_of(kept[-1]) + 1:,} is kept: continue from it with a lower learning rate, or "
        "generate with it."
        if kept
        else "No checkpoint was saved yet."
    )
    return Diverged(
        f"Training has diverged. {what} at step {progress.step:,} (step {progress.taken:,} of epoch "
        f"{progress.epoch:,}), on the batch that starts with “{' '.join(batch_text.split())}”. {_causes(spec, state)} "
        f"{offer}"
    )


def _causes(spec: TrainSpec, state: TrainState) -> str:
    """The likeliest first, only those that this run could have."""
    rate = state.progress.learning_rate
    causes = []
    if rate > USUAL_RATE:
        causes.append(f"a learning rate of {rate:g}, where {USUAL_RATE:g} is already high (try {rate / 10:g})")
    if not spec.gradient_clip:
        causes.append("no gradient clipping (try a gradient clip of 1)")
    if spec.schedule == "constant" or not spec.warmup_steps:
        causes.append("the full learning rate from the first step (try the cosine schedule, which has a warm-up)")
    if state.bf16:
        causes.append("sums rounded in bf16 (try fp32)")
    if rate <= USUAL_RATE:
        causes.append(f"a learning rate of {rate:g} that is too high for this model (try {rate / 10:g})")
    return "Possible causes, the most likely first: " + "; ".join(causes) + "."
