"""The checkpoints of a run that are on the disk: step, validation loss, size, which is the best and the last, and what
can be done with each."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Qt, Signal, SignalInstance
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHeaderView, QSizePolicy, QTreeWidget, QTreeWidgetItem, QWidget

from gptstudio.gui.appearance import follow
from gptstudio.gui.translation import size, tr
from gptstudio.gui.widgets.layouts import FREE, grows, hbox, holding, vbox
from gptstudio.gui.widgets.parts import button, named, plain
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
        follow(self, self._fill)

    def chosen(self) -> CheckpointSaved | None:
        """The checkpoint that is selected."""
        item = self.currentItem()
        row = self.indexOfTopLevelItem(item) if item else -1
        return self._saved[-1 - row] if row >= 0 else None

    def show_checkpoints(self, saved: list[CheckpointSaved]) -> None:
        """The newest on top."""
        if saved == self._saved and self.topLevelItemCount() == len(saved):
            return
        self._fill(saved)

    def _fill(self, saved: Sequence[CheckpointSaved] | None = None) -> None:
        chosen = self.chosen()
        saved = self._saved = self._saved if saved is None else list(saved)
        losses = [each.val_loss for each in saved if each.val_loss is not None and math.isfinite(each.val_loss)]
        self.setHeaderLabels([tr("After step"), tr("Validation loss"), tr("Size"), ""])
        with QSignalBlocker(self):  # nobody asks for a row while there are others than in the list
            self.clear()
            for each in reversed(saved):
                notes = [tr("best")] if losses and each.val_loss == min(losses) else []
                notes += [tr("last")] if each is saved[-1] else []
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


class CheckpointPane(QWidget):
    """The list, and beside it what can be done with the checkpoint that is selected; also in its context menu."""

    continue_requested = Signal(object)  # the checkpoint's name, as its folder is called
    generate_requested = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.list = CheckpointList()
        self._may_continue = True
        self.go_on = button(tr("Continue from here"), "checkpoint_continue",
                            tr("Continues from this checkpoint as a new run; this run does not change"))
        self.talk = button(tr("Generate with it"), "checkpoint_generate",
                           tr("Opens this checkpoint in the Generate tab"))
        self.actions_of = {}
        for made, signal in ((self.go_on, self.continue_requested), (self.talk, self.generate_requested)):
            action = QAction(made.text(), self.list)
            action.setObjectName(f"{made.objectName()}_action")
            action.triggered.connect(made.click)
            self.actions_of[made] = action
            self.list.addAction(action)
            made.clicked.connect(lambda _=False, signal=signal: self._request(signal))
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self.list.currentItemChanged.connect(self._show_state)
        buttons = vbox(self.go_on, self.talk, FREE)  # beside the list, where they take no row of it
        holding(self, hbox(grows(self.list), buttons, margins=(0, 4, 0, 0)))
        self._show_state()

    def show_checkpoints(self, saved: list[CheckpointSaved]) -> None:
        self.list.show_checkpoints(saved)
        self._show_state()

    def rows(self) -> list[list[str]]:
        """Return the texts of all rows."""
        return self.list.rows()

    def let_continue(self, may: bool) -> None:
        """Set whether a run can be started now."""
        self._may_continue = may
        self._show_state()

    def _show_state(self) -> None:
        there = self.list.chosen() is not None
        for made, on in ((self.go_on, there and self._may_continue), (self.talk, there)):
            made.setEnabled(on)
            self.actions_of[made].setEnabled(on)

    def _request(self, signal: SignalInstance) -> None:
        chosen = self.list.chosen()
        if chosen:
            signal.emit(Path(chosen.path).name)
