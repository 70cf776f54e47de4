"""Parts of the plot of a chart: the zoomable view box, axes and their ranges, the legend, and labelled lines."""

from __future__ import annotations

import html
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QFont, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QStyleOptionGraphicsItem, QWidget

from gptstudio.gui.charts.style import scene_font
from gptstudio.gui.theme import colour
from gptstudio.gui.widgets.parts import plain

pg.setConfigOptions(antialias=True)

SIDES = ("bottom", "top", "left", "right")


class PlotViewBox(pg.ViewBox):  # type: ignore[misc]  # pyqtgraph has no types
    """View box in which a drag, or Ctrl with the wheel, changes the range of x; on an axis, the range of that axis. The
    wheel alone scrolls the page."""

    moved = Signal(int)
    """Emitted when the user changes the range of x (0) or y (1)."""

    asked_for_all = Signal()

    clicked_right = Signal(QPoint)
    """Emitted with the position on the screen."""

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
    """Plot widget without pyqtgraph's own menu and buttons."""

    pointed = Signal(object)
    """Emitted with the x under the pointer, or None when the pointer has left."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.setMenuEnabled(False)
        self.hideButtons()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.scene().sigMouseMoved.connect(self._move)

    def sizeHint(self) -> QSize:
        """Return the minimum size, because a layout with wrapped labels requires it."""
        return QSize(self.minimumSize())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the curves, and a focus frame; a frame of the style sheet would reduce their area."""
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


class NumberAxis(pg.AxisItem):  # type: ignore[misc]  # pyqtgraph has no types
    """Axis with readable numbers; a logarithmic axis has ticks even if it spans less than a power of ten."""

    picture: Any
    logMode: bool  # noqa: N815

    def __init__(self, side: str):
        super().__init__(side, maxTickLevel=1)
        self.enableAutoSIPrefix(False)

    def dress(self, font: QFont) -> None:
        self.setPen(pg.mkPen(colour("line")))
        self.setTextPen(pg.mkPen(colour("muted")))
        self.setTickFont(font)
        self.label.setFont(font)

    def paint(self, painter: QPainter, _option: QStyleOptionGraphicsItem, _widget: QWidget | None) -> None:
        """Draw directly: playing back a recorded picture, as pyqtgraph does, takes ten times as long."""
        painter.setFont(self.style["tickFont"])
        if self.picture is None:  # pyqtgraph sets this to None to request a redraw
            self.picture = self.generateDrawSpecs(painter)
        if not self.picture:
            return
        (pen, begin, end), ticks, texts = self.picture
        for paint, one, other in [(pen, begin, end), *ticks]:
            bar = QRectF(one, other).normalized()  # horizontal or vertical: filling is ten times as fast
            painter.fillRect(bar.adjusted(0, 0, not bar.width(), not bar.height()), paint.color())
        painter.setPen(self.textPen())
        for place, flags, text in texts:
            painter.drawText(place, int(flags), text)

    def generateDrawSpecs(self, painter: QPainter) -> Any:
        specs = super().generateDrawSpecs(painter)
        if not specs or self.logMode:
            return specs
        line, ticks, texts = specs
        numbers = _equal_digits([text for *_, text in texts])
        return line, ticks, [(place, flags, number) for (place, flags, _), number in zip(texts, numbers, strict=True)]

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


PLAIN = re.compile(r"-?[\d,]+(\.\d+)?")


def _equal_digits(numbers: list[str]) -> list[str]:
    """Return numbers with equally many digits after the point, if none has an exponent; pyqtgraph gives ticks at tenths
    fewer digits than those between them."""
    most = max((len(text.partition(".")[2]) for text in numbers), default=0)
    if not most or not all(PLAIN.fullmatch(text) for text in numbers):
        return numbers
    return [text + "." * ("." not in text) + "0" * (most - len(text.partition(".")[2])) for text in numbers]


def _apart(levels: list[list[float]], least: float) -> list[list[float]]:
    """Keep positions that are at least ``least`` from all earlier ones: logarithmic ticks become denser upwards."""
    taken: list[float] = []
    for values in levels:
        begin = len(taken)
        for value in sorted(values):
            if all(abs(value - other) >= least for other in taken):
                taken.append(value)
        values[:] = taken[begin:]
    return levels


class LegendSample(pg.graphicsItems.LegendItem.ItemSample):  # type: ignore[misc]  # pyqtgraph has no types
    """Sample of a curve's line in the legend, thick enough to show its colour; clicks do not hide the curve."""

    def paint(self, painter: QPainter, _option: QStyleOptionGraphicsItem, _widget: QWidget | None) -> None:
        painter.setPen(self.item.sample_pen())
        painter.drawLine(0, 11, 20, 11)

    def mouseClickEvent(self, event: Any) -> None:
        event.ignore()


