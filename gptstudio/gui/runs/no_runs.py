"""Content of the Runs tab before there is a run."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from gptstudio.gui.translation import tr
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
        ways = QHBoxLayout()
        ways.addStretch(1)
        for way in (self.to_train, *others):
            ways.addWidget(way)
        ways.addStretch(1)
        layout = QVBoxLayout(self)
        layout.addStretch(2)
        layout.addWidget(label(tr("No runs yet"), "heading"), 0, Qt.AlignmentFlag.AlignHCenter)
        layout.addWidget(explained)
        layout.addSpacing(8)
        layout.addLayout(ways)
        layout.addStretch(3)
