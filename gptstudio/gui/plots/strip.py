"""Tokens in boxes, in lines that wrap like words, with a text below each."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QBrush, QFont, QFontMetricsF, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy

from gptstudio.gui.canvas.tokens import StripLayout, TokenBoxes, width_of
from gptstudio.gui.canvas.writing import CENTRE, LEFT, rounded, small, write
from gptstudio.gui.theme import colour

RADIUS = 4.0
LEAST_WIDTH = 16
"""Minimum width of a strip, in line heights."""
BAR = 5.0
"""Thickness in pixels of a bar below a box."""

Tint = tuple[str, float]
"""Name of a theme colour, and its opacity."""


@dataclass(frozen=True)
class StripBox:
    """Box of a token, or of a substitute for one.

    Attributes:
        text: first line of text; ``below``: the second, which is smaller unless the strip is ``even``.
        fill: colour of the box, or None; ``hatched``: draws lines over it.
        edge: colour of a dashed outline; ``crossed``: draws a line through the box.
        frame: colour of a thick outline; empty: none.
        ink: colour of the texts.
        joined: connected to the next box of its line.
        underline: colour of a line under the box, which extends to the next box if connected; empty: none.
        bars: colours of bars below the box, from the top; empty: a gap. All but the first are dashed.
        flag: text above the left edge; ``strong``: in bold.
        begins_line: starts a new line.
        words: tooltip and accessible description; by default the text.
    """

    text: str
    below: str = ""
    fill: Tint | None = None
    hatched: bool = False
    edge: str = ""
    crossed: bool = False
    frame: str = ""
    ink: str = "text"
    joined: bool = False
    underline: str = ""
    bars: tuple[str, ...] = ()
    flag: str = ""
    strong: bool = False
    begins_line: bool = False
    words: str = ""


class Strip(TokenBoxes):
    """Widget that draws boxes, as high as their lines at its width; emits the index of a box chosen by a click or
    Enter.

    Args:
        even: both texts of a box have the same size.
    """

    chosen = Signal(int)
    remembers = False

    def __init__(self, name: str, accessible: str, even: bool = False) -> None:
        super().__init__(name, accessible)
        self.boxes: Sequence[StripBox] = ()
        self._even = even
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def show_boxes(self, boxes: Sequence[StripBox]) -> None:
        self.boxes = boxes
        if self._even:
            self.describe(self.table_words())
        self.remeasure()

    @property
    def texts(self) -> list[str]:
        return [box.text for box in self.boxes]

    def words(self, item: int) -> str:
        return self.explain(item) if self.explain else self.boxes[item].words or self.boxes[item].text

    def table(self) -> Sequence[Sequence[str]]:
        return [(box.text, box.below) for box in self.boxes]

    def activate(self, item: int) -> bool:
        self.chosen.emit(item)
        return True

    # Geometry

    def _lay(self, layout: StripLayout, width: float) -> None:
        metrics, lower = QFontMetricsF(self.font()), QFontMetricsF(self._lower())
        above = lower.height() if any(box.flag for box in self.boxes) else 0.0
        bars = max((len(box.bars) for box in self.boxes), default=0)
        below = bars * (BAR + 1) + 2 if bars else 5.0 if any(box.underline for box in self.boxes) else 0.0
        height = round(1.15 * metrics.height() + lower.height())
        layout.set_sizes(width, height + above + below + 5, height, 4, drop=above)
        layout.add((max(width_of(box.text, metrics), width_of(box.below, lower)), box.begins_line)
                   for box in self.boxes)

    def _lower(self) -> QFont:
        return self.font() if self._even else small(self.font())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay(self._layout, self.width())

    def heightForWidth(self, width: int) -> int:
        if self._even and not self.boxes:
            return 0
        layout = StripLayout()
        self._lay(layout, width)
        return math.ceil(layout.bottom)

    def minimumSizeHint(self) -> QSize:
        width = LEAST_WIDTH * self.fontMetrics().height()
        return QSize(width, self.heightForWidth(max(width, self.width())))

    def remeasure(self) -> None:
        self._lay(self._layout, self.width())
        super().remeasure()

    # Painting

    def paint(self, painter: QPainter, region: QRect) -> None:
        for index in self._layout.within(region.top(), region.bottom()):
            place = self._layout.place(index)
            self._paint_box(painter, index, place)
            self._write(painter, self.boxes[index], place)
        for index in self.lit | ({self.item} if self.item is not None else set()):
            if index < len(self._layout):
                rounded(painter, self._layout.place(index), RADIUS, edge=QPen(colour("accent"), 2))

    def _paint_box(self, painter: QPainter, index: int, place: QRectF) -> None:
        box = self.boxes[index]
        onward = self._layout.place(index + 1).left() if index + 1 < len(self.boxes) else 0.0
        end = max(place.right(), onward) if box.joined else place.right()
        paint_ground(painter, box, place)
        if box.joined and box.fill:
            painter.fillRect(QRectF(place.right(), place.center().y() - 3, end - place.right(), 6), colour(*box.fill))
        if box.underline:
            painter.fillRect(QRectF(place.left(), place.bottom() + 2, end - place.left(), 3), colour(box.underline))
        for number, ink in enumerate(box.bars):
            if ink:
                bar = QRectF(place.left(), place.bottom() + 2 + number * (BAR + 1), place.width() + 4, BAR)
                paint_bar(painter, bar, ink, gaps=number > 0)
        if box.flag:
            self._paint_flag(painter, box, place)

    def _paint_flag(self, painter: QPainter, box: StripBox, place: QRectF) -> None:
        font = small(self.font())
        font.setBold(box.strong)
        high, ink = QFontMetricsF(font).height(), "training" if box.strong else "muted"
        painter.setFont(font)
        painter.setPen(QPen(colour(ink), 2 if box.strong else 1))
        painter.drawLine(place.topLeft(), place.topLeft() - QPointF(0, high))
        write(painter, QRectF(place.left() + 3, place.top() - high, place.width(), high), box.flag, LEFT, ink)

    def _write(self, painter: QPainter, box: StripBox, place: QRectF) -> None:
        if self._even and not box.below:
            write(painter, place, box.text, CENTRE, box.ink, math.ceil(place.width()))
            return
        lower = (0.5 if self._even else 0.45) * place.height()
        painter.setFont(self.font())
        write(painter, place.adjusted(0, 0, 0, -lower), box.text, CENTRE, box.ink, math.ceil(place.width()))
        painter.setFont(self._lower())
        under = place.adjusted(0, place.height() - lower - 2, 0, -2)
        write(painter, under, box.below, CENTRE, "muted" if box.ink == "text" else box.ink)
        painter.setFont(self.font())


def paint_ground(painter: QPainter, box: StripBox, place: QRectF) -> None:
    if box.fill:
        rounded(painter, place, RADIUS, colour(*box.fill))
    if box.hatched:
        rounded(painter, place, RADIUS, QBrush(colour("training", 0.25), Qt.BrushStyle.FDiagPattern))
    if box.edge:
        rounded(painter, place, RADIUS, edge=QPen(colour(box.edge), 1, Qt.PenStyle.DashLine))
    if box.crossed:
        painter.setPen(QPen(colour("muted"), 1))
        painter.drawLine(place.bottomLeft(), place.topRight())
    if box.frame:
        rounded(painter, place, RADIUS, edge=QPen(colour(box.frame), 2.5))


def paint_bar(painter: QPainter, place: QRectF, ink: str, gaps: bool = False) -> None:
    """Paint a bar; gaps lie on one grid, so that adjacent bars look like one continuous dashed bar."""
    if not gaps:
        painter.fillRect(place, colour(ink))
        return
    painter.save()
    painter.setClipRect(place)
    left = place.left() - place.left() % 7
    while left < place.right():
        painter.fillRect(QRectF(left, place.top(), 4, place.height()), colour(ink))
        left += 7
    painter.restore()
