"""Content of the Runs tab before there is a run."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.layouts import FREE, Item, aligned, fill, hbox
from gptstudio.gui.widgets.parts import button, label


class NoRuns(QWidget):
    """Friendly words, and the ways to a first run."""

    def __init__(self, *others: QPushButton) -> None:
        """``others``: ways besides training one."""
        super().__init__()
        self.to_train = button(tr("Train a model"), "runs_to_train", role="primary")
        words = tr("Every run that you train, here or with gptstudio train, is saved and listed on this page.")
        explained = label(words, "muted", wrap=True)
        explained.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        title = aligned(label(tr("No runs yet"), "heading"), Qt.AlignmentFlag.AlignHCenter)
        ways = hbox(FREE, self.to_train, *others, FREE, margins=(0, 8, 0, 0))
        fill(QVBoxLayout(self), Item(None, 2), title, explained, ways, Item(None, 3))
