"""Questions: confirmation of an action that cannot simply be undone, and a choice between several options."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QHBoxLayout, QMessageBox, QPushButton, QRadioButton, QWidget

from gptstudio.gui.appearance import Dialog, explain
from gptstudio.gui.theme import theme
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.layouts import FREE, hbox, vbox
from gptstudio.gui.widgets.parts import button, label

Key = TypeVar("Key")

WIDTH = 320
"""Minimum width of a question with options, in pixels at the default text size: that of its title."""


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


def ends_of(question: QDialog, yes: QPushButton) -> QHBoxLayout:
    """Return the row at the end of a dialog that asks: Cancel, and the button that answers, which is the default."""
    yes.setDefault(True)
    return hbox(FREE, button(tr("Cancel"), f"{question.objectName()}_cancel", do=question.reject), yes)


def chosen(over: QWidget, command: str, title: str, words: str, yes: str, options: Mapping[Key, str]) -> Key | None:
    """Return the key of the option that the user chooses, with the first one preselected; None after Cancel.

    Args:
        over, command, yes: as for :func:`confirmed`.
        options: texts of the options, by key.
    """
    question = Dialog(over, f"{command}_question", title)
    buttons = {key: QRadioButton(text) for key, text in options.items()}
    next(iter(buttons.values())).setChecked(True)
    ends = ends_of(question, button(yes, f"{command}_choose", role="primary", do=question.accept))
    question.assemble(vbox(label(words), *buttons.values(), ends, spacing=12, margins=(16, 16, 16, 16)))
    question.setMinimumWidth(round(WIDTH * theme.zoom))
    done = question.exec()
    found = next(key for key, each in buttons.items() if each.isChecked())
    question.deleteLater()
    return found if done else None
