"""Tokens in boxes, in lines as words are: the token above, its id below. What a box looks like is a page's own."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QRect, QRectF, Signal
from PySide6.QtGui import QBrush, QColor, QFontMetricsF, QPainter, QPen

from gptstudio.gui.canvas.strip_layout import StripLayout
from gptstudio.gui.canvas.token_box import width_of
from gptstudio.gui.canvas.token_boxes import FittedBoxes
from gptstudio.gui.canvas.writing import CENTRE, rounded, small, write
from gptstudio.gui.theme import colour

RADIUS = 4.0


class TokenStrip(FittedBoxes):
    """Boxes of texts; emits which is chosen by a click or Enter."""

    chosen = Signal(int)
    remembers = False

    def __init__(self, name: str, accessible: str) -> None:
        super().__init__(name, accessible)
        self.texts: Sequence[str] = ()
        self._below: Sequence[str] = ()
        self._breaks: frozenset[int] = frozenset()
        self._widths: list[float] = []  # of the boxes, if there is room

    def show_tokens(self, texts: Sequence[str], below: Sequence[str], breaks: frozenset[int] = frozenset()) -> None:
        """``below``: what stands under each, as a rule its id. ``breaks``: those that begin a new line."""
        self.texts, self._below, self._breaks = texts, below, breaks
        self.remeasure()

    def words(self, item: int) -> str:
        return self.explain(item) if self.explain else self.texts[item]

    def table(self) -> Sequence[Sequence[str]]:
        return list(zip(self.texts, self._below, strict=True))

    def activate(self, item: int) -> bool:
        self.chosen.emit(item)
        return True

    def room(self) -> tuple[float, float]:
        """Pixels that are painted on above each box and below it."""
        return 0, 0

    def paint_box(self, painter: QPainter, index: int, place: QRectF) -> None:
        """Paint the background of a text; nothing by default."""

    def ink(self, _index: int) -> str:
        return "text"

    def paint(self, painter: QPainter, region: QRect) -> None:
        for index in self._layout.within(region.top(), region.bottom()):
            place = self._layout.place(index)
            self.paint_box(painter, index, place)
            self._write(painter, index, place)
        for index in self.lit | ({self.item} if self.item is not None else set()):
            if index < len(self._layout):
                frame(painter, self._layout.place(index), "accent", 2)

    def _write(self, painter: QPainter, index: int, place: QRectF) -> None:
        lower = 0.45 * place.height()
        ink = self.ink(index)
        painter.setFont(self.font())
        write(painter, place.adjusted(0, 0, 0, -lower), self.texts[index], CENTRE, ink, math.ceil(place.width()))
        painter.setFont(small(self.font()))
        under = place.adjusted(0, place.height() - lower - 2, 0, -2)
        write(painter, under, self._below[index], CENTRE, "muted" if ink == "text" else ink)

    def remeasure(self) -> None:
        metrics, lower = QFontMetricsF(self.font()), QFontMetricsF(small(self.font()))
        self._widths = [
            max(width_of(text, metrics), width_of(under, lower))
            for text, under in zip(self.texts, self._below, strict=True)]
        super().remeasure()

    def lay(self, layout: StripLayout, width: float) -> None:
        metrics, lower = QFontMetricsF(self.font()), QFontMetricsF(small(self.font()))
        above, below = self.room()
        height = round(1.15 * metrics.height() + lower.height())
        layout.set_sizes(width, height + above + below + 5, height, 4, drop=above)
        layout.add((wanted, index in self._breaks) for index, wanted in enumerate(self._widths))


def fill_box(painter: QPainter, place: QRectF, paint: QColor | QBrush) -> None:
    """Paint the ground of a box."""
    rounded(painter, place, RADIUS, paint)


def frame(painter: QPainter, place: QRectF, name: str, width: float) -> None:
    rounded(painter, place, RADIUS, edge=QPen(colour(name), width))
