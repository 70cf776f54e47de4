"""torch's optimizers, extended to sparse gradients of embeddings; and the norm and clipping of gradients."""

from __future__ import annotations

import inspect
import math
import weakref
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, cast

import torch
from torch import Tensor
from torch.optim.adamw import adamw
from torch.optim.sgd import sgd

from gptstudio.gpt import native_library
from gptstudio.gpt.fast import kernels, native_training

ROWS = 2_048
"""Number of rows that are updated at once."""


class ByRows(torch.optim.Optimizer):
    """Base class of optimizers that accept sparse gradients.

    A batch contains a few hundred tokens of an embedding, yet an update changes all rows: moments and weights decay. As
    a dense tensor, the gradient would be as large as the embedding and nearly all zeros, so it is made dense for some
    rows at a time, just before they are updated.
    """

    # torch's methods without their wrapper, which imports the compiler on the first call: 1.3 s of each start.
    add_param_group = inspect.unwrap(torch.optim.Optimizer.add_param_group)
    load_state_dict = inspect.unwrap(torch.optim.Optimizer.load_state_dict)
    state_dict = inspect.unwrap(torch.optim.Optimizer.state_dict)
    zero_grad = inspect.unwrap(torch.optim.Optimizer.zero_grad)

    @torch.no_grad()
    def step(self, closure: Any = None) -> None:  # type: ignore[override]
        sparse = [
            (group, parameter, parameter.grad.coalesce())
            for group in self.param_groups for parameter in group["params"]
            if parameter.grad is not None and parameter.grad.is_sparse
        ]
        for _, parameter, _ in sparse:
            parameter.grad = None
        super().step(closure)
        for group, parameter, grad in sparse:
            self._step_by_rows(group, parameter, grad)
            parameter.grad = grad

    @abstractmethod
    def _step_by_rows(self, group: dict[str, Any], parameter: Tensor, grad: Tensor) -> None:
        """Update a parameter by its coalesced sparse gradient."""


class AdamW(ByRows, torch.optim.AdamW):
    """torch's fused AdamW (Loshchilov and Hutter, 2019); on a CPU in C if it is compiled, with equally good rounding
    but in a different order."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._moved: dict[Tensor, tuple[list[weakref.ref[Tensor]], list[int], Tensor]] = {}

    @torch.no_grad()
    def step(self, closure: Any = None) -> None:  # type: ignore[override]
        trained = [(group, each) for group in self.param_groups for each in group["params"] if each.grad is not None]
        for _, parameter in trained:
            parameter.grad = parameter.grad.coalesce() if parameter.grad.is_sparse else parameter.grad
        if all(group["fused"] and _readable(parameter) for group, parameter in trained):
            native_training.adamw([self._update_of(group, parameter) for group, parameter in trained])
            for _, parameter in trained:
                kernels.note_half_precision_copy(parameter)
        else:
            super().step(closure)

    def _update_of(self, group: dict[str, Any], parameter: Tensor) -> native_training.Update:
        """Return the next update of a parameter, and count the step in its state."""
        state, (beta1, beta2), grad = self._state_of(parameter), group["betas"], cast(Tensor, parameter.grad)
        state["step"] += 1
        steps, touched, moved = state["step"].item(), None, None
        if grad.is_sparse:
            touched, grad = grad.indices()[0].contiguous(), grad.values()
            moved = self._moved_rows(parameter, state) if group["eps"] else None
        return native_training.Update(
            parameter, state["exp_avg"], state["exp_avg_sq"], kernels.half_precision_copy(parameter),
            grad.contiguous(), touched, moved, factors=(
                group["lr"] / (1 - beta1**steps), 1 - group["lr"] * group["weight_decay"], 1 - beta1, beta2, 1 - beta2,
                (1 - beta2**steps) ** -0.5, group["eps"]))

    def _moved_rows(self, parameter: Tensor, state: dict[str, Any]) -> Tensor:
        """Return one byte for each row of a matrix (R, D): 0 where both moments are all zero, as for tokens that were
        in no batch. The result is cached until something other than an update in C changes the moments."""
        moments = state["exp_avg"], state["exp_avg_sq"]
        versions = [each._version for each in moments]  # noqa: SLF001 - no public name
        refs, seen, rows = self._moved.get(parameter, ([], [], torch.empty(0)))
        if seen != versions or any(ref() is not each for ref, each in zip(refs, moments, strict=True)):
            rows = torch.logical_or(*(each.any(dim=1) for each in moments)).to(torch.uint8)
            self._moved[parameter] = [weakref.ref(each) for each in moments], versions, rows
        return rows

    def _state_of(self, parameter: Tensor) -> dict[str, Any]:
        state: dict[str, Any] = self.state[parameter]
        if not state:
            state |= {"step": torch.zeros((), dtype=torch.float32, device="cpu")}
            state |= {name: torch.zeros_like(parameter) for name in ("exp_avg", "exp_avg_sq")}
        return state

    def _step_by_rows(self, group: dict[str, Any], parameter: Tensor, grad: Tensor) -> None:
        state = self._state_of(parameter)
        beta1, beta2 = group["betas"]
        for rows, part in dense_parts(parameter, grad):
            adamw(
                [parameter[rows]], [part], [state["exp_avg"][rows]], [state["exp_avg_sq"][rows]], [],
                [state["step"].clone()], fused=True, amsgrad=False, maximize=False, beta1=beta1, beta2=beta2,
                lr=group["lr"], weight_decay=group["weight_decay"], eps=group["eps"],
            )
        state["step"] += 1


def updates_in_c(optimizer: str, reference: bool, kind: str) -> bool:
    """Return whether a run on this kind of device uses AdamW in C instead of torch's."""
    return optimizer == "adamw" and not reference and kind == "cpu" and native_library.library() is not None


