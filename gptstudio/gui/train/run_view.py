"""A run as one sees it: curves, figures, samples, checkpoints. Fed by events, live or from a journal."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QSizePolicy, QTabWidget, QVBoxLayout, QWidget

from gptstudio.gui.train.checkpoint_list import CheckpointPane
from gptstudio.gui.train.run_charts import Happened, RunCharts
from gptstudio.gui.train.sample_strip import SampleStrip
from gptstudio.gui.train.step_card import StepCard
from gptstudio.gui.translation import duration, joined, retranslated, size, tr
from gptstudio.gui.widgets.figures import FigureRow
from gptstudio.gui.widgets.parts import card, label, named
from gptstudio.history.anomalies import AnomalyDetector
from gptstudio.history.printed_run import reference_for
from gptstudio.history.run_history import History
from gptstudio.i18n import message
from gptstudio.training.corpus import Plan
from gptstudio.training.events import (
    CheckpointSaved,
    Ended,
    Evaluated,
    Event,
    LearningRateChanged,
    MemoryRead,
    PhaseChanged,
    RunStarted,
    SampleWritten,
    StepDone,
    StepReport,
    Warned,
)
from gptstudio.training.run_metrics import RunMetrics
from gptstudio.training.spec import TrainSpec

PHASES = {
    "loading": message("Loading"), "preparing": message("Preparing the model"), "training": message("Training"),
    "saving": message("Saving"), "paused": message("Paused"),
}
ANOMALY_LABELS = {"jump": message("jump"), "overfitting": message("overfitting")}


class RunView(QWidget):
    """Shows one run. A :class:`RunStarted` at step 0 or :meth:`begin` empties it for the next; one at a later step cuts
    it back to there, for the run goes on."""

    def __init__(self) -> None:
        super().__init__()
        self._spec: TrainSpec | None = None
        self._make_parts()
        self._lay_out()
        self.clear()

    @property
    def started(self) -> RunStarted | None:
        """The run that is shown."""
        return self.metrics.started

    @property
    def last(self) -> StepDone | None:
        """Its last step."""
        return self.metrics.last

    def clear(self) -> None:
        """Empty the view."""
        self.history, self.metrics = History(), RunMetrics()
        self._clear()

    def _clear(self) -> None:
        self._ended = False
        self._detector = AnomalyDetector()
        self._happened: list[Happened] = []
        self._saved: list[CheckpointSaved] = []
        self.charts.show_history(self.history)
        for part in (self.samples, self.examined, self.figures):
            part.clear()
        self.checkpoints.show_checkpoints([])
        self.progress.setValue(0)
        for made in (self.phase, self.saved):
            made.setText("")
        self.say("")
        self.pane.setCurrentWidget(self.samples)

    def expect(self, spec: TrainSpec, plan: Plan) -> None:
        """The run that could be started: an empty view shows the axes of its curves."""
        if not self.started:
            self.charts.expect(spec.tokens_per_step, plan.steps_per_epoch, plan.total_steps)

    def begin(self) -> None:
        """Empty the view for a new run."""
        self.clear()
        self.phase.setText(tr("Loading"))

    def go_on(self) -> None:
        """The run that is shown will go on."""
        self._ended = False
        self.say("")
        self.phase.setText(tr("Loading"))

    def show_spec(self, spec: TrainSpec) -> None:
        """Show the spec of the run; if it equals that of a printed run, that is drawn as a reference."""
        self._spec = spec
        if self.started:
            self.charts.show_reference(reference_for(spec))

    def say(self, words: str) -> None:
        """Something that the user should know; empty takes it away."""
        self.notice.setText(words)
        self.notice.setVisible(bool(words))

    def retranslate(self) -> None:
        """In another language: what happened is marked again with each event."""
        self._happened = [
            replace(each, text=retranslated(each.text), tip=retranslated(each.tip)) for each in self._happened]
        self.charts.show_marks(self._marks())

    def minimumSizeHint(self) -> QSize:
        """Return a minimum size with space for labels of several lines."""
        least, layout = super().minimumSizeHint(), self.layout()
        height = layout.minimumHeightForWidth(max(self.width(), least.width())) if layout else 0
        return QSize(least.width(), max(least.height(), height))

    def sizeHint(self) -> QSize:
        """No higher than it must be, so that the page scrolls only where it has to."""
        return QSize(super().sizeHint().width(), self.minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.updateGeometry()

    def apply(self, events: Sequence[Any]) -> None:
        """Take all that came since the last paint, and paint once."""
        self.history.add(*(event for event in events if isinstance(event, Event)))
        for event in events:
            self.metrics.take(event)
            self._take(event)
            self._watch(event)
        self.charts.show_marks(self._marks())
        self.charts.refresh()
        if self.started and self.last:
            self._show_progress(self.last)

    def _take(self, event: Any) -> None:
        match event:
            case RunStarted():
                self._begin_run(event)
            case StepReport():
                self.examined.show_step(event)
                self.pane.setCurrentWidget(self.examined)
            case Evaluated():
                self._show_losses(event)
            case LearningRateChanged():
                rate = f"{event.learning_rate:g}"
                words = tr("From step {n} on, the learning rate is {rate}.", n=f"{event.step + 1:,}", rate=rate)
                self._happened.append(Happened(event.step - 1, tr("rate {rate}", rate=rate), words))
            case SampleWritten():
                self.samples.add(event.step, event.epoch, event.text)
            case PhaseChanged():
                self.phase.setText(tr(PHASES[event.phase]) if event.phase in PHASES else event.phase)
                self._keep_those_there()
            case MemoryRead():
                self._show_memory()
            case CheckpointSaved():
                self._saved.append(event)
                self.saved.setText(tr("Saved after step {n}", n=f"{event.step + 1:,}"))
            case Warned():
                self.say(event.message)
            case Ended():
                self._show_end(event)

    def _begin_run(self, started: RunStarted) -> None:
        if not started.first_step:
            self._clear()
            self.phase.setText(tr("Loading"))
        self._ended = False
        self._happened = [each for each in self._happened if each.step < started.first_step]
        self._saved = [each for each in self._saved if each.step < started.first_step]
        self._keep_those_there()
        self.samples.truncate(started.first_step)
        self.examined.clear()
        self.charts.begin(started)
        self.charts.show_reference(reference_for(self._spec) if self._spec else None)
        self.progress.setMaximum(started.total_steps)

    def _watch(self, event: Any) -> None:
        """Mark signs that the curves show, such as overfitting, and report them."""
        anomaly = self._detector.update(event)
        if anomaly:
            words = tr(anomaly.message)
            self._happened.append(Happened(anomaly.step, tr(ANOMALY_LABELS[anomaly.kind]), words, "amber"))
            self.say(words)

    def _keep_those_there(self) -> None:
        """A checkpoint may have been removed for a newer one; how many are kept is the run's to know."""
        folder = Path(self.started.run) / "checkpoints" if self.started else None
        if folder and folder.is_dir():
            self._saved = [each for each in self._saved if (folder / Path(each.path).name).is_dir()]
        self.checkpoints.show_checkpoints(self._saved)

    def _marks(self) -> list[Happened]:
        saved = (
            Happened(each.step, "", tr("A checkpoint was saved after step {n}.", n=f"{each.step + 1:,}"))
            for each in self._saved
        )
        return [*self._happened, *saved]

    def _show_losses(self, evaluated: Evaluated) -> None:
        self.figures.show_values(
            training=f"{evaluated.train_loss:.3f}",
            validation=f"{evaluated.val_loss:.3f}",
            perplexity=_perplexity(evaluated.val_loss),
        )

    def _show_memory(self) -> None:
        self.figures.show_values(memory=size(self.metrics.peak_bytes))
        tips = [tr("Peak memory of the whole program, including libraries and the window.")]
        if self.metrics.run_peak_bytes:
            tips.append(tr("Measured for training: up to {much} of it.", much=size(self.metrics.run_peak_bytes)))
        self.figures.show_tip("memory", joined(" ", *tips))

    def _show_end(self, ended: Ended) -> None:
        self._ended = True
        words = {"stopped": tr("Stopped.")}
        if self.last:
            words = {
                "finished": tr("Finished and saved. Try it in Generate."),
                "stopped": tr("Stopped and saved. Try it in Generate."),
            }
        self.phase.setText(words.get(ended.outcome, ""))
        if ended.outcome == "failed":
            self.say(ended.message)

    def _show_progress(self, last: StepDone) -> None:
        self.progress.setValue(last.step + 1)
        speed, left = self.metrics.tokens_per_second, self.metrics.remaining_s
        self.figures.show_values(
            loss=f"{last.loss:.3f}",
            speed="–" if math.isnan(speed) else f"{speed:,.0f}",
            left="–" if math.isnan(left) or self._ended else duration(left),
            rate=f"{last.learning_rate:.4g}",
        )

    def _make_parts(self) -> None:
        self.charts = RunCharts()
        self.figures = FigureRow(
            {
                "loss": tr("Batch loss"), "training": tr("Training loss"), "validation": tr("Validation loss"),
                "perplexity": tr("Val. perplexity"), "speed": tr("Tokens/s"), "left": tr("Time left"),
                "rate": tr("Learning rate"), "memory": tr("Peak memory"),
            },
            "figure", columns=4,
        )
        self.progress = named(QProgressBar(), "progress", tr("Steps done"))
        self.progress.setTextVisible(False)
        self.phase = label(role="muted", name="phase")
        self.saved = label(role="muted", name="saved")
        self.notice = label(role="notice", name="train_notice", wrap=True)
        self.samples, self.examined, self.checkpoints = SampleStrip(), StepCard(), CheckpointPane()
        self.samples.scrubbed.connect(self.charts.point_at)
        self.pane = named(QTabWidget(), "run_pane", tr("Samples, last step, checkpoints"))
        self.pane.setDocumentMode(True)
        self.pane.tabBar().setDrawBase(False)
        for widget, title in (
            (self.samples, tr("Samples")), (self.examined, tr("Step details")), (self.checkpoints, tr("Checkpoints"))
        ):
            self.pane.addTab(widget, title)

    def _lay_out(self) -> None:
        inside = QVBoxLayout(self)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(10)
        curves, curves_layout = card("plot_card")
        curves_layout.addWidget(self.charts, 1)
        inside.addWidget(curves, 5)
        inside.addWidget(self._numbers())
        inside.addWidget(self.pane, 2)

    def _numbers(self) -> QWidget:
        frame, inside = card("figures_card")
        frame.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        state = QHBoxLayout()
        state.addWidget(self.phase)
        state.addStretch(1)
        state.addWidget(self.saved)
        inside.addWidget(self.progress)
        inside.addLayout(state)
        inside.addWidget(self.figures)
        inside.addWidget(self.notice)
        return frame


def _perplexity(loss: float) -> str:
    """e to the loss; a run that diverges has one of hundreds of digits."""
    value = math.exp(min(loss, 700))
    return f"{value:,.0f}" if not value >= 1e7 else f"{value:.1e}"
