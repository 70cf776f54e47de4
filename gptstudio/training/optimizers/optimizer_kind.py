"""Base class of the optimizers: settings, construction in torch, state, memory, and lines of the exported script.

torch is not imported here, because settings and sizes are needed before it is loaded.
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
        build: lines that create ``optimizer``, and a second one if needed.
        rate: lines after the one that sets the learning rate of ``optimizer``.
        step: lines after ``optimizer.step()``.
    """

    build: str
    rate: str = ""
    step: str = ""


@dataclass(frozen=True)
class OptimizerKind(ABC):
    """Optimizer with the values of its settings.

    Attributes:
        name: name in JSON and on the command line.
        label: display name.
        fields: its settings by name, made by :func:`gptstudio.fields.setting`.
        high_rate: learning rates above this are high for a GPT-2.
        shardable: True if it can update a matrix when a process holds only some of its rows.
    """

    name: ClassVar[str]
    label: ClassVar[str]
    fields: ClassVar[Mapping[str, Any]]
    high_rate: ClassVar[float]
    shardable: ClassVar[bool] = True

    @abstractmethod
    def build(self, weights: Named, learning_rate: float, fused: bool) -> Optimizer:
        """Return torch's optimizer for these parameters. ``fused``: use the fused kernel if there is one.

        A parameter group whose learning rate is a multiple of the common one has the factor as ``rate_ratio``.
        """

    @abstractmethod
    def state_shapes(self, name: str, shape: Shape) -> dict[str, Shape]:
        """Return the shapes of the state tensors of a parameter after a step, by torch's names; all are float32."""

    @abstractmethod
    def memory(self, cfg: GPTConfig, freeze: Collection[Part] = (), freeze_blocks: int = 0) -> OptimizerMemory:
        """Return the memory that the optimizer needs to train a model."""

    def lower_rate(self, rate: float) -> float:
        """Return the learning rate to try after training has diverged with ``rate``: a tenth, or less if that would
        still be high."""
        return min(rate / 10, self.high_rate)

    def cost_settings(self) -> dict[str, Any]:
        """Return simplified settings with the same cost in memory and time."""
        return {}

    @abstractmethod
    def script(self, matrices: bool) -> Script:
        """Return the lines of the exported script. ``matrices``: True if matrices inside the blocks are trained."""


def hidden_matrix(name: str, shape: Shape) -> bool:
    """Return whether a parameter is a matrix inside a block."""
    return name.startswith("trf_blocks.") and len(shape) == 2
