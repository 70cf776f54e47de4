"""A box to paste a text into."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QWidget

from gptstudio.data import texts
from gptstudio.errors import UserError, text_of
from gptstudio.gui.actions import explain
from gptstudio.gui.fitting import Dialog
from gptstudio.gui.theme import theme
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.layouts import FREE, grows, hbox, holding, vbox
from gptstudio.gui.widgets.parts import Notice, button, label, named, permit


class PasteDialog(Dialog):
    """Takes a title and a text. ``saved``: called with the file that it was saved in."""

    def __init__(self, over: QWidget, saved: Callable[[Path], object]) -> None:
        super().__init__(over)
        self.setObjectName("paste_dialog")
        self.setWindowTitle(tr("Paste a text"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._saved = saved
        self.name = named(QLineEdit(tr("Pasted text")), "paste_name", tr("Name"))
        self.text = named(QPlainTextEdit(), "pasted_text", tr("Text"))
        self.text.setTabChangesFocus(True)
        self.text.setPlaceholderText(tr("Paste or type the text here. It is saved as a file on this computer."))
        self.text.setPlainText(QGuiApplication.clipboard().text())
        self.count, self.notice = label(role="muted", name="paste_count"), Notice("paste_notice")
        self.add = button(tr("Add to the list"), "paste_add", role="primary", do=self._save)
        self.add.setDefault(True)
        cancel = button(tr("Cancel"), "paste_cancel", do=self.close)
        self.text.textChanged.connect(self._count)
        title = hbox(label(tr("Name"), buddy=self.name), grows(self.name))
        holding(self, vbox(
            title, grows(self.text), self.count, self.notice, hbox(FREE, cancel, self.add), spacing=8,
            margins=(16, 16, 16, 16)))
        theme.dress(self)
        explain(self)
        self.resize(round(620 * theme.zoom), round(440 * theme.zoom))
        self._count()

    def _count(self) -> None:
        text = self.text.toPlainText()
        self.count.setText(tr("Characters: {n}", n=f"{len(text):,}"))
        permit(self.add, "" if text.strip() else tr("Paste or type a text first."))

    def _save(self) -> None:
        try:
            path = texts.save_pasted(self.name.text(), self.text.toPlainText())
        except UserError as error:
            self.notice.setText(tr(text_of(error)))
            return
        self.close()
        self._saved(path)
