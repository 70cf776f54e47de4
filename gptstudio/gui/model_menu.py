"""The Model menu: weights that come in, weights that go out."""

from __future__ import annotations

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from gptstudio.gui.translation import tr


class ModelMenu(QMenu):
    """Menu for a window's menu bar; the owner connects the entries."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(tr("Model"), parent)
        self.setObjectName("model_menu")
        self.setToolTipsVisible(True)
        self.open_file = self._entry(
            tr("Open weights…"), "open_weights",
            tr("A .pth file of the book's code, a .safetensors file, or a file in a Hugging Face folder"),
        )
        self.open_folder = self._entry(
            tr("Open a folder of weights…"), "open_weights_folder", tr("GPT-2 in Hugging Face format")
        )
        self.download = self._entry(
            tr("Download GPT-2…"), "download_weights", tr("Shows the available models and their sizes")
        )
        self.addSeparator()
        self.models = self._entry(
            tr("Imported models…"), "show_models", tr("Rename or remove imported models")
        )
        self.export = self._entry(
            tr("Export this model…"), "export_model", tr(
            "Exports the model selected on the Generate tab, for transformers or for the book's code")
        )

    def _entry(self, words: str, name: str, tip: str) -> QAction:
        action = self.addAction(words)
        action.setObjectName(f"{name}_action")
        action.setToolTip(tip)
        return action
