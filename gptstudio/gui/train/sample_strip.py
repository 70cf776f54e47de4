"""Samples of a model during training: one for each epoch, selected with a slider."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QSlider, QWidget

from gptstudio.gui.train.sample_text import SampleView
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.layouts import FREE, grows, hbox, holding, vbox
from gptstudio.gui.widgets.parts import label, named
from gptstudio.history.copied_words import WHAT_COUNTS, copied_words
from gptstudio.training.events import CopiesFound


class SampleText(NamedTuple):
    """A sample, and what of it is copied from the training text; None where that was not looked for."""

    step: int
    epoch: int
    text: str
    copies: CopiesFound | None = None


class SampleStrip(QWidget):
    """View of the newest sample until the user selects an earlier one; then that one stays."""

    scrubbed = Signal(int)
    """The step of the sample that was chosen by hand."""
    passage_wanted = Signal(str)
    """The words of a copied stretch."""

    def __init__(self) -> None:
        super().__init__()
        self.samples: list[SampleText] = []
        self.place = label(role="heading", name="sample_place")
        self.slider = named(QSlider(Qt.Orientation.Horizontal), "sample_slider", tr("Sample"))
        self.slider.setToolTip(tr("Drag to read the text that the model generated after each epoch."))
        self.slider.setPageStep(1)
        self.slider.valueChanged.connect(self._scrub)
        self.text = SampleView()
        self.text.passage_wanted.connect(self.passage_wanted)
        self.copied = label(role="muted", name="sample_copied")
        head = hbox(self.place, self.copied, grows(self.slider, 20), FREE, spacing=12)
        holding(self, vbox(head, grows(self.text), spacing=4, margins=(2, 6, 2, 2)))
        self.clear()

    def clear(self) -> None:
        self.samples = []
        self._refill(0)

    def add(self, step: int, epoch: int, text: str) -> None:
        follows = self.slider.value() == self.slider.maximum()
        self.samples.append(SampleText(step, epoch, text))
        self._refill(len(self.samples) - 1 if follows else self.slider.value())

    def add_copies(self, found: CopiesFound) -> None:
        """Note what of a sample is copied."""
        if self.samples and self.samples[-1].step == found.step:
            self.samples[-1] = self.samples[-1]._replace(copies=found)
            self._show()

    def truncate(self, first_step: int) -> None:
        """Takes away what was written at this step and after it: the run goes on from there."""
        self.samples = [sample for sample in self.samples if sample.step < first_step]
        self._refill(len(self.samples) - 1)

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
            self.text.show_sample("", ())
            return
        sample = self.samples[self.slider.value()]
        self.place.setText(tr("Epoch {n}, step {step}", n=f"{sample.epoch:,}", step=f"{sample.step + 1:,}"))
        self.text.show_sample(sample.text, sample.copies.copies if sample.copies else ())
        if sample.copies:
            self.copied.setText(tr(copied_words(sample.copies.share, sample.copies.longest)))
            self.copied.setToolTip(tr(WHAT_COUNTS))
            self.copied.setVisible(True)
