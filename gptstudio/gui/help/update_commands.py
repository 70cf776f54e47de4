"""The command that checks for updates. It never runs by itself."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from gptstudio.app import updates
from gptstudio.app.tasks import TaskRunner
from gptstudio.gui.actions import Actions, explain


class UpdateCommands(QObject):
    """Handles it for a window. It is off where the releases have no address that can be asked."""

    def __init__(self, window: QWidget, actions: Actions, tasks: TaskRunner) -> None:
        super().__init__(window)
        self._window, self._tasks, self._address = window, tasks, updates.address()
        actions.handle("check_updates", self._ask)
        if why_not := updates.problem(self._address):
            actions.lock("check_updates", why_not)

    def _ask(self) -> None:
        from gptstudio.gui.help.update_dialog import UpdateDialog

        dialog = UpdateDialog(self._window, self._tasks, self._address)
        explain(dialog)
        dialog.exec()
        dialog.deleteLater()
