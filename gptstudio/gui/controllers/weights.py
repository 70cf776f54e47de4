"""Weights in and out as the window has them: the dialogs, their workers, and what becomes of the models.

It does for these dialogs what ``window.py`` does for the tabs: it connects them to workers.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog

from gptstudio.gui.model_menu import ModelMenu
from gptstudio.gui.translation import joined, tr
from gptstudio.gui.worker import Worker

if TYPE_CHECKING:
    from gptstudio.gui.weights.dialog import WeightsDialog
    from gptstudio.gui.weights.download_dialog import DownloadDialog
    from gptstudio.gui.weights.export_dialog import ExportDialog
    from gptstudio.gui.weights.models_dialog import ModelsDialog
    from gptstudio.gui.weights.open_dialog import OpenDialog
    from gptstudio.gui.weights.transfer import News
    from gptstudio.gui.window import MainWindow
    from gptstudio.training.model_source import ImportedModel

ENDINGS = (".pth", ".pt", ".safetensors", ".bin", ".h5", ".gguf", ".onnx")
"""Extensions of files that hold weights, so that unsupported formats can be named in the error message."""

MARKS = (
    "config.json", "model.safetensors", "model.safetensors.index.json", "pytorch_model.bin",
    "pytorch_model.bin.index.json", "hparams.json",
)
"""Of these, one is in every folder that holds a model."""

D = TypeVar("D", bound="WeightsDialog")


class WeightsController(QObject):
    """Controller of the dialogs about weights. Only the menu is created before a dialog is opened."""

    imported_model = Signal(object)  # Imported
    models_changed = Signal()
    """There may be other models among the user's, or other names."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._queries, self._transfers = Worker("clerk", window), Worker("carrier", window)
        self.workers = self._queries, self._transfers
        """One for questions of moments, one for what may take minutes."""
        self.menu = ModelMenu(window)
        self.menu.open_file.triggered.connect(lambda: self.open_weights())
        self.menu.open_folder.triggered.connect(lambda: self.open_folder())
        self.menu.download.triggered.connect(lambda: self.download())
        self.menu.models.triggered.connect(lambda: self.show_models())
        self.menu.export.triggered.connect(lambda: self.export())
        for worker in self.workers:
            worker.arrived.connect(_call_each)

    # The dialogs, each made when it is first opened.

    @cached_property
    def opening(self) -> OpenDialog:
        from gptstudio.gui.weights.open_dialog import OpenDialog

        dialog = OpenDialog(self._window)
        dialog.imported_model.connect(self._add_imported)
        return self._connected(dialog)

    @cached_property
    def downloads(self) -> DownloadDialog:
        from gptstudio.gui.weights.download_dialog import DownloadDialog

        dialog = DownloadDialog(self._window)
        dialog.imported_model.connect(self._add_imported)
        return self._connected(dialog)

    @cached_property
    def models(self) -> ModelsDialog:
        from gptstudio.gui.weights.models_dialog import ModelsDialog

        dialog = ModelsDialog(self._window)
        dialog.changed.connect(self.models_changed)
        dialog.open_requested.connect(self.open_weights)
        dialog.download_requested.connect(self.download)
        return self._connected(dialog)

    @cached_property
    def exports(self) -> ExportDialog:
        from gptstudio.gui.weights.export_dialog import ExportDialog

        return self._connected(ExportDialog(self._window))

    # What the menu and the drop of a file ask for.

    def open_weights(self) -> None:
        if self._window.settings_locks.refuses_action(self.menu.open_file):
            return
        kinds = joined(";;", tr("Weights (*.pth *.pt *.safetensors *.bin)"), tr("All files (*)"))
        path, _ = QFileDialog.getOpenFileName(self._window, tr("Open weights"), "", kinds)
        if path:
            self.opening.look_at(Path(path))

    def open_folder(self) -> None:
        path = QFileDialog.getExistingDirectory(self._window, tr("Open a folder of weights"))
        if path:
            self.opening.look_at(Path(path))

    def takes(self, paths: Sequence[str]) -> bool:
        """Looks at the first of these that holds weights; whether there is one."""
        weights = next((Path(path) for path in paths if holds_weights(Path(path))), None)
        if weights and not self._window.settings_locks.refuses_action(self.menu.open_file):
            self.opening.look_at(weights)
        return weights is not None

    def download(self) -> None:
        if not self._window.settings_locks.refuses_action(self.menu.download):
            self.downloads.show_models(self._window.panel.device)

    def show_models(self) -> None:
        self.models.show_models()

    def export(self) -> None:
        generate = self._window.generate
        self.exports.show_models(generate.model_box.sources, generate.source())

    # What becomes of them.

    def stop(self) -> None:
        """The window goes: what is under way is broken off."""
        for name in ("opening", "downloads", "models", "exports"):
            if name in vars(self):
                vars(self)[name].reject()

    def _add_imported(self, imported: ImportedModel) -> None:
        self.imported_model.emit(imported)
        self.models_changed.emit()

    def _connected(self, dialog: D) -> D:
        self._window.settings_locks.look()  # it may have controls that are locked
        dialog.requested.connect(self._queries.submit)
        dialog.transfer_requested.connect(self._transfers.submit)
        dialog.train_requested.connect(self._window.train_with)
        dialog.talk_requested.connect(lambda imported: self._window.talk_to(imported.path))
        return dialog


def holds_weights(path: Path) -> bool:
    """Return whether a file or folder seems to contain a model."""
    if path.is_dir():
        return any((path / name).is_file() for name in MARKS)
    return path.suffix.lower() in ENDINGS or ".ckpt" in path.name.lower()


def _call_each(news: Sequence[News]) -> None:
    for each in news:
        if callable(each):  # a job of theirs that broke is told across the window
            each()
