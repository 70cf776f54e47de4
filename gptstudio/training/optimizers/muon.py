"""Muon for the matrices inside the blocks (Jordan, 2024, kellerjordan.github.io/posts/muon), AdamW for everything else.

The update of a matrix is scaled to the usual size of AdamW's (Liu et al., "Muon is Scalable for LLM Training", 2025,
§2.2), so that both can share one learning rate and one weight decay.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from gptstudio.fields import setting
from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.memory import OptimizerMemory
from gptstudio.gpt.sizing import BFLOAT16, FLOAT32, Part, trained, trained_count
from gptstudio.training.optimizers.adamw import AdamWKind
from gptstudio.training.optimizers.optimizer_kind import Named, OptimizerKind, Script, Shape, hidden_matrix

if TYPE_CHECKING:
    from torch.optim import Optimizer

SCALE = "match_rms_adamw"
"""torch's name for the scale of 0.2 times the square root of the longer side."""

RATE = 'optimizer.param_groups[0]["lr"]'
"""Expression for the learning rate of a step in the exported script."""


@dataclass(frozen=True)
class MuonKind(OptimizerKind):
    """Replaces the momentum of a matrix by the nearest matrix with equal singular values."""

    weight_decay: float
    beta1: float
    beta2: float
    muon_momentum: float
    matrix_rate_ratio: float

    name, label, high_rate, shardable = "muon", "Muon", 3e-3, False
    fields: ClassVar[Mapping[str, Any]] = {
        **AdamWKind.fields,
        "muon_momentum": setting(
            0.95, "Muon momentum", "With Muon: how much of the previous direction of a matrix it keeps.",
            low=0.0, high=0.9999, step=0.01, group="Optimizer",
        ),
        "matrix_rate_ratio": setting(
            1.0, "Matrix rate ratio",
            "With Muon: the learning rate of the matrices inside the blocks, as a multiple of the learning rate, "
            "which all else uses.",
            low=0.01, high=100.0, step=0.5, group="Optimizer",
        ),
    }

    @property
    def others(self) -> AdamWKind:
        """Optimizer of all parameters that are not matrices inside the blocks."""
        return AdamWKind(self.weight_decay, self.beta1, self.beta2)

    def build(self, weights: Named, learning_rate: float, fused: bool) -> Optimizer:
        import torch

        from gptstudio.training import optimizer

        matrices = [weight for name, weight in weights if hidden_matrix(name, tuple(weight.shape))]
        others = [(name, weight) for name, weight in weights if not hidden_matrix(name, tuple(weight.shape))]
        parts: list[Optimizer] = []
        if matrices:
            ratio = self.matrix_rate_ratio
            parts.append(torch.optim.Muon(
                [{"params": matrices, "rate_ratio": ratio}], ratio * learning_rate, self.weight_decay,
                self.muon_momentum, adjust_lr_fn=SCALE,
            ))
        if others:
            parts.append(self.others.build(others, learning_rate, fused))
        return parts[0] if len(parts) == 1 else optimizer.CombinedOptimizer(parts)

    def state_shapes(self, name: str, shape: Shape) -> dict[str, Shape]:
        return {"momentum_buffer": shape} if hidden_matrix(name, shape) else self.others.state_shapes(name, shape)

    def memory(self, cfg: GPTConfig, freeze: Collection[Part] = (), freeze_blocks: int = 0) -> OptimizerMemory:
        """Return the memory, which includes, during the update of a matrix, its update in float32, three copies in
        bf16, and three d × d products."""
        changed, d, blocks = trained(cfg, freeze, freeze_blocks), cfg.emb_dim, cfg.n_layers - freeze_blocks
        sides = 4 if changed.feed_forward else 1 if changed.attention else 0
        matrices = blocks * d * d * ((4 if changed.attention else 0) + (8 if changed.feed_forward else 0))
        return OptimizerMemory(
            state=FLOAT32 * (2 * trained_count(cfg, freeze, freeze_blocks) - matrices),
            pieces=((1, FLOAT32 * sides * d * d), (3, BFLOAT16 * sides * d * d), (3, BFLOAT16 * d * d if sides else 0)),
        )

    def script(self, matrices: bool) -> Script:
        if not matrices:
            return self.others.script(matrices)
        return Script(
            "matrices = [w for w in model.layers.parameters() if w.ndim == 2 and w.requires_grad]\n"
            "others = [w for w in model.parameters() if all(w is not each for each in matrices)]\n"
            f"optimizer = torch.optim.AdamW(others, RATE, {self.beta1, self.beta2}, weight_decay={self.weight_decay})\n"
            f"muon = torch.optim.Muon(matrices, {self._rate('RATE')}, {self.weight_decay}, {self.muon_momentum},\n"
            f'                        adjust_lr_fn="{SCALE}")',
            rate=f'    muon.param_groups[0]["lr"] = {self._rate(RATE)}\n',
            step="    muon.step()\n",
        )

    def _rate(self, rate: str) -> str:
        """Return an expression for the learning rate of the matrices."""
        return rate if self.matrix_rate_ratio == 1 else f"{self.matrix_rate_ratio} * {rate}"
