"""The dialog that checks for updates."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from pages.page import Named, Page


class UpdatePage(Page):
    """It waits for an answer: what is done at it is given before it opens."""

    answer, notes, page = Named("update_answer"), Named("update_notes"), Named("update_page")
    check, browse, shut = Named("update_check"), Named("update_browse"), Named("update_close")

    @property
    def widget(self) -> Any:
        return QApplication.activeModalWidget()

    @property
    def command(self) -> Any:
        return self.user.window.actions_of["check_updates"]

    def open(self, at_it: Callable[[UpdatePage], object]) -> None:
        """Gives the command, does something at the dialog, and closes it with Escape."""
        failed: list[Exception] = []

        def act() -> None:
            if self.widget is None:
                QTimer.singleShot(20, act)
                return
            try:
                at_it(self)
            except Exception as error:  # noqa: BLE001 - or the dialog would wait for ever
                failed.append(error)
            if self.widget is not None:
                QTest.keyClick(self.widget, Qt.Key.Key_Escape)

        QTimer.singleShot(0, act)
        self.command.trigger()
        assert self.widget is None
        if failed:
            raise failed[0]

    def ask(self) -> str:
        """Presses Check, and waits; what is said then."""
        self.user.click(self.check)
        self.user.wait(lambda: not self.user.busy("pool"))
        return self.answer.text()
