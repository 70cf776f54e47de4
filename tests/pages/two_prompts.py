"""The pane with two prompts, on the Generate page."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QWidget

from gptstudio.gui.canvas.canvas import Cell
from pages.page import Inside, Named, Page


class TwoPromptsPage(Page):
    """The fields, buttons and maps of the pane."""

    go_button, stop_button, map = Named("two_prompts_go"), Named("two_prompts_stop"), Named("two_prompts_map")
    scores, export = Named("induction_map"), Named("two_prompts_export")
    running, found, heads = Inside("running"), Inside("result.found"), Inside("heads.found")
    bars, best = Named("two_prompts_bars"), Named("induction_best")
    show_example = Inside("fields.show_example")
    """Choose an entry of the menu of examples."""

    @property
    def widget(self) -> Any:
        return self.user.window.generate.panes["two_prompts"]

    def go(self) -> None:
        """Click the button, and wait for the answer."""
        self.user.click(self.go_button)
        self.user.wait(lambda: not self.running)

    def switch_to(self, kind: int) -> None:
        """Switch to residual, attention, MLP, heads or induction, by its number from 0."""
        self.user.click(self.find(f"two_prompts_kind_{kind}"))

    def click_cell(self, map: Any, cell: Cell) -> None:
        widget: QWidget = map.viewport()
        self.user.click(widget, map.place(cell).center().toPoint())
