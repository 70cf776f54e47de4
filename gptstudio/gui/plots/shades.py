"""Single-hue colour scale for weights and probabilities: its lightness changes monotonically, so that it is readable
with any colour vision. The hue differs from that of surprisal, to avoid confusion.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QLinearGradient, QPainter

from gptstudio.gui.canvas.tint import DIVERGING_DARK, DIVERGING_LIGHT, LEVELS, ramp
from gptstudio.gui.canvas.writing import rounded
from gptstudio.gui.theme import DARK, theme
from gptstudio.i18n import with_minus

Floats = NDArray[np.floating]

FORMATS = (".2g", *(f".{decimals}f" for decimals in range(10)))
"""Formats of the labels of a scale, the shortest first."""
LIGHT_STOPS = ("#eef3fb", "#b5d0ee", "#6ea6dc", "#2f72b8", "#0f3a75")
DARK_STOPS = ("#28303c", "#2b4f80", "#3d7fc2", "#7bb8ee", "#e2f2ff")
"""Colours from low to high values, evenly spaced."""


@dataclass(frozen=True)
class Range:
    """Mapping of values to the scale from 0 to 1. A ``power`` below 1 spreads small values."""

    low: float = 0.0
    high: float = 1.0
    power: float = 1.0

    @classmethod
    def of(cls, values: Floats) -> Range:
        """Return the range from the minimum to the maximum of the finite values."""
        finite = values[np.isfinite(values)]
        return cls(float(finite.min()), float(finite.max())) if finite.size else cls()

    @classmethod
    def around_zero(cls, values: Floats) -> Range:
        """Return a range that extends as far below zero as above it."""
        finite = np.abs(values[np.isfinite(values)])
        most = float(finite.max()) if finite.size else 0.0
        return cls(-(most or 1.0), most or 1.0)

    def shares(self, values: Floats) -> Floats:
        """Return positions on the scale from 0 to 1, in the same shape; NaN if a value is not finite."""
        span = (self.high - self.low) or 1.0
        inside = np.clip((np.where(np.isfinite(values), values, np.nan) - self.low) / span, 0, 1)
        return inside**self.power

    def legend(self, most: int) -> list[tuple[float, str]]:
        """Return evenly spaced positions on the scale, with their labels: two digits, or as many as tell them apart."""
        shares = np.linspace(0, 1, most).tolist()
        values = [self.low + share ** (1 / self.power) * (self.high - self.low) for share in shares]
        exact = 0.1 * min(np.abs(np.diff(values)), default=0.0)

        def suffices(form: str) -> bool:
            texts = [format(value, form) for value in values]
            return not any("e+" in text for text in texts) and all(
                abs(float(text) - value) <= exact for text, value in zip(texts, values, strict=True))

        form = next(filter(suffices, FORMATS), FORMATS[0])
        return [(share, with_minus(format(value, form))) for share, value in zip(shares, values, strict=True)]


SPREAD = Range(0, 1, power=0.5)
"""Range for probabilities: it spreads small values, since the first layers are uncertain."""


def _stops(diverging: bool) -> tuple[str, ...]:
    """Return colours of the current theme from low to high values; if diverging, from orange for negative values to
    blue."""
    dark = theme.colours is DARK
    return (DIVERGING_DARK if dark else DIVERGING_LIGHT)[::-1] if diverging else DARK_STOPS if dark else LIGHT_STOPS


def shade(share: float, diverging: bool = False) -> QColor:
    return ramp(_stops(diverging))[round(share * (LEVELS - 1))]


@cache
def _table(stops: tuple[str, ...]) -> NDArray[np.uint8]:
    """Return the colours of a scale, (256, 3): red, green and blue."""
    return np.array([(paint.red(), paint.green(), paint.blue()) for paint in ramp(stops)], np.uint8)


def picture(shares: Floats, diverging: bool = False) -> QImage:
    """Return an image of T by R pixels for positions (R, T); NaN is transparent."""
    levels = (np.nan_to_num(shares) * (LEVELS - 1)).round().astype(np.uint8)
    points = np.empty((*shares.shape, 4), dtype=np.uint8)
    points[..., :3] = _table(_stops(diverging))[levels]
    points[..., 3] = np.where(np.isnan(shares), 0, 255)
    rows, columns = shares.shape
    return QImage(points.tobytes(), columns, rows, 4 * columns, QImage.Format.Format_RGBA8888).copy()


def paint_bar(painter: QPainter, place: QRectF, diverging: bool = False) -> None:
    """Paint the colour scale: upwards if the rectangle is high, otherwise to the right."""
    high = place.height() > place.width()
    begin, end = (place.bottomLeft(), place.topLeft()) if high else (place.topLeft(), place.topRight())
    fill = QLinearGradient(begin, end)
    for part in range(17):
        fill.setColorAt(part / 16, shade(part / 16, diverging))
    rounded(painter, place, 3, fill)
