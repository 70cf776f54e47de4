"""Saves a page as a picture, or its numbers as a table."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QBuffer, QPoint
from PySide6.QtGui import QPainter
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QMenu, QPushButton, QWidget

from gptstudio import files
from gptstudio.errors import UserError
from gptstudio.files import save_whole
from gptstudio.gui import xml_text
from gptstudio.gui.theme import colour
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.parts import named
from gptstudio.gui.widgets.save_as import save_as, write_to
from gptstudio.i18n import message
from gptstudio.labs.lab import Table


def save_png(path: Path, page: QWidget) -> None:
    """Save a page as it is on the screen; raise a UserError where the file cannot be written, as the others do."""
    picture = QBuffer()
    picture.open(QBuffer.OpenModeFlag.WriteOnly)
    page.grab().save(picture, "PNG")
    save_whole(path, bytes(picture.data().data()))


def save_svg(path: Path, page: QWidget) -> None:
    """Save a page as lines and letters."""
    written = QBuffer()
    made = QSvgGenerator(QSvgGenerator.SvgVersion.Svg11)  # the older version cannot clip
    made.setOutputDevice(written)
    made.setResolution(page.logicalDpiX())  # for text of the size that it has on the screen
    made.setSize(page.size())
    made.setViewBox(page.rect())
    made.setTitle(page.accessibleName())
    painter = QPainter(made)
    painter.fillRect(page.rect(), colour("window"))
    page.render(painter, QPoint())
    painter.end()
    save_whole(path, xml_text.sound(bytes(written.data().data())))


class SaveButton(QPushButton):
    """Asks for a file.

    Args:
        page: that is pictured.
        name: of the lab.
        table: the numbers; None while there are none.
        fail: receives what went wrong; nothing where a file was saved.
    """

    def __init__(
        self, page: QWidget, name: str, table: Callable[[], Table | None], fail: Callable[[str], object],
    ) -> None:
        super().__init__(tr("Save…"))
        named(self, f"lab_{name}_save", tr("Save…"))
        self.setToolTip(tr("Saves this page as a picture or a drawing, or its numbers as a table"))
        self.setProperty("role", "quiet")
        self.setAutoDefault(False)
        self._page, self._name, self._table, self._fail = page, name, table, fail
        menu = QMenu(self)
        for kind, words in (
            ("png", tr("Picture (PNG)")), ("svg", tr("Vector drawing (SVG)")), ("csv", tr("Data (CSV)"))):
            menu.addAction(words).triggered.connect(partial(self._request, kind))
        self.setMenu(menu)

    def save(self, path: Path) -> None:
        """A picture or a table, by the name's ending. What goes wrong is said on the page."""
        write_to(self._page, path, self._write, self._fail)

    def _write(self, path: Path) -> None:
        match path.suffix.lower():
            case ".csv":
                if (table := self._table()) is None:
                    raise UserError(
                        message("There are no numbers to save yet. Wait until the page has finished computing."))
                files.save_csv(path, [table.columns, *table.rows])
            case ".svg":
                save_svg(path, self._page)
            case _:
                save_png(path, self._page)

    def _request(self, kind: str, _checked: bool = False) -> None:
        save_as(self._page, f"{self._name}.{kind}", self._write, self._fail)
