"""Compilation of the training step by torch, where it saves time."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Iterator

import torch
from torch import Tensor

from gptstudio import devices
from gptstudio.gpt import sizing
from gptstudio.gpt.fast import FastGPTModel, compiler_failed, keep_uncompiled
from gptstudio.i18n import message
from gptstudio.log import in_short
from gptstudio.training.control import Control
from gptstudio.training.dataset import Batch
from gptstudio.training.events import Event, PhaseChanged, Warned
from gptstudio.training.spec import TrainSpec
from gptstudio.training.strategy import Strategy
from gptstudio.training.train_state import TrainState

LEAST_WORK = 2e16
"""Number of floating-point operations of a run from which compiling saves time: on an H200 it takes up to 10 s, and
saves a fifth of the time of these operations."""


def pays(spec: TrainSpec, device: devices.Device, total_steps: int, strategy: Strategy) -> bool:
    """Return whether the steps of a run are compiled. This depends only on the run and the kind of device, so that a
    resumed run computes as before."""
    if spec.reference or spec.compile == "off" or strategy.size > 1:
        return False
    if spec.compile == "on":
        return True
    work = 6 * sizing.parameter_count(spec.config) * spec.tokens_per_step * total_steps
    return device.kind == "cuda" and work >= LEAST_WORK and importlib.util.find_spec("triton") is not None


def compile_step(
    state: TrainState, spec: TrainSpec, control: Control, batch_loss: Callable[[TrainState, Batch], Tensor]
) -> Iterator[Event]:
    """Compile the forward and backward passes by running them on dummy tokens, which does not change the state.

    Args:
        batch_loss: returns the loss of a batch, a scalar.

    Raises:
        Stopped: the run was stopped between the two passes.
    """
    if not (isinstance(state.model, FastGPTModel) and state.model.compiled):
        return
    yield PhaseChanged(phase="compiling")
    before = state.rng.state
    ids = torch.zeros(spec.batch_size, spec.config.context_length, dtype=torch.long)
    try:
        with state.rng.active(), state.tf32():
            loss = batch_loss(state, (ids, ids))
            control.check()
            loss.backward()
    except Exception as error:
        if not compiler_failed(error):
            raise
        keep_uncompiled(state.model)
        yield Warned(message=message(
            "PyTorch could not compile this model: {why}. It is trained without being compiled, which takes longer.",
            why=_reason(error)))
    finally:
        state.rng.state = before
        state.optimizer.zero_grad(set_to_none=not state.keeps_gradients)


def _reason(error: Exception) -> str:
    if isinstance(error, ImportError) and getattr(sys, "frozen", False):
        return message(
            "the installed program does not include PyTorch's compiler, but GPT Studio run from source has it")
    return in_short(error).splitlines()[0]
