"""The dialogs about weights: opening, downloading, listing and exporting them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gptstudio.gui.weights.dialog import WeightsDialog
from pages.page import Inside, Page


class Dialogs(Page):
    """The dialogs, each created when it is first opened."""

    place = "weights"
    opening, downloads, models, exports = Inside("opening"), Inside("downloads"), Inside("models"), Inside("exports")

    def entry(self, name: str) -> Any:
        """Return an action of the Model menu: open_file, open_folder, download, models or export."""
        ids = {"open_file": "open_weights", "open_folder": "open_weights_folder", "download": "download_weights",
               "models": "show_models", "export": "export_model"}
        return self.user.window.actions_of[ids[name]]

    def choose(self, entry: str) -> None:
        self.entry(entry).trigger()

    def made(self, name: str) -> bool:
        """Return whether a dialog has been opened."""
        return name in vars(self.widget)

    @property
    def busy(self) -> bool:
        """True while a task for one of the dialogs is running."""
        return self.user.busy("pool")

    def models_changed(self) -> None:
        """Read the list of models again."""
        self.user.window.library.refresh_models()

    def look_at(self, path: Path) -> Any:
        """Open weights, and wait until they have been inspected."""
        self.opening.look_at(path)
        self.user.wait(lambda: not self.opening.busy)
        return self.opening


def figures_of(dialog: WeightsDialog) -> dict[str, str]:
    """Return the figures that a dialog shows of a model, by name."""
    return {name: dialog.figures.text(name) for name in dialog.figures._values}


def offered(dialog: WeightsDialog) -> list[Any]:
    """Return the models that can be exported."""
    return dialog._sources
