"""Code that computes a page, in about ten lines, collapsed by default."""

from __future__ import annotations

from PySide6.QtGui import QFontDatabase, QGuiApplication
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from gptstudio.gui.appearance import follow
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.layouts import FREE, hbox, holding, vbox
from gptstudio.gui.widgets.parts import button, named

MOST_LINES = 16


class Code(QWidget):
    """Collapsible code with a button to copy it."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.fold = button(tr("Show code"), f"{name}_code_fold", role="quiet")
        self.fold.setToolTip(tr("Python that computes the numbers of this page without GPT Studio"))
        self.fold.setCheckable(True)
        self.copy = button(tr("Copy"), f"{name}_code_copy", role="quiet")
        self.copy.setToolTip(tr("Copies the code to the clipboard"))
        self.editor = named(QPlainTextEdit(), f"{name}_code", tr("The code that computes this page"))
        self.editor.setReadOnly(True)
        self.editor.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.editor.setTabChangesFocus(True)
        self.fold.toggled.connect(self._unfold)
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.editor.toPlainText()))
        follow(self, self._fit)
        holding(self, vbox(hbox(self.fold, self.copy, FREE), self.editor, spacing=4))
        self._unfold(False)

    def show_code(self, code: str) -> None:
        if code != self.editor.toPlainText():
            self.editor.setPlainText(code)
            self._fit()

    def _unfold(self, open: bool) -> None:
        self.editor.setVisible(open)
        self.copy.setVisible(open)
        self.fold.setText(tr("Hide code") if open else tr("Show code"))
        self._fit()

    def _fit(self) -> None:
        """As high as its lines, up to some; the letters all as wide, whatever the style sheet says of their size."""
        self.editor.ensurePolished()
        family = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont).family()
        self.editor.setStyleSheet(f'font-family: "{family}"')
        lines = min(MOST_LINES, self.editor.blockCount())
        self.editor.setFixedHeight((lines + 1) * self.editor.fontMetrics().lineSpacing() + 18)
