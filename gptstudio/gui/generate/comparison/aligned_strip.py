"""Two texts as tokens, one above the other, position by position, with their distance below. They wrap together."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy

from gptstudio.gui.canvas.items import ENDS, KEYS
from gptstudio.gui.canvas.token_boxes import ChosenBoxes
from gptstudio.gui.canvas.writing import CENTRE, LEFT, rounded, write
from gptstudio.gui.generate.comparison.alignment import AlignedPosition, Alignment, GeneratedToken
from gptstudio.gui.generate.comparison.side import COLOURS, NAMES
from gptstudio.gui.theme import colour
from gptstudio.gui.translation import joined, percent, tr
from gptstudio.i18n import bits

GAP, PAD = 4.0, 6.0
LEAST = 26.0
"""The least width of a column: its bar is still seen."""


class AlignedStrip(ChosenBoxes):
    """Lays the columns out like text and tells which one was chosen. The items are the columns, by their index."""

    moves = (KEYS.Key_Left, KEYS.Key_Right, *ENDS)

    def __init__(self) -> None:
        super().__init__(
            "pair_strip", tr("Both texts as tokens, one above the other; use the arrow keys to select a position"))
        self._alignment = Alignment()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.MinimumExpanding)
        self.remeasure()

    def show_alignment(self, alignment: Alignment, first: int = 0) -> None:
        """Show its columns; those before ``first`` are as they were."""
        self._alignment = alignment
        if self.item is not None and self.item >= first:
            self.item = None
        self._lay_out(first)

    def table(self) -> Sequence[Sequence[str]]:
        """Return a row for each column: its number, both tokens, and the distance in bits."""
        return [
            (f"{number}", *map(_shown, column.cells), "" if column.distance is None else bits(column.distance, 3))
            for number, column in enumerate(self._alignment.columns)
        ]

    def words(self, index: int) -> str:
        column = self._alignment.columns[index]
        lines = [tr("New token {n}", n=f"{index:,}")]
        lines += [
            tr("{side}:  {words}", side=tr(NAMES[side]), words=self._side_words(side, cell))
            for side, cell in enumerate(column.cells)
        ]
        if column.distance is not None:
            lines.append(tr("Distance: {bits} bits", bits=bits(column.distance, 3)))
        return joined("\n", *lines)

    def _side_words(self, side: int, cell: GeneratedToken | None) -> str:
        if cell is None:
            return tr("the text has ended") if self._alignment.ends[side] else tr("nothing yet")
        return tr(
            "{token}   ID {id}, sampled with probability {p}, surprisal {bits} bits", token=cell.text,
            id=", ".join(f"{each:,}" for each in cell.ids), p=percent(cell.probability), bits=bits(cell.surprise_bits))

    def sizeHint(self) -> QSize:
        return QSize(300, round(self._layout.bottom - (2 * GAP if len(self._layout) else 0)))

    def minimumSizeHint(self) -> QSize:
        return QSize(200, self.sizeHint().height())

    def resizeEvent(self, _event: QResizeEvent) -> None:
        self.remeasure()

    def remeasure(self) -> None:
        self._layout.set_sizes(self.width(), self._line(), self._line() - 3 * GAP, GAP, self._gutter(), GAP)
        self._lay_out(0)

    def _lay_out(self, first: int) -> None:
        """Place columns from ``first`` on, behind those that are placed."""
        metrics = QFontMetrics(self.font())
        self._layout.cut(first)
        for column in self._alignment.columns[len(self._layout) :]:
            widest = max(metrics.horizontalAdvance(_shown(cell)) for cell in column.cells)
            self._layout.add([(max(LEAST, widest + 2 * PAD), False)])
        self.setMinimumHeight(self.sizeHint().height())
        self.updateGeometry()
        self.update()

    def _gutter(self) -> float:
        """Before each line stands what its rows are."""
        metrics = QFontMetrics(self.font())
        return max(metrics.horizontalAdvance(words) for words in _gutter_words()) + 2 * GAP

    def _box(self) -> float:
        return round(QFontMetrics(self.font()).height() * 1.4)

    def _bar(self) -> float:
        """Return the height of a bar of 1 bit."""
        return round(QFontMetrics(self.font()).height() * 1.3)

    def _line(self) -> float:
        return 2 * self._box() + self._bar() + 5 * GAP

    def refresh(self, *_items: int | None) -> None:
        """Nothing: a column looks the same where it is pointed at."""

    def paint(self, painter: QPainter, region: QRect) -> None:
        top = None
        for index in self._layout.within(region.top(), region.bottom()):
            place = self._layout.place(index)
            if place.top() != top:
                top = place.top()
                self._paint_gutter(painter, top)
            self._paint_column(painter, index, place)

    def _paint_gutter(self, painter: QPainter, top: float) -> None:
        box = self._box()
        for row, words in enumerate(_gutter_words()):
            height = self._bar() if row == 2 else box
            write(painter, QRectF(2, top + row * (box + GAP), self._gutter(), height), words, LEFT, "muted")

    def _paint_column(self, painter: QPainter, index: int, place: QRectF) -> None:
        column, box = self._alignment.columns[index], self._box()
        if index == self.current:
            edge = QPen(colour("accent"), 2 if self.hasFocus() else 1.5)
            rounded(painter, place.adjusted(-2, -2, 2, 2), 5, colour("accent", 0.10), edge)
        for side, cell in enumerate(column.cells):
            area = QRectF(place.left(), place.top() + side * (box + GAP), place.width(), box)
            self._paint_cell(painter, side, cell, column, area)
        bar = QRectF(place.left(), place.top() + 2 * (box + GAP), place.width(), self._bar())
        self._paint_bar(painter, index, column, bar)
        if index == self._alignment.parted:
            painter.setPen(QPen(colour("text"), 1.6, Qt.PenStyle.DotLine))
            left = place.left() - GAP / 2
            painter.drawLine(QPointF(left, place.top() - 2), QPointF(left, place.bottom() + 2))

    def _paint_cell(
        self, painter: QPainter, side: int, cell: GeneratedToken | None, column: AlignedPosition, area: QRectF,
    ) -> None:
        area = area.adjusted(0.5, 0.5, -0.5, -0.5)
        if cell is None:
            rounded(painter, area, 4, edge=QPen(colour("line"), 1, Qt.PenStyle.DashLine))
            return
        if column.equal:
            rounded(painter, area, 4, colour("line", 0.45))
        else:
            rounded(painter, area, 4, colour(COLOURS[side], 0.14), QPen(colour(COLOURS[side]), 1.4))
        write(painter, area, _shown(cell), CENTRE, width=area.width())

    def _paint_bar(self, painter: QPainter, index: int, column: AlignedPosition, area: QRectF) -> None:
        painter.fillRect(area, colour("line", 0.3))
        if column.distance is not None:
            parted = self._alignment.parted
            paint = colour("accent") if parted is None or index <= parted else colour("muted", 0.6)
            height = area.height() * min(1.0, column.distance)
            painter.fillRect(QRectF(area.left(), area.bottom() - height, area.width(), height), paint)


def _gutter_words() -> tuple[str, str, str]:
    return tr(NAMES[0]), tr(NAMES[1]), tr("0–1 bit")


def _shown(cell: GeneratedToken | None) -> str:
    return cell.text if cell else ""
