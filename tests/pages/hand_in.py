"""The dialog that hands in a run and the results of lessons."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from gptstudio.gui.hand_in_dialog import MODULE
from pages.page import Named, Page


class HandInPage(Page):
    """The dialog, opened from the end of a lesson, the end of a run, or the menu."""

    place = "hand_in_dialog"
    name, words = Named("hand_in_name"), Named("hand_in_words")
    begin, other = Named("hand_in_begin"), Named("hand_in_other")
    code, show_code, pdf = Named("hand_in_code"), Named("hand_in_show_code"), Named("hand_in_pdf")

    def open(self) -> None:
        self.user.window.actions_of["hand_in"].trigger()

    def type_name(self, name: str) -> None:
        self.name.clear()
        self.user.qtbot.keyClicks(self.name, name)

    def press(self, key: Qt.Key) -> None:
        """Press a key in the dialog; the focused widget receives it."""
        QTest.keyClick(self.widget.windowHandle(), key)

    def hand_in(self) -> None:
        self.user.click(self.begin)
        self.wait()

    def wait(self) -> None:
        """Wait until no file is being read or written."""
        self.user.wait(lambda: not self.user.busy("pool") and self.begin.isEnabled())

    def says(self, words: str) -> None:
        """Wait until the dialog reports these words, about a saved file or a failure."""
        self.user.wait(lambda: words in self.reads("hand_in_saved") + self.reads("hand_in_notice"))

    def dark_modules(self) -> list[list[bool]]:
        """Return the painted modules of the code, dark as True, including the light ones around it."""
        picture = self.code.grab().toImage()
        scale = picture.width() / self.code.width()
        count = self.code.width() // MODULE
        middle = [round((place + 0.5) * MODULE * scale) for place in range(count)]
        return [[picture.pixelColor(QPoint(x, y)).lightness() < 128 for x in middle] for y in middle]


def only_file(folder: Path) -> Path:
    [file] = folder.iterdir()
    return file
