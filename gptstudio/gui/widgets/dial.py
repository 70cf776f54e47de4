"""A slider and a number that say the same: for what one wants to turn and also to set exactly."""

from __future__ import annotations

import math
from collections.abc import Callable

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QSizePolicy, QSlider, QVBoxLayout, QWidget

from gptstudio.gui.widgets.parts import label, named


class _ShortLine(QLineEdit):
    """A line for one number."""

    def sizeHint(self) -> QSize:
        return QSize(self.fontMetrics().horizontalAdvance("50,257") + 22, super().sizeHint().height())


class Dial(QWidget):
    """Positions 0..``ticks`` of the slider stand for values; the number may be typed as well."""

    turned = Signal()

    def __init__(
        self,
        title: str,
        name: str,
        ticks: int,
        value_at: Callable[[int], float],
        tick_of: Callable[[float], int],
        words: Callable[[float], str],
        read: Callable[[str], float],
    ):
        super().__init__()
        self._value_at, self._tick_of, self._words, self._read = value_at, tick_of, words, read
        self._value = 0.0
        self.slider = named(QSlider(Qt.Orientation.Horizontal), name, title)
        self.slider.setRange(0, ticks)
        self.number = named(_ShortLine(), f"{name}_number", title)
        self.number.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.number.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        head = QHBoxLayout()
        head.addWidget(label(title))
        head.addStretch(1)
        head.addWidget(self.number)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addLayout(head)
        layout.addWidget(self.slider)
        self.slider.valueChanged.connect(lambda tick: self._take(self._value_at(tick)))
        self.number.editingFinished.connect(self.settle)

    def value(self) -> float:
        return self._value

    def set_value(self, value: float) -> None:
        """Shows a value without telling."""
        self._value = value
        with QSignalBlocker(self.slider):
            self.slider.setValue(self._tick_of(value))
        self.number.setText(self._words(value))

    def _take(self, value: float) -> None:
        self._value = value
        self.number.setText(self._words(value))
        self.turned.emit()

    def settle(self) -> None:
        """Takes what was typed, as when the focus leaves the number."""
        try:
            value = self._read(self.number.text())
        except ValueError:
            value = self._value  # what is no number changes nothing
        changed = value != self._value
        self.set_value(value)
        if changed:
            self.turned.emit()


def temperature_dial(title: str) -> Dial:
    """0 to 2 in steps of 0.05."""
    return Dial(
        title, "temperature", 40, lambda tick: round(tick * 0.05, 2), lambda value: round(value / 0.05),
        lambda value: f"{value:.2f}", lambda text: min(2.0, max(0.0, float(text.replace(",", ".")))),
    )


def top_k_dial(title: str, all_words: str, vocabulary: int) -> Dial:
    """1 to the whole vocabulary, each step of the slider a tenth of a doubling; 0 stands for all."""
    ticks = math.ceil(10 * math.log2(vocabulary))

    def value_at(tick: int) -> float:
        return 0 if tick == ticks else min(vocabulary, round(2 ** (tick / 10)))

    def read(text: str) -> float:
        return 0 if text.strip() in (all_words, "0", "") else min(vocabulary, max(1, int(text.replace(",", ""))))

    return Dial(
        title, "top_k", ticks, value_at, lambda value: ticks if value == 0 else round(10 * math.log2(value)),
        lambda value: all_words if value == 0 else f"{value:,.0f}", read,
    )
