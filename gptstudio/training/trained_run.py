"""Result of a training run: its folder and its last losses. No torch."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

from gptstudio.training.events import CheckpointSaved, Evaluated, Event, Outcome, RunStarted, StepDone


@dataclass
class TrainedRun:
    """Run that has ended. It can be passed to functions that take a path, as the path of its folder.

    Attributes:
        path: folder of the run, with its log and its checkpoints; empty if the run was stopped before it had one.
        outcome: ``finished``, or ``stopped`` by a :class:`gptstudio.training.control.Control`.
        steps: number of updates of the weights.
        loss: loss of the last batch, in nats per token, with dropout. This and the following losses are NaN if there
            was none.
        train_loss, val_loss: losses of the last evaluation, in nats per token, without dropout.
        best_val_loss: lowest validation loss of all evaluations.
        checkpoint: folder of the last checkpoint; None if none was saved.
    """

    path: Path = Path()
    outcome: Outcome = "finished"
    steps: int = 0
    loss: float = math.nan
    train_loss: float = math.nan
    val_loss: float = math.nan
    best_val_loss: float = math.nan
    checkpoint: Path | None = None

    def __fspath__(self) -> str:
        return str(self.path)

    def take(self, event: Event) -> None:
        """Process the next event of the run."""
        match event:
            case RunStarted():
                self.path = Path(event.run)
            case StepDone():
                self.steps, self.loss = event.step + 1, event.loss
            case Evaluated():
                self.train_loss, self.val_loss = event.train_loss, event.val_loss
                if math.isnan(self.best_val_loss) or event.val_loss < self.best_val_loss:
                    self.best_val_loss = event.val_loss
            case CheckpointSaved():
                self.checkpoint = Path(event.path)
