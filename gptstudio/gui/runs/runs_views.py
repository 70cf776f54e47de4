"""The two views of the Runs page: all runs, or the sweeps."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QWidget

from gptstudio.app.state import AppState
from gptstudio.gui.controllers.sweeps import SweepController
from gptstudio.gui.forms.segments import Segments
from gptstudio.gui.runs.sweeps.sweep_view import SweepView
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.layouts import TOP, aligned, grows, hbox, holding, vbox
from gptstudio.training.sweep_folder import SweepFolder

RUNS, SWEEPS = range(2)


class RunsViews(QWidget):
    """Switches between the runs, of which there may be none yet, and the sweeps."""

    def __init__(
        self, state: AppState, controller: SweepController, bar: QWidget, full: QWidget, empty: QWidget
    ) -> None:
        """``bar``: the buttons of the list of runs, ``full``; ``empty``: what stands in its place without runs."""
        super().__init__()
        self._state, self._bar, self._pages, self._page = state, bar, (full, empty), full
        self.segments = Segments("runs_view", (tr("Runs"), tr("Sweeps")), tr(
            "All runs, or those that differ in a setting: their queue and their results"))
        self.sweeps = SweepView(state, controller)
        controller.added.connect(self.show_sweep)
        self.segments.chosen.connect(self._show)
        self.sweeps.run_chosen.connect(self._show_run)
        head = hbox(aligned(self.segments, TOP), grows(bar), grows(self.sweeps.controls), spacing=16)
        holding(self, vbox(head, grows(full), grows(empty), grows(self.sweeps), spacing=8))
        self._show()

    def turn(self, page: QWidget) -> None:
        """Show the runs, or that there are none yet, where the sweeps are not shown."""
        self._page = page
        self._show()

    def show_sweep(self, sweep: SweepFolder) -> None:
        """Show a sweep in place of the runs."""
        self.segments.choose(SWEEPS)
        self.sweeps.select(sweep)

    def _show_run(self, run: Path) -> None:
        self.segments.choose(RUNS)
        self._state.run_requested.emit(run)

    def _show(self) -> None:
        sweeps = self.segments.index() == SWEEPS
        for page in self._pages:
            page.setVisible(page is self._page and not sweeps)
        self._bar.setVisible(self._page is self._pages[0] and not sweeps)
        self.sweeps.setVisible(sweeps)
        self.sweeps.controls.setVisible(sweeps)
