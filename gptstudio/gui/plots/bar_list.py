"""Rows of names and bars on one scale, with figures on the right."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import NamedTuple, Protocol

from PySide6.QtCore import QEvent, QLineF, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QFontMetricsF, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy

from gptstudio.gui.canvas.canvas import ENDS, KEYS, Canvas, Cell
from gptstudio.gui.canvas.writing import CENTRE, LEFT, RIGHT, draw_with, elided, heading, rounded, write
from gptstudio.gui.theme import colour
from gptstudio.gui.translation import percent

PITCH, STACKED = 1.4, 0.96
"""Height of a row with one bar, and of each bar in a row with several, in line heights."""
THICK = 0.58
"""Thickness of a bar, as a fraction of its row."""
GAP, DOT = 8.0, 12.0
"""Pixels between columns, and width of a dot."""

Ink = str | Callable[[float], QColor]
"""Name of a theme colour, or function of the opacity."""


@dataclass(frozen=True)
class Bar:
    """Single bar.

    Attributes:
        value: its length in units of the scale, negative values to the left; None: only a figure, no bar.
        figure: text on the right.
        ink: its colour; ``opacity`` from 0 to 1.
        hollow: dotted outline instead of a fill.
        edged: outline in addition to the fill.
    """

    value: float | None
    figure: str
    ink: Ink = "training"
    opacity: float = 1.0
    hollow: bool = False
    edged: bool = False


@dataclass(frozen=True)
class BarRow:
    """Row of bars.

    Attributes:
        bars: one for each series; None leaves its place empty.
        dot: dot before the name.
        strong: figures in bold.
        quiet: name and figures in the colour of secondary text.
        expected, spread: expected end of the bar, marked by a vertical stroke, and length of a line on both sides of
            it.
        words: tooltip and accessible description; by default name and figures.
    """

    name: str
    bars: tuple[Bar | None, ...]
    dot: bool = False
    strong: bool = False
    quiet: bool = False
    expected: float | None = None
    spread: float = 0.0
    words: str = ""

    @property
    def figures(self) -> list[str]:
        return [bar.figure if bar else "" for bar in self.bars]


class Rule(NamedTuple):
    """Vertical line through all rows, and its label below them, on a separate line for each rule."""

    at: float
    words: str
    ink: str = "accent"
    dashed: bool = False


@dataclass(frozen=True)
class Bars:
    """Rows and scale of a list of bars.

    Attributes:
        rows: the rows, from the top.
        series: names of the bars of a row, if there are several.
        longest: end of the scale. None: the longest bar, which an axis below then labels.
        number: formats a number of the scale.
        mirrored: two series, which grow to the left and to the right of the names.
        title: heading, above the rows.
        ticks: positions on the scale, and their labels.
        rules: vertical lines.
    """

    rows: Sequence[BarRow] = ()
    series: Sequence[str] = ()
    longest: float | None = None
    number: Callable[[float], str] = percent
    mirrored: bool = False
    title: str = ""
    ticks: Sequence[tuple[float, str]] = ()
    rules: Sequence[Rule] = ()

    @property
    def values(self) -> list[float]:
        return [bar.value for row in self.rows for bar in row.bars if bar and bar.value is not None]

    @property
    def signed(self) -> bool:
        return min(self.values, default=0.0) < 0

    @property
    def reach(self) -> float:
        """End of the scale, in the unit of the values."""
        reach = [abs(value) for value in self.values if math.isfinite(value)]
        reach += [row.expected + row.spread for row in self.rows if row.expected is not None]
        return (max(reach, default=1.0) if self.longest is None else self.longest) or 1.0


class Spot(NamedTuple):
    """Position of a rule, and left edge and width of its label, in pixels."""

    rule: Rule
    x: float
    left: float
    wide: float


class Rows(Protocol):
    """Widget next to the bars that determines the heights of their rows."""

    def rect(self, cell: Cell) -> QRect: ...
    def minimumSizeHint(self) -> QSize: ...


class BarList(Canvas):
    """Widget that draws :class:`Bars`. The items are the indices of the rows.

    Args:
        chooses: a click or Enter on a row emits ``taken``; the last hovered row stays marked.
        least: minimum number of visible rows in a low window. None: always all.
        beside: widget with rows of the same height, which then shows the names of the rows.
    """

    taken = Signal(int)
    moves = (KEYS.Key_Up, KEYS.Key_Down, *ENDS)

    def __init__(
        self, name: str, accessible: str, chooses: bool = False, least: int | None = None, beside: Rows | None = None,
    ) -> None:
        super().__init__(name, accessible)
        self.bars = Bars()
        self.named = beside is None
        """True if the names of the rows are drawn."""
        self._chooses, self._least, self._beside = chooses, least, beside
        wide = QSizePolicy.Policy.MinimumExpanding if beside else QSizePolicy.Policy.Expanding
        high = QSizePolicy.Policy.Minimum if beside else (
            QSizePolicy.Policy.Fixed if least is None else QSizePolicy.Policy.Preferred)
        self.setSizePolicy(wide, high)

    def show_bars(self, bars: Bars) -> None:
        if len(bars.rows) != len(self.bars.rows):
            self.item = None
        self.bars = bars
        if bars.title:
            self.setAccessibleName(bars.title)
        said = [self.words(row).replace("\n", " ") for row in range(len(bars.rows))]
        self.describe("; ".join([*said, *(rule.words for rule in bars.rules)]))
        self.remeasure()

    @property
    def rows(self) -> Sequence[BarRow]:
        return self.bars.rows

    def show_names(self, named: bool) -> None:
        self.named = named
        self.update()

    # Items

    def items(self) -> Mapping[int, QRectF]:
        count = len(self.bars.rows)
        shown = count if self._least is None else min(count, max(self._least, int(self.height() / self._pitch())))
        return {index: self.row_place(index) for index in range(shown)}

    def words(self, item: int) -> str:
        row = self.bars.rows[item]
        return row.words or " ".join(filter(None, [row.name, *row.figures]))

    def table(self) -> Sequence[Sequence[str]]:
        head = [("", *self.bars.series)] if self.bars.series else []
        return [*head, *((row.name, *row.figures) for row in self.bars.rows)]

    def item_at(self, point: QPointF) -> int | None:
        """Return the row at a point; if rows can be chosen, a point below the last row belongs to it."""
        found: int | None = super().item_at(point)
        return len(self.bars.rows) - 1 if found is None and self._chooses and self.bars.rows else found

    def entry(self) -> int | None:
        found: int | None = self.item if self._chooses else super().entry()
        return found

    def activate(self, row: int) -> bool:
        if self._chooses:
            self.taken.emit(row)
        return True

    def leaveEvent(self, event: QEvent) -> None:
        if not self._chooses:
            super().leaveEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        if not self._chooses:
            super().focusOutEvent(event)

    # Geometry

    @property
    def line(self) -> float:
        """Height of a line of text in pixels."""
        return QFontMetricsF(self.font()).height()

    def below(self) -> int:
        """Return the height in pixels of the axis and labels below the rows."""
        axis = bool(self.bars.ticks) or self._says_scale()
        return (axis + len(self.bars.rules)) * (self.fontMetrics().height() + 2)

    def row_place(self, index: int) -> QRectF:
        if self._beside:
            cell = QRectF(self._beside.rect(Cell(index, 0)))
            return QRectF(0, cell.top(), self.width(), cell.height())
        return QRectF(0, index * self._pitch(), self.width(), self._pitch())

    def minimumSizeHint(self) -> QSize:
        if self._beside:
            return QSize(round(11 * self.line), self._beside.minimumSizeHint().height() + self.below())
        several = len(self.bars.series) > 1 or self.bars.mirrored
        return QSize(round((18 if several else 15) * self.line), self._high(self._least))

    def sizeHint(self) -> QSize:
        return QSize(round((32 if self.bars.mirrored else 16) * self.line), self._high(None))

    def _high(self, rows: int | None) -> int:
        count = max(1, len(self.bars.rows)) if rows is None else rows
        return round(count * self._pitch()) + self.below()

    def _pitch(self) -> float:
        stacked = 1 if self.bars.mirrored else len(self.bars.series)
        return (stacked * STACKED + 0.5 if stacked > 1 else PITCH) * self.line

    def _says_scale(self) -> bool:
        return self.bars.longest is None and bool(self.bars.values)

    def _names(self) -> float:
        """Return the width in pixels of the column of names."""
        if not self.named:
            return 0.0
        dots = DOT * any(row.dot for row in self.bars.rows) * (1 + self.bars.mirrored)
        share = 0.36 if self.bars.mirrored else 0.3 if len(self.bars.series) > 1 else 0.55
        return min(share * self.width(), self._widest(row.name for row in self.bars.rows) + dots + GAP + 2)

    def _titles(self) -> float:
        """Return the width in pixels of the column of series names."""
        several = len(self.bars.series) > 1 and not self.bars.mirrored
        return self._widest(self.bars.series) + GAP if several else 0.0

    def _widest(self, texts: Iterable[str]) -> float:
        metrics = QFontMetricsF(heading(self.font()))
        return max(map(metrics.horizontalAdvance, texts), default=0.0)

    def room(self) -> tuple[float, float]:
        """Return the left and right ends of the bars in pixels; for mirrored bars, of the right half."""
        rows = [row for row in self.bars.rows if any(bar and bar.value is not None for bar in row.bars)]
        left = (self.width() + self._names()) / 2 if self.bars.mirrored else self._names() + self._titles()
        return left, max(left, self.width() - self._widest(figure for row in rows for figure in row.figures) - GAP)

    def x_of(self, value: float) -> float:
        left, right = self.room()
        share = max(-1.0, min(1.0, value / self.bars.reach)) if math.isfinite(value) else 1.0
        if self.bars.signed:
            return (left + right) / 2 + share * (right - left) / 2
        return left + max(0.0, share) * (right - left)

    # Painting

    def paint(self, painter: QPainter, _region: QRect) -> None:
        if self.bars.title:
            painter.setFont(heading(self.font()))
            write(painter, QRectF(0, 0, self.width(), self.line), self.bars.title, width=self.width())
            painter.setFont(self.font())
        places = self.items()
        if not places:
            return
        top, bottom = places[0].top(), places[len(places) - 1].bottom()
        self._paint_ticks(painter, top, bottom)
        for index, place in places.items():
            if index == self.item:
                rounded(painter, place, 4, colour("accent", 0.12))
            self._paint_row(painter, self.bars.rows[index], place)
        self._paint_rules(painter, top, bottom)

    def _paint_row(self, painter: QPainter, row: BarRow, place: QRectF) -> None:
        if self.named:
            self._paint_name(painter, row, place)
        painter.setFont(heading(self.font()) if row.strong else self.font())
        if self.bars.mirrored:
            for side, bar in enumerate(row.bars):
                if bar:
                    self._paint_bar(painter, bar, place, side == 0, row.quiet)
        else:
            high = place.height() if len(row.bars) == 1 else STACKED * self.line
            line = QRectF(0, place.center().y() - high * len(row.bars) / 2, place.width(), high)
            for number, bar in enumerate(row.bars):
                if self._titles():
                    write(painter, line.adjusted(self._names(), 0, 0, 0), self.bars.series[number], ink="muted")
                if bar:
                    self._paint_bar(painter, bar, line, False, row.quiet or not row.strong)
                line.translate(0, high)
        painter.setFont(self.font())
        if row.expected is not None:
            self._paint_expected(painter, row.expected, row.spread, place)

    def _paint_name(self, painter: QPainter, row: BarRow, place: QRectF) -> None:
        names, ink = self._names(), "muted" if row.quiet else "text"
        if self.bars.mirrored:
            middle = QRectF((place.width() - names) / 2, place.top(), names, place.height())
            write(painter, middle, row.name, CENTRE, ink, width=names - GAP)
            return
        left = DOT if any(each.dot for each in self.bars.rows) else 2.0
        if row.dot:
            draw_with(painter, Qt.PenStyle.NoPen, colour("validation"))
            painter.drawEllipse(QPointF(5, place.center().y()), 3, 3)
        write(painter, place.adjusted(left, 0, 0, 0), row.name, LEFT, ink, width=names - left - GAP)

    def _paint_bar(self, painter: QPainter, bar: Bar, line: QRectF, mirrored: bool, quiet: bool) -> None:
        end = line.adjusted(2, 0, -2, 0)
        write(painter, end, bar.figure, LEFT if mirrored else RIGHT, "muted" if quiet or bar.hollow else "text")
        if bar.value is None:
            return
        zero, tip = self.x_of(0.0), self.x_of(bar.value)
        shape = QRectF(min(zero, tip), line.center().y() - THICK * line.height() / 2, abs(tip - zero),
                       THICK * line.height())
        shape.setWidth(max(shape.width(), 1.0 if bar.value else 0.0))
        if mirrored:
            shape.moveRight(self.width() - shape.left())
        edge = QPen(_paint_of(bar.ink, 1.0), 1, Qt.PenStyle.DotLine) if bar.hollow else (
            _paint_of(bar.ink, 1.0) if bar.edged else None)
        rounded(painter, shape, 2, None if bar.hollow else _paint_of(bar.ink, bar.opacity), edge)

    def _paint_expected(self, painter: QPainter, expected: float, spread: float, row: QRectF) -> None:
        at, middle, half = self.x_of(expected), row.center().y(), 0.42 * row.height()
        painter.setPen(QPen(colour("validation"), 2))
        painter.drawLine(QLineF(self.x_of(max(0.0, expected - spread)), middle, self.x_of(expected + spread), middle))
        painter.setPen(QPen(colour("validation"), 3))
        painter.drawLine(QLineF(at, middle - half, at, middle + half))

    def _paint_ticks(self, painter: QPainter, top: float, bottom: float) -> None:
        """Paint the ticks, or without ticks the ends of the scale if it ends at the longest bar."""
        reach, number, right = self.bars.reach, self.bars.number, -1e9
        ends = [(-reach, number(-reach))] if self.bars.signed else []
        scale = [*ends, (0.0, "0"), (reach, number(reach))] if self._says_scale() else []
        for value, words in self.bars.ticks or scale:
            wide = painter.fontMetrics().horizontalAdvance(words)
            for x in {self.x_of(value), self.width() - self.x_of(value) if self.bars.mirrored else self.x_of(value)}:
                painter.setPen(QPen(colour("line"), 1))
                painter.drawLine(QLineF(x, top, x, bottom + 3))
                left = min(max(0.0, x - wide / 2), self.width() - wide)
                if left > right + GAP or self.bars.mirrored:
                    write(painter, QRectF(left, bottom + 3, wide + 1, self.line), words, CENTRE, "muted")
                    right = left + wide

    def _paint_rules(self, painter: QPainter, top: float, bottom: float) -> None:
        height = painter.fontMetrics().height() + 2
        for line, (rule, x, left, wide) in enumerate(self.spots(), start=bool(self.bars.ticks)):
            y = bottom + 3 + line * height
            painter.setPen(QPen(colour(rule.ink), 2, Qt.PenStyle.DashLine if rule.dashed else Qt.PenStyle.SolidLine))
            painter.drawLine(QLineF(x, top, x, y + height / 2))
            draw_with(painter, Qt.PenStyle.NoPen, colour(rule.ink))
            painter.drawPolygon(QPolygonF([QPointF(x - 4, y + 5), QPointF(x + 4, y + 5), QPointF(x, y - 1)]))
            painter.setPen(colour(rule.ink))
            painter.drawText(QRectF(left, y, wide + 1, height), LEFT, elided(painter, rule.words, self.width()))

    def spots(self) -> tuple[Spot, ...]:
        """Return the positions of the rules and their labels, from the upper line of labels to the lower: if possible,
        no rule that extends further down crosses the label of another."""
        orders = list(permutations(map(self._spot, self.bars.rules)))
        clear = (order for order in orders if not any(
            upper.left - 2 <= lower.x <= upper.left + upper.wide + 2 for upper, lower in combinations(order, 2)))
        return next(clear, orders[0])

    def _spot(self, rule: Rule) -> Spot:
        """Return the position of a label: to the right of its rule if there is space, otherwise to its left."""
        x, wide = self.x_of(rule.at), min(self.width(), self.fontMetrics().horizontalAdvance(rule.words))
        return Spot(rule, x, x + GAP if x + GAP + wide <= self.width() else max(0.0, x - GAP - wide), wide)


def _paint_of(ink: Ink, opacity: float) -> QColor:
    return colour(ink, opacity) if isinstance(ink, str) else ink(opacity)
