"""A bar across the window that says once that the program was replaced on the disk while it runs."""

from __future__ import annotations

import sys

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QWidget

from gptstudio import frozen
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.layouts import Tall, grows, hbox, holding
from gptstudio.gui.widgets.parts import button, label


class UpgradeNotice(Tall):
    """Looks at the program's file whenever its window becomes active, which costs nothing while it is idle: who
    installs something works in another window."""

    def __init__(self, window: QWidget) -> None:
        super().__init__()
        self._window, self._started = window, frozen.executable_file()
        self.words = label(role="notice", name="upgrade_notice", wrap=True)
        self.done = button(tr("Close"), "upgrade_notice_close", tr("Closes this notice"), "quiet", self.hide)
        holding(self, hbox(grows(self.words), self.done, margins=(16, 8, 16, 4)))
        self.hide()
        if self._started:
            window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.WindowActivate and (now := frozen.executable_file()) != self._started:
            self._window.removeEventFilter(self)
            self.words.setText(tr(
                "GPT Studio was updated while it runs. This window keeps using the old version; save or finish what is "
                "running, then start GPT Studio again to use the new one.",
            ) if now else tr(
                "The program is no longer at {path}: it was removed or moved while it runs. This window keeps working; "
                "save or finish what is running.", path=sys.executable))
            self.show()
        return super().eventFilter(watched, event)
