"""Small multiples: a small chart of the validation loss for each run of a sweep, all over the same axes."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QPen, QPolygonF, QResizeEvent

from gptstudio.gui.canvas.canvas import Canvas
from gptstudio.gui.canvas.writing import LEFT, RIGHT, rounded, small, write
from gptstudio.gui.charts.style import overlay
from gptstudio.gui.theme import colour, theme
from gptstudio.gui.translation import tr
from gptstudio.history.sweep_results import MemberResult, SweepResults
from gptstudio.training.sweep_spec import shown_value, variable_fields

WIDE, HIGH, GAP = 190, 120, 10
"""Pixels of a chart at the usual text size, and between charts."""


class SmallMultiples(Canvas):
    """One chart for each combination of values, with a curve for each seed. Equal axes make them comparable at sight;
    pyqtgraph's charts take 20 ms each to make, and a sweep may have a hundred."""

    def __init__(self) -> None:
        super().__init__("sweep_multiples", tr("Validation loss of each run over its steps"))
        self._groups: list[list[MemberResult]] = []
        self._x, self._y = (1.0, 1.0), (0.0, 1.0)

    def show_results(self, results: SweepResults | None) -> None:
        """Show the curves of a sweep, as far as its runs have come."""
        groups: dict[tuple[object, ...], list[MemberResult]] = {}
        for each in sorted(results.members if results else (), key=lambda each: each.member.number):
            groups.setdefault(tuple(each.member.values.values()), []).append(each)
        self._groups = list(groups.values())
        points = [point for group in self._groups for each in group for point in each.curve if math.isfinite(point[1])]
        self._x = (1.0, max([2.0, *(float(x) for x, _ in points)]))
        losses = sorted(y for _, y in points)
        self._y = (losses[0], losses[-1]) if losses else (0.0, 1.0)
        if self._y[0] == self._y[1]:
            self._y = self._y[0] - 0.5, self._y[1] + 0.5
        self._fit()
        self.remeasure()
        self.describe(self.table_words())
        self.update()

    def items(self) -> dict[int, QRectF]:
        columns, wide, high = self._columns(), self._wide(), HIGH * theme.zoom
        return {
            place: QRectF(place % columns * (wide + GAP), place // columns * (high + GAP), wide, high)
            for place in range(len(self._groups))
        }

    def words(self, item: int) -> str:
        runs = self._groups[item]
        lines = [_name(runs[0])]
        lines += [
            tr("Seed {seed}: lowest {loss} at step {step}", seed=each.member.seed, loss=f"{each.best.val_loss:.4f}",
               step=f"{each.best.step + 1:,}") if each.best else tr("Seed {seed}: not evaluated yet",
                                                                    seed=each.member.seed)
            for each in runs
        ]
        return "\n".join(lines)

    def table(self) -> Sequence[Sequence[str]]:
        return [(_name(each), str(each.member.seed), f"{each.best.val_loss:.6g}" if each.best else "")
                for group in self._groups for each in group]

    def step(self, key: Qt.Key, start: int | None) -> int | None:
        if start is None or key not in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            found: int | None = super().step(key, start)
            return found
        aim = start + (self._columns() if key == Qt.Key.Key_Down else -self._columns())
        return aim if 0 <= aim < len(self._groups) else None

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def minimumSizeHint(self) -> QSize:
        return QSize(round(WIDE * theme.zoom), round(HIGH * theme.zoom))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for item, place in self.items().items():
            if place.intersects(QRectF(event.rect())):
                self._paint_chart(painter, item, place)
        painter.end()

    def _paint_chart(self, painter: QPainter, item: int, place: QRectF) -> None:
        runs = self._groups[item]
        line = QFontMetricsF(self.font()).height()
        write(painter, QRectF(place.left() + 2, place.top(), place.width() - 4, line), _name(runs[0]), LEFT, "text",
              place.width() - 4)
        area = place.adjusted(0.5, line + 3.5, -0.5, -0.5)
        rounded(painter, area, 4, edge=QPen(colour("text" if item == self.item else "line"), 1))
        painter.setFont(small(self.font()))
        inside = area.adjusted(6, 5, -6, -5)
        for number, each in enumerate(runs):
            painter.setPen(overlay(number, 1.6).pen())
            painter.setBrush(Qt.BrushStyle.NoBrush)
            for stretch in self._stretches(each, inside):
                painter.drawPolyline(stretch)
        for value, y, side in ((self._y[1], inside.top(), RIGHT), (self._y[0], inside.bottom() - line, LEFT)):
            # where a falling curve is not
            write(painter, QRectF(inside.left(), y, inside.width(), line), f"{value:.3g}", side, "muted")
        painter.setFont(self.font())

    def _stretches(self, each: MemberResult, inside: QRectF) -> list[QPolygonF]:
        """Return the curve of a run in pixels, in pieces where a loss is not finite."""
        found: list[list[QPointF]] = [[]]
        for step, loss in each.curve:
            if not math.isfinite(loss):
                found.append([])
                continue
            x = inside.left() + inside.width() * (step - self._x[0]) / (self._x[1] - self._x[0])
            y = inside.bottom() - inside.height() * (loss - self._y[0]) / (self._y[1] - self._y[0])
            found[-1].append(QPointF(x, y))
        return [QPolygonF(points) for points in found if points]

    def _columns(self) -> int:
        return max(1, int((self.width() + GAP) // (WIDE * theme.zoom + GAP)))

    def _wide(self) -> float:
        columns = min(self._columns(), max(1, len(self._groups)))
        return min(1.6 * WIDE * theme.zoom, (self.width() - (columns - 1) * GAP) / columns)

    def _fit(self) -> None:
        rows = -(-len(self._groups) // self._columns())
        self.setMinimumHeight(round(rows * (HIGH * theme.zoom + GAP)))


def _name(each: MemberResult) -> str:
    views = variable_fields()
    pairs = (f"{tr(views[name].label)} {shown_value(value)}" for name, value in each.member.values.items())
    return ", ".join(pairs) or tr("All runs")
