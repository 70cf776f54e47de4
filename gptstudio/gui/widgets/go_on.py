"""A run that ended early, and the ways to go on with it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from gptstudio.gui.widgets.parts import button, label
from gptstudio.gui.words import tr


class GoOn(QWidget):
    """Offers to go on from the last checkpoint, and after a divergence with a tenth of the learning rate too."""

    asked = Signal(object)
    """The learning rate to go on with; None: as before."""

    def __init__(self) -> None:
        super().__init__()
        self._rate = 0.0
        self.words = label(role="muted", name="go_on_words", wrap=True)
        self.plain = button(tr("Go on"), "go_on")
        self.plain.clicked.connect(lambda: self.asked.emit(None))
        self.slower = button(tr("Go on more slowly"), "go_on_slower")
        self.slower.clicked.connect(lambda: self.asked.emit(self._rate))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.words, 1)
        layout.addWidget(self.slower)
        layout.addWidget(self.plain)
        self.hide()

    def offer(self, words: str, step: int, tenth: float | None = None) -> None:
        """``step``: the first that would be taken. ``tenth``: the lower learning rate that could help."""
        self.words.setText(words)
        self.plain.setText(tr("Go on from step {n}", n=f"{step:,}"))
        self.plain.setToolTip(tr("Exactly as if the run had never ended"))
        self.slower.setVisible(tenth is not None)
        if tenth is not None:
            self._rate = tenth
            self.slower.setText(tr("Go on from step {n} with learning rate {rate:.3g}", n=f"{step:,}", rate=tenth))
            self.plain.setText(tr("Go on as before"))
        for made in (self.plain, self.slower):
            made.setAccessibleName(made.text())
        self.show()
