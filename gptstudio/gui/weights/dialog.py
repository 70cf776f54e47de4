"""Base of the dialogs about weights: non-modal, with one background task at a time, for any text size."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QCoreApplication, QEvent, QSize, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QDialog, QTableView, QWidget

from gptstudio.app.tasks import Task, TaskError, TaskRunner, Work
from gptstudio.gui.appearance import follow
from gptstudio.gui.theme import theme
from gptstudio.gui.translation import tr
from gptstudio.gui.weights.parts import Refusal, TransferBar
from gptstudio.gui.widgets.layouts import FREE, column, fill, grows, holding, row
from gptstudio.gui.widgets.parts import button, label, scrolling
from gptstudio.gui.widgets.tall import Tall

LETTERS = 96
"""As wide as lines are that people like to read."""
LAYOUT = QEvent.Type.LayoutRequest
EDGE, SPACE = 18, 14
"""Pixels around what is inside, and between it and the buttons."""


class WeightsDialog(QDialog):
    """Dialog with one task at a time; closing it cancels the unfinished one."""

    train_requested = Signal(object)  # Imported
    talk_requested = Signal(object)  # Imported

    def __init__(self, over: QWidget, tasks: TaskRunner, name: str, title: str) -> None:
        super().__init__(over)
        self._tasks = tasks
        self._window = over.window()
        self.setObjectName(f"{name}_dialog")
        self.setWindowTitle(title)
        self._task: Task | None = None
        self.title = label(role="title", name=f"{name}_title", wrap=True)
        self.transfer_bar, self.refusal = TransferBar(name), Refusal(name)
        self.close_button = button(tr("Close"), f"{name}_close")
        self.body, self._row = column(spacing=12), row(spacing=8)
        self._scroll = scrolling(holding(Tall(), self.body), f"{name}_scroll")
        holding(self, column(grows(self._scroll), self._row, spacing=SPACE, margins=(EDGE, EDGE, EDGE, EDGE)))
        self.transfer_bar.cancelled.connect(self.stop)
        self.close_button.clicked.connect(self.reject)
        follow(self, self._refit)

    def lay_out(self, *parts: QWidget, buttons: tuple[QWidget, ...] = ()) -> None:
        """The parts below each other, then what comes of them; at the foot the buttons, the last thing to do right."""
        fill(self.body, self.title, *parts, self.transfer_bar, self.refusal, FREE)
        fill(self._row, FREE, self.close_button, *buttons)
        theme.dress(self)

    # The task.

    @property
    def busy(self) -> bool:
        return self._task is not None

    def run(
        self, work: Work, done: Callable[[Any], object], failed: Callable[[TaskError], object],
        cancelled: Callable[[], object] | None = None, title: str = "",
    ) -> None:
        """Run a task in place of the one before, which is forgotten. One with a title may take minutes."""
        if self._task:
            self._task.forget()
        self._task = self._tasks.run(
            work, title=title, done=done, failed=failed, cancelled=cancelled or self.ended,
            progress=self.transfer_bar.advance, shows_details=True)
        self.close_button.setToolTip(tr("Cancels the current operation first") if title else "")

    def ended(self) -> None:
        """Reset the dialog after the task has finished or was stopped."""
        self._task = None
        self.close_button.setToolTip("")
        self.transfer_bar.hide()

    def stop(self) -> None:
        if self._task:
            self._task.cancel()

    def reject(self) -> None:
        self.stop()
        super().reject()

    # Its size.

    def open_up(self) -> None:
        """Show it before all others. It leaves the window free: a download may take an hour."""
        self.show()
        self.raise_()
        self.activateWindow()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)  # which goes on to the parts
        self._refit()

    def _refit(self) -> None:
        if self.isVisible():
            self.resize(QSize())
            self.fit()

    def fit(self) -> None:
        """As high as what is inside needs now, at least as wide, and no larger than the window: then it scrolls."""
        self.ensurePolished()
        QCoreApplication.sendPostedEvents(None, LAYOUT)  # what was hidden just now still has its room otherwise
        room, beside = self._window.size(), 2 * EDGE
        least = max(self.natural_width(), self._row.minimumSize().width())
        width = max(self.width(), min(least + beside, room.width()))
        self.resize(width, self.height())  # a table may scroll sideways now, and then it is higher
        inside = self.body.totalHeightForWidth(width - beside - self._scroll.verticalScrollBar().sizeHint().width())
        below = self._row.sizeHint().height() + SPACE + beside
        self.resize(width, min(inside + below, room.height()))

    def natural_width(self) -> int:
        """Return the preferred inner width: a readable line length, and no table clipped."""
        tables = (table.sizeHint().width() for table in self.findChildren(QTableView))
        bar = self._scroll.verticalScrollBar().sizeHint().width()
        return max(LETTERS * self.fontMetrics().averageCharWidth(), *tables, 0) + bar
