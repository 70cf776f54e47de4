"""Asks under which title a tree is to be saved, and says where one of that title is there already."""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLineEdit, QVBoxLayout, QWidget

from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.layouts import fill
from gptstudio.gui.widgets.parts import label, named
from gptstudio.inference import tree_files


class TreeTitle(QDialog):
    """``proposed`` stands there at first; ``taken`` are the titles of the trees that would be replaced."""

    def __init__(self, over: QWidget, proposed: str, taken: Collection[str]) -> None:
        super().__init__(over)
        self._taken = taken
        self.setObjectName("tree_title_question")
        self.setWindowTitle(tr("Save tree"))
        self.field = named(QLineEdit(proposed), "tree_title", tr("Title"))
        self.field.setMaxLength(tree_files.LONGEST_TITLE)
        self.field.setMinimumWidth(24 * self.fontMetrics().averageCharWidth())
        self.field.selectAll()
        self.notice = label(role="notice", name="tree_title_notice", wrap=True)
        choices = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.save = choices.addButton(tr("Save"), QDialogButtonBox.ButtonRole.AcceptRole)
        choices.accepted.connect(self.accept)
        choices.rejected.connect(self.reject)
        self.field.textChanged.connect(self._look)
        heading = label(tr("Title"))
        heading.setBuddy(self.field)
        fill(QVBoxLayout(self), heading, self.field, self.notice, choices)
        self._look()

    @property
    def title(self) -> str:
        return tree_files.cleaned(self.field.text())

    def _look(self) -> None:
        taken = self.title in self._taken
        self.notice.setText(tr("A tree with this title already exists and will be replaced.") if taken else "")
        self.save.setText(tr("Replace") if taken else tr("Save"))
        self.save.setEnabled(bool(self.field.text().strip()))
