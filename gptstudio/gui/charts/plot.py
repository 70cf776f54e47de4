"""Parts of the plot of a chart: the zoomable view box, axes, the legend, and lines across with words on them."""

from __future__ import annotations

import html
import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QFont, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QStyleOptionGraphicsItem, QWidget

from gptstudio.gui.charts.style import scene_font
from gptstudio.gui.theme import colour
from gptstudio.gui.widgets.parts import plain

pg.setConfigOptions(antialias=True)

SIDES = ("bottom", "top", "left", "right")


class Box(pg.ViewBox):  # type: ignore[misc]  # pyqtgraph has no types
    """Drags and Ctrl with the wheel move x; on an axis, that axis. The wheel alone is left to whatever scrolls."""

    moved = Signal(int)
    """By hand: 0 for x, 1 for y."""

    asked_for_all = Signal()

    clicked_right = Signal(QPoint)
    """The place on the screen."""

    def __init__(self) -> None:
        super().__init__(enableMenu=False)
        self.disableAutoRange()

    def wheelEvent(self, event: Any, axis: int | None = None) -> None:
        if not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            event.ignore()
            return
        super().wheelEvent(event, axis or 0)
        self.moved.emit(axis or 0)

    def mouseDragEvent(self, event: Any, axis: int | None = None) -> None:
        super().mouseDragEvent(event, axis or 0)
        self.moved.emit(axis or 0)

    def mouseClickEvent(self, event: Any) -> None:
        if event.button() == Qt.MouseButton.RightButton:
            self.clicked_right.emit(event.screenPos().toPoint())
        elif event.double():
            self.asked_for_all.emit()


class Plot(pg.PlotWidget):  # type: ignore[misc]  # pyqtgraph has no types
    """The drawing surface, without pyqtgraph's own menu and buttons."""

    pointed = Signal(object)
    """The x under the pointer; None when it has left."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.setMenuEnabled(False)
        self.hideButtons()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.scene().sigMouseMoved.connect(self._move)

    def sizeHint(self) -> QSize:
        """Return the minimum size, as a layout with labels of several lines expects it."""
        return QSize(self.minimumSize())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the curves, and a frame while the keyboard is here: one of the style sheet would make them smaller."""
        super().paintEvent(event)
        if self.hasFocus():
            painter = QPainter(self.viewport())
            painter.setPen(colour("accent"))
            painter.drawRect(self.viewport().rect().adjusted(0, 0, -1, -1))

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.pointed.emit(None)

    def _move(self, place: QPointF) -> None:
        box = self.getViewBox()
        inside = box.sceneBoundingRect().contains(place)
        self.pointed.emit(float(box.mapSceneToView(place).x()) if inside else None)


class Axis(pg.AxisItem):  # type: ignore[misc]  # pyqtgraph has no types
    """Numbers as people write them, and on a logarithmic axis ticks also where it spans less than a power of ten."""

    picture: Any
    logMode: bool  # noqa: N815

    def __init__(self, side: str):
        super().__init__(side, maxTickLevel=1)
        self.enableAutoSIPrefix(False)

    def dress(self, font: QFont) -> None:
        """Take the colours now in force, and this font."""
        self.setPen(pg.mkPen(colour("line")))
        self.setTextPen(pg.mkPen(colour("muted")))
        self.setTickFont(font)
        self.label.setFont(font)

    def paint(self, painter: QPainter, _option: QStyleOptionGraphicsItem, _widget: QWidget | None) -> None:
        """Draw at once: to play back what was recorded, as pyqtgraph has it, takes ten times as long."""
        painter.setFont(self.style["tickFont"])
        if self.picture is None:  # what has to be drawn anew is said by this in pyqtgraph
            self.picture = self.generateDrawSpecs(painter)
        if not self.picture:
            return
        (pen, begin, end), ticks, texts = self.picture
        for paint, one, other in [(pen, begin, end), *ticks]:
            bar = QRectF(one, other).normalized()  # level or upright: filled, it is drawn ten times as fast
            painter.fillRect(bar.adjusted(0, 0, not bar.width(), not bar.height()), paint.color())
        painter.setPen(self.textPen())
        for place, flags, text in texts:
            painter.drawText(place, int(flags), text)

    def tickValues(self, low: float, high: float, size: float) -> list[tuple[float | None, list[float]]]:
        if not self.style["showValues"]:
            return []
        if not self.logMode or high - low > 1:
            return list(super().tickValues(low, high, size))
        self.logMode = False
        ticks = super().tickValues(10**low, 10**high, size)
        self.logMode = True
        levels = [[math.log10(value) for value in values if value > 0] for _, values in ticks[:2]]
        letter = QFontMetricsF(self.style["tickFont"] or scene_font()).height()
        return [(None, values) for values in _apart(levels, letter * (high - low) / max(size, 1))]

    def tickStrings(self, values: list[float], scale: float, spacing: float | None) -> list[str]:
        if self.logMode:
            return [f"{10**value:.10g}" if -4 < value < 6 else f"{10**value:.3g}" for value in values]
        if spacing is not None and spacing * scale >= 1:
            return [f"{value * scale:,.0f}" for value in values]
        return list(super().tickStrings(values, scale, spacing))


def _apart(levels: list[list[float]], least: float) -> list[list[float]]:
    """The places that are so far from all before them: on a logarithmic axis those further up come ever closer."""
    taken: list[float] = []
    for values in levels:
        begin = len(taken)
        for value in sorted(values):
            if all(abs(value - other) >= least for other in taken):
                taken.append(value)
        values[:] = taken[begin:]
    return levels


