"""Button that saves a table as CSV, and says what became of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtWidgets import QPushButton

from gptstudio import files
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.parts import Notice, named
from gptstudio.gui.widgets.save_as import ask_where, write_to


class TableExport(QPushButton):
    """``table``: the rows, the first with the headings. ``proposed``: the name of the file, without its ending."""

    def __init__(self, name: str, proposed: str, table: Callable[[], Sequence[Sequence[object]]]) -> None:
        super().__init__(tr("Save as CSV…"))
        named(self, name, tr("Save as CSV…"))
        self.setToolTip(tr("Saves every figure of the map as a table"))
        self.setAutoDefault(False)
        self.notice = Notice(f"{name}_notice")
        self._proposed, self._table = proposed, table
        self.clicked.connect(self._request)

    def save(self, path: Path) -> None:
        """Write the table."""
        write_to(self, path, lambda to: files.save_csv(to, self._table()), self.notice.setText)

    def _request(self) -> None:
        if path := ask_where(self, f"{self._proposed}.csv"):
            self.save(path)
