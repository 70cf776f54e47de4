"""The computer: its devices, its free memory, and whether anything can be saved."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from gptstudio.app import devices, training_tasks
from gptstudio.app.state import AppState
from gptstudio.app.tasks import TaskRunner
from gptstudio.gui.controllers.view_timer import ViewTimer

MEMORY_EVERY_MS, IDLE_EVERY_MS = 3_000, 30_000
"""Milliseconds between two readings of the free memory, while a task is running and while none is."""
SMALLEST_CHANGE = 50 * 10**6
"""Bytes: half of the last decimal that is shown. Each change is followed by a new forecast."""


class ComputerController(QObject):
    """Keeps the devices of the state up to date."""

    warned = Signal(object)
    """Emitted with a warning if nothing can be saved."""

    def __init__(self, state: AppState, tasks: TaskRunner, parent: QObject | None = None):
        super().__init__(parent)
        self._state, self._tasks = state, tasks
        self._clock = ViewTimer(state, self._look, MEMORY_EVERY_MS, self)
        tasks.changed.connect(self._set_pace)

    def wake(self) -> None:
        """Find the devices, and check the folder in which everything is saved."""
        devices.look_for_devices(self._state, self._tasks)
        self._tasks.run(lambda _: training_tasks.check_home(), done=self.warned.emit)
        self._set_pace()
        self._clock.begin()

    def leave(self) -> None:
        """Read nothing any more."""
        self._clock.end()

    def _look(self) -> None:
        devices.update_free_memory(self._state, SMALLEST_CHANGE)

    def _set_pace(self) -> None:
        interval = MEMORY_EVERY_MS if self._tasks.busy() else IDLE_EVERY_MS
        if interval != self._clock.interval():  # which begins the interval again
            self._clock.setInterval(interval)

    def update_free_memory(self) -> None:
        """Read again how much memory the processor has free."""
        devices.update_free_memory(self._state)
