"""Questions: confirmation of an action that cannot simply be undone, and a choice between several options."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QMessageBox, QRadioButton, QVBoxLayout, QWidget

from gptstudio.gui.actions import explain
from gptstudio.gui.theme import theme
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.parts import label

Key = TypeVar("Key")


def confirmed(over: QWidget, command: str, title: str, words: str, yes: str, details: str = "") -> bool:
    """Ask for confirmation; Cancel is the default.

    Args:
        over: widget that the question is about.
        command: id of the command that asks, or the name of its control; F1 opens the manual there.
        yes: text of the button that confirms.
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


def chosen(over: QWidget, command: str, title: str, words: str, yes: str, options: Mapping[Key, str]) -> Key | None:
    """Return the key of the option that the user chooses, with the first one preselected; None after Cancel.

    Args:
        over, command, yes: as for :func:`confirmed`.
        options: texts of the options, by key.
    """
    question = QDialog(over)
    question.setObjectName(f"{command}_question")
    question.setWindowTitle(title)
    layout = QVBoxLayout(question)
    layout.addWidget(label(words))
    buttons = {key: QRadioButton(text) for key, text in options.items()}
    for button in buttons.values():
        layout.addWidget(button)
    next(iter(buttons.values())).setChecked(True)
    ends = QDialogButtonBox()
    ends.addButton(tr("Cancel"), QDialogButtonBox.ButtonRole.RejectRole)  # a standard button would have an icon
    ends.addButton(yes, QDialogButtonBox.ButtonRole.AcceptRole)
    ends.accepted.connect(question.accept)
    ends.rejected.connect(question.reject)
    layout.addWidget(ends)
    theme.dress(question)
    explain(question)
    done = question.exec()
    found = next(key for key, button in buttons.items() if button.isChecked())
    question.deleteLater()
    return found if done else None
