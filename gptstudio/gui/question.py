"""A question before something is done that cannot simply be taken back."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QWidget

from gptstudio.gui.actions import explain
from gptstudio.gui.theme import theme


def confirmed(over: QWidget, command: str, title: str, words: str, yes: str, details: str = "") -> bool:
    """Ask whether something is to be done; Cancel is the default.

    Args:
        over: the widget that the question is about.
        command: id of the command that asks, or the name of its control; F1 opens the manual there.
        yes: text of the button that does it.
    """
    question = QMessageBox(QMessageBox.Icon.Question, title, words, QMessageBox.StandardButton.Cancel, over)
    question.setObjectName(f"{command}_question")
    question.setTextFormat(Qt.TextFormat.PlainText)
    question.setInformativeText(details)
    chosen = question.addButton(yes, QMessageBox.ButtonRole.DestructiveRole)
    question.setDefaultButton(QMessageBox.StandardButton.Cancel)
    theme.dress(question)
    explain(question)
    question.exec()
    return question.clickedButton() is chosen
