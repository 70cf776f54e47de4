"""Dialogs of the Help menu: About, and the report of a problem, which shows everything that it would save."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QCheckBox, QGridLayout, QLabel, QPlainTextEdit, QWidget

import gptstudio
from gptstudio.app import about
from gptstudio.app.about import ReportPart
from gptstudio.app.state import AppState
from gptstudio.gui.appearance import Dialog, screen_of
from gptstudio.gui.language import language
from gptstudio.gui.save_as import SavedNotice, save_as
from gptstudio.gui.theme import theme
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.layouts import FREE, grows, hbox, vbox
from gptstudio.gui.widgets.parts import Notice, button, label, named, set_blocker
from gptstudio.gui.widgets.tables import LEFT, RowTable, TableCell, cells_of
from gptstudio.i18n import message

ABOUT_LETTERS, ABOUT_LINES = 90, 36
LICENCE = 2


class AboutDialog(Dialog):
    """Dialog with the version, acknowledgements, folders and libraries."""

    def __init__(self, over: QWidget) -> None:
        super().__init__(over, "about_dialog", tr("About GPT Studio"))
        self.libraries = RowTable(
            "about_libraries", tr("Libraries and their licences"), selects=False, stretched=LICENCE)
        headings = [TableCell(words) for words in (tr("Library"), tr("Version"), tr("Licence"))]
        self.libraries.show_rows(
            headings, [cells_of((each.name, each.version, each.licence), [LEFT] * 3) for each in about.libraries()])
        self._lay_out()
        self.ensurePolished()
        self.resize(self.fontMetrics().averageCharWidth() * ABOUT_LETTERS, self.fontMetrics().height() * ABOUT_LINES)

    def _lay_out(self) -> None:
        close = button(tr("Close"), "about_close", do=self.reject)
        notices = about.notices()
        full = [button(tr("All licences in full"), "about_notices", role="quiet", do=lambda: QDesktopServices.openUrl(
            QUrl.fromLocalFile(str(notices))))] if notices else []
        self.assemble(vbox(
            label(tr("GPT Studio {version}", version=gptstudio.__version__), "title", "about_title"),
            label(tr("Build a GPT-2, train it, and watch it choose every token. MIT licence."), wrap=True),
            label(tr(
                "The experiments follow Build a Large Language Model (From Scratch) by Sebastian Raschka, Manning, "
                "2024. The Verdict by Edith Wharton (1908), the tales of the Brothers Grimm (1857) and the stories by "
                "Lu Xun (1919 and 1921) are in the public domain. The vocabulary is that of GPT-2 by OpenAI, under its "
                "own licence."), name="about_thanks", wrap=True),
            label(tr("Where files are kept"), "heading"), _places(),
            label(tr("Libraries and their licences"), "heading"), grows(self.libraries),
            hbox(*full, FREE, close), spacing=8, margins=(16, 16, 16, 16)))


def _places() -> QGridLayout:
    grid = QGridLayout()
    grid.setColumnStretch(1, 1)
    for row, (words, path) in enumerate(about.places()):
        shown: QLabel = label(str(path), name=f"about_place_{row}", wrap=True)
        shown.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        grid.addWidget(label(tr(words), "muted"), row, 0)
        grid.addWidget(shown, row, 1)
    return grid


REPORT_LETTERS, REPORT_LINES = 104, 36


class ReportDialog(Dialog):
    """Dialog that saves a report of a problem; the text at the bottom is exactly the text that is saved."""

    def __init__(self, over: QWidget, state: AppState) -> None:
        super().__init__(over, "report_dialog", tr("Report a problem"))
        self._parts = about.parts(state, _screen(over))
        self.boxes: dict[str, QCheckBox] = {}
        self.text = named(QPlainTextEdit(), "report_text", tr("Contents of the report"))
        self.text.setReadOnly(True)
        self.hide_names = self._box("report_names", tr("Replace my home folder by ~ and my user name by USER"))
        self.said = Notice("report_said")
        self.save = button(tr("Save as zip…"), "report_save", role="primary", do=self._save)
        self.shut = button(tr("Close"), "report_close", do=self.reject)
        self._lay_out()
        self.ensurePolished()
        self.resize(self.fontMetrics().averageCharWidth() * REPORT_LETTERS, self.fontMetrics().height() * REPORT_LINES)
        self._show()

    def chosen(self) -> list[ReportPart]:
        """Return the checked parts as they are saved."""
        clean = about.without_names if self.hide_names.isChecked() else str
        return [ReportPart(part.name, part.title, clean(part.text)) for part in self._parts
                if self.boxes[part.name].isChecked()]

    def _show(self) -> None:
        chosen = self.chosen()
        self.text.setPlainText("\n\n".join(f"=== {part.name}\n{part.text.strip()}" for part in chosen))
        set_blocker(self.save, "" if chosen else tr("Select at least one part first."))

    def _save(self) -> None:
        def write(path: Path) -> str:
            about.write(path, self.chosen())
            return message("Saved {path}. You can send it to the person who helps you.", path=path)

        save_as(self, f"gptstudio-report-{date.today():%Y-%m-%d}.zip", write, self.said.setText)

    def _box(self, name: str, words: str) -> QCheckBox:
        made = named(QCheckBox(words), name, words)
        made.setChecked(True)
        made.toggled.connect(lambda _: self._show())
        return made

    def _lay_out(self) -> None:
        for part in self._parts:
            self.boxes[part.name] = self._box(f"report_{Path(part.name).stem}", tr(part.title))
        intro = label(tr(
            "This collects what helps to find the cause of a problem. Nothing is sent: the report is saved as a file "
            "where you choose. Clear what you do not want in it; below is exactly what it will contain."), wrap=True)
        self.assemble(vbox(
            intro, vbox(*self.boxes.values(), self.hide_names, spacing=4), grows(self.text), self.said,
            SavedNotice("report"), hbox(FREE, self.shut, self.save, spacing=8), spacing=12, margins=(16, 16, 16, 16)))


def _screen(over: QWidget) -> str:
    size = screen_of(over).size()
    return (f"Screen: {size.width()} x {size.height()}, scale {over.devicePixelRatioF():g}; window: {over.width()} x "
            f"{over.height()}; text: {theme.zoom:g}; colours: {theme.scheme}; language: {language.code}")
