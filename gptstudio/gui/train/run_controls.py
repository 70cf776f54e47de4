"""Reset, Start or Pause, Step, Stop, and how far the run is."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from gptstudio.gui.actions import Actions
from gptstudio.gui.translation import joined, tr
from gptstudio.gui.widgets.layouts import FREE, aligned, hbox, holding, vbox
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
        # the primary first: in sight at any text size
        buttons = holding(QWidget(), hbox(self.play, self.step, self.stop, self.reset, FREE))
        count = hbox(self.step_count, aligned(self.of, Qt.AlignmentFlag.AlignBottom), FREE, spacing=6)
        progress = holding(QWidget(), vbox(label(tr("Steps done"), "muted"), count, spacing=0))
        holding(self, vbox(Reflow(buttons, progress, stretch=(progress,), spacing=22)))

    def show_progress(self, done: int, total: int, epoch: int = 0, epochs: int = 0) -> None:
        """So many steps of so many; nothing is known of what is 0."""
        self.step_count.setText(f"{done:,}")
        words = [tr("of {all}", all=f"{total:,}")] if total else []
        if epoch:
            words.append(tr("epoch {n} of {all}", n=f"{epoch:,}", all=f"{epochs:,}"))
        self.of.setText(joined("  ·  ", *words))
