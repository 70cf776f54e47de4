"""The checkpoints of a run that are on the disk: step, validation loss, size, and which is the best and the last."""

from __future__ import annotations

import math

from PySide6.QtWidgets import QHeaderView, QSizePolicy, QTreeWidget, QTreeWidgetItem

from gptstudio.gui.widgets.parts import named, plain
from gptstudio.gui.words import size, tr
from gptstudio.runs.events import CheckpointSaved


class CheckpointList(QTreeWidget):
    """Told which checkpoints there are, the earliest first."""

    def __init__(self) -> None:
        super().__init__()
        named(self, "checkpoints", tr("Checkpoints of this run"))
        self._saved: list[CheckpointSaved] = []
        self._head()
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setMinimumHeight(56)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
        self.header().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.header().setStretchLastSection(True)

    def show_checkpoints(self, saved: list[CheckpointSaved]) -> None:
        """The newest on top."""
        self._saved = saved
        self.clear()
        losses = [each.val_loss for each in saved if each.val_loss is not None and math.isfinite(each.val_loss)]
        for each in reversed(saved):
            notes = [tr("best")] if losses and each.val_loss == min(losses) else []
            notes += [tr("last")] if each is saved[-1] else []
            loss = "–" if each.val_loss is None else f"{each.val_loss:.3f}"
            shown = [f"{each.step + 1:,}", loss, size(each.bytes) if each.bytes else "–", ", ".join(notes)]
            item = QTreeWidgetItem(shown)
            item.setToolTip(0, plain(each.path))
            self.addTopLevelItem(item)

    def retell(self) -> None:
        """In another language."""
        self._head()
        self.show_checkpoints(self._saved)

    def _head(self) -> None:
        self.setHeaderLabels([tr("After step"), tr("Validation loss"), tr("Size"), ""])

    def rows(self) -> list[list[str]]:
        """What is shown, row by row."""
        items = (self.topLevelItem(index) for index in range(self.topLevelItemCount()))
        return [[item.text(column) for column in range(self.columnCount())] for item in items if item]
