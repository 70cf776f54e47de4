"""Start or Pause, Step, Stop, Reset, and how far the run is."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QProgressBar, QWidget

from gptstudio.app.shown_run import ShownRun, is_finished
from gptstudio.gui.actions import Actions
from gptstudio.gui.branch_words import branch_words
from gptstudio.gui.translation import joined, tr
from gptstudio.gui.widgets.few_lines import FewLines
from gptstudio.gui.widgets.layouts import FREE, aligned, hbox, holding, vbox
from gptstudio.gui.widgets.parts import label, named, plain, restyle
from gptstudio.gui.widgets.reflow import Reflow

BOTTOM = Qt.AlignmentFlag.AlignBottom
PARENT_LETTERS = 24
"""Of the name of the run that the shown one is a branch of, at most."""
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
        self.parent_words = label(role="muted", name="parent_run")
        self.phase = FewLines("phase", lines=1)
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
        self.of.setVisible(bool(words))
        self.progress.setMaximum(min(max(1, total), MOST_STEPS))
        self.progress.setValue(min(done, MOST_STEPS) if started else 0)
        self._show_parent(run)
        restyle(self.play, role="" if is_finished(run) else "primary")  # then generating is what comes next
        self.show_words(run)

    def _show_parent(self, run: ShownRun) -> None:
        """Name the run that this one is a branch of; a long name in part, and whole as the tooltip."""
        words = branch_words(run.parent) if run.parent else ""
        letters = self.parent_words.fontMetrics()
        widest = letters.averageCharWidth() * PARENT_LETTERS
        self.parent_words.setText(letters.elidedText(words, Qt.TextElideMode.ElideMiddle, widest))
        self.parent_words.setToolTip(plain(words))
        self.parent_words.setVisible(bool(words))

    def show_words(self, run: ShownRun) -> None:
        """Show what a run is doing, and its last checkpoint."""
        for shown, words in ((self.phase, run.phase), (self.saved, run.saved or run.earlier)):
            shown.setText(tr(words) if words else "")

    def _lay_out(self) -> None:
        # the primary first: in sight at any text size
        buttons = holding(QWidget(), hbox(self.play, self.step, self.stop, self.reset, FREE))
        count = hbox(self.step_count, aligned(self.of, BOTTOM), aligned(self.parent_words, BOTTOM), FREE, spacing=8)
        doing = hbox(self.phase, self.saved, FREE, spacing=12)
        progress = holding(QWidget(), vbox(count, doing, spacing=0))
        holding(self, vbox(Reflow(buttons, progress, stretch=(progress,), spacing=24), self.progress, spacing=8))
