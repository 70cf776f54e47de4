"""Chart of any number of curves that may grow while they are shown. All data is set from outside.

The points lie in tables that somebody else fills, and are painted by ``refresh``: once for each tick of the timer.
x follows all points until the user zooms or drags; y then fits the visible part of them.
"""

from __future__ import annotations

import html
import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

import pyqtgraph as pg
from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from gptstudio.errors import UserError
from gptstudio.gui.charts import chart_svg
from gptstudio.gui.charts.chart_parts import (
    Axis,
    Box,
    ChartLegend,
    Curve,
    CurveStyle,
    Mark,
    Plot,
    fitted,
    lined,
    outermost,
    retranslate_line,
    scene_font,
    still_fits,
)
from gptstudio.gui.charts.curve import Series
from gptstudio.gui.theme import colour, theme
from gptstudio.gui.translation import retranslated, tr
from gptstudio.gui.widgets.parts import button, label, named

SIDES = ("bottom", "top", "left", "right")

WIDEST, PLACE = "00,000.00 (00,000.00)", "Step 000,000  ·  epoch 00.00  ·  00 min 00 s"
"""Longest texts of a curve's value, smoothed or not, and of a position."""
ROOM_TO_WRAP = 1.15
"""Words that are wrapped leave the ends of lines empty."""

LEFT_AXIS = 68
"""Pixels at the usual text size: the same in all charts, so that charts below each other are in line."""


class Reading(NamedTuple):
    """Value of a curve at an x: its last point at or before it; ``smoothed`` is y if there is no smoothing."""

    key: str
    label: str
    x: float
    y: float
    smoothed: float


def number(value: float) -> str:
    """As people read it: 3.214, 0.0004, 12,345."""
    if value != value:
        return "–"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"


