"""Dialog of the imported models: their list, and buttons for renaming, training, generating and the trash."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QTableWidgetItem, QWidget

from gptstudio.app import trash
from gptstudio.app.tasks import TaskError, TaskRunner
from gptstudio.errors import UserError
from gptstudio.gpt import sizing
from gptstudio.gui.question import confirmed
from gptstudio.gui.translation import size, tr
from gptstudio.gui.weights.dialog import ModelDialog
from gptstudio.gui.widgets.layouts import Flow, with_layout
from gptstudio.gui.widgets.parts import button, label, set_blocker
from gptstudio.gui.widgets.tables import FullTable
from gptstudio.i18n import message
from gptstudio.training import checkpoint_files, imported_models
from gptstudio.training.model_source import ImportedModel

COLUMNS = (message("Name"), message("Parameters"), message("Kind"), message("Source"), message("Size on disk"))
NAME, PARAMETERS, KIND, FROM, SIZE = range(len(COLUMNS))
KINDS = {"book": message("the book's code"), "huggingface": "Hugging Face", "gptstudio": "GPT Studio"}


@dataclass(frozen=True)
class ModelEntry:
    """Imported model. ``parameters``: None if its state cannot be read; ``kind`` and ``origin``: empty if unknown."""

    path: Path
    parameters: int | None
    kind: str
    origin: str
    bytes: int

    @property
    def name(self) -> str:
        return self.path.name


def listed() -> list[ModelEntry]:
    """Return all imported models, the newest first."""
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

    def show_models(self, models: Sequence[ModelEntry], chosen: str = "") -> None:
        """Show these models, and select the one with this name, or the first."""
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
        with QSignalBlocker(self):
            self.setRowCount(len(self.entries))
            for row, model in enumerate(self.entries):
                known = "–" if model.parameters is None else f"{model.parameters:,}"
                texts = (model.name, known, tr(KINDS.get(model.kind, model.kind or "–")), model.origin or "–",
                         size(model.bytes))
                for column, text in enumerate(texts):
                    item = self.put(row, column, text)
                    if column != NAME:
                        item.setFlags(item.flags() & ~Qt.ItemFlag.ItemIsEditable)
        self.updateGeometry()


class ModelsDialog(ModelDialog):
    """Dialog that lists the imported models each time it is opened."""

    changed = Signal()
    """Emitted when a model was renamed, or moved to the trash."""
    open_requested = Signal()
    download_requested = Signal()

    def __init__(self, over: QWidget, tasks: TaskRunner) -> None:
        super().__init__(over, tasks, "models", tr("Imported models"))
        self.title.setText(tr("Imported models"))
        self._chosen_name = ""  # name to be selected in the next list
        self.where = label(role="muted", name="models_where", wrap=True)
        self.table = ModelsTable()
        self.table.itemSelectionChanged.connect(self._show_state)
        self.table.renamed.connect(self._rename)
        self.rename = button(
            tr("Rename"), "models_rename", tr("F2 or double-click the name"), do=self.table.edit_name)
        self.trash = button(
            tr("Move to trash…"), "models_trash", tr("You can restore it from there"), do=self._ask_trash)
        self.open_file = button(tr("Open weights…"), "models_open", tr("Imports a file or folder"))
        self.download = button(tr("Download GPT-2…"), "models_download", tr("Downloads a GPT-2 published by OpenAI"))
        for each, way in ((self.open_file, self.open_requested), (self.download, self.download_requested)):
            each.clicked.connect(self.accept)
            each.clicked.connect(lambda _, way=way: way.emit())
        buttons = with_layout(QWidget(), Flow(self.rename, self.trash, self.open_file, self.download))
        self.lay_out(self.where, self.table, buttons, buttons=(self.train, self.talk))
        self.talk.setDefault(True)

    def show_models(self) -> None:
        self.refusal.clear()
        self.refresh()
        self.open_up()
        self.table.setFocus()

    def refresh(self) -> None:
        self.run(lambda _: listed(), self._show_list, self._refuse)

    def _show_list(self, models: Sequence[ModelEntry]) -> None:
        self.ended()
        chosen = self._chosen_name or (self.table.chosen.name if self.table.chosen else "")
        self._chosen_name = ""
        before = self.table.rowCount()
        self.table.show_models(models, chosen)
        self._show_state()
        if bool(before) != bool(models):
            (self.table if models else self.open_file).setFocus()
        self.fit()

    def _refuse(self, error: TaskError) -> None:
        self.ended()
        self.refresh()  # to show the unchanged list
        self.refusal.say(error.message, error.details)
        self.fit()

    def _done(self, name: str = "") -> None:
        self._chosen_name = name
        self.refusal.clear()
        self.refresh()
        self.changed.emit()

    def _rename(self, model: Path, name: str) -> None:
        self.run(lambda _: imported_models.rename(model, name), lambda path: self._done(path.name), self._refuse)

    def _ask_trash(self) -> None:
        model = self.table.chosen
        if model is None:
            return
        if confirmed(
                self, "show_models", tr("Move model to trash"), tr("Move “{name}” to the trash?", name=model.name),
                tr("Move to trash"), tr("Size: {size}. Location: {path}", size=size(model.bytes), path=model.path)):
            self.run(lambda _: trash.move(model.path), lambda _: self._done(), self._refuse)

    def model(self) -> ImportedModel:
        if self.table.chosen is None:
            raise RuntimeError("the buttons are off where no model is selected")
        return ImportedModel(self.table.chosen.path)

    def _show_state(self) -> None:
        some = self.table.rowCount() > 0
        self.table.setVisible(some)
        self.where.setText(
            tr("Saved in {folder}.", folder=imported_models.home()) if some else
            tr("No imported models yet. Open weights you already have, or download GPT-2 as published by OpenAI."))
        for part in (self.rename, self.trash, self.train, self.talk):
            part.setVisible(some)
            set_blocker(part, "" if self.table.chosen else tr("Select a model in the list first."))
