"""Dialog that puts a report of a problem together: it shows all of it, and saves what is left ticked."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from PySide6.QtWidgets import QCheckBox, QPlainTextEdit, QWidget

from gptstudio.app import about
from gptstudio.app.about import Part
from gptstudio.app.state import AppState
from gptstudio.gui.fitting import Dialog, screen_of
from gptstudio.gui.language import language
from gptstudio.gui.theme import theme
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.layouts import FREE, grows, hbox, holding, vbox
from gptstudio.gui.widgets.parts import Notice, button, label, named, permit
from gptstudio.gui.widgets.save_as import save_as
from gptstudio.gui.widgets.saved_notice import SavedNotice
from gptstudio.i18n import message

LETTERS, LINES = 104, 36


class ReportDialog(Dialog):
    """The text at the bottom is, letter by letter, what is saved."""

    def __init__(self, over: QWidget, state: AppState) -> None:
        super().__init__(over)
        self.setObjectName("report_dialog")
        self.setWindowTitle(tr("Report a problem"))
        self._parts = about.parts(state, _screen(over))
        self.boxes: dict[str, QCheckBox] = {}
        self.text = named(QPlainTextEdit(), "report_text", tr("Contents of the report"))
        self.text.setReadOnly(True)
        self.hide_names = self._box("report_names", tr("Replace my home folder by ~ and my user name by USER"))
        self.said = Notice("report_said")
        self.save = button(tr("Save as zip…"), "report_save", role="primary", do=self._save)
        self.shut = button(tr("Close"), "report_close", do=self.reject)
        self._lay_out()
        theme.dress(self)
        self.ensurePolished()
        self.resize(self.fontMetrics().averageCharWidth() * LETTERS, self.fontMetrics().height() * LINES)
        self._show()

    def chosen(self) -> list[Part]:
        """Return the parts that are ticked, as they are saved."""
        clean = about.without_names if self.hide_names.isChecked() else str
        return [Part(part.name, part.title, clean(part.text)) for part in self._parts
                if self.boxes[part.name].isChecked()]

    def _show(self) -> None:
        chosen = self.chosen()
        self.text.setPlainText("\n\n".join(f"=== {part.name}\n{part.text.strip()}" for part in chosen))
        permit(self.save, "" if chosen else tr("Select at least one part first."))

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
        holding(self, vbox(
            intro, vbox(*self.boxes.values(), self.hide_names, spacing=4), grows(self.text), self.said,
            SavedNotice("report"), hbox(FREE, self.shut, self.save, spacing=8), spacing=12, margins=(16, 16, 16, 16)))


def _screen(over: QWidget) -> str:
    size = screen_of(over).size()
    return (f"Screen: {size.width()} x {size.height()}, scale {over.devicePixelRatioF():g}; window: {over.width()} x "
            f"{over.height()}; text: {theme.zoom:g}; colours: {theme.scheme}; language: {language.code}")
