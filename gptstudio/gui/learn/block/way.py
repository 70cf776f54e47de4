"""The way through a model, from top to bottom: a box for each step, and the shortcuts around them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPainterPath, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy

from gptstudio.gui.canvas.cell_canvas import CellCanvas
from gptstudio.gui.canvas.grid import Cell
from gptstudio.gui.canvas.writing import RIGHT, draw_with, heading, write
from gptstudio.gui.learn.block.steps import Line, shown_shape, times, title
from gptstudio.gui.theme import colour
from gptstudio.gui.translation import tr

WIDEST = 62  # so wide at most, in heights of a letter: figures belong near their names
ALL, FEW = (0, 1, 2, 3), (0, 2)  # columns, and those that remain in narrow widgets: the tooltip shows the others
HEIGHT, GAP, INDENT, GUTTER = 1.5, 0.22, 1.2, 1.0
"""Of a box, between two, for each level, and for the shortcuts at the left; in heights of a letter."""
BETWEEN = 0.9  # of a column's width, what stays free before its figures
SHORTCUTS = {"after_attention": "norm1", "after_feed_forward": "norm2"}
"""Ends of the shortcut connections, and the steps before which they branch off."""


class Way(CellCanvas):
    """A cell is (line, 0). Tells which step is to be opened or closed."""

    toggled = Signal(str)

    def __init__(self, name: str, accessible: str) -> None:
        super().__init__(name, accessible)
        self.lines: Sequence[Line] = ()
        self._measure()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_lines(self, lines: Sequence[Line]) -> None:
        self.lines = lines
        self.remeasure()

    def items(self) -> dict[Cell, QRectF]:
        letter = self.fontMetrics().height()
        step = (HEIGHT + GAP) * letter
        found = {}
        for number, line in enumerate(self.lines):
            left = (GUTTER + line.level * INDENT) * letter
            found[Cell(number, 0)] = QRectF(left, (number + 1) * step, self._right() - left, HEIGHT * letter)
        return found

    def keyPressEvent(self, event: QKeyEvent) -> None:
        wanted = {Qt.Key.Key_Right: False, Qt.Key.Key_Left: True}.get(Qt.Key(event.key()))
        if self.cell and wanted is not None and self.lines[self.cell.row].open == wanted:
            self.activate(self.cell)
        else:
            super().keyPressEvent(event)

    def activate(self, cell: Cell) -> bool:
        if self.lines[cell.row].opens:
            self.toggled.emit(self.lines[cell.row].path)
        return True

    def table(self) -> Sequence[Sequence[str]]:
        return [(title(line), *_texts(line)) for line in self.lines]

    def paint(self, painter: QPainter, _region: QRect) -> None:
        high = (HEIGHT + GAP) * self.fontMetrics().height()
        for column, (left, right) in self._columns().items():
            write(painter, QRectF(left, 0, right - left, high), _heads()[column], RIGHT, "muted")
        boxes = self.items()
        for cell, box in boxes.items():
            self._paint_line(painter, self.lines[cell.row], cell, box)
        self._paint_shortcuts(painter, [boxes[Cell(number, 0)] for number in range(len(self.lines))])

    def _right(self) -> float:
        return min(self.width(), WIDEST * self.fontMetrics().height()) - 1.0

    def _columns(self) -> dict[int, tuple[float, float]]:
        """Left and right edge of each column that is shown."""
        shown = ALL if self._needed(ALL) <= self.width() else FEW
        right, found = self._right() - 0.6 * self.fontMetrics().height(), {}
        for column in reversed(shown):
            left = right - self._widths[column]
            found[column] = (left, right)
            right = left
        return found

    def _measure(self) -> None:
        letter, wide = self.fontMetrics().height(), self.fontMetrics().horizontalAdvance
        texts = [_heads(), *map(_texts, self.lines)]
        self._widths = [max(map(wide, column)) + BETWEEN * letter for column in zip(*texts, strict=True)]
        self._names = max((
            1.08 * wide("▸ " + title(line)) + (GUTTER + line.level * INDENT + 1) * letter for line in self.lines
        ), default=0.0)

    def _needed(self, columns: Sequence[int]) -> int:
        """The width for these columns beside the names."""
        return round(self._names + sum(self._widths[column] for column in columns))

    def remeasure(self) -> None:
        self._measure()
        super().remeasure()

    def _paint_line(self, painter: QPainter, line: Line, cell: Cell, box: QRectF) -> None:
        letter = self.fontMetrics().height()
        shape = QPainterPath()
        shape.addRoundedRect(box, 5, 5)
        learned, here = line.parameters > 0, cell == self.cell
        painter.fillPath(shape, colour("accent", 0.16 if here else 0.05 if learned else 0.0))
        edge = colour("text") if here else colour("accent", 0.7) if learned else colour("line")
        draw_with(painter, QPen(edge, 1.5 if learned or here else 1), Qt.BrushStyle.NoBrush)
        painter.drawPath(shape)
        sign = "" if not line.opens else "▾ " if line.open else "▸ "
        painter.setFont(heading(self.font()) if learned else self.font())
        write(painter, box.adjusted(0.5 * letter, 0, 0, 0), sign + title(line))
        painter.setFont(self.font())
        texts = _texts(line)
        for column, (left, right) in self._columns().items():
            place = QRectF(left, box.top(), right - left, box.height())
            write(painter, place, texts[column], RIGHT, "muted" if texts[column] in ("–", "0") else "text")

    def _paint_shortcuts(self, painter: QPainter, boxes: Sequence[QRectF]) -> None:
        """From before a norm to where it is added again, at the left of the boxes."""
        keys, letter = {line.key: number for number, line in enumerate(self.lines)}, self.fontMetrics().height()
        painter.setPen(QPen(colour("validation"), 2))
        for end, begin in SHORTCUTS.items():
            if end not in keys or begin not in keys:
                continue
            start, stop = boxes[keys[begin]], boxes[keys[end]]
            out, x = start.top() - GAP * letter / 2, start.left() - 0.7 * letter
            target = QPointF(stop.left(), stop.center().y())
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawPolyline(QPolygonF([
                QPointF(start.left() + 2, out), QPointF(x, out), QPointF(x, target.y()), target]))
            tip = 0.28 * letter
            painter.setBrush(colour("validation"))
            back, up = QPointF(-tip, 0), QPointF(0, tip / 1.5)
            painter.drawPolygon(QPolygonF([target, target + back - up, target + back + up]))

    def minimumSizeHint(self) -> QSize:
        lines = (len(self.lines) + 1) * (HEIGHT + GAP)
        return QSize(self._needed(FEW), round(lines * self.fontMetrics().height() + 2))


def _heads() -> tuple[str, str, str, str]:
    return tr("shape"), tr("one token"), tr("parameters"), tr("placeholder")


def _texts(line: Line) -> tuple[str, str, str, str]:
    """Shape, one token's part, parameters, and the placeholder's parameters."""
    dummy = line.placeholder
    parameters = f"{dummy.parameters * (line.times if dummy.parameters else 1):,}" if dummy else "–"
    return shown_shape(line.shape), times(line.of_one), f"{line.parameters:,}", parameters
