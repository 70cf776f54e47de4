"""Box of models to generate with: the one in training, an untrained one, saved, imported and opened ones."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QFileDialog

from gptstudio.errors import UserError
from gptstudio.gpt.config import GPTConfig
from gptstudio.gui.forms.elided_box import ElidedBox
from gptstudio.gui.model_names import short_name
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.parts import named
from gptstudio.training.model_source import LiveModel, ModelSource, SavedModel, UntrainedModel, resolve


class ModelChoice(ElidedBox):
    """Choice of a model; remembers whether the user made it."""

    chosen = Signal()
    """Emitted when the user chooses another model."""

    offered = Signal()
    """Emitted when the list of models changes, or the chosen model changes without the user."""

    refused = Signal(str)
    """Emitted with a message if what was opened is no model."""

    def __init__(self) -> None:
        super().__init__(letters=18)
        named(self, "model", tr("Model"))
        self.by_hand = False
        self.sources: list[ModelSource] = []  # as they stand in the box
        self._live: LiveModel | None = None
        self._saved: Sequence[SavedModel] = ()
        self._opened: list[SavedModel] = []
        self._index = 0  # of the model that was chosen last
        self._fresh: GPTConfig | None = None
        self.activated.connect(self._activated)
        self.currentIndexChanged.connect(self._remember)

    def retranslate(self) -> None:
        """In another language."""
        self._fill(self.source())

    def source(self) -> ModelSource | None:
        """The chosen model."""
        index = self.currentIndex()
        return self.sources[index] if 0 <= index < len(self.sources) else None

    def set_fresh(self, config: GPTConfig | None) -> None:
        """Set the configuration of an untrained model; None if the Model panel has a problem."""
        self._fresh = config
        if config:
            self.sources = [
                UntrainedModel(config) if isinstance(each, UntrainedModel) else each for each in self.sources
            ]
        self.offered.emit()

    def set_live(self, live: LiveModel | None) -> None:
        """Set the active run, also while it is paused; None if there is none.

        It is selected automatically unless the user chose another.
        """
        if live != self._live:
            before, self._live = self.source(), live
            self._fill(live if live and not self.by_hand else before)

    def set_saved(self, saved: Sequence[SavedModel], choose: ModelSource | None = None) -> None:
        """Set the models saved by runs, the newest first, followed by imported ones."""
        before, self._saved = choose or self.source(), saved
        self.by_hand = self.by_hand and not choose
        self._fill(before)

    def choose_by_hand(self, source: ModelSource | None) -> None:
        """Choose a model that is offered, as if the user did."""
        if source in self.sources:
            self.setCurrentIndex(self.sources.index(source))
            self.by_hand = True
            self.offered.emit()

    def open(self, path: str) -> None:
        """Offers a checkpoint from anywhere on the disk, and chooses it."""
        try:
            source = resolve(path)
        except UserError as error:
            self.refused.emit(str(error))
            return
        if isinstance(source, SavedModel):
            self._opened = [*(each for each in self._opened if each != source), source]
        self.set_saved(self._saved, choose=source)
        self.by_hand = True

    def _fill(self, choose: ModelSource | None) -> None:
        live = [self._live] if self._live else []
        fresh: list[ModelSource] = [each for each in self.sources if isinstance(each, UntrainedModel)]
        if self._fresh:
            fresh = [UntrainedModel(self._fresh)]
        opened = [each for each in self._opened if each not in self._saved and each.path.is_dir()]
        self.sources = [*live, *fresh, *self._saved, *opened]
        first = next((i for i, each in enumerate(self.sources) if isinstance(each, UntrainedModel)), 0)
        with QSignalBlocker(self):
            self.clear()
            self.addItems([short_name(source) for source in self.sources])
            self.addItem(tr("Choose a checkpoint…"))
            self.setCurrentIndex(self.sources.index(choose) if choose in self.sources else first)
        self._remember(self.currentIndex())
        self.offered.emit()

    def _activated(self, index: int) -> None:
        self.by_hand = True
        if index < len(self.sources):
            self.chosen.emit()
            return
        path = QFileDialog.getExistingDirectory(self, tr("Choose a checkpoint folder or a run folder"))
        self.setCurrentIndex(self._index)  # the one before, until there is a better one
        self.chosen.emit()
        if path:
            self.open(path)

    def _remember(self, index: int) -> None:
        if 0 <= index < len(self.sources):
            self._index = index
