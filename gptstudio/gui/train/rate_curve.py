"""Small curve of the learning rate over the steps of a run. Painted by Qt alone: a plot with axes, menus and a scene
takes 15 ms to make, a tenth of the window."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from gptstudio.gui.appearance import follow
from gptstudio.gui.theme import colour, theme
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.parts import named

HEIGHT, DOT = 84, 9
"""Pixels."""


class RateCurve(QWidget):
    """A line over the steps, and a dot at the step that a run is at."""

    def __init__(self) -> None:
        super().__init__()
        named(self, "schedule_plot", tr("Learning rate over the run"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.steps: Sequence[float] = ()
        self.rates: Sequence[float] = ()
        self.place: tuple[float, float] | None = None
        follow(self, self._fit)

    def show_rates(self, steps: Sequence[float], rates: Sequence[float]) -> None:
        """Show the learning rate at some steps, in their order, the first of them 0."""
        self.steps, self.rates = steps, rates
        self.update()

    def show_place(self, place: tuple[float, float] | None) -> None:
        """Show the step that a run is at, with its learning rate; None if none is active."""
        self.place = place
        self.update()

    def _fit(self) -> None:
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), round(HEIGHT * theme.zoom))

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            area = QRectF(self.rect()).adjusted(1, 2, -1, -2)
            painter.setPen(QPen(colour("line")))
            painter.drawPolyline(QPolygonF([area.topLeft(), area.bottomLeft(), area.bottomRight()]))
            if len(self.steps):
                self._paint_curve(painter, area.adjusted(DOT, DOT / 2, -DOT, -DOT))

    def _paint_curve(self, painter: QPainter, area: QRectF) -> None:
        last, highest = self.steps[-1] or 1.0, max(self.rates) or 1.0

        def point(step: float, rate: float) -> QPointF:
            return QPointF(area.left() + area.width() * step / last, area.bottom() - area.height() * rate / highest)

        painter.setPen(QPen(colour("accent"), 2))
        painter.drawPolyline(QPolygonF([point(*each) for each in zip(self.steps, self.rates, strict=True)]))
        if self.place:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour("validation"))
            painter.drawEllipse(point(*self.place), DOT / 2, DOT / 2)
