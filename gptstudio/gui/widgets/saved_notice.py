"""Says which file was saved, with a button that shows its folder in the file manager."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QDesktopServices
from PySide6.QtWidgets import QWidget

from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.layouts import FREE, hbox, holding
from gptstudio.gui.widgets.parts import button, label, plain
from gptstudio.i18n import message


class SavedNotice(QWidget):
    """Notice of a window for all files that are saved from it; hidden until the first, and after Close."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._folder = Path()
        self.words = label(name=f"{name}_saved")
        self.words.setMinimumWidth(1)  # a long path is cut off, and does not widen the window
        self.show_button = button(
            tr("Show in folder"), f"{name}_saved_show", tr("Opens the folder of this file in the file manager"),
            "quiet", lambda: show_folder(self._folder))
        self.close_button = button(tr("Close"), f"{name}_saved_close", tr("Closes this notice"), "quiet", self.hide)
        holding(self, hbox(self.words, self.show_button, self.close_button, FREE, spacing=8))
        self.hide()

    def say(self, path: Path, words: str) -> None:
        """Show what was saved; a screen reader says it."""
        self._folder = path.parent
        self.words.setText(words)
        self.words.setToolTip(plain(words))
        self.show()
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, words))


def report_saved(over: QWidget, path: Path, words: str = "") -> None:
    """Say in the window of a widget that a file was saved.

    Args:
        words: about it, as a message, where there is more to say.
    """
    window = over.window()
    for notice in window.findChildren(SavedNotice):
        if notice.window() is window:  # and not a dialog over it
            notice.say(path, tr(words or message("Saved {path}", path=path)))


def show_folder(folder: Path) -> None:
    """Open a folder in the file manager."""
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))
