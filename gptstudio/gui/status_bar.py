"""Status bar: the last action, the running task with its cancel button, the device, and its free memory."""

from __future__ import annotations

from PySide6.QtCore import QTimer
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QHideEvent
from PySide6.QtWidgets import QStatusBar

from gptstudio.app.state import AppState
from gptstudio.app.tasks import Task, TaskRunner
from gptstudio.gui.save_as import SavedNotice
from gptstudio.gui.translation import size, tr
from gptstudio.gui.widgets.parts import ProgressBar, button, label, named, set_blocker
from gptstudio.i18n import message

CANCELLING = message("It is being cancelled.")
SHOWN_MS = 8_000
"""Milliseconds for which the last action is shown."""


class StatusBar(QStatusBar):
    """Status bar with the newest task that has a title, and the free memory of the chosen device."""

    def __init__(self, state: AppState, tasks: TaskRunner) -> None:
        super().__init__()
        named(self, "status_bar", tr("Status"))
        self.setSizeGripEnabled(False)
        self.setContentsMargins(12, 0, 12, 0)
        self._state, self._tasks = state, tasks
        self.done = label(name="status_done")
        self.done.hide()
        self.saved = SavedNotice("status")
        self._shown = QTimer(self, interval=SHOWN_MS, singleShot=True)
        self._shown.timeout.connect(self.done.hide)
        self.task = label(role="muted", name="status_task")
        self.progress = ProgressBar("status_progress")
        self.progress.setFixedWidth(120)
        self.cancel = button(tr("Cancel"), "status_cancel", tr("Cancels this task"), "quiet", self.cancel_task)
        self.device = label(role="muted", name="status_device")
        for words in (self.done, self.task, self.device):
            words.setMinimumWidth(1)  # large text is cut off here, and does not widen the window
        for part in (self.done, self.saved, self.task, self.progress, self.cancel):
            self.addWidget(part)
        self.addPermanentWidget(self.device)
        tasks.changed.connect(self._show_task)
        tasks.changed.connect(self._show_device)
        state.on(self._show_device, "device")
        state.on(self._show_task, "page")
        self._show_task()
        self._show_device()

    def say(self, words: str) -> None:
        """Show an action for some seconds, and announce it to screen readers. ``words``: a message."""
        self.done.setText(tr(words))
        self.done.show()
        self._shown.start()
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, self.done.text()))

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if not event.spontaneous():
            self._shown.stop()
            self.done.hide()

    def _newest(self) -> Task | None:
        return next((each for each in reversed(self._tasks.tasks) if each.title), None)

    def _show_task(self) -> None:
        task = self._newest()
        self._state.task = task.title if task else ""
        self.task.setVisible(task is not None)
        # Train always shows its own button; those of other pages may be in another view.
        self.cancel.setVisible(task is not None and (task.queue != "training" or self._state.page != "train"))
        self.progress.setVisible(task is not None and task.progress[1] > 0)
        if task:
            done, total = task.progress
            self.task.setText(tr(task.title))
            self.progress.show_progress(done, total)
            set_blocker(self.cancel, tr(CANCELLING) if task.control.stopping else "")

    def _show_device(self) -> None:
        device = self._state.device
        if device.kind == "cuda" and self._tasks.busy():
            used, total = device.total_bytes - device.free_bytes, device.total_bytes
            self.device.setText(tr(
                "{device}: {used} of {total} used", device=device.key.upper(), used=size(used), total=size(total)))
            return
        self.device.setText(tr("{device}: {free} of {total} free", device=device.key.upper(),
                               free=size(device.free_bytes), total=size(device.total_bytes)))

    def cancel_task(self) -> None:
        task = self._newest()
        if task:
            task.cancel()
            set_blocker(self.cancel, tr(CANCELLING))
