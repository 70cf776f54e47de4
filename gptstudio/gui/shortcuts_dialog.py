"""List of the keys of all commands, made from their declarations."""

from __future__ import annotations

from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QDialogButtonBox,
    QHeaderView,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from gptstudio.gui.actions import Actions, explain
from gptstudio.gui.commands import COMMANDS, Command
from gptstudio.gui.fitting import Dialog
from gptstudio.gui.theme import theme
from gptstudio.gui.translation import joined, tr
from gptstudio.gui.widgets.parts import named
from gptstudio.gui.widgets.tables import quieten
from gptstudio.i18n import message

PAGES = {
    "": message("Anywhere"), "train": message("Train"), "generate": message("Generate"), "runs": message("Runs"),
    "texts": message("Texts"),
}
PLAIN_KEYS = {"Escape": "Esc", "Period": ".", "Comma": ",", "Space": message("Space")}


class ShortcutsDialog(Dialog):
    """Dialog with three columns: keys, command, and where they work."""

    def __init__(self, over: QWidget, actions: Actions) -> None:
        super().__init__(over)
        self.setObjectName("shortcuts_dialog")
        self.setWindowTitle(tr("Keyboard shortcuts"))
        commands = [command for command in COMMANDS.values() if command.keys or command.plain_keys]
        self.table = named(QTableWidget(len(commands), 3), "shortcuts", tr("Keyboard shortcuts"))
        quieten(self.table)
        self.table.setHorizontalHeaderLabels([tr("Keys"), tr("Command"), tr("Page")])
        for row, command in enumerate(commands):
            text = actions[command.id].text().replace("&", "")
            anywhere = command.keys and command.scope == "window"
            pages = joined(", ", *(tr(PAGES[page]) for page in ([""] if anywhere else command.pages)))
            for column, words in enumerate((keys_text(command), text, pages)):
                self.table.setItem(row, column, QTableWidgetItem(words))
        self.table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.table.horizontalHeader().setStretchLastSection(True)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(self.table)
        layout.addWidget(buttons)
        explain(self)
        theme.dress(self)
        self.resize(self.fontMetrics().averageCharWidth() * 100, self.fontMetrics().height() * 32)


def keys_text(command: Command) -> str:
    """Return the keys of a command, as text."""
    keys = [QKeySequence(each).toString(QKeySequence.SequenceFormat.NativeText) for each in command.keys]
    return ", ".join([*keys, *(tr(PLAIN_KEYS.get(each, each)) for each in command.plain_keys)])