class ChartLegend(pg.LegendItem):  # type: ignore[misc]  # pyqtgraph has no types
    """Legend above its plot, where it covers no curve: in one row if the width is sufficient, otherwise in several.

    It positions itself, because pyqtgraph's own positioning listens to the box even while both are being deleted.
    """

    ROW = 0
    """Title row of the plot's layout; no chart has a title."""

    def __init__(self, plot: pg.PlotItem):
        super().__init__(offset=None, sampleType=LegendSample, frame=False)
        self.layout.setContentsMargins(0, 0, 0, 0)
        self.setParentItem(plot)

    def write(self, entries: Iterable[tuple[pg.GraphicsObject, str]]) -> None:
        """Show these curves by name, in the current colours."""
        self.clear()
        self.opts.update(labelTextColor=colour("text"), labelTextSize=f"{scene_font().pointSizeF():.1f}pt")
        for line, name in entries:
            self.addItem(line, html.escape(name, quote=False))
        self.place()

    def place(self) -> None:
        plot = self.parentItem()
        room = plot.vb.geometry()
        widths = [sample.width() + words.itemRect().width() + 14 for sample, words in self.items] or [1.0]
        whole = sum(widths) <= room.width()  # otherwise it also extends over the left axis
        fitting = len(widths) if sum(widths) <= room.right() else int(room.right() // max(widths))
        self.setColumnCount(max(1, fitting))
        self.updateSize()
        plot.layout.setRowFixedHeight(self.ROW, self.height() if self.items else 0)
        self.setPos(room.left() if whole else 0, 0)

    def updateSize(self) -> None:
        """Make the legend as large as its entries; pyqtgraph adds up their widths from before they were laid out."""
        size = self.layout.effectiveSizeHint(Qt.SizeHint.MinimumSize)
        self.setGeometry(0, 0, size.width(), size.height())

    def hoverEvent(self, event: Any) -> None:
        """Do nothing, to leave drags to the box."""

    def mouseDragEvent(self, event: Any) -> None:
        event.ignore()


SHORT = 60
"""Maximum number of characters of a mark's explanation in a readout."""


class CrossLine(pg.InfiniteLine):  # type: ignore[misc]  # pyqtgraph has no types
    """Line across a chart: a mark of an event, or a reference such as the loss of random guessing."""

    def __init__(self, at: Mapping[str, float], text: str, tip: str, role: str) -> None:
        """Create the line. ``at``: x by axis if vertical, ``y`` if horizontal. ``role``: of the theme."""
        self.at, self.text, self.tip, self.role = at, text, tip or text, role
        self.is_level = "y" in at
        place, anchor = (0.99, (1, 0)) if self.is_level else (1.0, (0, 0))  # near the right end, or near the top
        options = {"position": place, "anchors": [anchor, anchor]}
        literal = text.replace("{", "{{").replace("}", "}}")  # the label is a format
        super().__init__(angle=0 if self.is_level else 90, movable=False, label=literal, labelOpts=options)
        for part in (self, self.label):
            part.setToolTip(plain(self.tip))
        self.dress()

    @property
    def readout_text(self) -> str:
        """Text for a readout: the explanation of the mark if it is short, otherwise its label."""
        return self.tip if len(self.tip) <= SHORT or not self.text else self.text

    def dress(self) -> None:
        opacity, dash = (0.7, Qt.PenStyle.DotLine) if self.is_level else (0.6, Qt.PenStyle.DashLine)
        self.setPen(pg.mkPen(colour(self.role, opacity), width=1, style=dash))
        self.label.setColor(colour(self.role))
        self.label.setFont(scene_font())
        if self.is_level:
            self.label.fill = pg.mkBrush(colour("surface"))
        self.setZValue(-1 if self.is_level else -2)  # behind the curves; horizontal lines above vertical ones


class CrossLines:
    """Marks and reference lines across a chart."""

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
        self._box.removeItem(line)
        self.references.remove(line)

    def clear_marks(self) -> None:
        for mark in self.marks:
            self._box.removeItem(mark)
        self.marks.clear()

    def place(self, axis: str, log: bool) -> None:
        """Set the positions of the lines; labels of marks that would overlap earlier ones are hidden."""
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
                self._put_below_references(mark)

    def _put_below_references(self, mark: CrossLine) -> None:
        """Put the label of a mark at the top, or below the labels of references that would cover it there."""
        mark.label.setPosition(1.0)
        room, place = self._box.sceneBoundingRect(), mark.label.textItem.sceneBoundingRect()
        others = [line.label.textItem.sceneBoundingRect() for line in self.references if line.isVisible()]
        for other in sorted(others, key=QRectF.top):
            if other.intersects(place):
                place.moveTop(other.bottom() + 1)
        if room.height() > 0:
            mark.label.setPosition(1 - (place.top() - mark.label.textItem.sceneBoundingRect().top()) / room.height())

    def tips_at(self, axis: str, x: float, near: float) -> list[str]:
        """Return short descriptions of the marks within ``near`` of an x."""
        return [mark.readout_text for mark in self.marks if abs(mark.at.get(axis, math.inf) - x) <= near]


Range = tuple[float, float]


@dataclass
class SharedX:
    """State of x, shared by linked charts: whether it follows all points, and the range last set to show them."""

    views: list[ViewRange]
    follows: bool = True
    fitted: Range | None = None


class ViewRange(QObject):
    """Visible ranges of x and y: all points, including new ones, until the user zooms or drags.

    x is the same in all linked charts; y fits the visible part of the curves.
    """

    changed = Signal()
    """Emitted when the user has changed the range, here or in a linked chart, and the curves have to be drawn again."""

    def __init__(self, box: PlotViewBox, ends: Callable[[], list[Range]], least_y: Range | None) -> None:
        """Create the ranges. ``ends``: returns the first and last x of each curve. ``least_y``: as in ``Chart``."""
        super().__init__()
        self.box, self.ends, self.x = box, ends, SharedX([self])
        self.least_x: Range | None = None
        """Range of x that is always included when all points are shown."""
        self._least_y, self._most_y = least_y, math.inf
        self._follows_y = True
        self._fitted_y: Range | None = None
        self._beyond = self._whole = False  # whether there are points above most_y, and whether they are shown
        box.moved.connect(self._move)
        box.asked_for_all.connect(self.toggle)

    @property
    def is_partial(self) -> bool:
        """True if points may be out of view."""
        return self._beyond or not (self.x.follows and self._follows_y)

    @property
    def can_hide_top(self) -> bool:
        """True if visible points far up compress the others."""
        return self._whole and self._beyond and self.x.follows and self._follows_y

    def toggle(self) -> None:
        """Show all points, or only the points that are not far up."""
        self.show_all(not self.can_hide_top)

    def show_all(self, whole: bool | None = None) -> None:
        """Follow all points again in all linked charts. ``whole``: include points far up from now on."""
        self._whole = self._whole if whole is None else whole
        self.x.follows, self.x.fitted = True, None
        for view in self.x.views:
            view.follow_y()
        for view in self.x.views:
            view.changed.emit()

    def follow_y(self) -> None:
        """Fit y again, for example after a change of scale."""
        self._follows_y, self._fitted_y = True, None

    def expect_y(self, least: Range | None, most: float) -> None:
        """Set the range always included in y, and the limit for following points; higher ones are shown on request."""
        if (least, most) != (self._least_y, self._most_y):
            self._least_y, self._most_y = least, most
            self._fitted_y = None

    def join(self, other: ViewRange) -> None:
        """Show the same x range as another chart and its linked charts from now on."""
        self.x = other.x
        self.x.views.append(self)
        self.box.setXRange(*other.box.viewRange()[0], padding=0)

    def fit_x(self) -> None:
        """Show all points of the linked charts, if x follows them."""
        if not self.x.follows:
            return
        least = [view.least_x for view in self.x.views if view.least_x]
        low, high = outermost([*chain.from_iterable(view.ends() for view in self.x.views), *least])
        before = self.x.fitted
        if before and still_fits(before, low, high):
            return
        room = 0.1 * (high - low) if before and high > before[1] else 0.0  # only sometimes, not at each tick
        shown = fitted(low, high + room, margin=0.02)
        self.x.fitted = shown if low <= high else None  # None: the range does not grow from an empty chart's
        for view in self.x.views:  # including views that would not change
            view.box.setXRange(*shown, padding=0)

    def fit_y(self, low: float, high: float, log: bool) -> None:
        """Fit y to the drawn range from ``low`` to ``high``, if it follows the points."""
        if not self._follows_y:
            return
        self._beyond = high > self._most_y and not log  # a logarithmic scale has room for all points
        if self._beyond and not self._whole:
            low, high = min(low, self._most_y), self._most_y
        if not self._fitted_y or not still_fits(self._fitted_y, low, high):
            self._fitted_y = fitted(low, high, self._least_y if self.x.follows and not log else None)
            self.box.setYRange(*self._fitted_y, padding=0)

    def _move(self, axis: int) -> None:
        """Handle a zoom or drag by the user: x (0) changes in the linked charts too, y (1) only here."""
        if axis:
            self._follows_y = False
        else:
            self.x.follows = False
        for view in [self] if axis else self.x.views:
            if view is not self:
                view.box.setXRange(*self.box.viewRange()[0], padding=0)
            view.changed.emit()


def outermost(ranges: Iterable[Range]) -> Range:
    """Return the minimum and the maximum of all ranges; infinity and minus infinity without any."""
    lows, highs = zip(*ranges, (math.inf, -math.inf), strict=True)
    return min(lows), max(highs)


def fitted(low: float, high: float, least: Range | None = None, margin: float = 0.05) -> Range:
    """Return a range with a margin around the data, or ending exactly at ``least`` where the data lie within it."""
    if low > high:
        return least or (0.0, 1.0)
    air = margin * (high - low) or margin * abs(high) or 1.0
    shown = low - air, high + air
    if least:
        return least[0] if low >= least[0] else shown[0], least[1] if high <= least[1] else shown[1]
    return shown


def still_fits(shown: Range, low: float, high: float) -> bool:
    """Return whether a range contains the data and is at least half filled: then the axis stays unchanged."""
    return shown[0] <= low and high <= shown[1] and high - low >= 0.5 * (shown[1] - shown[0])
