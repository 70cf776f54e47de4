"""A slider and a number that say the same: for what one wants to turn and also to set exactly."""

from __future__ import annotations

import math
from collections.abc import Callable

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLineEdit, QSizePolicy, QSlider, QWidget

from gptstudio.gui.translation import retranslated
from gptstudio.gui.widgets.parts import label, named, restyle

LEAST_SLIDER, SPACING = 64, 6
"""Pixels: the minimum usable length of a slider; the spacing of the parts."""


class _ShortLine(QLineEdit):
    """A line for one number."""

    def sizeHint(self) -> QSize:
        return QSize(self.fontMetrics().horizontalAdvance("50,257") + 22, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()


class ParamSlider(QWidget):
    """Positions 0..``ticks`` of the slider stand for values; the number may be typed as well.

    Args:
        name: of the slider; the number's is ``{name}_number``.
        value_at, tick_of: between positions of the slider and values; a value beyond the slider has its last position.
        words, read: between values and what stands in the number. ``read`` raises ValueError for what is no number.
    """

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
        self.slider.setMinimumWidth(LEAST_SLIDER)
        self.number = named(_ShortLine(), f"{name}_number", title)
        self.number.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.number.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.caption = label(title)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setVerticalSpacing(2)
        self._grid.setHorizontalSpacing(SPACING)
        self._grid.setColumnStretch(1, 1)
        self._grid.addWidget(self.caption, 0, 0)
        self._grid.addWidget(self.number, 0, 2)
        self._one_line: bool | None = None
        self.lay_out(0)
        self.slider.valueChanged.connect(lambda tick: self._take(self._value_at(tick)))
        self.number.editingFinished.connect(self.settle)

    def lay_out(self, name_width: int) -> None:
        """All in one line, the name in that many pixels; or with 0 the slider below its name and number."""
        if name_width != self._grid.columnMinimumWidth(0):  # setting the same again would ask for a layout without end
            self._grid.setColumnMinimumWidth(0, name_width)
        if bool(name_width) != self._one_line:
            self._one_line = bool(name_width)
            self._grid.addWidget(self.slider, *((0, 1) if name_width else (1, 0, 1, 3)))

    def one_line_width(self, name_width: int) -> int:
        return name_width + self.slider.minimumWidth() + self.number.sizeHint().width() + 2 * SPACING

    def two_lines_width(self) -> int:
        return self.caption.sizeHint().width() + self.number.sizeHint().width() + 2 * SPACING

    def value(self) -> float:
        return self._value

    def set_value(self, value: float) -> None:
        """Shows a value without telling."""
        self._value = value
        with QSignalBlocker(self.slider):
            self.slider.setValue(self._tick_of(value))
        self.number.setText(self._words(value))

    def show_idle(self, idle: bool) -> None:
        """Greyed, though it can be turned: as it stands it changes nothing."""
        for part in (self.caption, self.slider, self.number):
            restyle(part, role="muted" if idle else "")

    def _take(self, value: float) -> None:
        self._value = value
        self.number.setText(self._words(value))
        self.turned.emit()

    def settle(self) -> None:
        """Takes what was typed, as when the focus leaves the number."""
        if self.number.text() == self._words(self._value):
            return  # a value with more digits than are shown stays what it is
        try:
            value = self._read(self.number.text())
        except ValueError:
            value = self._value  # what is no number changes nothing
        changed = value != self._value
        self.set_value(value)
        if changed:
            self.turned.emit()


def temperature_slider(title: str, prefix: str = "") -> ParamSlider:
    """0 to 2 in steps of 0.05."""
    return _linear_slider(title, f"{prefix}temperature", 0.0, 2.0, 0.05)


def top_p_slider(title: str, prefix: str = "") -> ParamSlider:
    """0 to 1 in steps of 0.01."""
    return _linear_slider(title, f"{prefix}top_p", 0.0, 1.0, 0.01)


def min_p_slider(title: str, prefix: str = "") -> ParamSlider:
    """0 to 1, each position of the slider at most 0.05 from the next: finer below 0.2, where it cuts most."""
    stops = [each / 100 for each in (*range(20), *range(20, 101, 5))]

    def nearest(value: float) -> int:
        return min(range(len(stops)), key=lambda tick: abs(stops[tick] - value))

    return ParamSlider(
        title, f"{prefix}min_p", len(stops) - 1, stops.__getitem__, nearest, _hundredths, _between(0.0, 1.0)
    )


def repetition_slider(title: str, prefix: str = "") -> ParamSlider:
    """0.5 to 2 in steps of 0.05: below 1 repetition is rewarded."""
    return _linear_slider(title, f"{prefix}repetition_penalty", 0.5, 2.0, 0.05)


def top_k_slider(title: str, all_words: str, vocabulary: int, prefix: str = "") -> ParamSlider:
    """1 to the whole vocabulary, each step of the slider a tenth of a doubling; 0 stands for all."""
    ticks = math.ceil(10 * math.log2(vocabulary))

    def value_at(tick: int) -> float:
        return 0 if tick == ticks else min(vocabulary, round(2 ** (tick / 10)))

    def read(text: str) -> float:
        return 0 if text.strip() in (retranslated(all_words), "0", "") else min(vocabulary,
                                                                          max(1, int(text.replace(",", ""))))

    return ParamSlider(
        title, f"{prefix}top_k", ticks, value_at, lambda value: ticks if value == 0 else round(10 * math.log2(value)),
        lambda value: retranslated(all_words) if value == 0 else f"{value:,.0f}", read,
    )


def _linear_slider(title: str, name: str, low: float, high: float, step: float) -> ParamSlider:
    return ParamSlider(
        title, name, round((high - low) / step), lambda tick: round(low + tick * step, 2),
        lambda value: round((value - low) / step), _hundredths, _between(low, high),
    )


def _hundredths(value: float) -> str:
    return f"{value:.2f}"


def _between(low: float, high: float) -> Callable[[str], float]:
    """Reads a number, with a full stop or a comma, and brings it into the range."""
    return lambda text: min(high, max(low, float(text.replace(",", "."))))
