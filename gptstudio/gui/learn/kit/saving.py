"""A page as a picture, and its numbers as a table."""

from __future__ import annotations

import io
from pathlib import Path

from PySide6.QtCore import QBuffer, QPoint
from PySide6.QtGui import QPainter
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QWidget

from gptstudio import tables
from gptstudio.errors import UserError
from gptstudio.files import written_whole
from gptstudio.gui import xml_text
from gptstudio.gui.theme import colour
from gptstudio.labs.lab import Table


def save_png(path: Path, page: QWidget) -> None:
    """As it is on the screen.

    Raises:
        UserError: the file cannot be written.
    """
    picture = QBuffer()
    picture.open(QBuffer.OpenModeFlag.WriteOnly)
    page.grab().save(picture, "PNG")
    _write(path, bytes(picture.data().data()))


def save_svg(path: Path, page: QWidget) -> None:
    """The same as lines and letters.

    Raises:
        UserError: the file cannot be written.
    """
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
    _write(path, xml_text.sound(bytes(written.data().data())))


def save_csv(path: Path, table: Table) -> None:
    """UTF-8, with the names of the columns in the first line.

    Raises:
        UserError: the file cannot be written.
    """
    text = io.StringIO(newline="")
    tables.write(text, [table.columns, *table.rows])
    _write(path, text.getvalue().encode("utf-8", "replace"))  # a word may have half a character in it


def _write(path: Path, content: bytes) -> None:
    try:
        with written_whole(path) as file:
            file.write(content)
    except OSError as problem:
        raise UserError(f"Could not save {path}: {problem.strerror}. Choose another location.") from problem
