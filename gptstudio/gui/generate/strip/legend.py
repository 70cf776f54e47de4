"""Legend of the token colours: the labels at the ends of the scale, and the line under the prompt."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QLinearGradient, QPainter
from PySide6.QtWidgets import QWidget

from gptstudio.gui.canvas.swatch import Swatch
from gptstudio.gui.canvas.tint import SCALES, Scale
from gptstudio.gui.canvas.writing import rounded
from gptstudio.gui.theme import colour
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.layouts import aligned, fill, hbox, holding
from gptstudio.gui.widgets.parts import label

STOPS = 16


def _ramp(scale: Scale, painter: QPainter, room: QRectF, letter: int) -> None:
    height = 0.7 * letter
    place = QRectF(0.5, (room.height() - height) / 2, room.width() - 1, height)
    ramp = QLinearGradient(place.topLeft(), place.topRight())
    for stop in range(STOPS + 1):
        ramp.setColorAt(stop / STOPS, scale.shade(stop / STOPS))
    rounded(painter, place, 3, ramp, colour("line"))


def _underlined(painter: QPainter, room: QRectF, letter: int) -> None:
    unit, middle = letter / 16, room.height() / 2
    rounded(painter, QRectF(1, middle - 6 * unit, room.width() - 2, 9 * unit), 2 * unit, colour("line"))
    painter.fillRect(QRectF(1, middle + 5 * unit, room.width() - 2, 1.5 * unit), colour("muted"))


def _copied(painter: QPainter, room: QRectF, letter: int) -> None:
    unit, middle = letter / 16, room.height() / 2
    rounded(painter, QRectF(1, middle - 6 * unit, room.width() - 2, 9 * unit), 2 * unit, colour("line"))
    painter.fillRect(QRectF(0, middle + 4.5 * unit, room.width(), 2.5 * unit), colour("amber"))


class ColourLegend(QWidget):
    """In one line."""

    def __init__(self, prompt: bool = True) -> None:
        """``prompt``: there is one."""
        super().__init__()
        self.low, self.high = label(role="muted"), label(role="muted")
        self._ramp = Swatch(partial(_ramp, SCALES["surprise"]), 5, 1, grows=True)
        middle = Qt.AlignmentFlag.AlignVCenter
        line = hbox(*(aligned(part, middle) for part in (self.low, self._ramp, self.high)), spacing=8)
        if prompt:
            line.addSpacing(8)
            fill(line, Swatch(_underlined, 1, 1, grows=True), label(tr("prompt"), "muted"))
        self._copied = Swatch(_copied, 1, 1, grows=True), label(tr("copied"), "muted")
        line.addSpacing(8)
        fill(line, *self._copied)
        holding(self, line)
        self.show_copied(False)
        self.show_scale("surprise")

    def show_copied(self, shown: bool) -> None:
        """Show or hide what the line under copied tokens means."""
        for part in self._copied:
            part.setVisible(shown)

    def show_scale(self, name: str) -> None:
        """One of :data:`gptstudio.gui.canvas.tint.SCALES`; of none, the line under the prompt alone."""
        scale = SCALES[name]
        self._ramp.paint_with(partial(_ramp, scale))
        self.low.setText(tr(scale.low) if scale.low else "")
        self.high.setText(tr(scale.high) if scale.high else "")
        for part in (self.low, self._ramp, self.high):
            part.setVisible(bool(scale.low))
        self.setToolTip(tr(scale.help))