class Chart(QWidget):
    """Curves over one of their x axes, with what each is at the pointer."""

    hovered = Signal(object)
    """The x under the pointer, in units of the axis; None when it has left."""

    def __init__(
        self,
        title: str,
        y_label: str,
        name: str = "chart",
        height: int = 190,
        least_y: tuple[float, float] | None = None,
        most_y: float = math.inf,
        words: Callable[[float], str] = number,
    ) -> None:
        """``height``: the least, in pixels at the usual text size. ``least_y``: what y always shows when all is shown.

        ``most_y``: y follows the points up to here; what is higher is shown when it is asked for. ``words``: how a y is
        written.
        """
        super().__init__()
        self.curves: dict[str, Curve] = {}
        self.axis, self.log = "step", False
        self._x_label, self._hint, self._words = tr("Step"), tr("Point at the curves to read their values."), words
        self._least_x: tuple[float, float] | None = None
        self._least_y, self._most_y, self._height = least_y, most_y, height
        self._beyond = self._whole = False  # points are above most_y; they are shown too
        self._strength, self._stale = 0.0, False
        self.follows = [True, True]
        """Flags for x and for y: the axis shows all points, including new ones."""
        self.linked: list[Chart] = []
        """Those that show the same x."""
        self._marks: list[Mark] = []
        self._references: list[tuple[float, pg.InfiniteLine]] = []
        self.x_range: tuple[float, float] | None = None
        self.y_range: tuple[float, float] | None = None
        self._cursor_at: float | None = None
        self._y_label = y_label
        self._reserved: tuple[object, ...] = ()  # for what the room below is kept
        self._box = Box()
        self.plot = Plot(viewBox=self._box, axisItems={side: Axis(side) for side in SIDES})
        named(self.plot, name, title)
        self._set_up_plot(y_label)
        self._lay_out(name)
        self._listen()
        self._dress()
        self.show_all()

    # Display.

    def set_curve(self, key: str, words: str, look: CurveStyle, series: Series, visible: bool = True) -> Curve:
        """Add or change the curve of this key; empty ``words`` keep it out of the legend.

        ``series``: its points, which may be those of other charts too. ``refresh`` draws what is added to them.
        """
        curve = self.curves.get(key)
        if curve is None or series is not curve.series:
            self.remove(key)
            curve = self.curves[key] = Curve(key, series)
            for item in curve.items:
                self._box.addItem(item, ignoreBounds=True)
        in_legend = curve.label and curve.visible, curve.look
        curve.label, curve.look, curve.visible = words, look, visible
        curve.smooth(self._strength)
        if in_legend != (words and visible, look):
            self._write_legend()
        return curve

    def name_curves(self, names: Mapping[str, str]) -> None:
        """Put the curves of these keys into the legend, and no others."""
        for key, curve in self.curves.items():
            curve.label = names.get(key, "")
        self._write_legend()

    def remove(self, key: str) -> None:
        """Take a curve away, if there is one of this key."""
        curve = self.curves.pop(key, None)
        if curve is not None:
            for item in curve.items:
                self._box.removeItem(item)
            if curve.label and curve.visible:
                self._write_legend()

    def clear(self) -> None:
        """Take all curves and marks away; the reference lines stay."""
        for key in list(self.curves):
            self.remove(key)
        self.clear_marks()
        self._whole = False
        self.show_all()

    def reference(self, y: float, words: str, tip: str = "") -> pg.InfiniteLine:
        """A level line with words on it, such as the loss of guessing; gives it back so that it can be hidden."""
        line = lined(0, words, tip)
        self._references.append((y, line))
        self._box.addItem(line, ignoreBounds=True)
        self._dress()
        self.refresh()
        return line

    def clear_references(self) -> None:
        for _, line in self._references:
            self._box.removeItem(line)
        self._references.clear()

    def mark(self, x: Mapping[str, float], text: str, tip: str = "", role: str = "muted") -> None:
        """An upright line where something happened: axis -> x; a word or two, a sentence, a role of the theme."""
        made = Mark(x, text, tip or text, role, lined(90, text, tip))
        made.dress(scene_font())
        self._marks.append(made)
        self._box.addItem(made.line, ignoreBounds=True)

    def clear_marks(self) -> None:
        for mark in self._marks:
            self._box.removeItem(mark.line)
        self._marks.clear()

    # How it is shown.

    def set_x(
        self, axis: str, words: str, least: tuple[float, float] | None = None, top: tuple[str, float] | None = None
    ) -> None:
        """Show everything over another x axis.

        ``least``: what x always shows when all is shown, such as the whole of a run that has begun. ``top``: words and
        a factor for a second scale above: tokens over epochs.
        """
        self.axis, self._x_label, self._least_x = axis, words, least
        self.plot.setLabel("bottom", words)
        above = self.plot.getAxis("top")
        above.setScale(top[1] if top else 1.0)
        above.setStyle(showValues=top is not None)
        above.showLabel(top is not None)
        above.setLabel(top[0] if top else "")
        self.show_cursor(None)
        self.show_all()

    def set_log(self, log: bool) -> None:
        """y by its logarithm; what is not above 0 is a gap then."""
        self.log = log
        self.plot.getAxis("left").setLogMode(y=log)
        self.follows[1] = True
        self.y_range = None
        self.refresh()

    def smooth(self, strength: float) -> None:
        """Averages over about 1 / (1 - strength) points; 0 draws the points alone, below 1."""
        self._strength = strength
        for curve in self.curves.values():
            curve.smooth(strength)
        self._write_legend()
        self.show_cursor(self._cursor_at)
        self.refresh()

    def show_all(self) -> None:
        """Follow all points again, here and in the linked charts."""
        for chart in (self, *self.linked):
            chart.follows = [True, True]
            chart.x_range = chart.y_range = None
        for chart in (self, *self.linked):
            chart.refresh()

    def refresh(self) -> None:
        """Draw what was added or changed; when the chart is hidden, once it is shown."""
        self._stale = not self.isVisible()
        if not self._stale:
            self._draw()

    def retranslate(self) -> None:
        """In another language: axes, legend, marks and reference lines are no widgets."""
        self._x_label, self._y_label, self._hint = map(retranslated, (self._x_label, self._y_label, self._hint))
        for side in SIDES:
            axis = self.plot.getAxis(side)
            if axis.labelText:
                axis.setLabel(retranslated(axis.labelText))
        for curve in self.curves.values():
            curve.label = retranslated(curve.label)
        marks = list(self._marks)
        self.clear_marks()
        for mark in marks:
            self.mark(mark.x, retranslated(mark.text), retranslated(mark.tip), mark.role)
        for _, line in self._references:
            retranslate_line(line)
        self._write_legend()
        self.show_cursor(self._cursor_at)
        self.refresh()

    # Reading.

    @property
    def pointed_at(self) -> float | None:
        """The x at which the curves are read; None where they are not."""
        return self._cursor_at

    def values_at(self, x: float) -> list[Reading]:
        """Return the values of the visible curves at ``x``, without those that begin later."""
        found = [(curve, curve.read(self.axis, x)) for curve in self.curves.values() if curve.visible]
        return [Reading(curve.key, curve.label, *values) for curve, values in found if values is not None]

    def show_cursor(self, x: float | None) -> None:
        """An upright line at ``x`` and, below the chart, what the curves are there; None takes it away."""
        readings = self.values_at(x) if x is not None else []
        self._cursor_at = x if readings else None
        self._cursor.setVisible(bool(readings))
        if x is None or not readings:
            self.readout.setText(self._hint)
            return
        self._cursor.setPos(x)
        near = 4 * self._box.viewPixelSize()[0]
        tips = [mark.tip for mark in self._marks if abs(mark.x.get(self.axis, math.inf) - x) <= near]
        at = self.place_words(max(reading.x for reading in readings))
        said = [html.escape(at), *map(self._said, readings), *map(html.escape, tips)]
        self.readout.setText(" &nbsp;·&nbsp; ".join(said))
        needed = self.readout.heightForWidth(self.readout.width())
        self.readout.setMinimumHeight(max(self.readout.minimumHeight(), needed))  # no jumping while one points

    def _reserve(self) -> None:
        """Reserve space for the longest text below, so that the chart does not shrink on hover."""
        named = [(curve.label or self._y_label) for curve in self.curves.values() if curve.visible]
        tip = max((mark.tip for mark in self._marks), key=len, default="")
        room = max(1, self.width() - self.all_button.sizeHint().width() - 12)  # beside the button
        needs = room, tuple(named), tip, theme.zoom
        if needs == self._reserved or self.readout.isHidden():
            return
        self._reserved = needs
        values = [f"■ {words} {WIDEST if self._strength else WIDEST[:9]}" for words in named]
        letters = self.readout.fontMetrics()
        width = letters.horizontalAdvance("  ·  ".join(filter(None, (PLACE, *values, tip))))
        lines = max(1, math.ceil(width * ROOM_TO_WRAP / room))
        self.readout.setMinimumHeight(lines * letters.lineSpacing())

    def place_words(self, x: float) -> str:
        """Return the text of the cursor's position; subclasses may add to it."""
        return f"{self._x_label} {number(x)}"

    def _said(self, reading: Reading) -> str:
        curve = self.curves[reading.key]
        words = html.escape(reading.label or self._y_label).replace(" ", "&nbsp;")
        value = self._words(reading.smoothed)
        if self._strength:
            value += f" ({self._words(reading.y)})"
        return f'<span style="color: {curve.look.paint().name()}">■</span>&nbsp;{words}&nbsp;{html.escape(value)}'

    def _hover(self, position: QPointF) -> None:
        if not self._box.sceneBoundingRect().contains(position):
            self._leave()
            return
        x = float(self._box.mapSceneToView(position).x())
        self.show_cursor(x)
        self.hovered.emit(x)

    def _leave(self) -> None:
        if self._cursor_at is not None:
            self.show_cursor(None)
        self.hovered.emit(None)

    # Export.

    def save_png(self, path: Path) -> None:
        """The chart as it is on the screen.

        Raises:
            UserError: the file cannot be written.
        """
        self._draw()
        if not self.plot.grab().save(str(path), "PNG"):
            raise _unwritten(path)

    def save_svg(self, path: Path) -> None:
        """The same as lines: some thousand points for each curve, however long it is.

        Raises:
            UserError: the file cannot be written.
        """
        self._draw()
        self.plot.grab()  # what is not painted yet is not laid out
        try:
            path.write_bytes(chart_svg.drawn(self))
        except OSError as problem:
            raise _unwritten(path) from problem

    @property
    def box(self) -> Box:
        """Area in which the curves are drawn."""
        return self._box

    @property
    def legend(self) -> ChartLegend:
        return self._legend

    def lines(self) -> list[pg.InfiniteLine]:
        """All lines across the chart: the reference lines and the marks."""
        return [line for _, line in self._references] + [mark.line for mark in self._marks]

    # Drawing.

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._reserve()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._stale:
            self.refresh()

    def _draw(self) -> None:
        if self.follows[0]:
            self._fit_x()
        left, right = self._box.viewRange()[0]
        pixels = max(2, round(self._box.width() * self.devicePixelRatioF()))
        drawn = [curve.draw(self.axis, left, right, pixels, self.log) for curve in self.curves.values()]
        if self.follows[1]:
            self._fit_y(*outermost(drawn))
        for y, line in self._references:
            line.setVisible(y > 0 or not self.log)
            line.setValue(math.log10(y) if self.log and y > 0 else y)
        self._place_marks()
        self._show_all_button()
        self._reserve()

    def _fit_x(self) -> None:
        """All points of this chart and of those linked to it: they show the same."""
        low, high = outermost([ends for chart in (self, *self.linked) for ends in chart.ends()])
        if self.x_range and still_fits(self.x_range, low, high):
            return
        room = 0.1 * (high - low) if self.x_range and high > self.x_range[1] else 0.0  # grows: not at each tick
        shown = fitted(low, high + room, margin=0.02)
        for chart in (self, *self.linked):  # also those that had reason to rest
            chart.x_range = shown if low <= high else None  # the first points do not grow out of an empty chart
            chart.box.setXRange(*shown, padding=0)

    def ends(self) -> list[tuple[float, float]]:
        """First and last x of each visible curve, and what is always shown."""
        shown = [curve.series for curve in self.curves.values() if curve.visible and curve.series.has(self.axis)]
        ends = [(float(series.x(self.axis, 0)), float(series.x(self.axis, -1))) for series in shown]
        return [*ends, self._least_x] if self._least_x else ends

    def _fit_y(self, low: float, high: float) -> None:
        self._beyond = high > self._most_y and not self.log  # a logarithm has room for everything
        if self._beyond and not self._whole:
            low, high = min(low, self._most_y), self._most_y
        least = self._least_y if self.follows[0] and not self.log else None
        if self.y_range and still_fits(self.y_range, low, high):
            return
        self.y_range = fitted(low, high, least)
        self._box.setYRange(*self.y_range, padding=0)

    def _show_all_button(self) -> None:
        """Offer what is not in view; or, where points far up press the others together, a look at those alone."""
        self._press = self._whole and self._beyond and self.follows == [True, True]
        self.all_button.setVisible(self._beyond or self.follows != [True, True])
        self.all_button.setText(tr("Hide the top") if self._press else tr("Show all"))
        self.all_button.setAccessibleName(self.all_button.text())

    def _all_pressed(self) -> None:
        self._whole = not self._press
        self.show_all()

    def _resized(self) -> None:
        self._legend.place()
        self.refresh()

    def _place_marks(self) -> None:
        """Place the marks on the current axis; labels that would overlap earlier ones are hidden."""
        free_from = -math.inf
        for mark in sorted(self._marks, key=lambda mark: mark.x.get(self.axis, math.inf)):
            mark.line.setVisible(self.axis in mark.x)
            if self.axis not in mark.x:
                continue
            mark.line.setValue(mark.x[self.axis])
            begins = self._box.mapViewToScene(QPointF(mark.x[self.axis], 0)).x()
            mark.line.label.setVisible(begins >= free_from)
            if begins >= free_from:
                free_from = begins + mark.line.label.boundingRect().width() + 4

    def _moved(self, axis: int) -> None:
        """Handle a zoom or drag by the user: x changes in the linked charts too, y only here."""
        self.follows[axis] = False
        if axis == 0:
            for chart in self.linked:
                chart.follows[0] = False
                chart.box.setXRange(*self._box.viewRange()[0], padding=0)
                chart.refresh()
        self.refresh()

    # Making.

    def _set_up_plot(self, y_label: str) -> None:
        self.plot.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        plot = self.plot.getPlotItem()
        plot.hideButtons()
        plot.setMenuEnabled(False)
        for side in SIDES:
            plot.showAxis(side)
        for side in ("top", "right"):
            plot.getAxis(side).setStyle(showValues=False, tickLength=0)
        plot.setLabel("bottom", self._x_label)
        plot.setLabel("left", y_label)
        self._legend = plot.legend = ChartLegend(plot)
        self._cursor = pg.InfiniteLine(angle=90, movable=False)
        self._cursor.hide()
        self._box.addItem(self._cursor, ignoreBounds=True)

    def _lay_out(self, name: str) -> None:
        self.readout = label(self._hint, "muted", f"{name}_readout", wrap=True)
        self.readout.setTextFormat(Qt.TextFormat.RichText)
        tip = tr("Shows all points again. You can also double-click.")
        self.all_button = button(tr("Show all"), f"{name}_all", tip, "quiet")
        kept = self.all_button.sizePolicy()
        kept.setRetainSizeWhenHidden(True)
        self.all_button.setSizePolicy(kept)
        below = QHBoxLayout()
        below.addWidget(self.readout, 1)
        below.addWidget(self.all_button, 0, Qt.AlignmentFlag.AlignTop)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addWidget(self.plot, 1)
        layout.addLayout(below)

    def _listen(self) -> None:
        self.plot.scene().sigMouseMoved.connect(self._hover)
        self.plot.left.connect(self._leave)
        self._box.moved.connect(self._moved)
        self._box.asked_for_all.connect(self._all_pressed)
        self._box.sigResized.connect(self._resized)
        self.all_button.clicked.connect(self._all_pressed)
        theme.changed.connect(self._dress)

    def _write_legend(self) -> None:
        self._legend.clear()
        for curve in self.curves.values():
            if curve.label and curve.visible:
                self._legend.addItem(curve.line, html.escape(curve.label, quote=False))
        self._dress_legend()

    def _dress(self) -> None:
        font = scene_font()
        self.plot.setBackground(colour("surface"))
        self.plot.setMinimumHeight(round(self._height * theme.zoom))
        self.readout.setMinimumHeight(0)
        for curve in self.curves.values():
            curve.dress()
        for mark in self._marks:
            mark.dress(font)
        for _, line in self._references:
            line.setPen(pg.mkPen(colour("muted", 0.7), width=1, style=Qt.PenStyle.DotLine))
            line.label.setColor(colour("muted"))
            line.label.setFont(font)
        self._cursor.setPen(pg.mkPen(colour("muted"), width=1))
        for side in SIDES:
            axis = self.plot.getAxis(side)
            axis.setPen(pg.mkPen(colour("line")))
            axis.setTextPen(pg.mkPen(colour("muted")))
            axis.setTickFont(font)
            axis.label.setFont(font)
        self.plot.getAxis("left").setWidth(round(LEFT_AXIS * theme.zoom))
        self._write_legend()  # anew, since words that become smaller would keep the room that they had
        self.plot.showGrid(x=False, y=True, alpha=0.15)
        self.show_cursor(self._cursor_at)

    def _dress_legend(self) -> None:
        for _, words in self._legend.items:
            words.setText(words.text, color=colour("text"), size=f"{scene_font().pointSizeF():.1f}pt")
        self._legend.place()


def link(*charts: Chart) -> None:
    """Charts below each other: they show the same x, and the same place is pointed at in all of them."""
    for place, chart in enumerate(charts[1:], start=1):
        join(chart, *charts[:place])
    charts[0].show_all()


def join(chart: Chart, *linked: Chart) -> None:
    """One more below charts that are linked, which shows what they show."""
    for other in linked:
        for one, another in ((chart, other), (other, chart)):
            one.linked.append(another)
            one.hovered.connect(another.show_cursor)
    first = linked[0]
    chart.follows[0], chart.x_range = first.follows[0], first.x_range
    chart.box.setXRange(*first.box.viewRange()[0], padding=0)
    chart.show_cursor(first.pointed_at)


def _unwritten(path: Path) -> UserError:
    return UserError(tr("Could not save the chart to {path}. Choose another folder.", path=path))
