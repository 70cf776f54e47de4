"""Learning-rate schedule: constant, or a linear warm-up followed by half a cosine. No torch.

Loshchilov and Hutter, "SGDR: Stochastic Gradient Descent with Warm Restarts" (2017), without the restarts.
"""

from __future__ import annotations

import math

from gptstudio.training.spec import TrainSpec


def learning_rate(spec: TrainSpec, step: int, total_steps: int, peak: float | None = None) -> float:
    """Return the learning rate of ``step``, which counts from 0.

    Args:
        peak: replaces the spec's learning rate if it was changed while the run was paused.
    """
    peak = spec.learning_rate if peak is None else peak
    if spec.schedule == "constant":
        return peak
    if step < spec.warmup_steps:
        return peak * (step + 1) / spec.warmup_steps
    lowest = min(spec.min_learning_rate, peak)
    progress = (step - spec.warmup_steps) / max(1, total_steps - 1 - spec.warmup_steps)
    return lowest + (peak - lowest) * (1 + math.cos(math.pi * progress)) / 2
