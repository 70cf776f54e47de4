"""The Runs page: the list, the curves laid over each other, and what is done with a run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtGui import QAction

from gptstudio.training.run_folder import RunFolder
from pages.page import Inside, Named, Page


class RunsPage(Page):
    """Runs of this window and of others."""

    place = "runs"
    list, to_train_button = Named("run_list"), Named("runs_to_train")
    is_empty = Inside("empty.isVisible")
    """Whether friendly words stand in the place of the list."""
    listed, listed_runs = Inside("model.find"), Inside("model.runs")
    """The run of a folder as the list has it, None where it has not; and all of them."""
    tick, ticked = Inside("model.tick"), Inside("model.ticks")
    select, check_again, current = Inside("list.select"), Inside("refresh"), Inside("list.current")
    tell = Inside("_say")
    """Puts words above the list."""
    compare, table = Inside("compare"), Inside("differences.table")
    """The charts with what is chosen about them, and what the ticked runs are where one points."""

    def show(self, *runs: RunFolder) -> None:
        """Opens the page, waits for the list, and ticks these runs; the last of them is selected."""
        self.user.go_to("runs")
        for run in runs:
            self.user.wait(lambda run=run: self.listed(run.path))
            self.tick(run.path, True)
            self.select(run.path)
        self.user.wait(lambda: all(self.losses(run) for run in runs))

    def choose(self, run: RunFolder) -> None:
        """Goes to the page, and selects a run there."""
        self.user.go_to("runs")
        self.user.wait(lambda: self.listed(run.path))
        self.select(run.path)

    def open(self, run: RunFolder) -> None:
        """Shows it on Train, as it was."""
        self.choose(run)
        self.user.click(self.find("run_open"))

    def says(self, words: str) -> None:
        """Waits until they stand above the list."""
        self.user.wait(lambda: words in self.reads("runs_notice"))

    def action(self, name: str) -> QAction:
        return self.user.window.actions_of[f"run_{name}"]

    def act(self, name: str) -> None:
        """What can be done with the run that is selected."""
        assert self.action(name).isEnabled(), self.action(name).toolTip()
        self.action(name).trigger()

    def rename(self, title: str) -> None:
        """The run that is selected; as from a window that does not know yet that it may not."""
        self.widget.operations.rename(self.widget.list.current(), title)

    def curve(self, run: RunFolder | Path, name: str = "val_loss") -> Any:
        return self.compare.charts["loss"].curves.get(f"{getattr(run, 'path', run)}|{name}")

    def losses(self, run: RunFolder | Path, name: str = "val_loss") -> list[float]:
        """The points of a curve of a run; none where it is not drawn."""
        curve = self.curve(run, name)
        return curve.series.y[:].tolist() if curve else []

    def hover(self, x: float | None, chart: str = "loss") -> None:
        """Points at an x of a chart."""
        self.compare.charts[chart].hovered.emit(x)

    def row(self, run: RunFolder) -> int:
        """Of a run in the table below the charts."""
        return [each.path for each in self.compare.runs].index(run.path)
