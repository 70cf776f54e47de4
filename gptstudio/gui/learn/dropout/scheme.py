"""The way of a token through a model, from top to bottom, with the places where dropout drops numbers."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QBrush, QColor, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QSizePolicy

from gptstudio.gui.canvas.canvas import Canvas
from gptstudio.gui.canvas.writing import CENTRE, draw_with, write
from gptstudio.gui.theme import colour, theme
from gptstudio.gui.translation import tr
from gptstudio.labs.dropout import DropoutAnswer, DropoutLayer, DropoutRequest

NUMBERS = {"embedding": "①", "attention": "②", "shortcut": "③"}
HUES = {"embedding": 0, "attention": 5, "shortcut": 3}  # in the palette of the components
HIGH, GAP = 1.6, 0.7  # height of a box and of the gap below it, in character heights
WIDE = 15.0
SIDE = 2.2  # space at both sides of the boxes of a block, for the shortcut connections


class SchemeRow(NamedTuple):
    """A box: its words, and the place that it is, if dropout drops numbers there."""

    words: str
    place: str = ""


class Scheme(Canvas):
    """Diagram with the three places of dropout; emits the one that is clicked."""

    chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__("dropout_scheme", tr("Where the model applies dropout"), pointable=False)
        self._rows: list[SchemeRow] = []
        self._layers = 0
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_places(self, request: DropoutRequest, answer: DropoutAnswer) -> None:
        places = {place.name: place for place in answer.places}
        self._layers = request.config.n_layers
        self._rows = [
            SchemeRow(tr("token + position embedding")), _struck(places["embedding"]),
            SchemeRow(tr("layer normalisation")), SchemeRow(tr("attention weights")), _struck(places["attention"]),
            SchemeRow(tr("values, output projection")), _struck(places["shortcut"]), SchemeRow("+"),
            SchemeRow(tr("layer normalisation")), SchemeRow(tr("feed-forward network")), _struck(places["shortcut"]),
            SchemeRow("+"), SchemeRow(tr("layer normalisation, output layer"))]
        said = [f"{NUMBERS[place.name]} {_struck(place).words}" for place in answer.places]
        self.describe("; ".join(said))
        self.remeasure()

    def minimumSizeHint(self) -> QSize:
        high = self._high()
        return QSize(round((WIDE + 2 * SIDE) * high), round(self._top(len(self._rows)) + 2))

    def box(self, index: int) -> QRectF:
        high = self._high()
        if self._rows[index].words == "+":
            side = HIGH * high
            return QRectF(self.width() / 2 - side / 2, self._top(index), side, side)
        return QRectF(self.width() / 2 - WIDE * high / 2, self._top(index), WIDE * high, HIGH * high)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        for index, row in enumerate(self._rows):
            if row.place and self.box(index).contains(event.position()):
                self.chosen.emit(row.place)

    def paint(self, painter: QPainter, _region: QRect) -> None:
        if not self._rows:
            return
        self._paint_block(painter)
        for index in range(len(self._rows) - 1):
            self._paint_arrow(painter, self.box(index).bottom(), self.box(index + 1).top())
        for start, end in ((2, 7), (8, 11)):
            self._paint_shortcut(painter, start, end)
        for index, row in enumerate(self._rows):
            self._paint_row(painter, self.box(index), row)

    def _paint_block(self, painter: QPainter) -> None:
        """Paint the frame around the layers that are repeated in each block."""
        high = self._high()
        first, last = self.box(2), self.box(11)
        frame = QRectF(1, first.top() - 1.5 * high, self.width() - 2, last.bottom() - first.top() + 2.0 * high)
        draw_with(painter, QPen(colour("muted"), 1, Qt.PenStyle.DashLine), colour("accent", 0.05))
        painter.drawRoundedRect(frame, 8, 8)
        corner = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop
        write(painter, frame.adjusted(8, 2, -8, 0), tr("{n} blocks", n=self._layers), corner, "muted")

    def _paint_shortcut(self, painter: QPainter, start: int, end: int) -> None:
        """Past the boxes, from before the first to the plus."""
        high, into = self._high(), self.box(end)
        top, left = self.box(start).top() - 0.45 * GAP * high, self.width() / 2 - (WIDE / 2 + 0.9) * high
        painter.setPen(QPen(colour("text"), 1.5))
        painter.drawPolyline([
            QPointF(self.width() / 2, top), QPointF(left, top), QPointF(left, into.center().y()),
            QPointF(into.left() - 2, into.center().y())])
        _paint_head(painter, QPointF(into.left() - 1, into.center().y()), QPointF(1, 0), 0.3 * high)

    def _paint_arrow(self, painter: QPainter, top: float, bottom: float) -> None:
        painter.setPen(QPen(colour("text"), 1.5))
        middle = self.width() / 2
        painter.drawLine(QPointF(middle, top), QPointF(middle, bottom - 1))
        _paint_head(painter, QPointF(middle, bottom), QPointF(0, 1), 0.3 * self._high())

    def _paint_row(self, painter: QPainter, box: QRectF, row: SchemeRow) -> None:
        paint = QColor(theme.colours.components[HUES[row.place]]) if row.place else colour("muted")
        draw_with(painter, QPen(paint, 2 if row.place else 1), colour("surface"))
        painter.drawRoundedRect(box, 6, 6)
        if row.place:
            faint = QColor(paint)
            faint.setAlphaF(0.3)
            painter.setBrush(QBrush(faint, Qt.BrushStyle.BDiagPattern))
            painter.drawRoundedRect(box, 6, 6)
        write(painter, box, f"{NUMBERS[row.place]}  {row.words}" if row.place else row.words, CENTRE)

    def _top(self, index: int) -> float:
        """Return the top of a row; the block's frame needs space above and below."""
        more = (1.0 if index > 1 else 0.0) + (0.6 if index > 11 else 0.0)
        return (1 + index * (HIGH + GAP) * self._high()) + more * self._high()

    def _high(self) -> int:
        return self.fontMetrics().height()


def _struck(place: DropoutLayer) -> SchemeRow:
    return SchemeRow(tr("dropout {rate}", rate=f"{100 * place.rate:g} %"), place.name)


def _paint_head(painter: QPainter, tip: QPointF, way: QPointF, size: float) -> None:
    across = QPointF(-way.y(), way.x())
    painter.drawPolyline([tip - way * size + across * size * 0.7, tip, tip - way * size - across * size * 0.7])