class SGD(ByRows, torch.optim.SGD):
    """torch's SGD with sparse gradients; results are identical bit for bit."""

    def _step_by_rows(self, group: dict[str, Any], parameter: Tensor, grad: Tensor) -> None:
        state, momentum = self.state[parameter], group["momentum"]
        first = momentum and "momentum_buffer" not in state
        if first:
            state["momentum_buffer"] = torch.empty_like(parameter)
        for rows, part in dense_parts(parameter, grad):
            buffers = [state["momentum_buffer"][rows] if momentum and not first else None]
            sgd(
                [parameter[rows]], [part], buffers, foreach=False, fused=False, momentum=momentum, dampening=0.0,
                nesterov=group["nesterov"], weight_decay=group["weight_decay"], lr=group["lr"], maximize=False,
            )
            if first:
                state["momentum_buffer"][rows] = buffers[0]


class CombinedOptimizer(torch.optim.Optimizer):
    """Several optimizers as one, each for one group of parameters."""

    def __init__(self, parts: Sequence[torch.optim.Optimizer]) -> None:
        self._parts = parts
        super().__init__([group for part in parts for group in part.param_groups], {})

    @torch.no_grad()
    def step(self, closure: Any = None) -> None:  # type: ignore[override]
        for part, group in zip(self._parts, self.param_groups, strict=True):
            part.param_groups, part.state = [group], self.state  # loading a state replaces both
            part.step(closure)


def dense_parts(parameter: Tensor, grad: Tensor) -> Iterator[tuple[slice, Tensor]]:
    """Yield slices of the rows of a matrix and their dense gradients. ``grad`` is sparse and coalesced. The memory of a
    dense gradient is reused for the next."""
    touched, values = grad.indices()[0], grad.values()  # (R,) in order, (R, D)
    dense = parameter.new_empty(min(ROWS, len(parameter)), *parameter.shape[1:])
    for start in range(0, len(parameter), ROWS):
        rows = slice(start, min(start + ROWS, len(parameter)))
        first, last = torch.searchsorted(touched, torch.tensor([rows.start, rows.stop])).tolist()
        part = dense[: rows.stop - rows.start].zero_()
        part[touched[first:last] - start] = values[first:last]
        yield rows, part


def _readable(parameter: Tensor) -> bool:
    """Return whether the C library can update this parameter with its gradient, which is coalesced if sparse."""
    grad = cast(Tensor, parameter.grad)
    values = grad.values() if grad.is_sparse else grad.contiguous()
    return native_training.reads(parameter, values) and not (grad.is_sparse and parameter.ndim != 2)


def gradient_values(grad: Tensor) -> Tensor:
    """Return the values of a gradient; for a sparse one, only the stored values."""
    return grad.coalesce().values() if grad.is_sparse else grad


def grad_norm(parameters: Iterable[Tensor], reference: bool = False) -> Tensor:
    """Return the norm of all gradients together, a scalar. ``reference``: computed by torch, whose sum is up to 5e-4
    too low for a matrix of 13 million values."""
    learning = [parameter for parameter in parameters if parameter.grad is not None]
    grads = [gradient_values(cast(Tensor, parameter.grad)) for parameter in learning]
    if not reference and native_training.reads(*grads):
        return torch.tensor(math.sqrt(sum(map(kernels.sum_of_squares, learning))), dtype=torch.float32)
    return torch.nn.utils.get_total_norm(grads)


def clip_gradients(parameters: Sequence[Tensor], longest: float, grad_norm: Tensor) -> None:
    """Scale gradients in place so that their total norm is at most ``longest``."""
    sparse = {each for each in parameters if each.grad is not None and each.grad.is_sparse}
    torch.nn.utils.clip_grads_with_norm_([each for each in parameters if each not in sparse], longest, grad_norm)
    factor = clip_factor(longest, grad_norm)
    for parameter in sparse:
        parameter.grad = parameter.grad * factor if parameter.grad is not None else None


def clip_factor(longest: float, grad_norm: Tensor) -> Tensor:
    """Return the factor by which clipping multiplies gradients, a scalar, as torch computes it."""
    return torch.clamp(longest / (grad_norm + 1e-6), max=1.0)
