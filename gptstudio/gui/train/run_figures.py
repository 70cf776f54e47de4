"""Figures of the run that is shown, in one row: losses, speed, time left, learning rate, memory."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from gptstudio.app.state import AppState
from gptstudio.gui.controllers.training import TrainingController
from gptstudio.gui.translation import duration, joined, size, tr
from gptstudio.gui.widgets.figures import FigureRow
from gptstudio.training.events import Evaluated, MemoryRead, RunStarted, StepDone


class RunFigures(FigureRow):
    """Row of figures, which follows the events of the run."""

    def __init__(self, state: AppState, controller: TrainingController) -> None:
        super().__init__(
            {
                "loss": tr("Batch loss"), "training": tr("Training loss"), "validation": tr("Validation loss"),
                "perplexity": tr("Val. perplexity"), "speed": tr("Tokens/s"), "left": tr("Time left"),
                "rate": tr("Learning rate"), "memory": tr("Memory"),
            },
            "figure",
            terms={"loss": "batch-loss", "training": "training-loss", "validation": "validation-loss",
                   "perplexity": "perplexity", "rate": "learning-rate"},
        )
        self._state = state
        controller.restarted.connect(self.clear)
        controller.events_arrived.connect(self._apply)

    def _apply(self, events: Sequence[Any]) -> None:
        for event in events:
            match event:
                case RunStarted(first_step=0):
                    self.clear()
                case Evaluated():
                    self._show_losses(event)
                case MemoryRead():
                    self._show_memory()
        run = self._state.run
        if events and run.started and run.last:
            self._show_progress(run.last)

    def _show_losses(self, evaluated: Evaluated) -> None:
        self.show_values(
            training=f"{evaluated.train_loss:.3f}",
            validation=f"{evaluated.val_loss:.3f}",
            perplexity=_perplexity(evaluated.val_loss),
        )

    def _show_memory(self) -> None:
        metrics = self._state.run.metrics
        whole = tr("Peak memory of the whole program, including libraries and the window: {much}.",
                   much=size(metrics.peak_bytes))
        if metrics.run_peak_bytes:
            self.show_values(memory=size(metrics.run_peak_bytes))
            needed = tr(
                "Most memory that training needed, as in the estimate. On a CPU, memory for what else the program did "
                "meanwhile is included.")
            self.show_tip("memory", joined(" ", needed, whole))
        else:  # a run of version 0.1 did not measure it
            self.show_values(memory=size(metrics.peak_bytes))
            self.show_tip("memory", whole)

    def _show_progress(self, last: StepDone) -> None:
        metrics = self._state.run.metrics
        speed, left = metrics.tokens_per_second, metrics.remaining_s
        self.show_values(
            loss=f"{last.loss:.3f}",
            speed="–" if math.isnan(speed) else f"{speed:,.0f}",
            left="–" if math.isnan(left) or self._state.run.ended else duration(left),
            rate=f"{last.learning_rate:.4g}",
        )


def _perplexity(loss: float) -> str:
    """e to the loss; a run that diverges has one of hundreds of digits."""
    value = math.exp(min(loss, 700))
    return f"{value:,.0f}" if not value >= 1e7 else f"{value:.1e}"
