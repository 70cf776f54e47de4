"""The pane "What if" of the Generate page."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt

from gptstudio import devices
from gptstudio.gui.generate.causal.what_if import cell_of
from gptstudio.inference.interventions import Component, Interventions
from gptstudio.training import model_source
from pages.page import Inside, Named, Page


class WhatIfPage(Page):
    """The map, the controls and the results of the changes on the text."""

    controls, inputs = Inside("controls"), Inside("inputs")
    map, side, effects = Inside("map"), Inside("side"), Inside("effects")
    names, answer = Inside("named_changes.names"), Inside("answer")
    save_effects = Named("effects_export")
    reading, why_not = Inside("_changed.latest"), Inside("_changed.problem")
    permute_box, compute, restore = Named("what_if_permute"), Named("effects_compute"), Named("what_if_restore")
    generate, keep, remove = Named("what_if_generate"), Named("what_if_keep"), Named("what_if_remove")
    reset, code = Named("what_if_reset"), Named("what_if_code")

    @property
    def widget(self) -> Any:
        return self.user.window.generate.panes["what_if"]

    def open(self) -> None:
        """Open the pane, and wait for the map."""
        self.user.generate.open_pane("what_if")
        self.user.wait(lambda: self.answer is not None and self.map.grid.rows)

    def switch(self, component: Component) -> None:
        """Click a component in the map."""
        place = self.map.place(cell_of(self.map.grid.shape, component)).center().toPoint()
        self.user.qtbot.mouseClick(self.map.viewport(), Qt.MouseButton.LeftButton, pos=place)

    @property
    def interventions(self) -> Interventions:
        """The changes in effect."""
        return self.user.generate.text.snapshot.interventions

    def model(self, path: str = "fast") -> Any:
        """Return the model that wrote the text, loaded again."""
        source = self.user.generate.text.snapshot.model.source
        return model_source.load(source, devices.choose("cpu"), path).eval()