class LegendSample(pg.graphicsItems.LegendItem.ItemSample):  # type: ignore[misc]  # pyqtgraph has no types
    """A curve's stroke in the legend, bold enough for its colour; a click on it hides nothing."""

    def paint(self, painter: QPainter, _option: QStyleOptionGraphicsItem, _widget: QWidget | None) -> None:
        painter.setPen(self.item.sample_pen())
        painter.drawLine(0, 11, 20, 11)

    def mouseClickEvent(self, event: Any) -> None:
        event.ignore()


class ChartLegend(pg.LegendItem):  # type: ignore[misc]  # pyqtgraph has no types
    """Above its plot, over no curve: in one row where that is wide enough, otherwise in several.

    It places itself: pyqtgraph's own way listens to the box, also while both are being deleted.
    """

    ROW = 0
    """Of the plot's own layout: the one for a title, which none has."""

    def __init__(self, plot: pg.PlotItem):
        super().__init__(offset=None, sampleType=LegendSample, frame=False)
        self.layout.setContentsMargins(0, 0, 0, 0)
        self.setParentItem(plot)

    def write(self, entries: Iterable[tuple[pg.GraphicsObject, str]]) -> None:
        """Show these curves by their names, in the colours now in force."""
        self.clear()
        self.opts.update(labelTextColor=colour("text"), labelTextSize=f"{scene_font().pointSizeF():.1f}pt")
        for line, name in entries:
            self.addItem(line, html.escape(name, quote=False))
        self.place()

    def place(self) -> None:
        plot = self.parentItem()
        room = plot.vb.geometry()
        widths = [sample.width() + words.itemRect().width() + 14 for sample, words in self.items] or [1.0]
        whole = sum(widths) <= room.width()  # otherwise it begins at the left of the axis, too
        fitting = len(widths) if sum(widths) <= room.right() else int(room.right() // max(widths))
        self.setColumnCount(max(1, fitting))
        self.updateSize()
        plot.layout.setRowFixedHeight(self.ROW, self.height() if self.items else 0)
        self.setPos(room.left() if whole else 0, 0)

    def hoverEvent(self, event: Any) -> None:
        """Leave drags to the box."""

    def mouseDragEvent(self, event: Any) -> None:
        event.ignore()


SHORT = 60
"""Maximum number of characters of an explanation of a mark in a readout."""


class CrossLine(pg.InfiniteLine):  # type: ignore[misc]  # pyqtgraph has no types
    """A line across a chart: a mark where something happened, or a reference such as the loss of random guessing."""

    def __init__(self, at: Mapping[str, float], text: str, tip: str, role: str) -> None:
        """``at``: for an upright line its x on each axis, for a level one its ``y``. ``role``: of the theme."""
        self.at, self.text, self.tip, self.role = at, text, tip or text, role
        self.is_level = "y" in at
        place, anchor = (0.99, (1, 0)) if self.is_level else (1.0, (0, 0))  # near the right end, or near the top
        options = {"position": place, "anchors": [anchor, anchor]}
        super().__init__(angle=0 if self.is_level else 90, movable=False, label=_literal(text), labelOpts=options)
        for part in (self, self.label):
            part.setToolTip(plain(self.tip))
        self.dress()

    @property
    def said(self) -> str:
        """Words for a readout: the explanation of the mark where that is short, or else its text."""
        return self.tip if len(self.tip) <= SHORT or not self.text else self.text

    def dress(self) -> None:
        """Take the colours and the text size now in force."""
        opacity, dash = (0.7, Qt.PenStyle.DotLine) if self.is_level else (0.6, Qt.PenStyle.DashLine)
        self.setPen(pg.mkPen(colour(self.role, opacity), width=1, style=dash))
        self.label.setColor(colour(self.role))
        self.label.setFont(scene_font())
        if self.is_level:
            self.label.fill = pg.mkBrush(colour("surface"))
        self.setZValue(-1 if self.is_level else -2)  # below the curves, and a level line before the marks that cross it



class CrossLines:
    """The lines across a chart."""

    def __init__(self, box: pg.ViewBox) -> None:
        self._box = box
        self.marks: list[CrossLine] = []
        self.references: list[CrossLine] = []

    def __iter__(self) -> Iterator[CrossLine]:
        yield from self.references
        yield from self.marks

    def add(self, line: CrossLine) -> CrossLine:
        (self.references if line.is_level else self.marks).append(line)
        self._box.addItem(line, ignoreBounds=True)
        return line

    def remove(self, line: CrossLine) -> None:
        """Take a level line away."""
        self._box.removeItem(line)
        self.references.remove(line)

    def clear_marks(self) -> None:
        for mark in self.marks:
            self._box.removeItem(mark)
        self.marks.clear()

    def place(self, axis: str, log: bool) -> None:
        """Put each where it belongs; labels of marks that would overlap earlier ones are hidden."""
        for line in self.references:
            y = line.at["y"]
            line.setVisible(y > 0 or not log)
            line.setValue(math.log10(y) if log and y > 0 else y)
        for mark in self.marks:
            mark.setVisible(axis in mark.at)
        free_from = -math.inf
        for mark in sorted((mark for mark in self.marks if axis in mark.at), key=lambda mark: mark.at[axis]):
            mark.setValue(mark.at[axis])
            begins = self._box.mapViewToScene(QPointF(mark.at[axis], 0)).x()
            mark.label.setVisible(begins >= free_from)
            if begins >= free_from:
                free_from = begins + mark.label.boundingRect().width() + 4

    def tips_at(self, axis: str, x: float, near: float) -> list[str]:
        """Return what happened so near to an x, in few words."""
        return [mark.said for mark in self.marks if abs(mark.at.get(axis, math.inf) - x) <= near]


def _literal(text: str) -> str:
    """As a format: a brace in it would be one to fill in."""
    return text.replace("{", "{{").replace("}", "}}")
