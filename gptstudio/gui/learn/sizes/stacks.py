"""Models as stacked bars, each of parts that differ in colour, in pattern and in their names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QFontMetricsF, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QSizePolicy

from gptstudio.gui.canvas.cell_canvas import CellCanvas
from gptstudio.gui.canvas.grid import Cell
from gptstudio.gui.canvas.swatch import Swatch
from gptstudio.gui.canvas.writing import CENTRE, RIGHT, heading, write
from gptstudio.gui.theme import colour, theme
from gptstudio.gui.translation import tr

SOLID = Qt.BrushStyle.SolidPattern
PATTERNS = {
    "token_embedding": Qt.BrushStyle.HorPattern, "position_embedding": Qt.BrushStyle.VerPattern,
    "attention": Qt.BrushStyle.BDiagPattern, "feed_forward": SOLID, "norms": Qt.BrushStyle.CrossPattern,
    "output_layer": Qt.BrushStyle.FDiagPattern}
PARTS = tuple(PATTERNS)
LINE, BAR, GAP = 3.15, 1.45, 0.25
"""Heights of a bar with its words, of the bar itself, and between the two, in heights of a letter."""
LEAST = 20  # the least width, in heights of a letter


@dataclass(frozen=True)
class StackRow:
    """A bar: its words above it, left and right, its parts, and what is its whole length worth."""

    name: str
    figure: str
    parts: Mapping[str, int]
    whole: int


def part_names() -> dict[str, str]:
    return {
        "token_embedding": tr("Token embedding"), "position_embedding": tr("Position embedding"),
        "attention": tr("Attention"), "feed_forward": tr("Feed-forward network"), "norms": tr("Layer norms"),
        "output_layer": tr("Output layer")}


class Stacks(CellCanvas):
    """A cell is (row, part)."""

    def __init__(self, name: str, accessible: str) -> None:
        super().__init__(name, accessible)
        self._rows: Sequence[StackRow] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_rows(self, rows: Sequence[StackRow]) -> None:
        self._rows = rows
        self.describe("; ".join(f"{row.name} {row.figure}" for row in rows))
        self.remeasure()

    def items(self) -> dict[Cell, QRectF]:
        letter, found = self.fontMetrics().height(), {}
        for number, row in enumerate(self._rows):
            left, top = 1.0, number * LINE * letter + (1 + GAP) * letter
            for part, count in row.parts.items():
                width = count / row.whole * (self.width() - 2)
                found[Cell(number, PARTS.index(part))] = QRectF(left, top, width, BAR * letter)
                left += width
        return found

    def table(self) -> Sequence[Sequence[str]]:
        names = part_names()
        return [("", "", *names.values())] + [
            (row.name, row.figure, *(f"{row.parts.get(part, 0)}" for part in names)) for row in self._rows]

    def paint(self, painter: QPainter, _region: QRect) -> None:
        boxes = self.items()
        for number, row in enumerate(self._rows):
            self._paint_words(painter, number, row)
        for cell, box in boxes.items():
            self._paint_part(painter, PARTS[cell.column], box)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for cell in {*self.lit, *([self.cell] if self.cell else [])} & boxes.keys():
            painter.setPen(QPen(colour("text"), 2.5))
            painter.drawRect(boxes[cell].adjusted(0, -1, 0, 1))

    def _paint_words(self, painter: QPainter, number: int, row: StackRow) -> None:
        letter = self.fontMetrics().height()
        line = QRectF(1, number * LINE * letter, self.width() - 2, 1.2 * letter)
        painter.setFont(heading(self.font()))
        write(painter, line, row.name)
        painter.setFont(self.font())
        write(painter, line, row.figure, RIGHT)

    def _paint_part(self, painter: QPainter, part: str, box: QRectF) -> None:
        paint_pattern(painter, part, box)
        name = part_names()[part]
        metrics = QFontMetricsF(self.font())
        room = metrics.horizontalAdvance(name) + 10
        if room + 6 > box.width():
            return
        plate = QRectF(0, 0, room, metrics.height() + 2)
        plate.moveCenter(box.center())
        shape = QPainterPath()
        shape.addRoundedRect(plate, 4, 4)
        painter.fillPath(shape, colour("surface", 0.92))
        write(painter, plate, name, CENTRE)

    def minimumSizeHint(self) -> QSize:
        letter = self.fontMetrics().height()
        return QSize(LEAST * letter, round(len(self._rows) * LINE * letter))


def part_swatch(part: str) -> Swatch:
    """Return a small piece of one part's pattern, for the legend."""
    made = Swatch(lambda painter, place, _: paint_pattern(painter, part, place), 1.5, 0.9, grows=True)
    made.smooth = False
    return made


def paint_pattern(painter: QPainter, part: str, box: QRectF) -> None:
    """A part's colour, under lines of the ground's colour."""
    painter.fillRect(box, QColor(theme.colours.components[PARTS.index(part)]))
    if PATTERNS[part] != SOLID:
        painter.setBrushOrigin(QPointF(0, 0))
        painter.fillRect(box, QBrush(colour("surface", 0.45), PATTERNS[part]))
    if box.width() > 2:
        painter.fillRect(QRectF(box.right() - 1, box.top(), 1, box.height()), colour("surface"))
