"""A slider and a number that say the same: for what one wants to turn and also to set exactly."""

from __future__ import annotations

import math

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLineEdit, QSizePolicy, QSlider, QWidget

from gptstudio.gpt.sampling.stage import SamplerStage
from gptstudio.gui.generate.stages import stage_texts
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.parts import label, named, one_control, restyle

LEAST_SLIDER, SPACING = 64, 6
"""Pixels: the minimum usable length of a slider; the spacing of the parts."""


class _ShortLine(QLineEdit):
    """A line for one number."""

    def sizeHint(self) -> QSize:
        return QSize(self.fontMetrics().horizontalAdvance("50,257") + 22, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()


class ParamSlider(QWidget):
    """Slider over the values that a stage declares; any other value of its field may be typed.

    Args:
        stage: the stage whose parameter it sets.
        prefix: of the names of slider and number, where there is more than one slider for a stage.
    """

    turned = Signal()

    def __init__(self, stage: type[SamplerStage], prefix: str = "") -> None:
        super().__init__()
        one_control(self)
        title, name = tr(stage.label), prefix + stage.name
        self._stage, self._field = stage, stage_texts.FIELDS[stage.name]
        self._value = stage.off
        self.slider = named(QSlider(Qt.Orientation.Horizontal), name, title)
        self.slider.setRange(0, len(stage.slider) - 1)
        self.slider.setMinimumWidth(LEAST_SLIDER)
        self.number = named(_ShortLine(), f"{name}_number", title)
        self.number.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.number.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.caption = label(title, term=stage.name.replace("_", "-"))
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setVerticalSpacing(4)
        self._grid.setHorizontalSpacing(SPACING)
        self._grid.setColumnStretch(1, 1)
        self._grid.addWidget(self.caption, 0, 0)
        self._grid.addWidget(self.number, 0, 2)
        self._one_line: bool | None = None
        self.lay_out(0)
        self.slider.valueChanged.connect(lambda tick: self._take(stage.slider[tick]))
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

    def value(self) -> float | None:
        return self._value

    def set_value(self, value: float | None) -> None:
        """Show a value without emitting a signal."""
        self._value = value
        with QSignalBlocker(self.slider):
            self.slider.setValue(self._position(value))
        self.number.setText(self._text(value))

    def show_idle(self, idle: bool) -> None:
        """Greyed, though it can be turned: as it stands it changes nothing."""
        for part in (self.caption, self.slider, self.number):
            restyle(part, role="muted" if idle else "")

    def _take(self, value: float | None) -> None:
        self._value = value
        self.number.setText(self._text(value))
        self.turned.emit()

    def settle(self) -> None:
        """Take what was typed, as when the focus leaves the number."""
        if self.number.text() == self._text(self._value):
            return  # a value with more digits than are shown stays what it is
        try:
            value = self._read(self.number.text())
        except ValueError:
            value = self._value  # what is no number changes nothing
        changed = value != self._value
        self.set_value(value)
        if changed:
            self.turned.emit()

    def _position(self, value: float | None) -> int:
        """Return the position with the nearest value; that of the end for a value beyond the slider."""
        values = self._stage.slider
        if value is None:
            return values.index(None)
        distances = [math.inf if each is None else abs(each - value) for each in values]
        return distances.index(min(distances))

    def _text(self, value: float | None) -> str:
        if value is None:
            return tr(self._field.empty)
        return f"{value:,}" if self._field.kind == "int" else f"{value:.2f}"

    def _read(self, text: str) -> float | None:
        """Return the value of a text, with a full stop or a comma, brought into the range of the field.

        Raises:
            ValueError: it is not a number.
        """
        if self._field.optional and text.strip() in (self._text(None), "0", ""):
            return None
        low, high = self._field.low or 0, self._field.high or math.inf
        if self._field.kind == "int":
            return min(int(high), max(int(low), int(text.replace(",", ""))))
        return min(high, max(low, float(text.replace(",", "."))))
