"""Style of curves: colours, widths and dashes; and the font of a chart."""

from __future__ import annotations

from dataclasses import dataclass

import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QPen
from PySide6.QtWidgets import QApplication

from gptstudio.gui.theme import LIGHT, colour, theme

COLOURS = len(LIGHT.curves)
"""Number of colours for overlaid curves."""

DASHES = {
    "solid": Qt.PenStyle.SolidLine, "dash": Qt.PenStyle.DashLine, "dot": Qt.PenStyle.DotLine,
    "dash dot": Qt.PenStyle.DashDotLine,
}


@dataclass(frozen=True)
class CurveStyle:
    """Style of a curve: a role of the theme or an index in the palette, the width in pixels at the default text size,
    and a name in DASHES. ``filled``: down to 0. ``dots``: a dot at each point, for curves with few points. ``raised``:
    above the other curves, and in its own width even if there are many."""

    colour: str | int
    width: float = 1.5
    dash: str = "solid"
    opacity: float = 1.0
    filled: bool = False
    dots: bool = False
    raised: bool = False

    @property
    def key(self) -> str:
        """Name of the colour, by which users can replace it: the role, or the index in the palette."""
        return self.colour if isinstance(self.colour, str) else str(self.colour % COLOURS)

    def paint(self, opacity: float = 1.0) -> QColor:
        chosen = theme.curve_colours.get(self.key)
        if isinstance(self.colour, str) and not chosen:
            return colour(self.colour, self.opacity * opacity)
        paint = QColor(chosen or theme.colours.curves[int(self.colour) % COLOURS])
        paint.setAlphaF(self.opacity * opacity)
        return paint

    @property
    def pixels(self) -> float:
        """Width in pixels at the current text size."""
        return theme.curve_width(self.width)

    def pen(self, width: float | None = None, dashed: bool = True) -> QPen:
        """Return the pen in the current colours. ``width``: in pixels, if not the curve's own."""
        dash = DASHES[self.dash if dashed else "solid"]
        return QPen(pg.mkPen(self.paint(), width=self.pixels if width is None else width, style=dash))


def overlay(index: int, width: float = 1.5) -> CurveStyle:
    """Return the style of the n-th of several curves; when the colours repeat, the dashes change."""
    dashes = list(DASHES)
    return CurveStyle(index, width, dashes[index // COLOURS % len(dashes)])


def scene_font() -> QFont:
    """Return the font for items of a graphics scene: the style sheet does not apply to them."""
    return QApplication.font()
