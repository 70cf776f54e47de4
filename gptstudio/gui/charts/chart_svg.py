"""A chart as a drawing in plain SVG 1.1: lines and words in pixels, and nothing that a simple reader lacks.

Qt's own drawings clip by nested paths and leave polylines to a ``fill`` that they inherit, which CairoSVG and
ImageMagick show as areas, or not at all.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontInfo, QFontMetricsF, QPen

from gptstudio.gui.charts.chart_parts import scene_font
from gptstudio.gui.xml_text import characters

if TYPE_CHECKING:
    from gptstudio.gui.charts.chart import Chart

DASHES = {
    Qt.PenStyle.DashLine: (4, 2), Qt.PenStyle.DotLine: (1, 2), Qt.PenStyle.DashDotLine: (4, 2, 1, 2),
}
"""Lengths of strokes and gaps, in widths of the line."""

SIDES = ("bottom", "top", "left", "right")


def drawn(chart: Chart) -> bytes:
    """Return the SVG file. The chart has to be laid out and painted before."""
    size = chart.plot.viewport().size()
    root = ET.Element("svg", {
        "xmlns": "http://www.w3.org/2000/svg", "version": "1.1", "width": str(size.width()),
        "height": str(size.height()), "viewBox": f"0 0 {size.width()} {size.height()}",
    })
    ET.SubElement(root, "title").text = characters(chart.plot.accessibleName())
    drawing = _Drawing(root, scene_font(), chart.plot.backgroundBrush().color())
    drawing.area(QRectF(0, 0, size.width(), size.height()))
    for side in SIDES:
        _axis(drawing, chart.plot.getAxis(side))
    for curve in chart.curves.values():
        for stroke in (curve.raw, curve.line):
            if stroke.isVisible():
                x, y = stroke.getData()
                drawing.curve(chart.box, x, y, stroke.pen_in_full())
        if curve.lone.isVisible():
            x, y = curve.lone.getData()
            drawing.points(chart.box, x, y, curve.look.paint())
    for line in chart.lines():
        _line(drawing, chart.box, line)
    if chart.legend.isVisible():
        for sample, words in chart.legend.items:
            drawing.line(sample.mapToScene(0, 11), sample.mapToScene(20, 11), sample.item.sample_pen())
            drawing.words_of(words.item)
    return bytes(ET.tostring(root, encoding="utf-8", xml_declaration=True))


class _Drawing:
    """Adds elements to a drawing; all places are pixels of the scene. Colours are mixed with the background, for
    ImageMagick knows no opacity of lines."""

    def __init__(self, root: ET.Element, font: QFont, background: QColor) -> None:
        self._root, self._letters, info = root, QFontMetricsF(font), QFontInfo(font)
        self._background = background
        self._font = {"font-family": f"{characters(info.family())}, sans-serif", "font-size": str(info.pixelSize())}

    def area(self, place: QRectF) -> None:
        ET.SubElement(self._root, "rect", {
            "x": _number(place.left()), "y": _number(place.top()), "width": _number(place.width()),
            "height": _number(place.height()), "fill": self._background.name(),
            "stroke": "none",
        })

    def line(self, one: QPointF, other: QPointF, pen: QPen) -> None:
        self._add_line(np.array([[one.x(), one.y()], [other.x(), other.y()]]), pen)

    def curve(self, box: Any, x: np.ndarray | None, y: np.ndarray | None, pen: QPen) -> None:
        """Draw what lies inside the box, without what is cut off at its edges."""
        if x is None or y is None or not len(x):
            return
        room = box.sceneBoundingRect()
        for part in _inside(_mapped(box, x, y), room):
            self._add_line(part, pen)

    def points(self, box: Any, x: np.ndarray, y: np.ndarray, paint: QColor) -> None:
        room = box.sceneBoundingRect()
        for place in _mapped(box, x, y) if len(x) else ():
            if room.contains(QPointF(*place)):
                ET.SubElement(self._root, "circle", {
                    "cx": _number(place[0]), "cy": _number(place[1]), "r": "2", "fill": self._mixed(paint),
                    "stroke": "none",
                })

    def words(self, text: str, place: QPointF, paint: QColor, anchor: str = "start", upright: bool = False) -> None:
        """Write words with their baseline at a place."""
        x, y = _number(place.x()), _number(place.y())
        there = {"x": "0", "y": "0", "transform": f"translate({x},{y}) rotate(-90)"} if upright else {"x": x, "y": y}
        made = ET.SubElement(self._root, "text", {
            **there, "text-anchor": anchor, "fill": self._mixed(paint), "stroke": "none", **self._font,
        })
        made.text = characters(text.strip())

    def words_of(
        self, item: Any, paint: QColor | None = None, anchor: str = "start", upright: bool = False
    ) -> None:
        """Write what stands in a text item of the scene, where it stands there."""
        if not item.toPlainText():
            return
        whole = item.mapRectToScene(item.boundingRect())
        middle = whole.center() + QPointF(*((self.sinking, 0) if upright else (0, self.sinking)))
        if anchor == "start":
            middle.setX(whole.left() + item.document().documentMargin())
        self.words(item.toPlainText(), middle, paint or item.defaultTextColor(), anchor, upright)

    @property
    def sinking(self) -> float:
        """Distance from the middle of the letters down to the baseline."""
        return (self._letters.ascent() - self._letters.descent()) / 2

    @property
    def ascent(self) -> float:
        return self._letters.ascent()

    def _add_line(self, places: np.ndarray, pen: QPen) -> None:
        width, paint = max(pen.widthF(), 1.0), pen.color()
        dashes = DASHES.get(pen.style())
        ET.SubElement(self._root, "polyline", {
            "points": " ".join(f"{_number(x)},{_number(y)}" for x, y in places), "fill": "none",
            "stroke": self._mixed(paint), "stroke-width": _number(width),
            "stroke-linejoin": "round",
            **({"stroke-dasharray": ",".join(_number(each * width) for each in dashes)} if dashes else {}),
        })

    def _mixed(self, paint: QColor) -> str:
        share, under = paint.alphaF(), self._background
        pairs = (paint.redF(), under.redF()), (paint.greenF(), under.greenF()), (paint.blueF(), under.blueF())
        return QColor.fromRgbF(*(share * one + (1 - share) * other for one, other in pairs)).name()


def _axis(drawing: _Drawing, axis: Any) -> None:
    """Ticks, grid, numbers, and what they are numbers of."""
    if not axis.picture:
        return
    (pen, begin, end), ticks, texts = axis.picture
    for paint, one, other in [*ticks, (pen, begin, end)]:
        drawing.line(axis.mapToScene(one), axis.mapToScene(other), paint)
    for place, flags, text in texts:
        there = axis.mapRectToScene(place)
        if flags & Qt.AlignmentFlag.AlignRight:
            at, anchor = QPointF(there.right(), there.center().y() + drawing.sinking), "end"
        else:
            at, anchor = QPointF(there.center().x(), there.top() + drawing.ascent), "middle"
        drawing.words(text, at, axis.textPen().color(), anchor)
    if axis.label.isVisible():
        drawing.words_of(axis.label, axis.textPen().color(), "middle", upright=axis.orientation in ("left", "right"))


def _line(drawing: _Drawing, box: Any, line: Any) -> None:
    """A level or an upright line across the box, with its words."""
    room, at = box.sceneBoundingRect(), line.value()
    place = box.mapViewToScene(QPointF(at, at))
    if line.angle == 90:
        one, other = QPointF(place.x(), room.top()), QPointF(place.x(), room.bottom())
    else:
        one, other = QPointF(room.left(), place.y()), QPointF(room.right(), place.y())
    if not line.isVisible() or not room.adjusted(-1, -1, 1, 1).contains(one):
        return
    drawing.line(one, other, line.pen)
    if line.label.isVisible():
        drawing.words_of(line.label.textItem)


def _mapped(box: Any, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Points of the chart as pixels, (n, 2)."""
    (left, right), (low, high) = box.viewRange()
    one, other = box.mapViewToScene(QPointF(left, low)), box.mapViewToScene(QPointF(right, high))
    return np.stack([
        one.x() + (np.asarray(x) - left) * (other.x() - one.x()) / (right - left),
        one.y() + (np.asarray(y) - low) * (other.y() - one.y()) / (high - low),
    ], axis=1)


def _inside(places: np.ndarray, room: QRectF) -> Iterator[np.ndarray]:
    """The pieces of a line that lie in a rectangle; it is also cut where a place is no number."""
    piece: list[np.ndarray] = []
    for one, other in pairwise(places):
        cut = _cut(one, other, room)
        if piece and (cut is None or not np.array_equal(piece[-1], cut[0])):
            yield np.array(piece)
            piece = []
        if cut is not None:
            piece = [*piece, cut[1]] if piece else list(cut)
    if piece:
        yield np.array(piece)


def _cut(one: np.ndarray, other: np.ndarray, room: QRectF) -> tuple[np.ndarray, np.ndarray] | None:
    """The part of a stretch that lies in a rectangle (Liang and Barsky, 1984); None where there is none."""
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
