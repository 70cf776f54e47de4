"""Choice of a step: a slider between two buttons, and a label that describes the step."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QGridLayout, QSlider, QWidget

from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.parts import button, label, named, one_control, permit


class StepBar(QWidget):
    """Slider over the steps; emits the step that the user wants."""

    wanted = Signal(int)

    def __init__(self, name: str, accessible: str, back: str, onward: str) -> None:
        """``back`` and ``onward``: what the two buttons do."""
        super().__init__()
        one_control(self)
        self.slider = named(QSlider(Qt.Orientation.Horizontal), name, accessible)
        self.slider.setToolTip(tr("Drag to a step, or use the arrow keys"))
        self.back, self.onward = button("‹", f"{name}_back", back), button("›", f"{name}_onward", onward)
        self.back.setAccessibleName(back)
        self.onward.setAccessibleName(onward)
        self.words = label("", "heading", f"{name}_words")
        self.slider.valueChanged.connect(self.wanted)
        self.back.clicked.connect(lambda: self.slider.setValue(self.slider.value() - 1))
        self.onward.clicked.connect(lambda: self.slider.setValue(self.slider.value() + 1))
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.addWidget(self.words, 0, 0, 1, 3)
        for column, part in enumerate((self.back, self.slider, self.onward)):
            grid.addWidget(part, 1, column)

    def show_step(self, step: int, last: int, words: str) -> None:
        """``step`` from 0 to ``last``."""
        with QSignalBlocker(self.slider):
            self.slider.setMaximum(last)
            self.slider.setValue(step)
        self.words.setText(words)
        permit(self.back, "" if step > 0 else tr("This is the first one."))
        permit(self.onward, "" if step < last else tr("This is the last one."))
        permit(self.slider, "" if last > 0 else tr("There is only one."))
