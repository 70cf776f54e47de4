"""Initial weights of a run: new ones, those of an imported model, or those saved by a run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtGui import QKeyEvent, QWheelEvent

from gptstudio.app.state import AppState
from gptstudio.gui.actions import Actions
from gptstudio.gui.forms.elided_box import ElidedBox
from gptstudio.gui.model_names import short_name
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.parts import named
from gptstudio.training.model_source import ImportedModel, SavedModel

ENABLED = Qt.ItemDataRole.UserRole - 1
"""Role in which the model of a combo box stores whether an entry is enabled."""

WAYS = ("open_weights", "download_weights")
"""Commands that bring more weights, the last entries of the box."""


class WeightsBox(ElidedBox):
    """Box of weights, new ones first. The chosen weights stay in the list, whatever is offered."""

    def __init__(self, state: AppState, actions: Actions) -> None:
        super().__init__(letters=12)
        named(self, "weights", tr("Weights"))
        self.setToolTip(tr("Initial weights of a run: new random ones, or those of a trained model."))
        self._state, self._actions = state, actions
        self.sources: list[SavedModel | None] = [None]  # as they stand in the box
        self._passing = False  # by key or wheel, with the list closed
        self._fill()
        self.activated.connect(self._activated)
        state.on(self._fill, "weights", "saved_models")
        for name in WAYS:
            actions[name].changed.connect(self._fill)

    def source(self) -> SavedModel | None:
        """Whose weights are chosen; None for new ones."""
        return self._state.weights

    def _fill(self) -> None:
        chosen = self._state.weights
        offered = sorted(self._state.saved_models, key=lambda each: not isinstance(each, ImportedModel))
        also = [chosen] if chosen and chosen not in offered else []
        self.sources = [None, *also, *offered]
        with QSignalBlocker(self):
            self.clear()
            for source in self.sources:
                self.addItem(short_name(source) if source else tr("New (random)"))
            self.insertSeparator(len(self.sources))
            for name in WAYS:
                why = self._actions.locked(name)
                self.addItem(self._actions[name].text())
                self.setItemData(self.count() - 1, tr(why) if why else None, Qt.ItemDataRole.ToolTipRole)
                if why:
                    self.setItemData(self.count() - 1, 0, ENABLED)
            self.setCurrentIndex(self.sources.index(chosen))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        self._pass(super().keyPressEvent, event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        self._pass(super().wheelEvent, event)

    def _pass(self, usual: Callable[[Any], None], event: QKeyEvent | QWheelEvent) -> None:
        self._passing = True
        usual(event)
        self._passing = False

    def _activated(self, index: int) -> None:
        if index < len(self.sources):
            self._state.use_weights(self.sources[index])
            self._fill()  # they may have been refused
            return
        self.setCurrentIndex(self.sources.index(self._state.weights))  # until there are others
        if self._passing:  # nobody asked for a dialog yet: the list opens, where it can be chosen or passed
            self.showPopup()
            self.view().setCurrentIndex(self.model().index(index, 0))
            return
        self._actions[WAYS[index - self.count()]].trigger()
