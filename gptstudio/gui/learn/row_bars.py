"""Bars for the rows of a matrix on one axis: beside it, or below it if space is short."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import NamedTuple

from PySide6.QtCore import QEvent, QLineF, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from gptstudio.gui.canvas.canvas import Canvas
from gptstudio.gui.canvas.grid import Cell
from gptstudio.gui.canvas.writing import CENTRE, LEFT, RIGHT, draw_with, elided, heading, write
from gptstudio.gui.learn.kit.matrix import MOST, ROW, Matrix
from gptstudio.gui.theme import colour
from gptstudio.gui.widgets.layouts import FREE, hbox, holding
from gptstudio.gui.widgets.reflow import Reflow

THICK = 0.62  # of a bar, in heights of its row
LEAST = 11  # the least width, in heights of a letter
GAP, ROOM = 6, 14
GROWS = 50  # stretch factor of what is below, relative to the empty space at the bottom of a page
TALLEST = 2.4  # maximum height of a row, in character heights


@dataclass(frozen=True)
class Bar:
    """One row's."""

    length: float  # in units of the axis; what is longer ends at its end
    text: str = ""  # behind the bar
    strong: bool = False  # whether it is the one that counts
    expected: float | None = None  # where it should end, as an upright stroke
    spread: float = 0.0  # on both sides of that


@dataclass(frozen=True)
class Rule:
    """An upright line through all rows, and what it says below them, each on a line of its own."""

    at: float
    words: str
    colour: str = "accent"
    dashed: bool = False


class Spot(NamedTuple):
    """A rule's place, and where its words begin and how wide they are, in pixels."""

    rule: Rule
    x: float
    left: float
    wide: float


