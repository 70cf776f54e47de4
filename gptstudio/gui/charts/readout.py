"""Words below a chart: what the curves are where one points."""

from __future__ import annotations

import html
import math
from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

from gptstudio.gui.charts.curve_items import Reading
from gptstudio.gui.theme import theme
from gptstudio.gui.translation import tr

WIDEST, PLACE = "00,000.00 (00,000.00)", "Step 000,000  ·  epoch 00.00  ·  00 min 00 s"
"""Longest texts of a curve's value, smoothed or not, and of a position."""
ROOM_TO_WRAP = 1.15
"""Words that are wrapped leave the ends of lines empty."""


def number(value: float) -> str:
    """As people read it: 3.214, 0.0004, 12,345."""
    if value != value:
        return "–"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"


class Readout(QLabel):
    """Values of the curves, or a hint where nothing is pointed at."""

    def __init__(self, name: str, unnamed: str, words: Callable[[float], str]) -> None:
        """``unnamed``: what a curve without a name is called. ``words``: how a value is written."""
        super().__init__()
        self.setProperty("role", "muted")
        self.setObjectName(name)
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.RichText)
        self._unnamed, self._words = unnamed, words
        self._reserved: tuple[object, ...] = ()  # for what the room is kept
        self.least_lines = 1
        """Minimum number of lines for which space is reserved."""
        self.show_hint()

    def show_hint(self) -> None:
        self.setText(tr("Point at the curves to read their values."))

    def show_values(self, place: str, readings: Sequence[Reading], smoothed: bool, tips: Sequence[str]) -> None:
        said = [html.escape(place), *(self._said(reading, smoothed) for reading in readings), *map(html.escape, tips)]
        self.setText(" &nbsp;·&nbsp; ".join(said))
        needed = self.heightForWidth(self.width())
        self.setMinimumHeight(max(self.minimumHeight(), needed))  # no jumping while one points

    def tell(self, plot: QWidget, readings: Sequence[Reading], place_words: Callable[[float], str]) -> None:
        """Tell a screen reader what curves of the plot are, each with its place; a hidden plot once it is shown."""
        if not plot.isVisible() and not plot.accessibleDescription():
            return
        plot.setAccessibleDescription("; ".join(
            f"{reading.label or self._unnamed} {self._words(reading.y)}, {place_words(reading.x)}"
            for reading in readings))

    def reserve(self, room: int, names: Sequence[str], smoothed: bool, tip: str) -> None:
        """Reserve space for the longest text, so that the chart does not shrink on hover."""
        names = [name or self._unnamed for name in names]
        needs = room, tuple(names), tip, theme.zoom
        if needs == self._reserved or self.isHidden():
            return
        self._reserved = needs
        values = [f"■ {name} {WIDEST if smoothed else WIDEST[:9]}" for name in names]
        letters = self.fontMetrics()
        width = letters.horizontalAdvance("  ·  ".join(filter(None, (PLACE, *values, tip))))
        self.setMinimumHeight(max(self.least_lines, math.ceil(width * ROOM_TO_WRAP / room)) * letters.lineSpacing())

    def _said(self, reading: Reading, smoothed: bool) -> str:
        name = html.escape(reading.label or self._unnamed).replace(" ", "&nbsp;")
        value = self._words(reading.smoothed) + (f" ({self._words(reading.y)})" if smoothed else "")
        return f'<span style="color: {reading.look.paint().name()}">■</span>&nbsp;{name}&nbsp;{html.escape(value)}'
