"""List of the checkpoints of the run that is shown, and the commands for the selected one.

The list shows the step, the validation loss and the size of each checkpoint, and marks the best and the last. Two
actions branch off from the last checkpoint before a jump of the loss.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject, QSignalBlocker, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHeaderView, QMenu, QSizePolicy, QTreeWidget, QTreeWidgetItem, QWidget

from gptstudio.app.state import AppState
from gptstudio.gui.controllers.training import TrainingController
from gptstudio.gui.question import confirmed
from gptstudio.gui.translation import joined, size, tr
from gptstudio.gui.widgets.layouts import FREE, TOP, aligned, grows, hbox, vbox, with_layout
from gptstudio.gui.widgets.parts import button, label, named, plain, set_blocker
from gptstudio.i18n import message
from gptstudio.training import branching
from gptstudio.training.events import CheckpointSaved
from gptstudio.training.run_folder import step_of


class CheckpointList(QTreeWidget):
    """List of the checkpoints, the newest on top."""

    def __init__(self) -> None:
        super().__init__()
        named(self, "checkpoints", tr("Checkpoints of this run"))
        self.saved: list[CheckpointSaved] = []
        """The checkpoints, the earliest first."""
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setMinimumHeight(56)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
        self.header().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.header().setStretchLastSection(True)
        self._fill(())

    def chosen(self) -> CheckpointSaved | None:
        """Return the selected checkpoint; None if there is none."""
        item = self.currentItem()
        row = self.indexOfTopLevelItem(item) if item else -1
        return self.saved[-1 - row] if row >= 0 else None

    def select(self, name: str) -> None:
        """Select the checkpoint of this name, if it is listed."""
        for row, each in enumerate(reversed(self.saved)):
            item = self.topLevelItem(row)
            if item and Path(each.path).name == name:
                self.setCurrentItem(item)

    def show_checkpoints(self, saved: list[CheckpointSaved]) -> None:
        """Show these checkpoints, the newest on top, unless they are shown already."""
        if saved == self.saved and self.topLevelItemCount() == len(saved):
            return
        self._fill(saved)

    def _fill(self, saved: Sequence[CheckpointSaved]) -> None:
        chosen = self.chosen()
        self.saved = list(saved)
        losses = {each.step: each.val_loss for each in saved
                  if each.val_loss is not None and math.isfinite(each.val_loss)}
        best = min(losses, key=lambda step: losses[step], default=None)  # on a tie the earliest, as in the folder
        self.setHeaderLabels([tr("After step"), tr("Validation loss"), tr("Size"), ""])
        with QSignalBlocker(self):  # until it is filled, the rows do not match ``saved``
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


EMPTY = message(
    "Checkpoints appear here while a run trains: the model as it was after a step, to continue from, to generate with "
    "and to compare. One is saved at the end, and now and then before. Press Start to begin.")
DOES = {
    "continue": message("Continues from this checkpoint as a new run; this run does not change"),
    "generate": message("Opens this checkpoint in the Generate tab"),
    "compare": message(
        "Generates with this checkpoint and with the last one, side by side, with the same prompt and seed"),
    "delete": message("Moves this checkpoint to the trash; the run keeps its log and its other checkpoints"),
}
"""Tooltip of each button while it is enabled."""


class CheckpointPane(QWidget):
    """List of the checkpoints, with buttons for the selected one. A disabled button shows the reason."""

    def __init__(self, state: AppState, controller: TrainingController) -> None:
        super().__init__()
        self._state, self._controller = state, controller
        self.list = CheckpointList()
        self.actions_of = {name: self._make_action(name, text) for name, text in (
            ("continue", tr("Continue from here")), ("generate", tr("Generate with it")),
            ("compare", tr("Compare with the end")), ("delete", tr("Delete…")))}
        self.buttons = {
            name: button(self.actions_of[name].text(), f"checkpoint_{name}", do=self.actions_of[name].trigger)
            for name in ("continue", "generate")}
        more = button(tr("More"), "checkpoint_more", tr("Compare with the end, delete, restore"))
        self.menu = QMenu(more)
        self.menu.setToolTipsVisible(True)
        self.menu.addActions([self.actions_of[name] for name in ("compare", "delete")])
        more.setMenu(self.menu)
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self.list.currentItemChanged.connect(self._show_state)
        self.empty = label(tr(EMPTY), "muted", "checkpoints_empty", wrap=True)
        lower = hbox(self.buttons["generate"], more)  # next to the list, where they do not reduce its height
        self._full = with_layout(QWidget(), hbox(grows(self.list), vbox(self.buttons["continue"], lower, FREE)))
        with_layout(self, vbox(aligned(self.empty, TOP), grows(self._full), margins=(0, 4, 0, 0)))
        state.on(self._show_state, "run_state", "run", "generating", "playing")
        controller.events_arrived.connect(lambda _: self._show_state())
        controller.checkpoint_restored.connect(self.list.select)
        self._show_state()

    def show_checkpoints(self, saved: list[CheckpointSaved]) -> None:
        self.list.show_checkpoints(saved)
        self._show_state()

    def _reason(self, name: str) -> str:
        """Return the reason why a command is disabled, as a message; empty if it is enabled."""
        state, chosen, saved = self._state, self.list.chosen(), self.list.saved
        if chosen is None:
            some = message("Select a checkpoint in the list first.")
            return some if saved else message("There is no checkpoint yet.")
        match name:
            case "continue" if state.running:
                return message("This window is training. Stop the run first.")
            case "continue" if chosen.model_only:
                return message("Only the model was saved after this step. You can generate with it.")
            case "compare" if chosen == saved[-1]:
                return message("This is the last checkpoint. Select an earlier one to compare with it.")
            case "compare" if state.generating or state.playing:
                return message("Generate is busy. Stop it first.")
            case "delete" if state.running or state.run.written_by:
                return message("This run is still in progress.")
            case "delete" if self._resumable == [chosen] and not self._finished:
                return message("It is the only checkpoint of this run, which could not be continued without it.")
        return ""

    @property
    def _resumable(self) -> list[CheckpointSaved]:
        return [each for each in self.list.saved if not each.model_only]

    @property
    def _finished(self) -> bool:
        ended = self._state.run.ended
        return ended is not None and ended.outcome == "finished"

    def _show_state(self) -> None:
        some = bool(self.list.saved)
        self.empty.setVisible(not some)
        self._full.setVisible(some)
        for name, action in self.actions_of.items():
            reason = self._reason(name)
            made = self.buttons.get(name)
            action.setEnabled(not reason)
            action.setToolTip(tr(reason or DOES[name]))
            if made:
                set_blocker(made, tr(reason) if reason else "", tr(DOES[name]))

    def _make_action(self, name: str, text: str) -> QAction:
        action = QAction(text, self.list)
        action.setObjectName(f"checkpoint_{name}_action")
        action.triggered.connect(lambda: self._do(name))
        self.list.addAction(action)
        return action

    def _do(self, name: str) -> None:
        chosen, controller = self.list.chosen(), self._controller
        if chosen is None or self._reason(name):
            return
        checkpoint = Path(chosen.path).name
        match name:
            case "continue":
                controller.continue_from(checkpoint)
            case "generate":
                controller.generate_with(checkpoint)
            case "compare":
                controller.compare(checkpoint, Path(self.list.saved[-1].path).name)
            case "delete" if self._may_delete(chosen):
                controller.delete_checkpoint(checkpoint)

    def _may_delete(self, chosen: CheckpointSaved) -> bool:
        """Ask for confirmation before a checkpoint is deleted; state what is kept."""
        saved = self.list.saved
        words = [tr("Size: {size}.", size=size(chosen.bytes))] if chosen.bytes else []
        if len(saved) == 1:
            words.append(tr("It is the only one: no model of this run is left then. The log and the curves stay."))
        else:
            words.append(tr("The log, the curves and the other checkpoints ({n}) stay.", n=len(saved) - 1))
        resumable = self._resumable
        if len(resumable) > 1 and chosen == resumable[-1] and not self._finished:
            words.append(tr("The run then continues from step {n}.", n=f"{resumable[-2].step + 2:,}"))
        return confirmed(
            self, "checkpoints", tr("Move checkpoint to trash"),
            tr("Move the checkpoint after step {n} to the trash?", n=f"{chosen.step + 1:,}"), tr("Move to trash"),
            joined(" ", *words))


SAME = message(
    "Continues from the last checkpoint before the jump as a new run; this run does not change. With the same settings "
    "on the same device, the same steps come again, and the jump with them.")
SLOWER = message(
    "Continues from the last checkpoint before the jump as a new run with a tenth of the learning rate; this run does "
    "not change.")


class GoBack(QObject):
    """Two actions that branch off from the last checkpoint before the selected jump."""

    def __init__(self, state: AppState, controller: TrainingController, parent: QObject) -> None:
        super().__init__(parent)
        self._state, self._controller, self._step = state, controller, 0
        self.same = QAction(tr("Go back to before the jump"), parent)
        self.slower = QAction(tr("Go back to before the jump, with a lower learning rate"), parent)
        self.same.setObjectName("jump_back_action")
        self.slower.setObjectName("jump_slower_action")
        self.same.triggered.connect(lambda: self._controller.go_back(self._step))
        self.slower.triggered.connect(lambda: self._controller.go_back(self._step, self._tenth))

    @property
    def actions(self) -> tuple[QAction, QAction]:
        return self.same, self.slower

    @property
    def _tenth(self) -> float | None:
        rate = self._state.run.learning_rate
        return rate / 10 if rate else None

    def aim(self, step: int) -> None:
        """Set the step of the jump, counted from 0, before which the actions branch off."""
        self._step = step
        run = self._state.run.folder
        checkpoint = branching.before(run, step) if run else None
        after = f"{step_of(checkpoint) + 1:,}" if checkpoint else ""
        what = tr("Go back to before the jump (step {n})", n=after) if after else tr("Go back to before the jump")
        texts = [what, what]
        if self._tenth:
            texts[1] = tr("{what}, learning rate {rate:.3g}", what=what, rate=self._tenth)
        reasons = [self._reason(bool(checkpoint))] * 2
        if not reasons[1] and "train_learning_rate" in self._state.locked_controls:
            reasons[1] = message("The learning rate is locked by your instructor.")
        for action, text, reason, does in zip(self.actions, texts, reasons, (SAME, SLOWER), strict=True):
            action.setText(text)
            action.setEnabled(not reason)
            action.setToolTip(tr(reason or does))
        self.slower.setVisible(self._tenth is not None)

    def _reason(self, saved: bool) -> str:
        if self._state.running:
            return message("This window is training. Stop the run first.")
        return "" if saved else message("No checkpoint from before the jump is left.")