class RowBars(Canvas):
    """Stands beside matrices, with its upper edge as high: its rows are those of ``matrix``. Below them it names
    them."""

    def __init__(self, name: str, title: str, matrix: Matrix) -> None:
        super().__init__(name, title, pointable=False)
        self._matrix, self._title = matrix, title
        self._names: Sequence[str] = ()
        self.named = False  # the rows have names in front of them
        self.bars: Sequence[Bar] = ()
        self.rules: Sequence[Rule] = ()
        self._longest = 1.0
        self._ticks: Sequence[tuple[float, str]] = ()
        self.setSizePolicy(QSizePolicy.Policy.MinimumExpanding, QSizePolicy.Policy.Minimum)

    def show_bars(
        self, title: str, names: Sequence[str], bars: Sequence[Bar], longest: float,
        ticks: Sequence[tuple[float, str]] = (), rules: Sequence[Rule] = ()) -> None:
        """``longest``: what the axis reaches to from 0; ``ticks``: places on it and what stands at them."""
        self._title, self._names, self.bars, self._longest = title, names, bars, longest or 1.0
        self._ticks, self.rules = ticks, rules
        self.setAccessibleName(title)
        self.describe(self.table_words() + "".join(f"; {rule.words}" for rule in rules))
        self.remeasure()

    def table(self) -> Sequence[Sequence[str]]:
        return [(name, bar.text or f"{bar.length:.4g}") for name, bar in zip(self._names, self.bars, strict=True)]

    def show_names(self, named: bool) -> None:
        """Set whether the rows have names: if the bars are not beside a matrix."""
        self.named = named
        self.update()

    def minimumSizeHint(self) -> QSize:
        height = self._matrix.minimumSizeHint().height() + self.below()
        return QSize(LEAST * self.fontMetrics().height(), height)

    def below(self) -> int:
        """The height of what is said below the rows."""
        return (bool(self._ticks) + len(self.rules)) * (self.fontMetrics().height() + 2)

    def paint(self, painter: QPainter, _region: QRect) -> None:
        painter.setFont(heading(self.font()))
        title = QRectF(0, 0, self.width(), painter.fontMetrics().height())
        write(painter, title, self._title, width=self.width())
        painter.setFont(self.font())
        places = [self._row(index) for index in range(len(self.bars))]
        if not places:
            return
        top, bottom = places[0].top(), places[-1].bottom()
        self._paint_ticks(painter, top, bottom)
        for name, bar, place in zip(self._names, self.bars, places, strict=True):
            if self.named:
                left = QRectF(0, place.top(), self._left() - GAP, place.height())
                write(painter, left, name, RIGHT, "muted")
            self._paint_bar(painter, bar, place)
        self._paint_rules(painter, top, bottom)

    def _paint_ticks(self, painter: QPainter, top: float, bottom: float) -> None:
        height, right = painter.fontMetrics().height(), -1e9
        for value, words in self._ticks:
            x = self._x(value)
            painter.setPen(QPen(colour("line"), 1))
            painter.drawLine(QLineF(x, top, x, bottom + 3))
            wide = painter.fontMetrics().horizontalAdvance(words)
            left = min(max(0.0, x - wide / 2), self.width() - wide)
            if left > right + GAP:
                write(painter, QRectF(left, bottom + 3, wide + 1, height), words, CENTRE, "muted")
                right = left + wide

    def _paint_bar(self, painter: QPainter, bar: Bar, row: QRectF) -> None:
        end, thick = self._x(bar.length), THICK * row.height()
        place = QRectF(self._left(), row.center().y() - thick / 2, end - self._left(), thick)
        draw_with(painter, Qt.PenStyle.NoPen, colour("accent") if bar.strong else colour("training", 0.75))
        painter.drawRoundedRect(place, 3, 3)
        if bar.expected is not None:
            end = max(end, self._paint_expected(painter, bar.expected, bar.spread, row))
        painter.setFont(heading(self.font()) if bar.strong else self.font())
        write(painter, QRectF(end + GAP, row.top(), self.width() - end, row.height()), bar.text)
        painter.setFont(self.font())

    def _paint_expected(self, painter: QPainter, expected: float, spread: float, row: QRectF) -> float:
        """The stroke, and a line of one spread on both sides; gives its right end."""
        at, middle, half = self._x(expected), row.center().y(), 0.42 * row.height()
        low, high = self._x(max(0.0, expected - spread)), self._x(expected + spread)
        painter.setPen(QPen(colour("validation"), 2))
        painter.drawLine(QLineF(low, middle, high, middle))
        painter.setPen(QPen(colour("validation"), 3))
        painter.drawLine(QLineF(at, middle - half, at, middle + half))
        return high

    def _paint_rules(self, painter: QPainter, top: float, bottom: float) -> None:
        height = painter.fontMetrics().height() + 2
        for line, (rule, x, left, wide) in enumerate(self.spots(), start=bool(self._ticks)):
            y = bottom + 3 + line * height
            pen = QPen(colour(rule.colour), 2, Qt.PenStyle.DashLine if rule.dashed else Qt.PenStyle.SolidLine)
            painter.setPen(pen)
            painter.drawLine(QLineF(x, top, x, y + height / 2))
            draw_with(painter, Qt.PenStyle.NoPen, colour(rule.colour))
            painter.drawPolygon(QPolygonF([QPointF(x - 4, y + 5), QPointF(x + 4, y + 5), QPointF(x, y - 1)]))
            painter.setPen(colour(rule.colour))
            painter.drawText(QRectF(left, y, wide + 1, height), LEFT, elided(painter, rule.words, self.width()))

    def spots(self) -> tuple[Spot, ...]:
        """Return the positions of the rules and their labels, from the upper line of labels to the lower: no rule that
        extends further down crosses the label of another."""
        orders = list(permutations(map(self._spot, self.rules)))
        clear = (order for order in orders if not any(_crossed(*pair) for pair in combinations(order, 2)))
        return next(clear, orders[0])

    def _spot(self, rule: Rule) -> Spot:
        """Return the position of a label: to the right of its rule if there is space, otherwise to its left."""
        x, wide = self._x(rule.at), min(self.width(), self.fontMetrics().horizontalAdvance(rule.words))
        return Spot(rule, x, x + GAP + 2 if x + GAP + 2 + wide <= self.width() else max(0.0, x - GAP - 2 - wide), wide)

    def _row(self, index: int) -> QRectF:
        cell = self._matrix.rect(Cell(index, 0))
        return QRectF(0, cell.top(), self.width(), cell.height())

    def _x(self, value: float) -> float:
        """Return the x position of a value. The longest text fits after the longest bar."""
        left, room = self._left(), self._widest([bar.text for bar in self.bars]) + 2 * GAP
        share = min(1.0, value / self._longest) if math.isfinite(value) else 1.0
        return left + share * max(40.0, self.width() - left - room)

    def _left(self) -> float:
        return self._widest(self._names) + 2.0 * GAP if self.named else 0.0

    def _widest(self, texts: Sequence[str]) -> int:
        return max(map(self.fontMetrics().horizontalAdvance, texts), default=0)


class Beside(Reflow):
    """Matrices with their bars beside them, all growing with the space; or with the bars below them."""

    def __init__(self, *matrices: Matrix, bars: RowBars) -> None:
        self._row = hbox(*matrices, FREE, spacing=ROOM)
        super().__init__(holding(QWidget(), self._row), bars, stretch=(bars,), spacing=ROOM)
        self._matrices, self._bars = matrices, bars
        self.turned.connect(bars.show_names)
        self.turned.connect(self._grow)
        self._grow(False)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self._fit()
        return super().event(event)

    def _grow(self, below: bool) -> None:
        for matrix in self._matrices:
            matrix.grow(ROW if below else TALLEST)
        self._fit()

    def _fit(self) -> None:
        """Reserve space below the matrices for the labels of the bars; limit the height to what all can use."""
        below = 0 if self._bars.named else self._bars.below()
        self._row.setContentsMargins(0, 0, 0, below)
        self.setMaximumHeight(min(MOST, self._matrices[0].maximumHeight() + below))


def _crossed(upper: Spot, lower: Spot) -> bool:
    return upper.left - 2 <= lower.x <= upper.left + upper.wide + 2
