"""Marks on the axis of the loss that can be clicked: checkpoints, and steps at which the loss jumped."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRect, QRectF, Signal
from PySide6.QtGui import QContextMenuEvent, QPainter, QPen, QPolygonF, QRegion

from gptstudio.gui.canvas.canvas import Canvas
from gptstudio.gui.charts.chart import Chart
from gptstudio.gui.theme import colour, theme
from gptstudio.gui.translation import tr

SIZE = 16
"""Height of the strip and width of a mark that can be hit, in pixels at the usual text size."""


@dataclass(frozen=True)
class CurveMark:
    """A mark after a step, counted from 0. ``key``: the name of the checkpoint, empty for a jump."""

    step: int
    kind: Literal["checkpoint", "jump"]
    words: str
    key: str = ""


class CurveMarks(Canvas):
    """A strip over the lower edge of a chart. Left and Right go from mark to mark; a click or Enter chooses one.

    Args:
        place: gives the place of a step on each axis of the chart.
    """

    chosen = Signal(object, object)
    """Emitted with a mark, and with the place on the screen where its menu belongs."""

    def __init__(self, chart: Chart, place: Callable[[int], Mapping[str, float]]) -> None:
        super().__init__("curve_marks", tr("Checkpoints and jumps on the loss curve"))
        self._chart, self._place = chart, place
        self._marks: tuple[CurveMark, ...] = ()
        self.setParent(chart.plot)
        chart.box.sigXRangeChanged.connect(self._follow_range)
        chart.box.sigResized.connect(self._follow_range)
        chart.plot.installEventFilter(self)
        self.hide()

    def show_marks(self, marks: Sequence[CurveMark]) -> None:
        """Show these, in the order of their steps."""
        ordered = tuple(sorted(marks, key=lambda mark: (mark.step, mark.kind)))
        if ordered == self._marks:
            return
        self._marks = ordered
        self.setVisible(bool(ordered))
        self._follow_range()
        self.describe(tr("Checkpoints: {n}. Left and Right go from one to the next, Enter opens its menu.",
                         n=sum(mark.kind == "checkpoint" for mark in ordered)))

    # What a painted widget has.

    def items(self) -> Mapping[CurveMark, QRectF]:
        width = SIZE * theme.zoom
        return {mark: QRectF(x - width / 2, 0, width, self.height())
                for mark in self._marks if -1 <= (x := self._x(mark)) <= self.width() + 1}

    def item_at(self, point: QPointF) -> CurveMark | None:
        """Return the nearest mark that a point hits."""
        hit = {mark: place for mark, place in self.items().items() if place.contains(point)}
        return min(hit, key=lambda mark: abs(hit[mark].center().x() - point.x()), default=None)

    def words(self, item: CurveMark) -> str:
        return item.words

    def activate(self, item: CurveMark) -> bool:
        place = self.place(item)
        self.chosen.emit(item, self.mapToGlobal(QPoint(round(place.center().x()), 0)))
        return True

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        item = self.item if event.reason() == QContextMenuEvent.Reason.Keyboard else self.item_at(QPointF(event.pos()))
        if item is not None:
            self.activate(item)

    def paint(self, painter: QPainter, _region: QRect) -> None:
        for mark, place in self.items().items():
            chosen, jump = mark == self.item, mark.kind == "jump"
            half = (0.44 if chosen else 0.32) * place.width()
            x, y = place.center().x(), self.height() - 0.5 * place.width()
            painter.setPen(QPen(colour("text" if chosen else "surface"), 1.5))
            painter.setBrush(colour("amber" if jump else "accent"))
            corners = [(x, y - half), (x + half, y + half), (x - half, y + half)] if jump else [
                (x, y - half), (x + half, y), (x, y + half), (x - half, y)]
            painter.drawPolygon(QPolygonF([QPointF(*corner) for corner in corners]))

    # Where it is.

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Show):
            self._follow_range()
        return super().eventFilter(watched, event)

    def remeasure(self) -> None:
        super().remeasure()
        self._follow_range()

    def _follow_range(self, *_: object) -> None:
        """Lie over the lower edge of the curves as they are now."""
        if not self.isHidden():
            box = self._chart.plot.mapFromScene(self._chart.box.sceneBoundingRect()).boundingRect()
            height = round(SIZE * theme.zoom)
            self.setGeometry(box.left(), box.bottom() - height + 1, box.width(), height)
            hit = QRegion(0, 0, 1, 1)  # an empty one would be none at all
            for place in self.items().values():
                hit += place.toAlignedRect()
            self.setMask(hit)  # between the marks, the chart is dragged as elsewhere
            self.update()

    def _x(self, mark: CurveMark) -> float:
        at = self._place(mark.step).get(self._chart.axis)
        if at is None:
            return -100.0
        view = self._chart.box.mapViewToScene(QPointF(at, 0))
        return float(self._chart.plot.mapFromScene(view).x() - self.x())
