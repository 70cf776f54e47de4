"""The Runs page: the list, the overlaid curves, and the actions on a run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtGui import QAction

from gptstudio.gui.widgets.tables import rows_of
from gptstudio.training.run_folder import RunFolder
from pages.page import Inside, Named, Page, column


class RunsPage(Page):
    """Runs of this window and of other processes."""

    place = "runs"
    list, to_train_button = Named("run_list"), Named("runs_to_train")
    is_empty = Inside("empty.isVisible")
    """True if the notice of an empty list is shown in its place."""
    listed, listed_runs = Inside("model.find"), Inside("model.runs")
    """The run in the list with this path, or None; and all runs of the list."""
    tick, ticked = Inside("model.tick"), Inside("model.ticks")
    select, check_again, current = Inside("list.select"), Inside("refresh"), Inside("list.current")
    tell = Inside("_say")
    """Show a notice above the list."""
    compare, table = Inside("compare"), Inside("differences.table")
    """The charts with their settings, and the table of values at the pointer."""

    def show(self, *runs: RunFolder) -> None:
        """Open the page, wait for the list, and tick these runs; select the last of them."""
        self.user.go_to("runs")
        for run in runs:
            self.user.wait(lambda run=run: self.listed(run.path))
            self.tick(run.path, True)
            self.select(run.path)
        self.user.wait(lambda: all(self.losses(run) for run in runs))

    def choose(self, run: RunFolder) -> None:
        """Go to the page, and select a run there."""
        self.user.go_to("runs")
        self.user.wait(lambda: self.listed(run.path))
        self.select(run.path)

    def open(self, run: RunFolder) -> None:
        """Open the run on Train."""
        self.choose(run)
        self.user.click(self.find("run_open"))

    def says(self, words: str) -> None:
        """Wait until the notice above the list contains these words."""
        self.user.wait(lambda: words in self.reads("runs_notice"))

    def action(self, name: str) -> QAction:
        return self.user.window.actions_of[f"run_{name}"]

    def act(self, name: str) -> None:
        """Trigger an action on the selected run."""
        assert self.action(name).isEnabled(), self.action(name).toolTip()
        self.action(name).trigger()

    def rename(self, title: str) -> None:
        """Rename the selected run, also where the window disables the action."""
        self.widget.operations.rename(self.widget.list.current(), title)

    def curve(self, run: RunFolder | Path, name: str = "val_loss") -> Any:
        return self.compare.charts["loss"].curves.get(f"{getattr(run, 'path', run)}|{name}")

    def losses(self, run: RunFolder | Path, name: str = "val_loss") -> list[float]:
        """Return the values of a curve of a run; an empty list where it is not drawn."""
        curve = self.curve(run, name)
        return curve.series.y[:].tolist() if curve else []

    def hover(self, x: float | None, chart: str = "loss") -> None:
        """Point at an x of a chart; None: off the chart."""
        self.compare.charts[chart].hovered.emit(x)

    @property
    def headings(self) -> list[str]:
        """Headings of the table below the charts."""
        return next(rows_of(self.table))

    def row(self, run: RunFolder) -> int:
        return [each.path for each in self.compare.runs].index(run.path)

    def cell(self, run: RunFolder, heading: str) -> str:
        """Return the text of a run in that table."""
        return column(self.table, heading)[self.row(run)]
