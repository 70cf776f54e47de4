"""Choice of the model that generates or scores."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QFileDialog

from gptstudio.app.state import AppState
from gptstudio.errors import UserError, text_of
from gptstudio.gui.forms.elided_box import ElidedBox
from gptstudio.gui.model_names import short_name
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.parts import named
from gptstudio.training.model_source import ModelSource


class ModelChoice(ElidedBox):
    """Choice of one of the models that the state offers, or of a checkpoint from anywhere."""

    chosen = Signal()
    """Emitted when the user chooses a model."""
    refused = Signal(str)
    """Emitted with a message if what was opened is no model."""

    def __init__(self, state: AppState) -> None:
        super().__init__(letters=18)
        named(self, "model", tr("Model"))
        self.setToolTip(tr("The model in training, an untrained one, or the last checkpoint of a run"))
        self._state = state
        self.activated.connect(self._activated)
        state.on(self._fill, "models", "model")
        self._fill()

    @property
    def sources(self) -> tuple[ModelSource, ...]:
        return self._state.models

    def _fill(self) -> None:
        state = self._state
        with QSignalBlocker(self):
            self.clear()
            self.addItems([short_name(source) for source in state.models])
            self.addItem(tr("Choose a checkpoint…"))
            self.setCurrentIndex(state.models.index(state.model) if state.model in state.models else 0)

    def _activated(self, index: int) -> None:
        if index < len(self._state.models):
            self._state.choose_model(self._state.models[index])
            self.chosen.emit()
            return
        path = QFileDialog.getExistingDirectory(self, tr("Choose a checkpoint folder or a run folder"))
        self._fill()  # the one before, until there is a better one
        self.chosen.emit()
        if path:
            try:
                self._state.open_model(path)
            except UserError as error:
                self.refused.emit(tr(text_of(error)))
