"""Dialog of the imported models, which renames, uses and removes them, and dialog that exports a model for other
programs. Does not import torch.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFileDialog,
    QGridLayout,
    QLineEdit,
    QPushButton,
    QTableWidgetItem,
    QWidget,
)

from gptstudio import files, paths
from gptstudio.app import trash
from gptstudio.app.preferences import export_folder
from gptstudio.app.tasks import Task, TaskError, TaskRunner
from gptstudio.errors import UserError, text_of
from gptstudio.gpt import sizing
from gptstudio.gui.forms.controls import Segments
from gptstudio.gui.model_names import short_name
from gptstudio.gui.question import confirmed
from gptstudio.gui.save_as import show_folder
from gptstudio.gui.translation import size, tr
from gptstudio.gui.weights.dialog import ModelDialog, WeightsDialog
from gptstudio.gui.widgets.layouts import Flow, Reflow, with_layout
from gptstudio.gui.widgets.parts import Notice, button, choice_box, label, named, set_blocker, set_entries
from gptstudio.gui.widgets.tables import LEFT, RIGHT, FullTable, cells_of, headings_of
from gptstudio.i18n import message
from gptstudio.training import checkpoint_files, imported_models
from gptstudio.training.model_source import ImportedModel, LoadableModel, ModelSource, UntrainedModel, config_of
from gptstudio.weights_io.exporting import FORMATS
from gptstudio.weights_io.exporting.export_format import ExportFormat

COLUMNS = (message("Name"), message("Parameters"), message("Kind"), message("Source"), message("Size on disk"))
SIDES = LEFT, RIGHT, LEFT, LEFT, RIGHT
NAME = 0
KINDS = {"book": message("the book's code"), "huggingface": "Hugging Face", "nanogpt": "nanoGPT",
         "gptstudio": "GPT Studio"}


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
        super().__init__("models_table", tr("Imported models"), lines=(3, 10))
        triggers = QAbstractItemView.EditTrigger
        self.setEditTriggers(triggers.EditKeyPressed | triggers.DoubleClicked)
        self.itemChanged.connect(self._edited)

    def show_models(self, models: Sequence[ModelEntry], chosen: str = "") -> None:
        """Show these models, and select the one with this name, or the first."""
        self.show_rows(
            headings_of(COLUMNS, SIDES),
            [cells_of(_texts(model), SIDES) for model in models], models)
        for row, column in itertools.product(range(len(models)), range(NAME + 1, len(COLUMNS))):
            item = cast(QTableWidgetItem, self.item(row, column))
            item.setFlags(item.flags() & ~Qt.ItemFlag.ItemIsEditable)
        self.select(next((model for model in models if model.name == chosen), models[0] if models else None))

    def edit_name(self) -> None:
        self.setFocus()
        if item := self.item(self.currentRow(), NAME):
            self.editItem(item)

    def _edited(self, item: QTableWidgetItem) -> None:
        model = self.entries[item.row()]
        if item.column() == NAME and item.text() != model.name:
            self._rows = ()  # they no longer are what the table shows
            self.renamed.emit(model.path, item.text())


def _texts(model: ModelEntry) -> tuple[str, ...]:
    parameters = "–" if model.parameters is None else f"{model.parameters:,}"
    kind = tr(KINDS.get(model.kind, model.kind or "–"))
    return model.name, parameters, kind, model.origin or "–", size(model.bytes)


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
        self.table.selected.connect(self._show_state)
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
        chosen = self._chosen_name or (self.table.entry.name if self.table.entry else "")
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
        model = self.table.entry
        if model is None:
            return
        if confirmed(
                self, "show_models", tr("Move model to trash"), tr("Move “{name}” to the trash?", name=model.name),
                tr("Move to trash"), tr("Size: {size}. Location: {path}", size=size(model.bytes), path=model.path)):
            self.run(lambda _: trash.move(model.path), lambda _: self._done(), self._refuse)

    def model(self) -> ImportedModel:
        if self.table.entry is None:
            raise RuntimeError("the buttons are off where no model is selected")
        return ImportedModel(self.table.entry.path)

    def _show_state(self) -> None:
        some = self.table.rowCount() > 0
        self.table.setVisible(some)
        self.where.setText(
            tr("Saved in {folder}.", folder=paths.models()) if some else
            tr("No imported models yet. Open weights you already have, or download GPT-2 as published by OpenAI."))
        for part in (self.rename, self.trash, self.train, self.talk):
            part.setVisible(some)
            set_blocker(part, "" if self.table.entry else tr("Select a model in the list first."))


EXPORTS = tuple(FORMATS.values())
REPLACES_FOLDER = message(
    "This name already exists. An earlier export will be replaced; anything else is left as it is.")
REPLACES_FILE = message("A file with this name already exists. It will be replaced, whatever it contains.")


class ExportDialog(WeightsDialog):
    """Dialog that exports one of the available models."""

    def __init__(self, over: QWidget, tasks: TaskRunner) -> None:
        super().__init__(over, tasks, "export", tr("Export model"))
        self._sources: list[LoadableModel] = []
        self._written: Path | None = None
        self._lacks = ""
        self.title.setText(tr("Export model"))
        self.model = choice_box("export_model", tr("Model"), letters=30)
        self.model.setToolTip(tr("Whose weights are written: of a run, or imported"))
        self.format = Segments("export_format", [tr(each.title) for each in EXPORTS])
        self.about = label(role="muted", name="export_about", wrap=True)
        self.path = named(QLineEdit(), "export_path", tr("Save to"))
        self.choose = button(tr("Choose…"), "export_choose", tr("Choose another location"), do=self._choose)
        self.room = label(role="muted", name="export_room", wrap=True)
        self.there = Notice("export_there", "notice")
        self.outcome = label(role="heading", name="export_outcome", wrap=True)
        self.show_it = button(
            tr("Show folder"), "export_show", tr("Opens it in the file manager"), do=self._show_folder)
        self.write = button(
            tr("Export"), "export_start", tr("Writes the export completely or not at all"), "primary", self._write)
        self.model.currentIndexChanged.connect(self._propose)
        self.format.chosen.connect(self._propose)
        self.path.textChanged.connect(self._edited)
        self.lay_out(self._form(), self.room, self.there, self.outcome, buttons=(self.show_it, self.write))

    def show_models(self, sources: Sequence[ModelSource], chosen: ModelSource | None) -> None:
        """Open the dialog. A model in training is not offered, because it changes at every step."""
        if not self.busy:
            self._sources = [each for each in sources if isinstance(each, LoadableModel)]
            index = self._sources.index(chosen) if chosen in self._sources else 0
            set_entries(self.model, [short_name(each) for each in self._sources], index)
            self._propose()
        self.open_up()
        self.model.setFocus()

    @property
    def source(self) -> LoadableModel | None:
        index = self.model.currentIndex()
        return self._sources[index] if 0 <= index < len(self._sources) else None

    @property
    def kind(self) -> ExportFormat:
        return EXPORTS[self.format.index()]

    @property
    def target(self) -> Path | None:
        """Path to write to; a relative one is in the folder of the preferences."""
        text = self.path.text().strip()
        return export_folder() / os.path.expanduser(text) if text else None

    def _propose(self) -> None:
        """Propose a name in the same folder as before."""
        if self.source:
            self.path.setText(str(self._place(self.source)))
            self._edited()

    def _place(self, source: LoadableModel) -> Path:
        folder = self.target.parent if self.target else export_folder()
        return folder / self._name(source)

    def _name(self, source: LoadableModel) -> str:
        """Return a file name for the export, made of the model's name."""
        name = "untrained" if isinstance(source, UntrainedModel) else source.name
        plain = "".join(sign if sign.isalnum() or sign in "-_." else "-" for sign in name.replace(", ", "-"))
        return plain + self.kind.ending

    def _edited(self) -> None:
        self._written = None
        self.refusal.clear()
        self.show_state()
        if self.isVisible():
            self.fit()

    def _choose(self) -> None:
        if not self.source:
            return
        target = self.target or self._place(self.source)
        if not self.kind.files:
            kinds, free = f"{tr(self.kind.title)} (*{self.kind.ending})", QFileDialog.Option.DontConfirmOverwrite
            chosen, _ = QFileDialog.getSaveFileName(self, tr("Save to"), str(target), kinds, options=free)
        else:
            parent = QFileDialog.getExistingDirectory(self, tr("Choose a folder"), str(target.parent))
            chosen = str(Path(parent) / self._name(self.source)) if parent else ""
        if chosen:
            self.path.setText(chosen)

    def _write(self) -> None:
        source, target, kind, over = self.source, self.target, self.kind, self._exists()
        if not (source and target):
            return

        def work(task: Task) -> tuple[Path, str]:
            return kind.export(source, target, task.report, replace=over), kind.lacks(source)

        self.refusal.clear()
        self.transfer(work, self._show_written, message("Exporting {name}", name=target.name), tr("Exporting"))

    def _show_folder(self) -> None:
        if self._written:
            show_folder(self._written if os.path.isdir(self._written) else self._written.parent)

    def _show_written(self, made: tuple[Path, str]) -> None:
        self._written, self._lacks = made
        self.settle()

    def way_on(self) -> QPushButton:
        return self.close_button if self._written else self.write

    def show_state(self) -> None:
        written, ready = self._written, bool(self.source and self.target)
        self.about.setText(tr(self.kind.about))
        self.room.setText(self._room())
        over = self._exists() and not written
        replaces = tr(REPLACES_FOLDER if self.kind.files else REPLACES_FILE) if over else ""
        self.there.setText(tr(self._lacks) if written else replaces)
        self.write.setText(tr("Replace") if over else tr("Export"))
        busy = tr("The model is being exported. Cancel it first.") if self.busy else ""
        set_blocker(self.write, busy or ("" if ready else tr("Choose a model and a place to save it first.")))
        self.write.setVisible(written is None)
        self.way_on().setDefault(True)
        self.show_it.setVisible(written is not None)
        self.outcome.setVisible(written is not None)
        if written:
            self.outcome.setText(tr("Saved {path}", path=written))
        for part in (self.model, self.format, self.path, self.choose):
            set_blocker(part, busy)
        for index, kind in enumerate(EXPORTS):
            set_blocker(self.format.button(index), tr(kind.why_not()))

    def _exists(self) -> bool:
        return self.target is not None and os.path.exists(self.target)

    def _room(self) -> str:
        if not (self.source and self.target):
            return ""
        try:
            needed = self.kind.bytes_written(config_of(self.source))
        except UserError as error:
            return tr(text_of(error))
        free = files.free_bytes(self.target.absolute().parent)
        return tr("Needs about {size}; {free} free there.", size=size(needed), free=size(free))

    def _form(self) -> QWidget:
        form = QWidget()
        grid = QGridLayout(form)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(8)
        grid.setColumnStretch(1, 1)
        where = Reflow(self.path, self.choose, stretch=(self.path,))
        lines = ((tr("Model"), self.model, self.model), (tr("Format"), self.format, self.format.button(0)),
                 (tr("Save to"), where, self.path))
        for row, (name, part, buddy) in enumerate(lines):
            grid.addWidget(label(name, "heading", buddy=buddy), 2 * row, 0)
            grid.addWidget(part, 2 * row, 1)
        grid.addWidget(self.about, 3, 1, Qt.AlignmentFlag.AlignTop)
        return form
