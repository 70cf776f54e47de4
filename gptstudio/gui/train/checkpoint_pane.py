"""Commands on a checkpoint of the run that is shown: beside the list of these, and in its context menu."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QPushButton, QWidget

from gptstudio.app.state import AppState
from gptstudio.gui.controllers.training import TrainingController
from gptstudio.gui.question import confirmed
from gptstudio.gui.train.checkpoint_list import CheckpointList
from gptstudio.gui.translation import joined, size, tr
from gptstudio.gui.widgets.layouts import FREE, TOP, aligned, grows, hbox, holding, vbox
from gptstudio.gui.widgets.parts import button, label, permit
from gptstudio.i18n import message
from gptstudio.training.events import CheckpointSaved

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
"""Of each button, while it is on."""


class CheckpointPane(QWidget):
    """The list, and beside it buttons for the checkpoint that is selected. One that is off says why."""

    def __init__(self, state: AppState, controller: TrainingController) -> None:
        super().__init__()
        self._state, self._controller = state, controller
        self.list = CheckpointList()
        self.actions_of = {name: self._make_action(name, text) for name, text in (
            ("continue", tr("Continue from here")), ("generate", tr("Generate with it")),
            ("compare", tr("Compare with the end")), ("delete", tr("Delete…")))}
        self.buttons = {name: self._make_button(name) for name in ("continue", "generate")}
        more = button(tr("More"), "checkpoint_more", tr("Compare with the end, delete, restore"))
        self.menu = self._make_menu(more)
        more.setMenu(self.menu)
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self.list.currentItemChanged.connect(self._show_state)
        self.empty = label(tr(EMPTY), "muted", "checkpoints_empty", wrap=True)
        lower = hbox(self.buttons["generate"], more)  # beside the list, where they take no row of it
        self._full = holding(QWidget(), hbox(grows(self.list), vbox(self.buttons["continue"], lower, FREE)))
        holding(self, vbox(aligned(self.empty, TOP), grows(self._full), margins=(0, 4, 0, 0)))
        state.on(self._show_state, "run_state", "run", "generating", "playing")
        controller.events_arrived.connect(lambda _: self._show_state())
        controller.checkpoint_restored.connect(self.list.select)
        self._show_state()

    def show_checkpoints(self, saved: list[CheckpointSaved]) -> None:
        self.list.show_checkpoints(saved)
        self._show_state()

    def rows(self) -> list[list[str]]:
        """Return the texts of all rows."""
        return self.list.rows()

    def _reason(self, name: str) -> str:
        """Return why something cannot be done now, as a message; empty if it can."""
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
                return message("Generate is at work. Stop it first.")
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
                permit(made, tr(reason) if reason else "", tr(DOES[name]))

    def _make_action(self, name: str, text: str) -> QAction:
        action = QAction(text, self.list)
        action.setObjectName(f"checkpoint_{name}_action")
        action.triggered.connect(lambda: self._do(name))
        self.list.addAction(action)
        return action

    def _make_button(self, name: str) -> QPushButton:
        action = self.actions_of[name]
        return button(action.text(), f"checkpoint_{name}", do=lambda: action.trigger())

    def _make_menu(self, over: QWidget) -> QMenu:
        menu = QMenu(over)
        menu.setToolTipsVisible(True)
        for name in ("compare", "delete"):
            menu.addAction(self.actions_of[name])
        return menu

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
        """Ask whether a checkpoint may go, and say what stays."""
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
