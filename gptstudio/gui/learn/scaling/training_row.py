"""Button that trains the sizes, progress while it does, and a button to cancel it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QProgressBar, QWidget

from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.layouts import FREE, grows, hbox, holding
from gptstudio.gui.widgets.parts import button, named, permit


class TrainingRow(QWidget):
    """Emits what is asked for; the page decides."""

    asked = Signal()
    cancelled = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.train = button(
            tr("Train these sizes"), "scaling_train",
            tr("Trains all sizes with these settings in the background, in memory: no run is saved"), "primary",
            lambda: self.asked.emit())
        self.cancel = button(
            tr("Cancel"), "scaling_cancel", tr("Cancels the training; the page shows the last result"),
            do=lambda: self.cancelled.emit())
        self.progress = named(QProgressBar(), "scaling_progress", tr("Steps done"))
        self.progress.setTextVisible(False)
        holding(self, hbox(self.train, self.cancel, grows(self.progress, 9), FREE, spacing=8))
        self.show_idle("")

    def show_idle(self, why_not: str) -> None:
        """Nothing is being trained; ``why_not``: why nothing can be."""
        self.train.setVisible(True)
        permit(self.train, why_not)
        self.cancel.setVisible(False)
        self.progress.setVisible(False)

    def show_begun(self) -> None:
        self.train.setVisible(False)
        self.cancel.setVisible(True)
        self.progress.setVisible(True)
        self.progress.setRange(0, 0)

    def show_progress(self, done: int, total: int) -> None:
        self.progress.setRange(0, total)
        self.progress.setValue(done)
