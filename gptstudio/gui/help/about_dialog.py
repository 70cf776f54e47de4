"""Dialog about the program: version, licence, acknowledgements, libraries, and where files are kept."""

from __future__ import annotations

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QGridLayout, QHeaderView, QLabel, QTableWidget, QTableWidgetItem, QWidget

import gptstudio
from gptstudio.app import about
from gptstudio.gui.fitting import Dialog
from gptstudio.gui.theme import theme
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.layouts import FREE, grows, hbox, holding, vbox
from gptstudio.gui.widgets.parts import button, label, named, plain
from gptstudio.gui.widgets.quiet_table import quieten

LETTERS, LINES = 90, 36


class AboutDialog(Dialog):
    """Version, thanks, folders and libraries, below each other."""

    def __init__(self, over: QWidget) -> None:
        super().__init__(over)
        self.setObjectName("about_dialog")
        self.setWindowTitle(tr("About GPT Studio"))
        self.libraries = named(QTableWidget(), "about_libraries", tr("Libraries and their licences"))
        self._fill()
        self._lay_out()
        theme.dress(self)
        self.ensurePolished()
        self.libraries.resizeColumnsToContents()
        self.libraries.horizontalHeader().setSectionResizeMode(2, QHeaderView.ResizeMode.Stretch)
        self.resize(self.fontMetrics().averageCharWidth() * LETTERS, self.fontMetrics().height() * LINES)

    def _fill(self) -> None:
        found = about.libraries()
        quieten(self.libraries, selects=False)
        self.libraries.setRowCount(len(found))
        self.libraries.setColumnCount(3)
        for column, words in enumerate((tr("Library"), tr("Version"), tr("Licence"))):
            heading = QTableWidgetItem(words)
            heading.setTextAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
            self.libraries.setHorizontalHeaderItem(column, heading)
        for row, each in enumerate(found):
            for column, text in enumerate((each.name, each.version, each.licence)):
                item = QTableWidgetItem(text)
                item.setToolTip(plain(text))
                self.libraries.setItem(row, column, item)

    def _lay_out(self) -> None:
        close = button(tr("Close"), "about_close", do=self.reject)
        notices = about.notices()
        full = button(tr("All licences in full"), "about_notices", role="quiet") if notices else None
        if full and notices:
            full.clicked.connect(lambda: QDesktopServices.openUrl(QUrl.fromLocalFile(str(notices))))
        holding(self, vbox(
            label(tr("GPT Studio {version}", version=gptstudio.__version__), "title", "about_title"),
            label(tr("Build a GPT-2, train it, and watch it choose every token. MIT licence."), wrap=True),
            label(tr(
                "The experiments follow Build a Large Language Model (From Scratch) by Sebastian Raschka, Manning, "
                "2024. The Verdict by Edith Wharton (1908), the tales of the Brothers Grimm (1857) and the stories by "
                "Lu Xun (1919 and 1921) are in the public domain. The vocabulary is that of GPT-2 by OpenAI, under its "
                "own licence."), name="about_thanks", wrap=True),
            label(tr("Where files are kept"), "heading"), _places(),
            label(tr("Libraries and their licences"), "heading"), grows(self.libraries),
            hbox(*([full] if full else []), FREE, close), spacing=8, margins=(16, 16, 16, 16)))


def _places() -> QGridLayout:
    grid = QGridLayout()
    grid.setColumnStretch(1, 1)
    for row, (words, path) in enumerate(about.places()):
        shown: QLabel = label(str(path), name=f"about_place_{row}", wrap=True)
        shown.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        grid.addWidget(label(tr(words), "muted"), row, 0)
        grid.addWidget(shown, row, 1)
    return grid
