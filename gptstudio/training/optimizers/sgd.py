"""Stochastic gradient descent with momentum (Polyak, 1964; Sutskever et al., 2013), as in torch.optim.SGD."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from gptstudio.fields import setting
from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.memory import OptimizerMemory
from gptstudio.gpt.sizing import FLOAT32, Part, trained_count
from gptstudio.training.optimizers.optimizer_kind import Named, OptimizerKind, Script, Shape

if TYPE_CHECKING:
    from torch.optim import Optimizer


@dataclass(frozen=True)
class SGDKind(OptimizerKind):
    """Follows the sum of all previous gradients, in which older ones decay exponentially."""

    momentum: float
    nesterov: bool
    l2_penalty: float

    name, label, high_rate = "sgd", "SGD", 0.1
    fields: ClassVar[Mapping[str, Any]] = {
        "momentum": setting(
            0.9, "Momentum",
            "With SGD: how much of its previous step each step keeps. 0: plain gradient descent, which keeps no state.",
            low=0.0, high=0.9999, step=0.05, group="Optimizer",
        ),
        "nesterov": setting(
            False, "Nesterov momentum",
            "With SGD: takes the gradient one momentum step further ahead (Nesterov, 1983).", group="Optimizer",
        ),
        "l2_penalty": setting(
            0.0, "L2 penalty",
            "With SGD: this multiple of each weight is added to its gradient, so its effect grows with momentum. "
            "torch.optim.SGD calls it weight_decay.",
            low=0.0, high=10.0, step=0.0001, group="Optimizer",
        ),
    }

    def build(self, weights: Named, learning_rate: float, fused: bool) -> Optimizer:
        """Return torch's optimizer; ``fused`` is ignored, because torch's fused kernel cannot be sharded."""
        from gptstudio.training import optimizer

        return optimizer.SGD(
            [weight for _, weight in weights], lr=learning_rate, momentum=self.momentum,
            nesterov=self.nesterov, weight_decay=self.l2_penalty, foreach=False,
        )

    def state_shapes(self, name: str, shape: Shape) -> dict[str, Shape]:
        return {"momentum_buffer": shape} if self.momentum else {}

    def memory(self, cfg: GPTConfig, freeze: Collection[Part] = (), freeze_blocks: int = 0) -> OptimizerMemory:
        kept = FLOAT32 * trained_count(cfg, freeze, freeze_blocks) if self.momentum else 0
        count = int(self.nesterov or self.l2_penalty > 0)
        return OptimizerMemory(state=kept, reference_copies=count, fast_copies=count)

    def cost_settings(self) -> dict[str, Any]:
        return {"momentum": 0.9 if self.momentum else 0.0, "nesterov": self.nesterov or self.l2_penalty > 0}

    def script(self, matrices: bool) -> Script:
        decay = f", weight_decay={self.l2_penalty}" if self.l2_penalty else ""
        more = f"{decay}, nesterov=True" if self.nesterov else decay
        return Script(f"optimizer = torch.optim.SGD(model.parameters(), RATE, {self.momentum}{more})")
