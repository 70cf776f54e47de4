"""Choice of a page's model: the lab's own, an untrained one, a run's, or an imported one."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QComboBox

from gptstudio.gpt.config import config_name
from gptstudio.gui.model_names import short_name
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.parts import named
from gptstudio.training.model_source import ModelSource, UntrainedModel


class ModelBox(QComboBox):
    """Box of models; the lab's own is the first."""

    turned = Signal()  # another model stands in the box now

    def __init__(self, own: UntrainedModel, name: str) -> None:
        super().__init__()
        named(self, f"{name}_model", tr("Model"))
        self.setToolTip(tr("The model that computes this page"))
        self._own = own
        self._others: Sequence[ModelSource] = ()
        self.sources: list[ModelSource] = []
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(16)
        self._fill()
        self.activated.connect(lambda: self.turned.emit())

    def source(self) -> ModelSource:
        return self.sources[max(0, self.currentIndex())]

    def choose_own(self) -> None:
        """The lab's own again, without telling."""
        self.setCurrentIndex(self.sources.index(self._own))

    def choose(self, source: ModelSource) -> None:
        if source in self.sources and source != self.source():
            self.setCurrentIndex(self.sources.index(source))
            self.turned.emit()

    def set_sources(self, sources: Sequence[ModelSource]) -> None:
        """Set the other models: the one in training, an untrained one, saved and imported ones."""
        before = self.source()
        self._others = [each for each in sources if each != self._own]
        self._fill()
        if before != self.source():
            self.turned.emit()

    def _fill(self) -> None:
        before = self.source() if self.sources else self._own
        self.sources = [self._own, *self._others]
        if isinstance(before, UntrainedModel) and before not in self.sources:  # the Model panel describes another now
            before = next((each for each in self._others if isinstance(each, UntrainedModel)), self._own)
        with QSignalBlocker(self):
            self.clear()
            self.addItems([self._words(source) for source in self.sources])
            self.setCurrentIndex(self.sources.index(before) if before in self.sources else 0)

    def _words(self, source: ModelSource) -> str:
        if source == self._own:
            return tr("{name}, untrained, random seed {seed}", name=config_name(self._own.config), seed=self._own.seed)
        return short_name(source)
