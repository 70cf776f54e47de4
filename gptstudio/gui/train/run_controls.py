"""Reset, Start or Pause, Step, Stop, and how far the run is."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from gptstudio.gui.translation import joined, tr
from gptstudio.gui.widgets.parts import button, label, plain
from gptstudio.gui.widgets.reflow import Reflow


class RunControls(QWidget):
    """Buttons that control a run, for its current state; emits which one was pressed."""

    reset_pressed = Signal()
    play_pressed = Signal()
    step_pressed = Signal()
    stop_pressed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.reset = button(tr("Reset"), "reset")
        self.play = button(tr("Start"), "start", role="primary")
        self.step = button(tr("Step"), "step")
        self.stop = button(tr("Stop"), "stop", tr("Ends the run and saves the model (Esc)"))
        for made, pressed in (
            (self.reset, self.reset_pressed), (self.play, self.play_pressed), (self.step, self.step_pressed),
            (self.stop, self.stop_pressed),
        ):
            made.clicked.connect(pressed)
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

    def show_state(self, running: bool, paused: bool, start_words: str, why_not: str, may_reset: bool) -> None:
        """``start_words``: on the large button while nothing runs; ``why_not``: why nothing can be started."""
        words = (tr("Continue") if paused else tr("Pause")) if running else start_words
        self.play.setText(words)
        self.play.setAccessibleName(words)
        self.play.setEnabled(running or not why_not)
        self.play.setToolTip(plain(why_not) if why_not and not running else tr("Ctrl+Enter or Space"))
        self._set_enabled(self.step, (running and paused) or (not running and not why_not))
        self.step.setToolTip(
            tr("Takes one step, shows what it did, and pauses (S or full stop)")
            if self.step.isEnabled()
            else tr("Pause first; then you can train step by step.") if running else plain(why_not)
        )
        self._set_enabled(self.stop, running)
        self._set_enabled(self.reset, may_reset)
        self.reset.setToolTip(
            tr("Ends and saves the run, and clears the view") if running else tr("Clears the view")
        )

    def _set_enabled(self, button: QPushButton, enabled: bool) -> None:
        """Enable or disable a button. Qt would move the focus of a disabled one to its neighbour, where Space ends the
        run or empties the view; on the large button it continues."""
        if not enabled and button.hasFocus() and self.play.isEnabled():
            self.play.setFocus()
        button.setEnabled(enabled)

    def show_progress(self, done: int, total: int, epoch: int = 0, epochs: int = 0) -> None:
        """So many steps of so many; nothing is known of what is 0."""
        self.step_count.setText(f"{done:,}")
        words = [tr("of {all}", all=f"{total:,}")] if total else []
        if epoch:
            words.append(tr("epoch {n} of {all}", n=f"{epoch:,}", all=f"{epochs:,}"))
        self.of.setText(joined("  ·  ", *words))
