"""AdamW (Loshchilov and Hutter, 2019; book §5.2)."""

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
class AdamWKind(OptimizerKind):
    """Divides a moving average of the gradients by the root of the moving average of their squares; decoupled decay."""

    weight_decay: float
    beta1: float
    beta2: float

    name, label, high_rate = "adamw", "AdamW", 1e-3
    fields: ClassVar[Mapping[str, Any]] = {
        "weight_decay": setting(
            0.1, "Weight decay", "How strongly AdamW and Muon pull every weight towards zero, beside the gradient.",
            low=0.0, high=10.0, step=0.01, group="Optimizer",
        ),
        "beta1": setting(
            0.9, "Beta 1", "How much of the previous direction AdamW keeps from step to step.",
            low=0.0, high=0.999999, step=0.01, group="Optimizer",
        ),
        "beta2": setting(
            0.999, "Beta 2", "How much of the size of past gradients AdamW remembers.",
            low=0.0, high=0.999999, step=0.001, group="Optimizer",
        ),
    }

    def build(self, weights: Named, learning_rate: float, fused: bool) -> Optimizer:
        from gptstudio.training import optimizer

        return optimizer.AdamW(
            (weight for _, weight in weights), lr=learning_rate, betas=(self.beta1, self.beta2),
            weight_decay=self.weight_decay, fused=fused,
        )

    def state_shapes(self, name: str, shape: Shape) -> dict[str, Shape]:
        return {"step": (), "exp_avg": shape, "exp_avg_sq": shape}

    def memory(self, cfg: GPTConfig, freeze: Collection[Part] = (), freeze_blocks: int = 0) -> OptimizerMemory:
        return OptimizerMemory(state=2 * FLOAT32 * trained_count(cfg, freeze, freeze_blocks))

    def script(self, matrices: bool) -> Script:
        betas = self.beta1, self.beta2
        return Script(
            f"optimizer = torch.optim.AdamW(model.parameters(), RATE, {betas}, weight_decay={self.weight_decay})")
