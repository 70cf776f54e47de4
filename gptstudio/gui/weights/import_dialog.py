"""A dialog through which a model comes in: when it is there, the ways from here to training and to talking."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, SignalInstance
from PySide6.QtWidgets import QWidget

from gptstudio.app.tasks import TaskRunner
from gptstudio.gui.translation import tr
from gptstudio.gui.weights.dialog import WeightsDialog
from gptstudio.gui.widgets.parts import button, label

if TYPE_CHECKING:
    from gptstudio.training.model_source import ImportedModel


class ImportDialog(WeightsDialog):
    """``name`` and ``title`` as for all dialogs; ``begin``: the button that brings it in."""

    imported_model = Signal(object)  # Imported

    def __init__(self, over: QWidget, tasks: TaskRunner, name: str, title: str, begin: tuple[str, str]) -> None:
        super().__init__(over, tasks, name, title)
        words, tip = begin
        self.imported: ImportedModel | None = None
        self.outcome = label(role="heading", name=f"{name}_outcome", wrap=True)
        self.begin = button(words, f"{name}_begin", tip, "primary")
        self.train = button(tr("Train with it"), f"{name}_train", tr("Starts a run from its weights"))
        self.talk = button(tr("Generate with it"), f"{name}_talk", tr("Selects it on the Generate tab"), "primary")
        self.train.clicked.connect(lambda: self._leave_for(self.train_requested))
        self.talk.clicked.connect(lambda: self._leave_for(self.talk_requested))

    @property
    def buttons(self) -> tuple[QWidget, ...]:
        return self.train, self.begin, self.talk

    def show_way(self) -> None:
        """Either the button that brings it in, or those that lead on."""
        there = self.imported is not None
        if self.imported:
            self.outcome.setText(tr("Imported {name}.", name=self.imported.name))
        for part in (self.outcome, self.train, self.talk):
            part.setVisible(there)
        self.begin.setVisible(not there)
        (self.talk if there else self.begin).setDefault(True)

    def _leave_for(self, way: SignalInstance) -> None:
        imported = self.imported
        self.accept()
        way.emit(imported)
