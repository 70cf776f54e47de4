"""Chart of any number of curves that may grow while they are shown. All data is set from outside.

The points are in tables that other code fills, and are painted by ``refresh``: once per tick of the timer. x follows
all points until the user zooms or drags; y then fits the visible part of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Mapping
from functools import partial
from pathlib import Path

import pyqtgraph as pg
from PySide6.QtCore import QBuffer, QPoint, QPointF, Qt, Signal
from PySide6.QtGui import QGuiApplication, QIcon, QPixmap, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QColorDialog, QMenu, QMessageBox, QWidget

from gptstudio.files import save_whole
from gptstudio.gui.appearance import on_restyle
from gptstudio.gui.charts import chart_svg
from gptstudio.gui.charts.curve_items import Curve, CurveItems, CurveReading, Readout, number
from gptstudio.gui.charts.plot import (
    SIDES,
    ChartLegend,
    CrossLine,
    CrossLines,
    NumberAxis,
    Plot,
    PlotViewBox,
    Range,
    ViewRange,
    outermost,
)
from gptstudio.gui.charts.style import scene_font
from gptstudio.gui.save_as import save_as
from gptstudio.gui.theme import colour, theme
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.layouts import TOP, aligned, grows, hbox, vbox, with_layout
from gptstudio.gui.widgets.parts import button, named


def _add_colours(menu: QMenu, curves: list[Curve]) -> None:
    inside = menu.addMenu(tr("Curve colours"))
    inside.setEnabled(bool(curves))
    inside.setToolTipsVisible(True)
    for curve in curves:
        swatch = QPixmap(12, 12)
        swatch.fill(curve.look.paint())
        action = inside.addAction(QIcon(swatch), curve.label.replace("&", "&&"))
        action.triggered.connect(partial(_choose_colour, menu, curve))
    inside.addSeparator()
    usual = inside.addAction(tr("Default colours"))
    usual.setEnabled(bool(theme.curve_colours))
    usual.setToolTip("" if theme.curve_colours else tr("The curves have these colours now."))
    usual.triggered.connect(lambda: theme.choose_curve_colours({}))


def _choose_colour(menu: QMenu, curve: Curve, *_: object) -> None:
    chosen = QColorDialog.getColor(
        curve.look.paint(), menu.window(), tr("Colour of {curve}", curve=curve.label),
        QColorDialog.ColorDialogOption.DontUseNativeDialog)
    if chosen.isValid():
        theme.choose_curve_colours({**theme.curve_colours, curve.look.key: chosen.name()})


LEFT_AXIS = 68
"""Width of the y axis in pixels at the default text size: the same in all charts, so that they are aligned."""
NEAR = 24
"""Maximum distance in pixels between the pointer and a hovered curve, at the default text size."""
HIGH = 260
"""Minimum height in pixels of a chart with a second scale, at the default text size."""


class Chart(QWidget):
    """Curves over one of their x axes, with their values at the pointer."""

    hovered = Signal(object)
    """Emitted with the x under the pointer, in units of the axis, or None when the pointer has left."""

    def __init__(
        self, title: str, y_label: str, name: str = "chart", height: int = 190, least_y: Range | None = None,
        words: Callable[[float], str] = number,
        place_words: Callable[[float], str] | None = None, plain: bool = False,
    ) -> None:
        """Create the chart. ``height``: minimum height in pixels at the default text size. ``least_y``: range of y that
        is always included when all points are shown.

        ``words``: formats a y value. ``place_words``: formats an x value, by default with the name of its axis.
        ``plain``: without the readout below the chart.
        """
        super().__init__()
        self.axis, self.log = "step", False
        self.pointed_at: float | None = None
        """Position x at which the curves are read; None without a cursor."""
        self._height, self._stale, self._has_top = height, False, False
        self._place_words = place_words or (lambda x: f"{self.plot.getAxis('bottom').labelText} {number(x)}")
        self.box = PlotViewBox()
        self.plot = Plot(viewBox=self.box, axisItems={side: NumberAxis(side) for side in SIDES})
        named(self.plot, name, title)
        item = self.plot.getPlotItem()
        self.legend = item.legend = ChartLegend(item)
        self.curves = CurveItems(self.box, self.legend)
        self.lines = CrossLines(self.box)
        self.view = ViewRange(self.box, lambda: self.curves.ends(self.axis), least_y)
        self._cursor = pg.InfiniteLine(angle=90, movable=False)
        self.readout = Readout(f"{name}_readout", y_label, words)
        tip = tr("Shows all points again. You can also double-click.")
        self.all_button = button(tr("Show all"), f"{name}_all", tip, "quiet")
        self._set_up_plot(y_label)
        self._lay_out(plain)
        self._listen()
        self._dress()
        self.view.show_all()

    # Content

    def clear(self, keep: Container[str] = ()) -> None:
        """Remove all marks, and all curves except those of the keys ``keep``; the reference lines stay."""
        self.curves.remove(*(key for key in self.curves if key not in keep))
        self.lines.clear_marks()
        self.view.show_all(whole=False)

    def reference(self, y: float, words: str, tip: str = "") -> CrossLine:
        """Add a horizontal line with a label, such as the loss of random guessing; return it, so that it can be
        hidden."""
        line = self.lines.add(CrossLine({"y": y}, words, tip, "muted"))
        self.refresh()
        return line

    def mark(self, x: Mapping[str, float], text: str, tip: str = "", role: str = "muted") -> None:
        """Add a vertical line at an event: x by axis, a word or two, a sentence, and a colour role."""
        self.lines.add(CrossLine(x, text, tip, role))

    # Appearance

    def set_x(self, axis: str, words: str, least: Range | None = None, top: tuple[str, float] | None = None) -> None:
        """Show all curves over another x axis.

        ``least``: range of x that is always included when all points are shown, such as the whole of a run that has
        begun. ``top``: label and factor of a second scale above: tokens over epochs.
        """
        self.axis, self.view.least_x = axis, least
        self.plot.setLabel("bottom", words)
        above = self.plot.getAxis("top")
        above.setScale(top[1] if top else 1.0)
        above.setLabel(top[0] if top else "")
        self._has_top = top is not None
        self._show_top()
        self.show_cursor(None)
        self.view.show_all()

    def _show_top(self) -> None:
        """Show the second scale if that leaves enough height for the curves."""
        shown = self._has_top and self.plot.height() >= HIGH * theme.zoom
        self.plot.getAxis("top").setStyle(showValues=shown)
        self.plot.getAxis("top").showLabel(shown)

    def set_log(self, log: bool) -> None:
        """Set whether y is on a logarithmic scale, where values that are not above 0 leave a gap."""
        self.log = log
        self.plot.getAxis("left").setLogMode(y=log)
        self.view.follow_y()
        self.refresh()

    def smooth(self, strength: float) -> None:
        """Smooth over about 1 / (1 - strength) points; 0 draws only the points. ``strength`` is below 1."""
        self.curves.smooth(strength)
        self.show_cursor(self.pointed_at)
        self.refresh()

    # Readout

    def values_at(self, x: float) -> list[CurveReading]:
        """Return the values of the visible curves at ``x``, omitting curves that begin later."""
        return self.curves.read(self.axis, x)

    def show_cursor(self, x: float | None) -> None:
        """Show a vertical line at ``x``, with the values of the curves there below the chart; None removes it."""
        readings = self.values_at(x) if x is not None else []
        self.pointed_at = x if readings else None
        self._cursor.setVisible(bool(readings))
        if x is None or not readings:
            self._read_last()
            return
        self.readout.tell(self.plot, readings, self._place_words)
        self._cursor.setPos(x)
        place = self._place_words(max(reading.x for reading in readings))
        tips = self.lines.tips_at(self.axis, x, near=4 * self.box.viewPixelSize()[0])
        self.readout.show_values(place, readings, self.curves.strength > 0, tips)

    def point_at(self, x: float | None) -> None:
        """Show the cursor here and in the linked charts."""
        self.show_cursor(x)
        self.hovered.emit(x)

    def curve_at(self, place: QPointF) -> str | None:
        """Return the key of the visible curve nearest to a point of the scene; None if no curve is near."""
        at, (wide, high), near = self.box.mapSceneToView(place), self.box.viewPixelSize(), NEAR * theme.zoom
        ways = {key: abs(curve.height_at(self.axis, at.x(), near * wide, self.log) - at.y()) / high
                for key, curve in self.curves.items() if curve.visible}
        return min((key for key, way in ways.items() if way <= near), key=ways.__getitem__, default=None)

    # Export

    def save(self, path: Path) -> None:
        """Write the chart as it is on the screen: as an image, or with the suffix ``.svg`` as a vector drawing.

        Raises:
            UserError: the file cannot be written.
        """
        self._draw()
        self.plot.grab()  # lays out items that have not been painted yet
        drawing = chart_svg.drawn(self.plot, self.curves.values(), self.lines)
        if path.suffix.lower() != ".svg":
            image = QBuffer()
            image.open(QBuffer.OpenModeFlag.WriteOnly)
            chart_svg.picture(drawing).save(image, "PNG")
            drawing = bytes(image.data().data())
        save_whole(path, drawing)

    def _open_menu(self, place: QPoint) -> None:
        """Open a new context menu at a position of the screen."""
        menu, clipboard = QMenu(self.plot), QGuiApplication.clipboard()
        menu.setObjectName(f"{self.plot.objectName()}_menu")
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(tr("Show all")).triggered.connect(lambda: self.view.show_all())
        _add_colours(menu, [curve for curve in self.curves.values() if curve.label and curve.visible])
        menu.addSeparator()
        menu.addAction(tr("Copy image")).triggered.connect(lambda: clipboard.setPixmap(self.plot.grab()))
        menu.addAction(tr("Copy table")).triggered.connect(lambda: clipboard.setText(
            self.curves.as_table(self.axis, self.plot.getAxis("bottom").labelText)))
        menu.addAction(tr("Save…")).triggered.connect(self._ask_for_file)
        menu.popup(place)

    def _ask_for_file(self) -> None:
        def fail(words: str) -> None:
            if words:
                QMessageBox.warning(self.plot, tr("Save to"), words)

        save_as(self.plot, f"{self.plot.objectName()}.png", self.save, fail, ".svg")

    # Drawing

    def refresh(self) -> None:
        """Draw additions and changes; a hidden chart draws them once it is shown."""
        self._stale = not self.isVisible()
        if not self._stale:
            self._draw()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_top()
        self._reserve()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._stale:
            self.refresh()

    def _resized(self) -> None:
        self.legend.place()
        self.refresh()

    def _draw(self) -> None:
        self.view.fit_x()
        left, right = self.box.viewRange()[0]
        pixels = round(self.box.width() * self.devicePixelRatioF())
        self.view.fit_y(*outermost(self.curves.draw(self.axis, left, right, pixels, self.log)), self.log)
        self.lines.place(self.axis, self.log)
        self.all_button.setVisible(self.view.is_partial)
        self.all_button.setText(tr("Hide the top") if self.view.can_hide_top else tr("Show all"))
        self._reserve()
        if self.pointed_at is None:
            self._read_last()

    def _read_last(self) -> None:
        """Show a hint, and describe the last values to screen readers."""
        readings = self.values_at(math.inf)
        self.readout.show_hint(bool(readings))
        self.readout.tell(self.plot, readings, self._place_words)

    def _reserve(self) -> None:
        """Reserve space for the longest text that may appear next to the button."""
        names = [curve.label for curve in self.curves.values() if curve.visible]
        tip = max((mark.readout_text for mark in self.lines.marks), key=len, default="")
        room = max(1, self.width() - self.all_button.sizeHint().width() - 12)
        self.readout.reserve(room, names, self.curves.strength > 0, tip)

    # Construction

    def _set_up_plot(self, y_label: str) -> None:
        plot = self.plot.getPlotItem()
        for side in SIDES:
            plot.showAxis(side)
        for side in ("top", "right"):
            plot.getAxis(side).setStyle(showValues=False, tickLength=0)
        plot.setLabel("bottom", tr("Training step"))
        plot.setLabel("left", y_label)
        self._cursor.hide()
        self.box.addItem(self._cursor, ignoreBounds=True)

    def _lay_out(self, plain: bool) -> None:
        kept = self.all_button.sizePolicy()
        kept.setRetainSizeWhenHidden(not plain)
        self.all_button.setSizePolicy(kept)
        if plain:
            self.readout.hide()
        below = hbox(grows(self.readout), aligned(self.all_button, TOP))
        with_layout(self, vbox(grows(self.plot), below, spacing=4))

    def _listen(self) -> None:
        self.plot.pointed.connect(self.point_at)
        self.view.changed.connect(self.refresh)
        self.box.sigResized.connect(self._resized)
        self.all_button.clicked.connect(self.view.toggle)
        self.box.clicked_right.connect(self._open_menu)
        on_restyle(self, self._dress)

    def _dress(self) -> None:
        self.plot.setBackground(colour("surface"))
        self.plot.setMinimumHeight(round(self._height * theme.zoom))
        self.readout.setMinimumHeight(0)
        self._cursor.setPen(pg.mkPen(colour("muted"), width=1))
        for side in SIDES:
            self.plot.getAxis(side).dress(scene_font())
        self.plot.getAxis("left").setWidth(round(LEFT_AXIS * theme.zoom))
        self.curves.dress()
        for line in self.lines:
            line.dress()
        self.plot.showGrid(x=False, y=True, alpha=0.15)
        self.show_cursor(self.pointed_at)
        self.refresh()


def join(chart: Chart, *linked: Chart) -> None:
    """Link a chart with others, so that all show the same range and cursor."""
    for other in linked:
        other.hovered.connect(chart.show_cursor)
        chart.hovered.connect(other.show_cursor)
    chart.view.join(linked[0].view)
    chart.show_cursor(linked[0].pointed_at)
