"""Owner of the dialogs about weights, each created when it is first opened."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog, QWidget

from gptstudio.app.state import AppState
from gptstudio.app.tasks import TaskRunner
from gptstudio.gui.actions import Actions
from gptstudio.gui.controllers.library import LibraryController
from gptstudio.gui.translation import joined, tr
from gptstudio.gui.widgets.deferred import late

if TYPE_CHECKING:
    from gptstudio.gui.weights.dialog import WeightsDialog
    from gptstudio.gui.weights.import_dialogs import DownloadDialog, OpenDialog
    from gptstudio.gui.weights.model_dialogs import ExportDialog, ModelsDialog

ENDINGS = (".pth", ".pt", ".safetensors", ".bin", ".h5", ".gguf", ".onnx")
"""Extensions of files that hold weights, so that unsupported formats can be named in the error message."""

MARKS = (
    "config.json", "model.safetensors", "model.safetensors.index.json", "pytorch_model.bin",
    "pytorch_model.bin.index.json", "hparams.json", "ckpt.pt",
)
"""Files of which every folder with a model has at least one."""

D = TypeVar("D", bound="WeightsDialog")


class WeightsDialogs(QObject):
    """Dialogs about weights over a window, connected to the library."""

    def __init__(
        self, over: QWidget, actions: Actions, state: AppState, tasks: TaskRunner, library: LibraryController
    ) -> None:
        super().__init__(over)
        self._over, self._actions, self._state, self._tasks, self._library = over, actions, state, tasks, library

    @cached_property
    def opening(self) -> OpenDialog:
        from gptstudio.gui.weights.import_dialogs import OpenDialog

        return self._connected(OpenDialog(self._over, self._tasks))

    @cached_property
    def downloads(self) -> DownloadDialog:
        from gptstudio.gui.weights.import_dialogs import DownloadDialog

        return self._connected(DownloadDialog(self._over, self._tasks))

    @cached_property
    def models(self) -> ModelsDialog:
        from gptstudio.gui.weights.model_dialogs import ModelsDialog

        dialog = ModelsDialog(self._over, self._tasks)
        dialog.changed.connect(lambda: self._library.refresh_models())
        dialog.open_requested.connect(self._actions["open_weights"].trigger)
        dialog.download_requested.connect(self._actions["download_weights"].trigger)
        return self._connected(dialog)

    @cached_property
    def exports(self) -> ExportDialog:
        from gptstudio.gui.weights.model_dialogs import ExportDialog

        return self._connected(ExportDialog(self._over, self._tasks))

    def export_model(self) -> None:
        """Open the dialog that exports a model, with the models as they are saved now."""
        self._library.refresh_models()
        self.exports.show_models(self._state.models, self._state.model_with_seed)

    def ask_for_file(self) -> None:
        kinds = joined(";;", tr("Weights (*.pth *.pt *.safetensors *.bin)"), tr("All files (*)"))
        path, _ = QFileDialog.getOpenFileName(self._over, tr("Open weights"), "", kinds)
        if path:
            self.look_at(Path(path))

    def ask_for_folder(self) -> None:
        path = QFileDialog.getExistingDirectory(self._over, tr("Open a folder of weights"))
        if path:
            self.look_at(Path(path))

    def look_at(self, path: Path) -> None:
        self._state.remember_file(str(path))
        self.opening.look_at(path)

    def close(self) -> None:
        """Close all dialogs, and cancel their tasks."""
        for name in ("opening", "downloads", "models", "exports"):
            if name in vars(self):
                vars(self)[name].reject()

    def _connected(self, dialog: D) -> D:
        dialog.train_requested.connect(self._library.train_with)
        dialog.imported_model.connect(lambda _: self._library.refresh_models())
        dialog.talk_requested.connect(lambda imported: self._library.generate_with(imported.path))
        late.made.emit()
        return dialog


def first_with_weights(paths: Sequence[str]) -> Path | None:
    """Return the first of these paths that seems to contain a model."""
    return next((Path(path) for path in paths if holds_weights(Path(path))), None)


def holds_run(path: Path) -> bool:
    """Return whether a path seems to be the folder of a run, or a packed run, which may be gone."""
    return os.path.isfile(path / "run.json") or (not os.path.isdir(path) and path.suffix.lower() == ".zip")


def holds_weights(path: Path) -> bool:
    """Return whether a file or folder seems to contain a model."""
    if os.path.isdir(path):  # False, not an error, if its disk fails
        return any(os.path.isfile(path / name) for name in MARKS)
    return path.suffix.lower() in ENDINGS or ".ckpt" in path.name.lower()
