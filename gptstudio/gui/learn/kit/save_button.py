"""Saves a page as a picture, or its numbers as a table."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QMenu, QPushButton, QWidget

from gptstudio.errors import UserError
from gptstudio.gui.learn.kit.saving import save_csv, save_png, save_svg
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.parts import named
from gptstudio.labs.lab import Table


class SaveButton(QPushButton):
    """Asks for a file.

    Args:
        page: that is pictured.
        name: of the lab.
        table: the numbers; None while there are none.
        say: what went wrong.
    """

    def __init__(self, page: QWidget, name: str, table: Callable[[], Table | None], say: Callable[[str], None]) -> None:
        super().__init__(tr("Save…"))
        named(self, f"lab_{name}_save", tr("Save…"))
        self.setProperty("role", "quiet")
        self.setAutoDefault(False)
        self._page, self._name, self._table, self._say = page, name, table, say
        menu = QMenu(self)
        for kind, words in (("png", tr("Picture (PNG)")), ("svg", tr("Vector drawing "
                                                                     "(SVG)")), ("csv", tr("Data (CSV)"))):
            menu.addAction(words).triggered.connect(partial(self._request, kind))
        self.setMenu(menu)

    def save(self, path: Path) -> None:
        """A picture or a table, by the name's ending. What goes wrong is said on the page."""
        try:
            match path.suffix.lower():
                case ".csv":
                    self._save_numbers(path)
                case ".svg":
                    save_svg(path, self._page)
                case _:
                    save_png(path, self._page)
        except UserError as error:
            self._say(str(error))

    def _save_numbers(self, path: Path) -> None:
        table = self._table()
        if table is None:
            raise UserError(tr("There are no numbers to save yet. Wait until the page has finished computing."))
        save_csv(path, table)

    def _request(self, kind: str, _checked: bool = False) -> None:
        kinds = {"png": tr("Picture (*.png)"), "svg": tr("Vector drawing (*.svg)"), "csv": tr("Table (*.csv)")}
        proposed = str(Path.home() / f"{self._name}.{kind}")
        path, _ = QFileDialog.getSaveFileName(self._page, tr("Save to"), proposed, kinds[kind])
        if path:
            self.save(Path(path) if Path(path).suffix else Path(f"{path}.{kind}"))
