"""Samples of a model during training: one for each epoch, selected with a slider."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QSlider, QWidget

from gptstudio.gui.train.sample_text import Sample, SampleView
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.layouts import FREE, grows, hbox, holding, vbox
from gptstudio.gui.widgets.parts import label, named
from gptstudio.history.copied_words import WHAT_COUNTS, copied_words
from gptstudio.history.run_history import History
from gptstudio.training.events import SampleWritten


class SampleStrip(QWidget):
    """View of the newest sample until the user selects an earlier one; then that one stays."""

    scrubbed = Signal(int)
    """The step of the sample that was chosen by hand."""
    passage_wanted = Signal(str)
    """The words of a copied stretch."""

    def __init__(self) -> None:
        super().__init__()
        self._history = History()
        self.place = label(role="heading", name="sample_place")
        self.slider = named(QSlider(Qt.Orientation.Horizontal), "sample_slider", tr("Sample"))
        self.slider.setToolTip(tr("Drag to read the text that the model generated after each epoch."))
        self.slider.setPageStep(1)
        self.slider.valueChanged.connect(self._scrub)
        self.text = SampleView()
        self.text.passage_wanted.connect(self.passage_wanted)
        self.copied = label(role="muted", name="sample_copied")
        head = hbox(self.place, self.copied, grows(self.slider, 20), FREE, spacing=12)
        holding(self, vbox(head, grows(self.text), spacing=4, margins=(4, 8, 4, 4)))
        self._refill(0)

    @property
    def samples(self) -> list[SampleWritten]:
        return self._history.samples

    def show_history(self, history: History) -> None:
        """Show the samples of a run, which grows, in place of those that were shown."""
        self._history = history
        self._refill(0)

    def refresh(self, newest: bool = False) -> None:
        """Show what has changed in the history; ``newest``: and the newest sample, whatever was chosen."""
        newest = newest or self.slider.value() == self.slider.maximum()
        self._refill(len(self.samples) - 1 if newest else self.slider.value())

    def _refill(self, chosen: int) -> None:
        with QSignalBlocker(self.slider):
            self.slider.setRange(0, max(0, len(self.samples) - 1))
            self.slider.setValue(max(0, chosen))
        self.slider.setVisible(len(self.samples) > 1)
        self.place.setVisible(bool(self.samples))
        self._show()

    def _scrub(self) -> None:
        self._show()
        self.scrubbed.emit(self.samples[self.slider.value()].step)

    def _show(self) -> None:
        self.copied.setVisible(False)
        if not self.samples:
            self.place.setText("")
            self.text.show_samples(())
            return
        sample = self.samples[self.slider.value()]
        self.place.setText(tr("Epoch {n}, step {step}", n=f"{sample.epoch:,}", step=f"{sample.step + 1:,}"))
        found = next((each for each in reversed(self._history.copies_found) if each.step == sample.step), None)
        self.text.show_samples((Sample(sample.text, found.copies if found else ()),))
        if found:
            self.copied.setText(tr(copied_words(found.share, found.longest)))
            self.copied.setToolTip(tr(WHAT_COUNTS))
            self.copied.setVisible(True)
