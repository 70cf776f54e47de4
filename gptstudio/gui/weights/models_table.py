"""Table of the imported models, one per row. No torch."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QTableWidgetItem

from gptstudio.errors import UserError
from gptstudio.gpt import sizing
from gptstudio.gui.appearance import follow
from gptstudio.gui.translation import size, tr
from gptstudio.gui.weights.full_table import FullTable
from gptstudio.i18n import message
from gptstudio.training import checkpoint_files, imported_models

COLUMNS = (message("Name"), message("Parameters"), message("Kind"), message("Source"), message("Size on disk"))
NAME, PARAMETERS, KIND, FROM, SIZE = range(len(COLUMNS))
KINDS = {"book": message("the book's code"), "huggingface": "Hugging Face", "gptstudio": "GPT Studio"}


@dataclass(frozen=True)
class ModelEntry:
    """One model. ``parameters``: None if its state cannot be read; ``kind`` and ``origin``: empty if unknown."""

    path: Path
    parameters: int | None
    kind: str
    origin: str
    bytes: int

    @property
    def name(self) -> str:
        return self.path.name


def listed() -> list[ModelEntry]:
    """All models of the user's, the newest first."""
    return [_listed(path) for path in imported_models.all_models()]


def _listed(path: Path) -> ModelEntry:
    parameters, origin = None, imported_models.origin(path)
    with suppress(UserError):
        parameters = sizing.parameter_count(checkpoint_files.read_state(path).config)
    return ModelEntry(path, parameters, origin.get("kind", ""), origin.get("source", ""), checkpoint_files.size(path))


class ModelsTable(FullTable):
    """Table of the imported models; emits the new name that the user typed."""

    renamed = Signal(object, str)  # Path of the model, its new name

    def __init__(self) -> None:
        name = tr("Imported models")
        super().__init__("models_table", name, COLUMNS, figures=(PARAMETERS, SIZE), lines=(3, 10))
        triggers = QAbstractItemView.EditTrigger
        self.setEditTriggers(triggers.EditKeyPressed | triggers.DoubleClicked)
        self.itemChanged.connect(self._edited)
        follow(self, self._fill)

    def show_models(self, models: Sequence[ModelEntry], chosen: str = "") -> None:
        """Show these, and select the one of that name, or the first."""
        self.entries = models
        self._fill()
        names = [model.name for model in models]
        self.selectRow(names.index(chosen) if chosen in names else 0)

    def edit_name(self) -> None:
        self.setFocus()
        if item := self.item(self.currentRow(), NAME):
            self.editItem(item)

    def _edited(self, item: QTableWidgetItem) -> None:
        model = self.entries[item.row()]
        if item.column() == NAME and item.text() != model.name:
            self.renamed.emit(model.path, item.text())

    def _fill(self) -> None:
        self.blockSignals(True)
        self.setRowCount(len(self.entries))
        for row, model in enumerate(self.entries):
            known = "–" if model.parameters is None else f"{model.parameters:,}"
            texts = (model.name, known, tr(KINDS.get(model.kind, model.kind or "–")), model.origin or "–",
                     size(model.bytes))
            for column, text in enumerate(texts):
                item = self.put(row, column, text)
                if column != NAME:
                    item.setFlags(item.flags() & ~Qt.ItemFlag.ItemIsEditable)
        self.blockSignals(False)
        self.updateGeometry()
