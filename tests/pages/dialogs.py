"""The dialogs about weights: opening, downloading, listing and exporting them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gptstudio.gui.weights.dialog import WeightsDialog
from pages.page import Inside, Page


class Dialogs(Page):
    """Each is made when it is first opened."""

    place = "weights"
    opening, downloads, models, exports = Inside("opening"), Inside("downloads"), Inside("models"), Inside("exports")

    def entry(self, name: str) -> Any:
        """Of the Model menu: open_file, open_folder, download, models, export."""
        ids = {"open_file": "open_weights", "open_folder": "open_weights_folder", "download": "download_weights",
               "models": "show_models", "export": "export_model"}
        return self.user.window.actions_of[ids[name]]

    def choose(self, entry: str) -> None:
        self.entry(entry).trigger()

    def made(self, name: str) -> bool:
        """Whether a dialog was ever opened."""
        return name in vars(self.widget)

    @property
    def busy(self) -> bool:
        """Whether anything is read, fetched or written for one of them."""
        return self.user.busy("pool")

    def models_changed(self) -> None:
        """There may be other models."""
        self.user.window.library.refresh_models()

    def look_at(self, path: Path) -> Any:
        """Opens weights, and waits until they were looked at."""
        self.opening.look_at(path)
        self.user.wait(lambda: not self.opening.busy)
        return self.opening


def figures_of(dialog: WeightsDialog) -> dict[str, str]:
    """The numbers that it shows of a model, by their names."""
    return {name: dialog.figures.text(name) for name in dialog.figures._values}


def offered(dialog: WeightsDialog) -> list[Any]:
    """The models that can be exported."""
    return dialog._sources
