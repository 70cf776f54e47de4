"""Legend of the token colours: the labels at the ends of the scale, and the line under the prompt."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QLinearGradient, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from gptstudio.gui.canvas.tint import SCALES, shade
from gptstudio.gui.theme import colour, theme
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.parts import label

STOPS = 16


class _Ramp(QWidget):
    """The scale from end to end."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        height = self.fontMetrics().height()
        return QSize(5 * height, height)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        height = 0.7 * self.fontMetrics().height()
        place = QRectF(0.5, (self.height() - height) / 2, self.width() - 1, height)
        ramp = QLinearGradient(place.topLeft(), place.topRight())
        for stop in range(STOPS + 1):
            ramp.setColorAt(stop / STOPS, shade(stop / STOPS))
        painter.setPen(colour("line"))
        painter.setBrush(ramp)
        painter.drawRoundedRect(place, 3, 3)


class _Underlined(QWidget):
    """A box as those of the prompt."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        height = self.fontMetrics().height()
        return QSize(height, height)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter, unit = QPainter(self), self.fontMetrics().height() / 16
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        middle = self.height() / 2
        box = QPainterPath()
        box.addRoundedRect(QRectF(1, middle - 6 * unit, self.width() - 2, 9 * unit), 2 * unit, 2 * unit)
        painter.fillPath(box, colour("line"))
        painter.fillRect(QRectF(1, middle + 5 * unit, self.width() - 2, 1.5 * unit), colour("muted"))


class ColourLegend(QWidget):
    """In one line."""

    def __init__(self, prompt: bool = True) -> None:
        """``prompt``: there is one."""
        super().__init__()
        self.low, self.high = label(role="muted"), label(role="muted")
        self._ramp = _Ramp()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        for part in (self.low, self._ramp, self.high):
            row.addWidget(part, 0, Qt.AlignmentFlag.AlignVCenter)
        if prompt:
            row.addSpacing(8)
            row.addWidget(_Underlined())
            row.addWidget(label(tr("prompt"), "muted"))
        self.show_scale("surprise")

    def show_scale(self, name: str) -> None:
        """One of :data:`gptstudio.gui.canvas.tint.SCALES`; of none, the line under the prompt alone."""
        scale = SCALES[name]
        self.low.setText(tr(scale.low) if scale.low else "")
        self.high.setText(tr(scale.high) if scale.high else "")
        for part in (self.low, self._ramp, self.high):
            part.setVisible(bool(scale.low))
        self.setToolTip(tr(scale.help))
