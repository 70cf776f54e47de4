"""A run as one sees it: curves, samples, what a step did, checkpoints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QPushButton, QTabWidget, QWidget

from gptstudio.app.passages import Passage, open_passage
from gptstudio.app.shown_run import ShownRun
from gptstudio.app.state import AppState
from gptstudio.gui.appearance import follow
from gptstudio.gui.controllers.training import TrainingController
from gptstudio.gui.train.checkpoint_pane import CheckpointPane
from gptstudio.gui.train.run_charts import Happened, RunCharts
from gptstudio.gui.train.sample_strip import SampleStrip
from gptstudio.gui.train.step_card import StepCard
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.layouts import card, grows, holding, vbox
from gptstudio.gui.widgets.parts import named
from gptstudio.history.printed_run import reference_for
from gptstudio.training.events import (
    CheckpointSaved,
    CopiesFound,
    PhaseChanged,
    RunStarted,
    SampleWritten,
    StepReport,
)


class RunView(QWidget):
    """View of the run that the state shows. The start of a run at a later step than 0 cuts it back to there."""

    def __init__(self, state: AppState, controller: TrainingController) -> None:
        super().__init__()
        self._state, self._controller = state, controller
        self._saved: list[CheckpointSaved] = []
        self._make_parts()
        self._lay_out()
        controller.restarted.connect(self.restart)
        controller.events_arrived.connect(self.apply)
        controller.checkpoints.changed.connect(self._show_checkpoints)
        state.on(self._expect, "spec", "text_check")
        self.restart()
        follow(self, self._show_marks)

    @property
    def run(self) -> ShownRun:
        """The run that is shown."""
        return self._state.run

    def offer(self, start: QPushButton) -> None:
        """Show a button beside the tabs of the pane while there is no run to fill them."""
        self.pane.setCornerWidget(start)
        self._show_offer()

    def restart(self) -> None:
        """Show another run, or the same from its beginning."""
        self._clear()
        self._expect()

    def _clear(self) -> None:
        self._saved = []
        self.charts.show_history(self.run.history)
        for part in (self.samples, self.examined):
            part.clear()
        self.checkpoints.show_checkpoints([])
        self.pane.setCurrentWidget(self.samples)
        self._show_offer()

    def _expect(self) -> None:
        """An empty view shows the axes of the curves of the run that could be started."""
        spec, check = self._state.spec, self._state.text_check
        if spec and check and check.plan and not self.run.started:
            self.charts.expect(spec.tokens_per_step, check.plan.steps_per_epoch, check.plan.total_steps)

    def _show_marks(self) -> None:
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
        """Show all that came since the last paint, and paint once."""
        for event in events:
            self._take(event)
        if not events:
            return
        self._show_marks()
        self.charts.refresh()

    def _take(self, event: Any) -> None:
        match event:
            case RunStarted():
                self._begin_run(event)
            case StepReport():
                self.examined.show_step(event)
                self.pane.setCurrentWidget(self.examined)
            case SampleWritten():
                self.samples.add(event.step, event.epoch, event.text)
            case CopiesFound():
                self.samples.add_copies(event)
            case PhaseChanged() | CheckpointSaved():
                self._show_checkpoints()

    def _open_passage(self, words: str) -> None:
        if self.run.folder:
            open_passage(self._state, Passage(self.run.folder.path, words))

    def _show_checkpoints(self) -> None:
        self._saved = self.run.checkpoints()
        self.checkpoints.show_checkpoints(self._saved)
        self._show_marks()
        self._show_offer()

    def _show_offer(self) -> None:
        if corner := self.pane.cornerWidget():
            corner.setVisible(not self.run.started)

    def _begin_run(self, started: RunStarted) -> None:
        if not started.first_step:
            self._clear()
        self._show_checkpoints()
        self.samples.truncate(started.first_step)
        self.examined.clear()
        if self.pane.currentWidget() is self.examined:  # what it showed is gone
            self.pane.setCurrentWidget(self.samples)
        self.charts.begin(started)
        self.charts.show_reference(reference_for(self.run.spec) if self.run.spec else None)

    def _marks(self) -> list[Happened]:
        marks = (Happened(each.step, tr(each.text), tr(each.tip), each.role) for each in self.run.marks())
        saved = (
            Happened(each.step, "", tr("A checkpoint was saved after step {n}.", n=f"{each.step + 1:,}"))
            for each in self._saved
        )
        return [*marks, *saved]

    def _make_parts(self) -> None:
        self.charts = RunCharts()
        self.samples, self.examined = SampleStrip(), StepCard()
        self.checkpoints = CheckpointPane(self._state, self._controller)
        self.samples.scrubbed.connect(self.charts.point_at)
        self.samples.passage_wanted.connect(self._open_passage)
        self.pane = named(QTabWidget(), "run_pane", tr("Samples, last step, checkpoints"))
        self.pane.setDocumentMode(True)
        self.pane.tabBar().setDrawBase(False)
        for widget, title in (
            (self.samples, tr("Samples")), (self.examined, tr("Step details")), (self.checkpoints, tr("Checkpoints"))
        ):
            self.pane.addTab(widget, title)

    def _lay_out(self) -> None:
        self.curves = card(grows(self.charts), name="plot_card", margins=(14, 8, 14, 8))
        holding(self, vbox(grows(self.curves, 5), grows(self.pane, 2), spacing=8))

