"""Base of the optimizers: the settings, how torch builds it, its state, its memory, and its lines of a script.

No torch at import: the settings and the sizes are needed before it is loaded.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.memory import OptimizerMemory
from gptstudio.gpt.sizing import Part

if TYPE_CHECKING:
    from torch import nn
    from torch.optim import Optimizer

Named = Sequence[tuple[str, "nn.Parameter"]]
Shape = tuple[int, ...]


@dataclass(frozen=True)
class Script:
    """Lines of the exported script.

    Attributes:
        build: make ``optimizer``, and a second one if need be.
        rate: follow the line that sets the learning rate of ``optimizer``.
        step: follow ``optimizer.step()``.
    """

    build: str
    rate: str = ""
    step: str = ""


@dataclass(frozen=True)
class OptimizerKind(ABC):
    """Optimizer with the values of its settings.

    Attributes:
        name: in JSON and on the command line.
        label: for display.
        fields: its settings by name: label, help and range, as :func:`gptstudio.fields.setting` makes it.
        high_rate: a learning rate above this is high for it on a GPT-2.
        shardable: whether it can update a matrix of which a process holds only some rows.
    """

    name: ClassVar[str]
    label: ClassVar[str]
    fields: ClassVar[Mapping[str, Any]]
    high_rate: ClassVar[float]
    shardable: ClassVar[bool] = True

    @abstractmethod
    def build(self, weights: Named, learning_rate: float, fused: bool) -> Optimizer:
        """Return torch's optimizer of these parameters. ``fused``: in one kernel, where it has one.

        Where a group of parameters has its own multiple of the learning rate, this is its ``rate_ratio``.
        """

    @abstractmethod
    def state_shapes(self, name: str, shape: Shape) -> dict[str, Shape]:
        """Return the shapes of the tensors that it keeps for a parameter after a step, by torch's names. All are
        float32."""

    @abstractmethod
    def memory(self, cfg: GPTConfig, freeze: Collection[Part] = (), freeze_blocks: int = 0) -> OptimizerMemory:
        """Return the bytes that it holds to train a model."""

    def cost_settings(self) -> dict[str, Any]:
        """Return settings that cost the same memory and time, as simple as possible."""
        return {}

    @abstractmethod
    def script(self, matrices: bool) -> Script:
        """Return its lines of the exported script. ``matrices``: whether matrices inside the blocks are trained."""


def hidden_matrix(name: str, shape: Shape) -> bool:
    """Return whether a parameter is a matrix inside a block."""
    return name.startswith("trf_blocks.") and len(shape) == 2
