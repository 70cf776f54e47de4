"""Strategies for several processes that train one model together; usually there is only one process. No torch.

``torchrun --nproc-per-node=N -m gptstudio train`` starts N processes that all take the same steps of the same run, each
with its rows of every batch. Training code calls its :class:`Strategy` wherever several processes would have to agree,
share or add up; :mod:`gptstudio.training.distributed` has the strategies of several.
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
"""State of an optimizer: parameter name -> (name -> tensor)."""


class Strategy:
    """Strategy of a single process. ``is_rank_zero`` is whether this one writes and reports the run; ``size`` is the
    number of processes; ``shards``, whether each has only a share of every weight."""

    size, is_rank_zero, shards = 1, True, False
    more_follow = False
    """True while other runs follow with the same processes, as in a sweep."""
    reuse_below = 32 * 2**20
    """Memory in smaller pieces stays with the process when it is freed, for the next step."""

    def device(self, wanted: str) -> devices.Device:
        """Return the device to compute on, with the memory that is free for this process."""
        return devices.choose(wanted)

    def estimate(self, spec: TrainSpec, plan: Plan, device: devices.Device) -> tuple[int, float | None]:
        """Return the most bytes that this process is expected to need, and the seconds of the run if known.

        Raises:
            SpecError: the batch cannot be shared.
        """
        made = forecast(spec, plan, device, CostHistory.read())
        return made.predicted_bytes, made.seconds

    def build(
        self, make: Callable[[], GPTModel], rng: RandomStream, device: str, _bf16: bool,
        weights: Mapping[str, Tensor] | None = None,
    ) -> tuple[GPTModel, nn.Module]:
        """Return the model with its initial weights on the device, and the module to call to train it.

        Args:
            weights: the initial weights, read by the process of rank zero; None: drawn as the model is created.
        """
        import torch

        from gptstudio.training import checkpoint

        if weights is None:
            with rng.active():
                model = make().to(device)
        else:
            with torch.device("meta"):  # no time spent on weights that are replaced at once
                model = make()
            model = checkpoint.allocated(model, device)
            self.load_weights(model, weights)
        return model.train(), model

    def process_rng(self, rng: RandomStream, _device: str) -> RandomStream:
        """Return the random stream that this process draws its dropout from."""
        return rng

    def batches(self, *text: Any, **order: Any) -> Batches:
        """Return the batches of a text, of which this process sees its rows."""
        from gptstudio.training.dataset import Batches

        return Batches(*text, **order)

    def accumulate(self, _forward: nn.Module, batches: Sequence[Batch]) -> Iterator[Batch]:
        """Yield the batches of one step; gradients are exchanged between processes once, for the last."""
        yield from batches

    def mean(self, loss: Tensor, _rows: int = 1) -> Tensor:
        """Return the mean over all processes; ``loss`` is the mean over the rows of this one."""
        return loss

    def full_tensor(self, tensor: Tensor) -> Tensor:
        """Return the whole tensor, of which this process may hold a part."""
        return tensor

    def on_rank_zero(self, make: Callable[[], T]) -> T:
        """Return the result of ``make`` in the process of rank zero, to all processes.

        Raises:
            Exception: the exception of ``make``, as a message if it was raised in another process.
        """
        return make()

    def rank_zero_first(self, make: Callable[[], T]) -> T:
        """Return the result of ``make`` in each process; rank zero runs first, and the others find its saved result."""
        return make()

    def shared_control(self, asked: Control) -> Control:
        """Return the control of this process: all stop after the same step."""
        return asked

    def explain_errors(self, stream: Stream) -> Stream:
        """Yield the events of the run; explain an error that only says that another process has ended."""
        return stream

    def gather_weights(self, model: GPTModel) -> dict[str, Tensor]:
        """Return all weights on the processor, by name; empty except on rank zero."""
        from gptstudio.training import checkpoint

        return checkpoint.weights_of(model)

    def gather_optimizer_state(self, model: GPTModel, optimizer: Optimizer) -> Moments:
        """Return the whole optimizer state, on the processor; empty except on rank zero."""
        from gptstudio.training.freezing import trained

        kept: Any = optimizer.state
        return {
            name: {key: value.detach().cpu().contiguous() for key, value in kept.get(parameter, {}).items()}
            for name, parameter in trained(model)
        }

    def load_weights(self, model: GPTModel, weights: Mapping[str, Tensor]) -> None:
        """Load the weights that the process of rank zero has read, in all processes."""
        model.load_state_dict(weights)

    def load_optimizer_state(self, model: GPTModel, optimizer: Optimizer, moments: Moments) -> None:
        """Load the optimizer state that the process of rank zero has read, in all processes."""
        from gptstudio.training.freezing import names_by_group

        names = (name for group in names_by_group(model, optimizer) for name in group)
        state = {number: moments[name] for number, name in enumerate(names) if name in moments}
        optimizer.load_state_dict({"state": state, "param_groups": optimizer.state_dict()["param_groups"]})

    def shut_down(self) -> None:
        """End the connection of the processes; not after a failure, which the others would report as theirs."""


SINGLE_PROCESS = Strategy()
