"""What a model wrote as it learned: one sample for each epoch, scrubbed with a slider: one sees words appear."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QSizePolicy, QSlider, QVBoxLayout, QWidget

from gptstudio.gui.widgets.parts import label, named
from gptstudio.gui.words import tr


class Sample(NamedTuple):
    step: int
    epoch: int
    text: str


class SampleStrip(QWidget):
    """Shows the newest sample until somebody scrubs back; then it stays there."""

    scrubbed = Signal(int)
    """The step of the sample that was chosen by hand."""

    def __init__(self) -> None:
        super().__init__()
        self.samples: list[Sample] = []
        self.place = label(role="heading", name="sample_place")
        self.slider = named(QSlider(Qt.Orientation.Horizontal), "sample_slider", tr("Sample"))
        self.slider.setToolTip(tr("Drag to read what the model wrote after each epoch."))
        self.slider.setPageStep(1)
        self.slider.valueChanged.connect(self._scrub)
        self.text = named(QPlainTextEdit(), "samples", tr("What the model wrote"))
        self.text.setReadOnly(True)
        self.text.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
        self.text.setMinimumHeight(56)
        self.text.setPlaceholderText(tr("After each epoch the model writes a sample here."))
        head = QHBoxLayout()
        head.addWidget(self.place)
        head.addWidget(self.slider, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2, 6, 2, 2)
        layout.setSpacing(4)
        layout.addLayout(head)
        layout.addWidget(self.text, 1)
        self.clear()

    def clear(self) -> None:
        self.samples = []
        self._refill(0)

    def add(self, step: int, epoch: int, text: str) -> None:
        follows = self.slider.value() == self.slider.maximum()
        self.samples.append(Sample(step, epoch, text))
        self._refill(len(self.samples) - 1 if follows else self.slider.value())

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
        if not self.samples:
            self.place.setText("")
            self.text.clear()
            return
        sample = self.samples[self.slider.value()]
        self.place.setText(tr("Epoch {n}, step {step}", n=f"{sample.epoch:,}", step=f"{sample.step + 1:,}"))
        self.text.setPlainText(" ".join(sample.text.split("\n")))  # in one line, as the seeds print it
