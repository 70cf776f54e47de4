"""The sweeps on the Runs page: the dialog that plans one, its queue, and its results."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QApplication, QComboBox

from gptstudio.gui.runs.sweeps import SweepDialog
from gptstudio.training.run_folder import RunFolder
from pages.page import Inside, Named, Page, column


class SweepsPage(Page):
    """The view of sweeps."""

    place = "runs"
    start, retry, show_run = Named("sweep_start"), Named("sweep_retry"), Named("sweep_show_run")
    csv, results, groups = Named("sweep_csv"), Named("sweep_results"), Named("sweep_groups")
    grid, choice = Named("sweep_grid"), Named("sweep_choice")
    listed = Inside("sweep_view._sweeps")

    def plan(self, run: RunFolder) -> SweepDialog:
        """Open the dialog for a run of the list."""
        self.user.runs.choose(run)
        self.user.runs.act("sweep")
        tops = QApplication.topLevelWidgets()
        [dialog] = [each for each in tops if isinstance(each, SweepDialog) and each.isVisible()]
        return dialog

    def field(self, dialog: SweepDialog, name: str) -> Any:
        return next(each for each in dialog.findChildren(object) if each.objectName() == name)

    def show(self) -> None:
        """Open the sweeps, and wait for the list."""
        self.user.go_to("runs")
        self.user.click(self.user.runs.find("runs_view_1"))
        self.user.wait(lambda: self.widget.sweep_view._listed)

    def page(self, index: int) -> None:
        """Switch to the results or the heat map."""
        self.user.click(self.find(f"sweep_page_{index}"))

    def states(self) -> list[str]:
        """Return the state of each run, in the order of their numbers."""
        numbers = map(int, column(self.results, "No."))
        return [state for _, state in sorted(zip(numbers, column(self.results, "State"), strict=True))]

    def names(self) -> list[str]:
        box = self.choice
        assert isinstance(box, QComboBox)
        return [box.itemText(place) for place in range(box.count())]
