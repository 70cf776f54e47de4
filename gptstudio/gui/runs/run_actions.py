"""Actions on the selected run: in a menu, as buttons and by keys, with the reason if one is disabled."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QPushButton, QWidget

from gptstudio import paths
from gptstudio.gui.answers_runs import RunEntry
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.flow import Flow
from gptstudio.gui.widgets.parts import button
from gptstudio.i18n import message


class ActionKind(NamedTuple):
    words: str
    tip: str
    keys: tuple[str, ...] = ()


KINDS = {
    "open": ActionKind(message("Open in Train"), message(
    "Opens the run in the Train tab; a run in progress is followed live"),
                 ("Return", "Enter")),
    "go_on": ActionKind(message("Continue"), message(
    "Continues from the last checkpoint, exactly as if the run had never stopped"),
                  ("Ctrl+G",)),
    "again": ActionKind(message("Run again…"),
                  message(
                  "Copies its model and settings to the panels, where you can change them and start"), ("Ctrl+R",)),
    "talk": ActionKind(message("Generate with it"), message("Opens its best checkpoint in the Generate tab"),
                       ("Ctrl+T",)),
    "rename": ActionKind(message("Rename"), message("Renames the run; its folder keeps its name"), ("F2",)),
    "delete": ActionKind(message("Move to trash…"), message("Moves the run's folder to the trash"), ("Delete",)),
    "take_off": ActionKind(message("Remove from list"),
                     message("The folder was added from elsewhere and stays where it is")),
    "show": ActionKind(message("Show folder"), message("Opens the run's folder in the file manager"),
                       ("Ctrl+Shift+O",)),
    "add": ActionKind(message("Add a folder…"),
                message("A run from anywhere, such as a shared disk that another machine writes to"),
                ("Ctrl+O",)),
    "import": ActionKind(message("Import a zip…"), message("A run packed on this or another machine"), ("Ctrl+I",)),
    "csv": ActionKind(message("Data of selected runs (CSV)…"),
                message("All values of the selected runs: step, run, value"), ("Ctrl+E",)),
    "svg": ActionKind(message("Chart as SVG…"), message("The chart as shown, as vector graphics")),
    "png": ActionKind(message("Chart as PNG…"), message("The chart as shown, as an image")),
    "zip": ActionKind(message("Run as zip…"), message("Includes the checkpoints; you can open it on another machine")),
    "zip_light": ActionKind(message("Run as zip, without checkpoints…"),
                      message("Settings and log, without the model")),
    "script": ActionKind(message("Run as Python script…"), message(
    "The same training in plain PyTorch, without GPT Studio")),
}
OFTEN = ("open", "go_on", "again", "talk")
MORE = ("rename", "delete", "take_off", "show")
ADD = ("add", "import")
EXPORTS = ("csv", "svg", "png", None, "zip", "zip_light", "script")
FOR_ONE = (*OFTEN, None, *MORE, None, "zip", "zip_light", "script")
"""Actions in the context menu of the list."""
CHARTED = ("csv", "svg", "png")
"""Actions on the checked runs, not on the selected one."""


class RunActions:
    """The actions by name. Keys work on the list; those with Ctrl on the whole tab."""

    def __init__(self, tab: QWidget, run_list: QWidget, handlers: Mapping[str, Callable[[], None]]):
        self.by_name = {name: self._make(name, kind, tab, run_list, handlers[name]) for name, kind in KINDS.items()}

    def __getitem__(self, name: str) -> QAction:
        return self.by_name[name]

    def show_state(self, reasons: Mapping[str, str]) -> None:
        """Turns off what has a reason to be off, and says it."""
        for name, action in self.by_name.items():
            reason = reasons.get(name, "")
            action.setEnabled(not reason)
            keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
            tip = tr(KINDS[name].tip)
            action.setToolTip(reason or (tr("{what} ({keys})", what=tip, keys=keys) if keys else tip))

    def button(self, name: str) -> QPushButton:
        """A button that does what the action does."""
        action = self[name]
        made = button(action.text(), f"run_{name}")

        def follow() -> None:
            made.setEnabled(action.isEnabled())
            made.setToolTip(action.toolTip())

        made.clicked.connect(action.trigger)
        action.changed.connect(follow)
        follow()
        return made

    def bar(self) -> Flow:
        """Create buttons for frequent actions, and menus for the others."""
        row = Flow()
        for name in OFTEN:
            row.addWidget(self.button(name))
        for title, name, names in ((tr("More"), "runs_more", MORE), (tr("Add"), "runs_add", ADD),
                                   (tr("Export"), "runs_export", EXPORTS)):
            made = button(title, name)
            made.setMenu(self.menu(names, made))
            row.addWidget(made)
        return row

    def menu(self, names: Sequence[str | None], parent: QWidget) -> QMenu:
        """A menu of some of them; None is a line between."""
        made = QMenu(parent)
        made.setToolTipsVisible(True)
        for name in names:
            made.addAction(self[name]) if name else made.addSeparator()
        return made

    def _make(
        self, name: str, kind: ActionKind, tab: QWidget, run_list: QWidget, handler: Callable[[], None]
    ) -> QAction:
        action = QAction(tr(kind.words), tab)
        action.setObjectName(f"run_{name}_action")
        action.setShortcuts([QKeySequence(keys) for keys in kind.keys])
        on_the_list = not any(keys.startswith("Ctrl") for keys in kind.keys)
        contexts = Qt.ShortcutContext
        action.setShortcutContext(contexts.WidgetShortcut if on_the_list else contexts.WidgetWithChildrenShortcut)
        action.triggered.connect(lambda: handler())
        (run_list if on_the_list else tab).addAction(action)
        return action


def reasons(run: RunEntry | None, ticked: int, training: bool) -> dict[str, str]:
    """Return the reasons why actions are off; ``training``: this window is training a run."""
    off = dict.fromkeys(CHARTED, tr("Select one or more runs with their check boxes first.")) if not ticked else {}
    if not run:
        return off | {name: tr("Click a run in the list first.") for name in FOR_ONE if name}
    if run.path.parent == paths.runs():
        off["take_off"] = tr(
            "This is one of your own runs. Only folders added from elsewhere can be removed from the list.")
    if run.state == "live":
        off |= dict.fromkeys(("rename", "delete", "go_on", "zip"), tr("This run is still in progress."))
    elif run.state == "finished":
        off["go_on"] = tr("It has completed all its steps. To train longer, run it again with more steps.")
    elif training:
        off["go_on"] = tr("This window is training another run.")
    if training:
        off["again"] = tr("The Train tab shows the settings of the run that this window is training.")
    if not run.saved:
        off = dict.fromkeys(("go_on", "talk"), tr("It has no checkpoint yet.")) | off
    return off
