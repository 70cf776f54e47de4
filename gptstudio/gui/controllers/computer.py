"""The computer: its devices, its free memory, and whether anything can be saved."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal

from gptstudio.app import devices, training_tasks
from gptstudio.app.state import AppState
from gptstudio.app.tasks import TaskRunner

MEMORY_EVERY_MS = 3_000


class ComputerController(QObject):
    """Keeps the devices of the state up to date."""

    warned = Signal(object)
    """Emitted with a warning if nothing can be saved."""

    def __init__(self, state: AppState, tasks: TaskRunner, parent: QObject | None = None):
        super().__init__(parent)
        self._state, self._tasks = state, tasks
        self._clock = QTimer(self, interval=MEMORY_EVERY_MS)
        self._clock.timeout.connect(self.update_free_memory)

    def wake(self) -> None:
        """Find the devices, and check the folder in which everything is saved."""
        devices.look_for_devices(self._state, self._tasks)
        self._tasks.run(lambda _: training_tasks.check_home(), done=self.warned.emit)
        self._clock.start()

    def leave(self) -> None:
        """Read nothing any more."""
        self._clock.stop()

    def update_free_memory(self) -> None:
        """Read again how much memory the processor has free."""
        devices.update_free_memory(self._state)
