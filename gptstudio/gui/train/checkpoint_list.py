"""The checkpoints of a run that are on the disk: step, validation loss, size, which is the best and the last."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QHeaderView, QSizePolicy, QTreeWidget, QTreeWidgetItem

from gptstudio.gui.translation import size, tr
from gptstudio.gui.widgets.parts import named, plain
from gptstudio.training.events import CheckpointSaved


class CheckpointList(QTreeWidget):
    """List of the checkpoints, the earliest first."""

    def __init__(self) -> None:
        super().__init__()
        named(self, "checkpoints", tr("Checkpoints of this run"))
        self._saved: list[CheckpointSaved] = []
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setMinimumHeight(56)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
        self.header().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.header().setStretchLastSection(True)
        self._fill(())

    @property
    def saved(self) -> list[CheckpointSaved]:
        """The checkpoints, the earliest first."""
        return self._saved

    def chosen(self) -> CheckpointSaved | None:
        """The checkpoint that is selected."""
        item = self.currentItem()
        row = self.indexOfTopLevelItem(item) if item else -1
        return self._saved[-1 - row] if row >= 0 else None

    def select(self, name: str) -> None:
        """Select the checkpoint of this name, if it is listed."""
        for row, each in enumerate(reversed(self._saved)):
            item = self.topLevelItem(row)
            if item and Path(each.path).name == name:
                self.setCurrentItem(item)

    def show_checkpoints(self, saved: list[CheckpointSaved]) -> None:
        """The newest on top."""
        if saved == self._saved and self.topLevelItemCount() == len(saved):
            return
        self._fill(saved)

    def _fill(self, saved: Sequence[CheckpointSaved]) -> None:
        chosen = self.chosen()
        self._saved = list(saved)
        losses = {each.step: each.val_loss for each in saved
                  if each.val_loss is not None and math.isfinite(each.val_loss)}
        best = min(losses, key=lambda step: losses[step], default=None)  # of equals the earliest, as in the folder
        self.setHeaderLabels([tr("After step"), tr("Validation loss"), tr("Size"), ""])
        with QSignalBlocker(self):  # nobody asks for a row while there are others than in the list
            self.clear()
            for each in reversed(saved):
                notes = [tr("best")] if each.step == best else []
                notes += [tr("last")] if each is saved[-1] else []
                notes += [tr("model only")] if each.model_only else []
                loss = "–" if each.val_loss is None else f"{each.val_loss:.3f}"
                shown = [f"{each.step + 1:,}", loss, size(each.bytes) if each.bytes else "–", ", ".join(notes)]
                item = QTreeWidgetItem(shown)
                item.setToolTip(0, plain(each.path))
                self.addTopLevelItem(item)
                if each == chosen:
                    self.setCurrentItem(item)

    def rows(self) -> list[list[str]]:
        """Return the texts of all rows."""
        items = (self.topLevelItem(index) for index in range(self.topLevelItemCount()))
        return [[item.text(column) for column in range(self.columnCount())] for item in items if item]
