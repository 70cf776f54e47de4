"""Button with the commands that copy what a page shows as a command or as Python."""

from __future__ import annotations

from gptstudio.gui.actions import Actions
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.icons import IconButton

COPIES = ("copy_command", "copy_python")


def copy_button(actions: Actions, name: str) -> IconButton:
    """Return a small button with a menu of these commands."""
    made = IconButton("copy", name, tr("Copy as code"), tr("Copies what is set here as a command or as Python"))
    made.setMenu(actions.menu(COPIES, made))
    return made
