"""Heat map of a sweep of two settings: a cell for each pair of values, in the colour of its mean validation loss."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QFontMetricsF, QPainter, QPaintEvent, QPen

from gptstudio.gui.canvas.cell_canvas import CellCanvas
from gptstudio.gui.canvas.grid import Cell
from gptstudio.gui.canvas.writing import CENTRE, RIGHT, rounded, write
from gptstudio.gui.theme import DARK, colour, theme
from gptstudio.gui.translation import tr
from gptstudio.history.sweep_results import Group, SweepResults
from gptstudio.training.sweep_spec import shown_value

LIGHT_STOPS, DARK_STOPS = ("#eef3fb", "#0f3a75"), ("#28303c", "#e2f2ff")
"""From the highest mean to the lowest: one hue, whose lightness changes steadily, as on the heat maps of attention."""
WIDEST, GAP = 150, 2
"""Pixels of the widest cell at the usual text size, and between cells."""


class SweepGrid(CellCanvas):
    """Cells with their means written in them. A cell without a finished run is hatched."""

    def __init__(self) -> None:
        super().__init__("sweep_grid", tr("Mean of the best validation losses for each pair of values"))
        self._results: SweepResults | None = None
        self._cells: list[list[Group]] = []

    def show_results(self, results: SweepResults | None) -> None:
        """Show the means of a sweep; nothing where not two settings are varied."""
        self._results = results
        self._cells = (results.grid if results else None) or []
        self.remeasure()
        self.describe(self.table_words())
        self.update()

    def items(self) -> dict[Cell, QRectF]:
        return {Cell(row, column): self._place(row, column)
                for row, groups in enumerate(self._cells) for column in range(len(groups))}

    def words(self, item: Cell) -> str:
        if not self._results:
            return ""
        group = self._cells[item.row][item.column]
        pairs = ", ".join(f"{tr(each.view.label)} {shown_value(group.values[each.field])}"
                          for each in self._results.spec.vary)
        if group.mean is None:
            return tr("{values}: no run has finished yet", values=pairs)
        if group.spread is None:
            return tr("{values}: {mean} nats per token, one run", values=pairs, mean=f"{group.mean:.4f}")
        return tr("{values}: {mean} ± {spread} nats per token, mean and standard deviation of {n} runs", values=pairs,
                  mean=f"{group.mean:.4f}", spread=f"{group.spread:.4f}", n=group.count)

    def table(self) -> Sequence[Sequence[str]]:
        if not self._results or not self._cells:
            return []
        rows, columns = self._results.spec.vary
        head = f"{tr(rows.view.label)} \\ {tr(columns.view.label)}"
        return [(head, *map(shown_value, columns.values))] + [
            (shown_value(value), *("" if group.mean is None else f"{group.mean:.6g}" for group in groups))
            for value, groups in zip(rows.values, self._cells, strict=True)
        ]

    def minimumSizeHint(self) -> QSize:
        return QSize(300, round(self._left_and_top()[1] + 3 * self._line()))

    def paintEvent(self, _event: QPaintEvent) -> None:
        if not self._results or not self._cells:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        means = [group.mean for row in self._cells for group in row if group.mean is not None]
        for cell, place in self.items().items():
            mean = self._cells[cell.row][cell.column].mean
            if mean is None:
                rounded(painter, place, 4, QBrush(colour("line"), Qt.BrushStyle.BDiagPattern))
                continue
            span = max(means) - min(means)
            share = 1 - (mean - min(means)) / span if span else 1.0
            fill = _shade(share)
            rounded(painter, place, 4, fill)
            painter.setPen(QColor("#111111") if fill.lightnessF() > 0.55 else QColor("#ffffff"))
            painter.drawText(place, CENTRE, f"{mean:.3f}")
            if mean == min(means):
                rounded(painter, place.adjusted(1, 1, -1, -1), 4, edge=QPen(colour("validation"), 2))
        self._paint_names(painter)
        if self.item:
            rounded(painter, self.place(self.item), 4, edge=QPen(colour("text"), 2))
        painter.end()

    def _paint_names(self, painter: QPainter) -> None:
        if not self._results:
            return
        rows, columns = self._results.spec.vary
        left, top = self._left_and_top()
        line = self._line()
        for row, value in enumerate(rows.values):
            place = self._place(row, 0)
            write(painter, QRectF(0, place.top(), left - 8, place.height()), shown_value(value), RIGHT, "muted")
        for column, value in enumerate(columns.values):
            place = self._place(0, column)
            write(painter, QRectF(place.left(), top - line, place.width(), line), shown_value(value), CENTRE, "muted",
                  place.width())
        right = self._place(0, len(columns.values) - 1).right()
        write(painter, QRectF(left, 0, right - left, line), tr(columns.view.label), CENTRE, "text")
        write(painter, QRectF(0, 0, left - 8, line), tr(rows.view.label), RIGHT, "text")

    def _line(self) -> float:
        return QFontMetricsF(self.font()).height() + 6

    def _left_and_top(self) -> tuple[float, float]:
        if not self._results or not self._cells:
            return 0.0, 2 * self._line()
        rows = self._results.spec.vary[0]
        metrics = QFontMetricsF(self.font())
        names = [tr(rows.view.label), *map(shown_value, rows.values)]
        return max(map(metrics.horizontalAdvance, names)) + 12, 2 * self._line()

    def _place(self, row: int, column: int) -> QRectF:
        left, top = self._left_and_top()
        wide = min(WIDEST * theme.zoom, (self.width() - left - 4) / len(self._cells[0]))
        high = min(2.2 * self._line(), (self.height() - top - 4) / len(self._cells))
        return QRectF(left + column * wide, top + row * high, wide - GAP, high - GAP)


def _shade(share: float) -> QColor:
    """Return the colour of a share from 0, the highest loss, to 1, the lowest."""
    low, high = map(QColor, DARK_STOPS if theme.colours is DARK else LIGHT_STOPS)
    red, green, blue = (
        round(255 * (a + (b - a) * share))
        for a, b in ((low.redF(), high.redF()), (low.greenF(), high.greenF()), (low.blueF(), high.blueF())))
    return QColor(red, green, blue)
