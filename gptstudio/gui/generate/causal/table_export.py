"""Button that saves a table as CSV, and says what became of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QPushButton

from gptstudio.app.preferences import export_folder
from gptstudio.errors import UserError, text_of
from gptstudio.gui.generate.strip.strip_files import write_table
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.parts import Notice, named


class TableExport(QPushButton):
    """``table``: the rows, the first with the headings. ``proposed``: the name of the file, without its ending."""

    def __init__(self, name: str, proposed: str, table: Callable[[], Sequence[Sequence[object]]]) -> None:
        super().__init__(tr("Save as CSV…"))
        named(self, name, tr("Save as CSV…"))
        self.setToolTip(tr("Saves every figure of the map as a table"))
        self.setAutoDefault(False)
        self.notice = Notice(f"{name}_notice", "muted")
        self._proposed, self._table = proposed, table
        self.clicked.connect(self._request)

    def save(self, path: Path) -> None:
        """Write the table."""
        try:
            write_table(path, self._table())
            self.notice.setText(tr("Saved {names}", names=path))
        except UserError as error:
            self.notice.setText(tr(text_of(error)))

    def _request(self) -> None:
        proposed = str(export_folder() / f"{self._proposed}.csv")
        chosen, _ = QFileDialog.getSaveFileName(self, tr("Save to"), proposed, tr("Table (*.csv)"))
        if chosen:
            self.save(Path(chosen).with_suffix(".csv"))
