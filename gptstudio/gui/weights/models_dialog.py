"""Models that came from elsewhere: what there is, what it is called, and the way to training, talking, the trash."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QMessageBox, QWidget

from gptstudio.app.tasks import TaskError, TaskRunner
from gptstudio.gui.translation import size, tr
from gptstudio.gui.weights.dialog import ModelDialog
from gptstudio.gui.weights.models_table import ModelEntry, ModelsTable, listed
from gptstudio.gui.widgets.flow import flow
from gptstudio.gui.widgets.layouts import holding
from gptstudio.gui.widgets.parts import button, label
from gptstudio.training import imported_models
from gptstudio.training.model_source import ImportedModel


class ModelsDialog(ModelDialog):
    """Lists the models each time that it is opened."""

    changed = Signal()
    """A model was renamed, or went to the trash."""
    open_requested = Signal()
    download_requested = Signal()

    def __init__(self, over: QWidget, tasks: TaskRunner) -> None:
        super().__init__(over, tasks, "models", tr("Imported models"))
        self.title.setText(tr("Imported models"))
        self._chosen_name = ""  # to be selected in the next list
        self.where = label(role="muted", name="models_where", wrap=True)
        self.table = ModelsTable()
        self.table.itemSelectionChanged.connect(self._show_state)
        self.table.renamed.connect(self._rename)
        self.rename = button(tr("Rename"), "models_rename", tr("F2 or double-click the name"))
        self.trash = button(tr("Move to trash…"), "models_trash", tr("You can restore it from there"))
        self.open_file = button(tr("Open weights…"), "models_open", tr("Imports a file or folder"))
        self.download = button(tr("Download GPT-2…"), "models_download", tr("Downloads a GPT-2 published by OpenAI"))
        self.rename.clicked.connect(self.table.edit_name)
        self.trash.clicked.connect(self._ask_trash)
        for each, way in ((self.open_file, self.open_requested), (self.download, self.download_requested)):
            each.clicked.connect(self.accept)
            each.clicked.connect(lambda _, way=way: way.emit())
        buttons = holding(QWidget(), flow(self.rename, self.trash, self.open_file, self.download))
        self.lay_out(self.where, self.table, buttons, buttons=(self.train, self.talk))
        self.talk.setDefault(True)

    def show_models(self) -> None:
        self.refusal.clear()
        self.refresh()
        self.open_up()
        self.table.setFocus()

    def refresh(self) -> None:
        self.run(lambda _: listed(), self._show_list, self._refuse)

    # What comes back.

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
        self.refresh()  # as it was
        self.refusal.say(error.message, error.details)
        self.fit()

    def _done(self, name: str = "") -> None:
        self._chosen_name = name
        self.refusal.clear()
        self.refresh()
        self.changed.emit()

    # User actions.

    def _rename(self, model: Path, name: str) -> None:
        self.run(lambda _: imported_models.rename(model, name), lambda path: self._done(path.name), self._refuse)

    def _ask_trash(self) -> None:
        model = self.table.chosen
        if model is None:
            return
        question = QMessageBox(
            QMessageBox.Icon.Question, tr("Move model to trash"), tr("Move “{name}” to the trash?", name=model.name),
            QMessageBox.StandardButton.Cancel, self,
        )
        question.setObjectName("delete_model_question")
        question.setTextFormat(Qt.TextFormat.PlainText)
        question.setInformativeText(tr("Size: {size}. Location: {path}", size=size(model.bytes), path=model.path))
        yes = question.addButton(tr("Move to trash"), QMessageBox.ButtonRole.DestructiveRole)
        question.setDefaultButton(QMessageBox.StandardButton.Cancel)
        question.exec()
        if question.clickedButton() is yes:
            self.run(lambda _: imported_models.remove(model.path), lambda _: self._done(), self._refuse)

    def model(self) -> ImportedModel:
        if self.table.chosen is None:
            raise RuntimeError("the buttons are off where no model is selected")
        return ImportedModel(self.table.chosen.path)

    # Display.

    def _show_state(self) -> None:
        some = self.table.rowCount() > 0
        self.table.setVisible(some)
        self.where.setText(
            tr("Saved in {folder}.", folder=imported_models.home()) if some else
            tr("No imported models yet. Open weights you already have, or download GPT-2 as published by OpenAI.")
        )
        for part in (self.rename, self.trash, self.train, self.talk):
            part.setVisible(some)
            part.setEnabled(self.table.chosen is not None)
