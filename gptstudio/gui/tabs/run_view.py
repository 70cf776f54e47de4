"""A run as one sees it: the curves, the figures, the samples. Fed by events, live or from a journal."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QProgressBar, QSizePolicy, QVBoxLayout, QWidget

from gptstudio.gui.widgets.figures import Figures
from gptstudio.gui.widgets.loss_plot import LossPlot
from gptstudio.gui.widgets.parts import card, label, named
from gptstudio.gui.words import duration, size, tr
from gptstudio.runs.events import (
    CheckpointSaved,
    Ended,
    Evaluated,
    MemoryRead,
    PhaseChanged,
    RunStarted,
    SampleWritten,
    StepDone,
    Warned,
)

PHASES = {
    "loading": "Loading", "preparing": "Preparing the model", "training": "Training",
    "saving": "Saving", "paused": "Paused",
}
RECENT_STEPS = 20
"""Steps over which the speed is taken."""


class RunView(QWidget):
    """Shows one run; a new :class:`RunStarted` or :meth:`begin` empties it for the next."""

    def __init__(self) -> None:
        super().__init__()
        self._started: RunStarted | None = None
        self._recent: list[StepDone] = []
        self._ended = False
        self._make_parts()
        self._lay_out()

    def begin(self) -> None:
        """Empties the view for a new run."""
        self._started, self._recent, self._ended = None, [], False
        self.plot.clear()
        self.samples.clear()
        self.figures.clear()
        self.progress.setValue(0)
        self.phase.setText(tr("Loading"))
        self.saved.setText("")
        self.notice.setText("")

    def apply(self, messages: Sequence[Any]) -> None:
        """Takes all that came since the last paint, and paints once."""
        for message in messages:
            self._take(message)
        self.plot.refresh()
        if self._started and self._recent:
            self._show_progress(self._started, self._recent[-1])

    def _take(self, message: Any) -> None:
        match message:
            case RunStarted():
                self.begin()
                self._started = message
                per_epoch = message.steps_per_epoch * message.tokens_per_step
                self.plot.begin(per_epoch, message.total_steps * message.tokens_per_step)
                self.progress.setMaximum(message.total_steps)
            case StepDone():
                self.plot.add_step(message)
                self._recent = [*self._recent[1 - RECENT_STEPS :], message]
            case Evaluated():
                self.plot.add_evaluation(message)
                self._show_losses(message)
            case SampleWritten():
                compact = " ".join(message.text.split("\n"))  # as the seeds print it
                self.samples.appendPlainText(tr("Epoch {n}", n=message.epoch) + "   " + compact)
            case PhaseChanged():
                self.phase.setText(tr(PHASES.get(message.phase, message.phase)))
            case MemoryRead():
                self.figures.show_values(memory=size(message.peak_bytes))
            case CheckpointSaved():
                self.saved.setText(tr("Saved after {n} steps", n=f"{message.step + 1:,}"))
            case Warned():
                self.notice.setText(tr(message.words))
            case Ended():
                self._show_end(message)

    def _show_losses(self, evaluated: Evaluated) -> None:
        self.figures.show_values(
            training=f"{evaluated.train_loss:.3f}",
            validation=f"{evaluated.val_loss:.3f}",
            perplexity=f"{math.exp(min(evaluated.val_loss, 700)):,.0f}",
        )

    def _show_end(self, ended: Ended) -> None:
        self._ended = True
        words = {"stopped": tr("Stopped.")}
        if self._recent:
            words = {
                "finished": tr("Finished. The model is kept; the Generate tab has it."),
                "stopped": tr("Stopped. The model is kept as it was; the Generate tab has it."),
            }
        self.phase.setText(words.get(ended.outcome, ""))
        if ended.outcome == "failed":
            self.notice.setText(tr(ended.words))

    def _show_progress(self, started: RunStarted, last: StepDone) -> None:
        self.progress.setValue(last.step + 1)
        speed = _tokens_per_second(self._recent)
        left = (started.total_steps - last.step - 1) * started.tokens_per_step
        self.figures.show_values(
            step=f"{last.step + 1:,} / {started.total_steps:,}",
            epoch=f"{last.epoch:,} / {-(-started.total_steps // started.steps_per_epoch):,}",
            loss=f"{last.loss:.3f}",
            speed=f"{speed:,.0f}" if speed else "–",
            left=duration(left / speed) if speed and not self._ended else "–",
            rate=f"{last.learning_rate:g}",
        )

    def _make_parts(self) -> None:
        self.plot = LossPlot()
        self.figures = Figures(
            {
                "step": tr("Step"), "epoch": tr("Epoch"), "loss": tr("This step"), "training": tr("Training"),
                "validation": tr("Validation"), "perplexity": tr("Val. perplexity"), "speed": tr("Tokens/s"),
                "left": tr("Time left"), "rate": tr("Learning rate"), "memory": tr("Peak memory"),
            },
            "figure", columns=5,
        )
        self.progress = named(QProgressBar(), "progress", tr("Steps done"))
        self.progress.setTextVisible(False)
        self.phase = label(role="muted", name="phase")
        self.saved = label(role="muted", name="saved")
        self.notice = label(role="notice", name="train_notice", wrap=True)
        self.samples = named(QPlainTextEdit(), "samples", tr("What the model writes after each epoch"))
        self.samples.setReadOnly(True)
        self.samples.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
        self.samples.setMinimumHeight(70)
        self.samples.setPlaceholderText(tr("After each epoch the model writes a sample here."))

    def _lay_out(self) -> None:
        inside = QVBoxLayout(self)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(10)
        plot, plot_layout = card("plot_card")
        plot_layout.addWidget(self.plot, 1)
        inside.addWidget(plot, 5)
        inside.addWidget(self._numbers())
        inside.addWidget(self.samples, 2)

    def _numbers(self) -> QWidget:
        frame, inside = card("figures_card")
        state = QHBoxLayout()
        state.addWidget(self.phase)
        state.addStretch(1)
        state.addWidget(self.saved)
        inside.addWidget(self.progress)
        inside.addLayout(state)
        inside.addWidget(self.figures)
        inside.addWidget(self.notice)
        return frame


def _tokens_per_second(recent: list[StepDone]) -> float:
    """Over the last steps; 0 where there are not two."""
    if len(recent) < 2:
        return 0.0
    first, last = recent[0], recent[-1]
    return (last.tokens_seen - first.tokens_seen) / max(last.elapsed_s - first.elapsed_s, 1e-9)
