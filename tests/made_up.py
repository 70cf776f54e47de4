"""Events of a made-up run: 100 steps of 32 tokens and half a second, four in an epoch. And a user who cancels."""

from typing import Any

from gptstudio.training.control import Stopped
from gptstudio.training.events import Evaluated, RunStarted, StepDone


def started(first_step: int = 0, **changes: Any) -> RunStarted:
    usual = {
        "run": "/a/run", "device": "cpu", "dtype": "fp32", "path": "fast", "parameters": 10, "total_steps": 100,
        "steps_per_epoch": 4, "tokens_per_step": 32,
    }
    return RunStarted(**usual | changes, first_step=first_step)


def step_done(step: int, loss: float = 5.0, **changes: Any) -> StepDone:
    usual = {
        "epoch": step // 4 + 1, "learning_rate": 1e-3, "gradient_norm": 2.0, "tokens_seen": 32 * (step + 1),
        "elapsed_s": 0.5 * (step + 1),
    }
    return StepDone(step=step, loss=loss, **usual | changes)


def evaluated(step: int, train_loss: float, val_loss: float, **changes: Any) -> Evaluated:
    return Evaluated(step=step, train_loss=train_loss, val_loss=val_loss, **{"tokens_seen": 32 * (step + 1)} | changes)


def cancel(*_: object) -> None:
    """Receive the progress of some work, and cancel it."""
    raise Stopped
