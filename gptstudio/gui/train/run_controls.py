"""Start or Pause, Step, Stop, Reset, and how far the run is."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QProgressBar, QWidget

from gptstudio.app.shown_run import ShownRun
from gptstudio.gui.actions import Actions
from gptstudio.gui.translation import joined, tr
from gptstudio.gui.widgets.layouts import FREE, aligned, hbox, holding, vbox
from gptstudio.gui.widgets.parts import label, named
from gptstudio.gui.widgets.reflow import Reflow

BOTTOM = Qt.AlignmentFlag.AlignBottom
MOST_STEPS = 2**31 - 1
"""That a QProgressBar can show."""


class RunControls(QWidget):
    """Buttons that control a run, its progress, and what it is doing."""

    def __init__(self, actions: Actions) -> None:
        super().__init__()
        self.play = actions.button("start", "primary")
        self.step, self.stop, self.reset = (
            actions.button(name, instead=self.play) for name in ("step", "stop", "reset"))
        self.step_count = label("0", "counter", "step_counter")
        self.step_count.setAccessibleName(tr("Steps done"))
        self.of = label(role="muted", name="step_of", term="epoch")
        self.phase = label(role="muted", name="phase")
        self.saved = label(role="muted", name="saved")
        self.progress = named(QProgressBar(), "progress", tr("Steps done"))
        self.progress.setTextVisible(False)
        self._lay_out()

    def show_run(self, run: ShownRun, total_steps: int) -> None:
        """Show how far a run is; ``total_steps``: of the run that Start would begin, while there is no other."""
        started, last = run.started, run.last
        done = last.step + 1 if last else started.first_step if started else 0
        total = started.total_steps if started else total_steps
        self.step_count.setText(f"{done:,}")
        words = [tr("of {all} steps", all=f"{total:,}")] if total else []
        if started and last and last.epoch:
            epochs = -(-started.total_steps // started.steps_per_epoch)
            words.append(tr("epoch {n} of {all}", n=f"{last.epoch:,}", all=f"{epochs:,}"))
        self.of.setText(joined("  ·  ", *words))
        self.progress.setMaximum(min(max(1, total), MOST_STEPS))
        self.progress.setValue(min(done, MOST_STEPS) if started else 0)
        self.show_words(run)

    def show_words(self, run: ShownRun) -> None:
        """Show what a run is doing, and its last checkpoint."""
        for shown, words in ((self.phase, run.phase), (self.saved, run.saved)):
            shown.setText(tr(words) if words else "")

    def _lay_out(self) -> None:
        # the primary first: in sight at any text size
        buttons = holding(QWidget(), hbox(self.play, self.step, self.stop, self.reset, FREE))
        count = hbox(self.step_count, aligned(self.of, BOTTOM), FREE, spacing=6)
        doing = hbox(self.phase, self.saved, FREE, spacing=14)
        progress = holding(QWidget(), vbox(count, doing, spacing=0))
        holding(self, vbox(Reflow(buttons, progress, stretch=(progress,), spacing=22), self.progress, spacing=6))
