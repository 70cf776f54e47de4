"""Reset, Start or Pause, Step, Stop, and how far the run is."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from gptstudio.gui.actions import Actions
from gptstudio.gui.translation import joined, tr
from gptstudio.gui.widgets.parts import label
from gptstudio.gui.widgets.reflow import Reflow


class RunControls(QWidget):
    """Buttons that control a run, and its progress."""

    def __init__(self, actions: Actions) -> None:
        super().__init__()
        self.play = actions.button("start", "primary")
        self.step, self.stop, self.reset = (
            actions.button(name, instead=self.play) for name in ("step", "stop", "reset"))
        self.step_count = label("0", "counter", "step_counter")
        self.of = label(role="muted", name="step_of")
        buttons = QWidget()
        beside = QHBoxLayout(buttons)
        beside.setContentsMargins(0, 0, 0, 0)
        for made in (self.play, self.step, self.stop, self.reset):  # the primary first: in sight at any text size
            beside.addWidget(made)
        beside.addStretch(1)
        progress = QWidget()
        counted = QVBoxLayout(progress)
        counted.setContentsMargins(0, 0, 0, 0)
        counted.setSpacing(0)
        counted.addWidget(label(tr("Steps done"), "muted"))
        row = QHBoxLayout()
        row.setSpacing(6)
        row.addWidget(self.step_count)
        row.addWidget(self.of, 0, Qt.AlignmentFlag.AlignBottom)
        row.addStretch(1)
        counted.addLayout(row)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(Reflow(buttons, progress, stretch=(progress,), spacing=22))

    def show_progress(self, done: int, total: int, epoch: int = 0, epochs: int = 0) -> None:
        """So many steps of so many; nothing is known of what is 0."""
        self.step_count.setText(f"{done:,}")
        words = [tr("of {all}", all=f"{total:,}")] if total else []
        if epoch:
            words.append(tr("epoch {n} of {all}", n=f"{epoch:,}", all=f"{epochs:,}"))
        self.of.setText(joined("  ·  ", *words))
