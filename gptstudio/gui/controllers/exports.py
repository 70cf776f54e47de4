"""Files that are written in the background, such as a film."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject

from gptstudio import files
from gptstudio.app.tasks import Task, TaskError, TaskRunner
from gptstudio.i18n import message


class ExportController(QObject):
    """Writes files, one after the other, and says what became of each."""

    def __init__(self, tasks: TaskRunner, say: Callable[[str], None], parent: QObject | None = None):
        super().__init__(parent)
        self._tasks, self._say = tasks, say

    def write(self, path: Path, content: Callable[[], bytes]) -> None:
        """Write what ``content`` returns, which is called on another thread; the file is whole or absent."""

        def work(_: Task) -> None:
            files.write_whole(path, content())

        def end(_: object) -> None:
            self._say(message("Saved {path}.", path=path))

        def fail(error: TaskError) -> None:
            self._say(message("Could not save {path}: {why} Choose another location.", path=path, why=error.message))

        self._tasks.run(work, key="export", title=message("Exporting"), done=end, failed=fail)
