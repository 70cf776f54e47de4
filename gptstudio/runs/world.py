"""The processes that train one model together; nearly always there is one, and nothing to agree on. No torch.

``torchrun --nproc-per-node=N -m gptstudio train`` starts N processes that all take the same steps of the same run, each
with its rows of every batch. Whoever trains asks its :class:`World` where several processes would have to agree, share
or add up; :mod:`gptstudio.runs.together` is the world of several.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from gptstudio import devices
from gptstudio.runs.control import Control
from gptstudio.runs.experience import Experience
from gptstudio.runs.forecast import forecast
from gptstudio.runs.spec import TrainSpec

if TYPE_CHECKING:  # the window is on screen before torch is loaded
    from torch import Tensor, nn
    from torch.optim import Optimizer

    from gptstudio.gpt.model import GPTModel
    from gptstudio.runs.corpus import Plan
    from gptstudio.runs.dataset import Batch, Batches
    from gptstudio.runs.executor import Stream
    from gptstudio.seeding import RandomStream

T = TypeVar("T")
Moments = dict[str, Any]
"""What an optimizer keeps: parameter name -> (name -> tensor)."""


class World:
    """One process by itself. ``leads`` is whether this one writes the run and tells of it; ``size`` counts all."""

    size, leads = 1, True
    reused_below = 32 * 2**20
    """Memory in smaller pieces stays with the process when it is freed, for the next step."""

    def device(self, wanted: str) -> devices.Device:
        """The device to compute on, with the memory that is free for this process."""
        return devices.choose(wanted)

    def expected(self, spec: TrainSpec, plan: Plan, device: devices.Device) -> tuple[int, float | None]:
        """Bytes that this process is expected to need at most to train, and seconds for the whole run where known.

        Raises:
            SpecError: the batch cannot be shared.
        """
        made = forecast(spec, plan, device, Experience.read())
        return made.predicted_bytes, made.seconds

    def build(
        self, make: Callable[[], GPTModel], chance: RandomStream, device: str, _bf16: bool,
        weights: Mapping[str, Tensor] | None = None,
    ) -> tuple[GPTModel, nn.Module]:
        """The model with its first weights on the device, and the module to call to train it.

        Args:
            weights: the first weights, read by the process that leads; None: drawn as the model is made.
        """
        import torch

        from gptstudio.runs import checkpoint

        if weights is None:
            with chance.active():
                model = make().to(device)
        else:
            with torch.device("meta"):  # no time spent on weights that are replaced at once
                model = make()
            model = checkpoint.allocated(model, device)
            self.put_weights(model, weights)
        return model.train(), model

    def own_chance(self, chance: RandomStream, _device: str) -> RandomStream:
        """What this process draws its dropout from."""
        return chance

    def batches(self, *text: Any, **order: Any) -> Batches:
        """Batches of a text, of which this process sees its rows."""
        from gptstudio.runs.dataset import Batches

        return Batches(*text, **order)

    def accumulate(self, _forward: nn.Module, batches: Sequence[Batch]) -> Iterator[Batch]:
        """The batches of one step; whatever is exchanged between processes is exchanged once, for the last."""
        yield from batches

    def mean(self, loss: Tensor, _rows: int = 1) -> Tensor:
        """The mean over all processes of a mean over some rows here."""
        return loss

    def whole(self, tensor: Tensor) -> Tensor:
        """All of a tensor of which this process may hold a part."""
        return tensor

    def first(self, make: Callable[[], T]) -> T:
        """What the process that leads finds or decides, for all.

        Raises:
            Exception: whatever ``make`` raised, in words where it was raised elsewhere.
        """
        return make()

    def in_turn(self, make: Callable[[], T]) -> T:
        """What each process makes for itself, the one that leads before the others: they find what it kept."""
        return make()

    def control(self, asked: Control) -> Control:
        """What steers this process: all stop after the same step."""
        return asked

    def explaining(self, stream: Stream) -> Stream:
        """The same run, with words for an error that only says that another process has gone."""
        return stream

    def weights(self, model: GPTModel) -> dict[str, Tensor]:
        """All weights on the processor, by name; nothing where another process leads."""
        from gptstudio.runs import checkpoint

        return checkpoint.weights_of(model)

    def moments(self, model: GPTModel, optimizer: Optimizer) -> Moments:
        """All that the optimizer keeps, on the processor; nothing where another process leads."""
        from gptstudio.runs.freezing import trained

        return {
            name: {key: value.detach().cpu().contiguous() for key, value in optimizer.state[parameter].items()}
            for name, parameter in trained(model)
        }

    def put_weights(self, model: GPTModel, weights: Mapping[str, Tensor]) -> None:
        """Gives all processes the weights that the one that leads has read."""
        model.load_state_dict(weights)

    def put_moments(self, model: GPTModel, optimizer: Optimizer, moments: Moments) -> None:
        """Gives all processes what the optimizer kept and the one that leads has read."""
        from gptstudio.runs.freezing import trained

        state = {number: moments[name] for number, (name, _) in enumerate(trained(model)) if name in moments}
        optimizer.load_state_dict({"state": state, "param_groups": optimizer.state_dict()["param_groups"]})

    def leave(self) -> None:
        """The run is over. Not after a failure: the others would take that for its cause."""


ALONE = World()
