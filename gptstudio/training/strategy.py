"""Strategies for training a model with one or several processes. No torch.

``torchrun --nproc-per-node=N -m gptstudio train`` starts N processes that take the same steps of the same run, each
with its rows of every batch. Training code calls its :class:`Strategy` for everything that several processes must agree
on, share or sum; :mod:`gptstudio.training.distributed` contains the strategies for several processes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from gptstudio import devices
from gptstudio.training.control import Control
from gptstudio.training.forecast import CostHistory, forecast
from gptstudio.training.spec import TrainSpec

if TYPE_CHECKING:  # the window is on screen before torch is loaded
    from torch import Tensor, nn
    from torch.optim import Optimizer

    from gptstudio.gpt.model import GPTModel
    from gptstudio.torch_settings import RandomStream
    from gptstudio.training.corpus import Plan
    from gptstudio.training.dataset import Batch, Batches
    from gptstudio.training.executor import Stream

T = TypeVar("T")
Moments = dict[str, Any]
"""Optimizer state: parameter name -> (name -> tensor)."""


class Strategy:
    """Strategy of a single process. ``is_rank_zero``: True if this process writes and reports the run; ``size``: number
    of processes; ``shards``: True if each has only a part of every weight."""

    size, is_rank_zero, shards = 1, True, False
    more_follow = False
    """True if other runs follow in the same processes, as in a sweep."""
    reuse_below = 32 * 2**20
    """Freed memory in pieces smaller than this stays with the process for the next step."""

    def device(self, wanted: str) -> devices.Device:
        """Return the device to compute on, with the memory available to this process."""
        return devices.choose(wanted)

    def estimate(self, spec: TrainSpec, plan: Plan, device: devices.Device) -> tuple[int, float | None]:
        """Return the expected peak memory of this process in bytes, and the expected seconds of the run if known.

        Raises:
            SpecError: the batch cannot be divided among the processes.
        """
        made = forecast(spec, plan, device, CostHistory.read())
        return made.predicted_bytes, made.seconds

    def build(
        self, make: Callable[[], GPTModel], rng: RandomStream, device: str, _bf16: bool,
        weights: Mapping[str, Tensor] | None = None,
    ) -> tuple[GPTModel, nn.Module]:
        """Return the model with its initial weights on the device, and the module to call to train it.

        Args:
            weights: the initial weights, read on rank zero; None to draw them when the model is created.
        """
        from gptstudio import torch_settings

        if weights is None:
            with rng.active():
                model = make().to(device)
        else:
            with torch_settings.uninitialised(device):
                model = make()
            self.load_weights(model, weights)
        return model.train(), model

    def process_rng(self, rng: RandomStream, _device: str) -> RandomStream:
        """Return the random stream for the dropout of this process."""
        return rng

    def batches(self, *text: Any, **order: Any) -> Batches:
        """Return the batches of a text, with only the rows of this process."""
        from gptstudio.training.dataset import Batches

        return Batches(*text, **order)

    def accumulate(self, _forward: nn.Module, batches: Sequence[Batch]) -> Iterator[Batch]:
        """Yield the batches of one step; gradients are exchanged only once, for the last batch."""
        yield from batches

    def mean(self, loss: Tensor, _rows: int = 1) -> Tensor:
        """Return the mean over all processes; ``loss`` is the mean over the rows of this process."""
        return loss

    def full_tensor(self, tensor: Tensor) -> Tensor:
        """Return the full tensor; this process may hold only a part."""
        return tensor

    def on_rank_zero(self, make: Callable[[], T]) -> T:
        """Return the result of ``make``, called on rank zero only, in all processes.

        Raises:
            Exception: raised by ``make``; in other processes, a UserError with its message.
        """
        return make()

    def rank_zero_first(self, make: Callable[[], T]) -> T:
        """Return the result of ``make``, called in each process, first on rank zero, which may save it for others."""
        return make()

    def shared_control(self, asked: Control) -> Control:
        """Return the control for this process, with which all processes stop after the same step."""
        return asked

    def explain_errors(self, stream: Stream) -> Stream:
        """Yield the events of the run; explain errors caused by the end of another process."""
        return stream

    def gather_weights(self, model: GPTModel, taken: Callable[[Tensor], Tensor] | None = None) -> dict[str, Tensor]:
        """Return all weights on the CPU, by name; empty except on rank zero.

        Args:
            taken: what is returned of each tensor instead, in a single process.
        """
        from gptstudio.training import checkpoint

        return checkpoint.weights_of(model, taken or checkpoint.on_cpu)

    def gather_optimizer_state(
        self, model: GPTModel, optimizer: Optimizer, taken: Callable[[Tensor], Tensor] | None = None
    ) -> Moments:
        """Return the full optimizer state on the CPU; empty except on rank zero. ``taken``: as for
        :meth:`gather_weights`."""
        from gptstudio.training.checkpoint import on_cpu
        from gptstudio.training.freezing import trained

        kept: Any = optimizer.state
        return {
            name: {key: (taken or on_cpu)(value) for key, value in kept.get(parameter, {}).items()}
            for name, parameter in trained(model)
        }

    def load_weights(self, model: GPTModel, weights: Mapping[str, Tensor]) -> None:
        """Load the weights read on rank zero into all processes."""
        model.load_state_dict(weights)

    def load_optimizer_state(self, model: GPTModel, optimizer: Optimizer, moments: Moments) -> None:
        """Load the optimizer state read on rank zero into all processes."""
        from gptstudio.training.freezing import names_by_group

        names = (name for group in names_by_group(model, optimizer) for name in group)
        state = {number: moments[name] for number, name in enumerate(names) if name in moments}
        optimizer.load_state_dict({"state": state, "param_groups": optimizer.state_dict()["param_groups"]})

    def shut_down(self) -> None:
        """Close the connection of the processes; not after a failure, which the others would report as their own."""


SINGLE_PROCESS = Strategy()
