"""Export of a chart as plain SVG 1.1: lines and texts in pixels, with only features that simple readers support.

Qt's own SVG export clips by nested paths and lets polylines inherit ``fill``; CairoSVG and ImageMagick show these as
areas, or not at all.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontInfo, QFontMetricsF, QPainter, QPen, QPixmap
from PySide6.QtSvg import QSvgRenderer

from gptstudio.gui.charts.curve_items import Curve
from gptstudio.gui.charts.plot import SIDES, CrossLine, NumberAxis, Plot
from gptstudio.gui.charts.style import scene_font
from gptstudio.gui.xml_text import characters

SHARP = 2
"""Pixels of a saved image per pixel on the screen."""
DASHES = {
    Qt.PenStyle.DashLine: (4, 2), Qt.PenStyle.DotLine: (1, 2), Qt.PenStyle.DashDotLine: (4, 2, 1, 2),
}
"""Lengths of dashes and gaps, in line widths."""


def drawn(plot: Plot, curves: Iterable[Curve], lines: Iterable[CrossLine]) -> bytes:
    """Return the SVG file. The plot must have been laid out and painted before."""
    drawing = _Drawing(plot)
    for side in SIDES:
        drawing.add_axis(plot.getAxis(side))
    for curve in curves:
        drawing.add_curve(curve)
    for line in lines:
        drawing.add_cross_line(line)
    legend = plot.getPlotItem().legend
    if legend.isVisible():
        for sample, words in legend.items:
            drawing.add_line(sample.mapToScene(0, 11), sample.mapToScene(20, 11), sample.item.sample_pen())
            drawing.add_item(words.item)
    return bytes(ET.tostring(drawing.root, encoding="utf-8", xml_declaration=True))


class _Drawing:
    """SVG drawing of a plot; all positions are pixels of its scene.

    Colours are mixed with the background, because ImageMagick does not support the opacity of lines.
    """

    def __init__(self, plot: Plot) -> None:
        width, height = plot.viewport().size().toTuple()
        self._box, self._background = plot.getViewBox(), plot.backgroundBrush().color()
        self._room = self._box.sceneBoundingRect()
        letters, info = QFontMetricsF(scene_font()), QFontInfo(scene_font())
        self._ascent = letters.ascent()
        self._sinking = (letters.ascent() - letters.descent()) / 2  # from the middle of the letters to the baseline
        family = f"{characters(info.family())}, sans-serif"
        self._font: dict[str, Any] = {"font_family": family, "font_size": info.pixelSize()}
        self.root = ET.Element("svg", {
            "xmlns": "http://www.w3.org/2000/svg", "version": "1.1", "width": str(width), "height": str(height),
            "viewBox": f"0 0 {width} {height}",
        })
        ET.SubElement(self.root, "title").text = characters(plot.accessibleName())
        self._add("rect", x=0, y=0, width=width, height=height, fill=self._background, stroke="none")

    def add_axis(self, axis: NumberAxis) -> None:
        """Draw the ticks, grid, numbers and title of an axis."""
        if not axis.picture:
            return
        (pen, begin, end), ticks, texts = axis.picture
        for paint, one, other in [*ticks, (pen, begin, end)]:
            self.add_line(axis.mapToScene(one), axis.mapToScene(other), paint)
        for place, flags, text in texts:
            there = axis.mapRectToScene(place)
            if flags & Qt.AlignmentFlag.AlignRight:
                at, anchor = QPointF(there.right(), there.center().y() + self._sinking), "end"
            else:
                at, anchor = QPointF(there.center().x(), there.top() + self._ascent), "middle"
            self._add_words(text, at, axis.textPen().color(), anchor)
        if axis.label.isVisible():
            upright = axis.orientation in ("left", "right")
            self.add_item(axis.label, axis.textPen().color(), "middle", upright)

    def add_curve(self, curve: Curve) -> None:
        """Draw the part of a curve inside the box, clipped at its edges."""
        for stroke in (curve.raw, curve.line):
            x, y = stroke.getData()
            if stroke.isVisible() and x is not None and len(x):
                for part in _inside(self._mapped(x, y), self._room):
                    self._add_polyline(part, stroke.pen_in_full())
        x, y = curve.lone.getData()
        for place in self._mapped(x, y) if curve.lone.isVisible() and len(x) else ():
            if self._room.contains(QPointF(*place)):
                self._add("circle", cx=place[0], cy=place[1], r=2, fill=curve.look.paint(), stroke="none")

    def add_cross_line(self, line: CrossLine) -> None:
        """Draw a horizontal or vertical line across the box, with its label."""
        room, place = self._room, self._box.mapViewToScene(QPointF(line.value(), line.value()))
        one, other = QPointF(place.x(), room.top()), QPointF(place.x(), room.bottom())
        if line.is_level:
            one, other = QPointF(room.left(), place.y()), QPointF(room.right(), place.y())
        if line.isVisible() and room.adjusted(-1, -1, 1, 1).contains(one):
            self.add_line(one, other, line.pen)
            if line.label.isVisible():
                self.add_item(line.label.textItem)

    def add_line(self, one: QPointF, other: QPointF, pen: QPen) -> None:
        self._add_polyline(np.array([one.toTuple(), other.toTuple()]), pen)

    def add_item(self, item: Any, paint: QColor | None = None, anchor: str = "start", upright: bool = False) -> None:
        """Write the text of a text item of the scene at the item's position."""
        if not item.toPlainText():
            return
        whole = item.mapRectToScene(item.boundingRect())
        middle = whole.center() + QPointF(*((self._sinking, 0) if upright else (0, self._sinking)))
        if anchor == "start":
            middle.setX(whole.left() + item.document().documentMargin())
        self._add_words(item.toPlainText(), middle, paint or item.defaultTextColor(), anchor, upright)

    def _add_words(self, text: str, place: QPointF, paint: QColor, anchor: str, upright: bool = False) -> None:
        """Write a text with its baseline at a position."""
        there: dict[str, Any] = {"x": place.x(), "y": place.y()}
        if upright:
            there = {"x": 0, "y": 0, "transform": f"translate({_number(place.x())},{_number(place.y())}) rotate(-90)"}
        made = self._add("text", **there, text_anchor=anchor, fill=paint, stroke="none", **self._font)
        made.text = characters(text.strip())

    def _add_polyline(self, places: np.ndarray, pen: QPen) -> None:
        width = max(pen.widthF(), 1.0)
        points = " ".join(f"{_number(x)},{_number(y)}" for x, y in places)
        dashes = ",".join(_number(each * width) for each in DASHES.get(pen.style(), ()))
        self._add(
            "polyline", points=points, fill="none", stroke=pen.color(), stroke_width=width, stroke_linejoin="round",
            **({"stroke_dasharray": dashes} if dashes else {}),
        )

    def _add(self, tag: str, **attributes: str | float | QColor) -> ET.Element:
        written = {name.replace("_", "-"): self._written(value) for name, value in attributes.items()}
        return ET.SubElement(self.root, tag, written)

    def _written(self, value: str | float | QColor) -> str:
        if not isinstance(value, QColor):
            return value if isinstance(value, str) else _number(value)
        share, under = value.alphaF(), self._background
        pairs = (value.redF(), under.redF()), (value.greenF(), under.greenF()), (value.blueF(), under.blueF())
        return QColor.fromRgbF(*(share * one + (1 - share) * other for one, other in pairs)).name()

    def _mapped(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Return points of the chart in pixels, (n, 2)."""
        low, high = np.transpose(self._box.viewRange())
        one, other = (np.array(self._box.mapViewToScene(QPointF(*corner)).toTuple()) for corner in (low, high))
        places: np.ndarray = one + (np.stack([x, y], axis=1) - low) * (other - one) / (high - low)
        return places


def _inside(places: np.ndarray, room: QRectF) -> Iterator[np.ndarray]:
    """Yield the pieces of a line that lie in a rectangle; a point that is not finite also splits the line."""
    piece: list[np.ndarray] = []
    for one, other in pairwise(places):
        cut = _cut(one, other, room)
        if cut and piece and np.array_equal(piece[-1], cut[0]):
            piece.append(cut[1])
            continue
        if piece:
            yield np.array(piece)
        piece = list(cut or ())
    if piece:
        yield np.array(piece)


def _cut(one: np.ndarray, other: np.ndarray, room: QRectF) -> tuple[np.ndarray, np.ndarray] | None:
    """Return the part of a line segment inside a rectangle (Liang and Barsky, 1984); None if it lies outside."""
    if not (np.isfinite(one).all() and np.isfinite(other).all()):
        return None
    first, last = 0.0, 1.0
    for axis, low, high in ((0, room.left(), room.right()), (1, room.top(), room.bottom())):
        way = other[axis] - one[axis]
        if way == 0:
            if not low <= one[axis] <= high:
                return None
            continue
        enters, leaves = sorted(((low - one[axis]) / way, (high - one[axis]) / way))
        first, last = max(first, enters), min(last, leaves)
    if first > last:
        return None
    return one if first == 0 else one + first * (other - one), other if last == 1 else one + last * (other - one)


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def picture(drawing: bytes, scale: int = SHARP) -> QPixmap:
    """Return a drawing as an image with ``scale`` pixels per unit."""
    renderer = QSvgRenderer(drawing)
    made = QPixmap(renderer.defaultSize() * scale)
    with QPainter(made) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        renderer.render(painter)
    return made
