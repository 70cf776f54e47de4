"""Tokens in their order with a bar and a figure each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QFontMetricsF, QPainter
from PySide6.QtWidgets import QSizePolicy

from gptstudio.gui.canvas.canvas import Canvas
from gptstudio.gui.canvas.items import ENDS, KEYS
from gptstudio.gui.canvas.writing import RIGHT, rounded, write
from gptstudio.gui.theme import colour


@dataclass(frozen=True)
class Rank:
    """A row: a name, the length of its bar from -1 to 1, a figure. ``marked``: with a dot in front."""

    name: str
    share: float
    figure: str
    marked: bool = False


class Ranked(Canvas):
    """Painted rows; emits ``taken`` when one is chosen by click or Enter, if it leads somewhere.

    The items are the rows, by their index. The one that was pointed at last stays so without pointer and focus.
    """

    taken = Signal(int)
    moves = (KEYS.Key_Up, KEYS.Key_Down, *ENDS)

    def __init__(self, name: str, accessible: str, leads_on: bool = False) -> None:
        super().__init__(name, accessible, pointable=leads_on)
        self.rows: Sequence[Rank] = ()
        self._leads_on = leads_on
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_rows(self, rows: Sequence[Rank]) -> None:
        if len(rows) != len(self.rows):
            self.updateGeometry()
            self.item = None
        self.rows = rows
        self.describe("; ".join(f"{row.name} {row.figure}" for row in rows))
        self.update()

    def items(self) -> Mapping[int, QRectF]:
        high = self._high()
        return {index: QRectF(0, index * high, self.width(), high) for index in range(len(self.rows))}

    def item_at(self, point: QPointF) -> int | None:
        """Return the row at a point; below the last, the last."""
        return min(max(0, int(point.y() // self._high())), len(self.rows) - 1) if self.rows else None

    def table(self) -> Sequence[Sequence[str]]:
        return [(row.name, row.figure) for row in self.rows]

    def entry(self) -> int | None:
        return None if self.item is None else int(self.item)

    def activate(self, row: int) -> bool:
        if self._leads_on:
            self.taken.emit(row)
        return True

    def leaveEvent(self, event: QEvent) -> None:
        event.accept()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        event.accept()

    def minimumSizeHint(self) -> QSize:
        return QSize(round(11 * self._high()), round(max(1, len(self.rows)) * self._high()))

    def paint(self, painter: QPainter, _region: QRect) -> None:
        metrics, high = QFontMetricsF(self.font()), self._high()
        widest = max((metrics.horizontalAdvance(row.name) for row in self.rows), default=0)
        signed = any(row.share < 0 for row in self.rows)
        names = min(0.55 * self.width(), widest + 20)
        figures = max((metrics.horizontalAdvance(row.figure) for row in self.rows), default=0) + 8
        bars = QRectF(names, 0.22 * high, max(0.0, self.width() - names - figures), 0.56 * high)
        for index, row in enumerate(self.rows):
            top = index * high
            if index == self.item and self._leads_on:
                rounded(painter, QRectF(0, top, self.width(), high), 4, colour("accent", 0.12))
            self._paint_row(painter, row, bars.translated(0, top), metrics, signed)

    def _paint_row(self, painter: QPainter, row: Rank, bar: QRectF, metrics: QFontMetricsF, signed: bool) -> None:
        """Paint a row; where some are below zero, zero is in the middle of the bars."""
        middle, high = bar.center().y(), metrics.height()
        if row.marked:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour("validation"))
            painter.drawEllipse(QPointF(5, middle), 3, 3)
        zero, room = (bar.center().x(), bar.width() / 2) if signed else (bar.left(), bar.width())
        length = room * min(1.0, abs(row.share))
        below = row.share < 0
        rounded(painter, QRectF(zero - length if below else zero, bar.top(), length, bar.height()), 2,
                colour("validation" if below else "training"))
        place = QRectF(13, middle - high / 2, bar.left() - 18, high)
        write(painter, place, row.name, width=place.width())
        rest = QRectF(bar.right(), place.top(), self.width() - bar.right() - 2, high)
        write(painter, rest, row.figure, RIGHT, "muted")

    def _high(self) -> float:
        return 1.4 * QFontMetricsF(self.font()).height()
