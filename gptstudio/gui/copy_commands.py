"""Commands that copy what a page shows as a command or as Python, and the button with both."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication

from gptstudio.app.copied_code import Kind, copied_code
from gptstudio.app.state import AppState
from gptstudio.errors import UserError, text_of
from gptstudio.gui.actions import Actions
from gptstudio.gui.status_bar import StatusBar
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.icon_button import IconButton

COPIES = ("copy_command", "copy_python")


class CopyCommands(QObject):
    """Handles these commands, and says in the status bar what was copied."""

    def __init__(self, actions: Actions, state: AppState, status: StatusBar) -> None:
        super().__init__(status)
        self._state, self._status = state, status
        kinds: tuple[Kind, ...] = ("command", "python")
        for kind in kinds:
            actions.handle(f"copy_{kind}", partial(self._copy, kind))

    def _copy(self, kind: Kind) -> None:
        try:
            copied = copied_code(self._state, kind)
        except UserError as error:
            self._status.say(text_of(error))
        else:
            QGuiApplication.clipboard().setText(copied.text)
            self._status.say(copied.said)


def copy_button(actions: Actions, name: str) -> IconButton:
    """Return a small button with a menu of these commands."""
    made = IconButton("copy", name, tr("Copy as code"), tr("Copies what is set here as a command or as Python"))
    made.setMenu(actions.menu(COPIES, made))
    return made
