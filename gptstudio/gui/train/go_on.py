"""Notice of a run that ended early, with the ways to continue it."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from gptstudio import devices
from gptstudio.devices import DeviceLost
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.parts import button, label
from gptstudio.gui.widgets.reflow import Reflow
from gptstudio.training.events import Ended
from gptstudio.training.run_folder import RunFolder, step_of


class GoOn(QWidget):
    """Offers to go on from the last checkpoint, and after a divergence with a tenth of the learning rate too."""

    requested = Signal(object, object, object, object)
    """Emitted with the run, the learning rate to continue with, the device, and the checkpoint; None: unchanged, the
    chosen device, the last checkpoint."""

    def __init__(self) -> None:
        super().__init__()
        self._run: RunFolder | None = None
        self._tenth: float | None = None
        self._device: str | None = None
        self._start: Path | None = None
        self.words = label(role="muted", name="go_on_words")
        self.plain = button(tr("Continue"), "go_on", tr("Exactly as if the run had never stopped"))
        self.plain.clicked.connect(lambda: self.requested.emit(self._run, None, self._device, self._start))
        self.slower = button(tr("Continue with a lower learning rate"), "go_on_slower", tr("Smaller weight updates"))
        self.slower.clicked.connect(lambda: self.requested.emit(self._run, self._tenth, None, None))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(Reflow(self.words, self.slower, self.plain, stretch=(self.words,)))
        self.hide()

    def after(self, run: RunFolder, ended: Ended, total_steps: int | None, rate: float | None) -> None:
        """Offers what there is after this end. ``rate``: the learning rate that the run had."""
        if ended.error == "Diverged":
            self._offer(run, tr("Training diverged."), total_steps, rate / 10 if rate else None)
        elif ended.error == DeviceLost.__name__:
            self._offer(run, tr("The device failed."), total_steps, device=devices.cpu().key)
        elif ended.instead:
            said = tr("The last checkpoint is damaged, but an earlier one is intact. All training after it is lost.")
            self._offer(run, said, total_steps, start=Path(ended.instead))
        elif ended.outcome != "finished":
            self._offer(run, tr("Stopped early."), total_steps)

    def after_cut(self, run: RunFolder) -> None:
        """A run that was found without an end: the program or the computer went down."""
        self._offer(run, tr("The run {name} was interrupted.", name=run.name))
        self.words.setToolTip(tr(
            "The program was ended from outside, perhaps by the system for lack of memory, or the computer shut down. "
            "Everything up to the last checkpoint is saved."
        ))

    def _offer(
        self, run: RunFolder, words: str, total_steps: int | None = None, tenth: float | None = None,
        device: str | None = None, start: Path | None = None,
    ) -> None:
        saved = [start] if start else run.checkpoints()
        first = step_of(saved[-1]) + 1 if saved else None
        if first is None or first == total_steps:
            return
        self._run, self._tenth, self._device, self._start = run, tenth, device, start
        self.words.setText(words)
        self.words.setToolTip("")
        words_on_it = tr("Continue from step {n} on the CPU") if device else tr("Continue from step {n}")
        self.plain.setText(tr(words_on_it, n=f"{first:,}"))
        self.slower.setVisible(tenth is not None)
        if tenth is not None:
            self.slower.setText(tr("Continue from step {n} with learning rate {rate:.3g}", n=f"{first:,}", rate=tenth))
        for made in (self.plain, self.slower):
            made.setAccessibleName(made.text())
        self.show()
