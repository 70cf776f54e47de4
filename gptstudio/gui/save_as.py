"""Saving of files: choice of path and extension, a question before a file is replaced, and a notice afterwards."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QDesktopServices
from PySide6.QtWidgets import QFileDialog, QPushButton, QWidget

from gptstudio import files
from gptstudio.app.preferences import export_folder
from gptstudio.errors import UserError, text_of
from gptstudio.gui.question import confirmed
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.layouts import FREE, hbox, with_layout
from gptstudio.gui.widgets.parts import Notice, button, label, named, plain
from gptstudio.i18n import message


class SavedNotice(QWidget):
    """Notice in a window about the last file saved from it; hidden before the first file, and after Close."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._folder = Path()
        self.words = label(name=f"{name}_saved")
        self.words.setMinimumWidth(1)  # a long path is cut off, and does not widen the window
        self.show_button = button(
            tr("Show in folder"), f"{name}_saved_show", tr("Opens the folder of this file in the file manager"),
            "quiet", lambda: show_folder(self._folder))
        self.close_button = button(tr("Close"), f"{name}_saved_close", tr("Closes this notice"), "quiet", self.hide)
        with_layout(self, hbox(self.words, self.show_button, self.close_button, FREE, spacing=8))
        self.hide()

    def say(self, path: Path, words: str) -> None:
        """Show what was saved, and announce it to screen readers."""
        self._folder = path.parent
        self.words.setText(words)
        self.words.setToolTip(plain(words))
        self.show()
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, words))


def report_saved(over: QWidget, path: Path, words: str = "") -> None:
    """Show in the window of a widget that a file was saved.

    Args:
        words: message about it, if there is more to say than its path.
    """
    window = over.window()
    for notice in window.findChildren(SavedNotice):
        if notice.window() is window:  # not a dialog over it
            notice.say(path, tr(words or message("Saved {path}", path=path)))


def show_folder(folder: Path) -> None:
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))


KINDS = {
    ".csv": message("Table (*.csv)"), ".html": message("Web page (*.html)"), ".json": message("Tree (*.json)"),
    ".pdf": message("PDF (*.pdf)"), ".png": message("Picture (*.png)"), ".py": message("Python script (*.py)"),
    ".toml": message("Lesson (*.toml)"),
    ".svg": message("Vector drawing (*.svg)"), ".zip": message("Zip (*.zip)"),
}
"""Kinds of files in the dialog, by extension."""
_last: list[tuple[Path, Path]] = []
"""Folder that the preferences proposed when a file was saved last, and the folder that was chosen; empty before."""


def ask_where(over: QWidget, name: str, *others: str) -> Path | None:
    """Ask where to save a file; return None after Cancel.

    A missing extension is added. The dialog asks before replacing a file of the typed name only, so a file with the
    complete name is asked about here.

    Args:
        over: widget to which the file belongs.
        name: proposed name, with its extension.
        others: extensions of other kinds that can be chosen.
    """
    kinds = {tr(KINDS[ending]): ending for ending in (Path(name).suffix, *others)}
    typed, kind = QFileDialog.getSaveFileName(over, tr("Save to"), str(_folder() / name), ";;".join(kinds))
    if not typed:
        return None
    _last[:] = [(export_folder(), Path(typed).parent)]
    if Path(typed).suffix.lower() in kinds.values():
        return Path(typed)
    path = Path(typed + kinds.get(kind, Path(name).suffix))
    replaces = os.path.exists(path) and not confirmed(
        over, "save_as", tr("Save to"), tr("{name} already exists. Replace it?", name=path.name), tr("Replace"))
    return None if replaces else path


def _folder() -> Path:
    """Return the last folder; without one, or if the preferences have changed since, the folder of the preferences."""
    proposed = export_folder()
    return next((chosen for before, chosen in _last if before == proposed and os.path.isdir(chosen)), proposed)


def save_as(
    over: QWidget, name: str, write: Callable[[Path], object], fail: Callable[[str], object], *others: str
) -> None:
    """Ask where to save a file, and write it.

    Args:
        over, name, others: as for :func:`ask_where`.
        write, fail: as for :func:`write_to`.
    """
    if path := ask_where(over, name, *others):
        write_to(over, path, write, fail)


def write_to(over: QWidget, path: Path, write: Callable[[Path], object], fail: Callable[[str], object]) -> None:
    """Write a file, and show in the window of ``over`` that it was saved.

    Args:
        write: writes the file, or raises a UserError; may return a message about what was saved.
        fail: is called with the error message; with an empty one if there is no error.
    """
    try:
        words = write(path)
    except UserError as error:
        fail(tr(text_of(error)))
    else:
        fail("")
        report_saved(over, path, words if isinstance(words, str) else "")


class TableExport(QPushButton):
    """Button that saves a table. ``table``: returns the rows, first the headings; ``proposed``: file name without
    suffix."""

    def __init__(self, name: str, proposed: str, table: Callable[[], Sequence[Sequence[object]]]) -> None:
        super().__init__(tr("Save as CSV…"))
        named(self, name, tr("Save as CSV…"))
        self.setToolTip(tr("Saves every figure of the map as a table"))
        self.setAutoDefault(False)
        self.notice = Notice(f"{name}_notice")
        self.clicked.connect(lambda: save_as(
            self, f"{proposed}.csv", lambda path: files.save_csv(path, table()), self.notice.setText))
