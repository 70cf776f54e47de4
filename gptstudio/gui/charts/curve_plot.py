"""Plot of functions of x; emits the x that is hovered or chosen."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, QSize, Qt, Signal
from PySide6.QtGui import QFontInfo, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gptstudio.gui.appearance import on_restyle
from gptstudio.gui.charts.plot import NumberAxis, Plot
from gptstudio.gui.charts.style import CurveStyle
from gptstudio.gui.theme import colour, theme
from gptstudio.gui.widgets.layouts import Flow, hbox, with_layout
from gptstudio.gui.widgets.parts import label, named

FILL = 0.18  # opacity of the area that shows a probability
LEAST = 170  # minimum height and width in pixels, at the default text size


class CurvePlot(Plot):
    """Plot with one curve per style, the first at the bottom, and with a vertical line and dots at one x."""

    chosen = Signal(float)  # with the clicked x

    def __init__(self, name: str, title: str, looks: Mapping[str, CurveStyle]) -> None:
        super().__init__(axisItems={side: NumberAxis(side) for side in ("left", "bottom")})
        named(self, name, title)
        self._looks, self._title = dict(looks), title
        self.curves = {key: self.plot() for key in looks}
        self._zeros = [pg.InfiniteLine(0, angle) for angle in (0, 90)]
        self._here = pg.InfiniteLine(0, 90)
        self._dots = pg.ScatterPlotItem(size=9)
        for item in (*self._zeros, self._here, self._dots):
            self.addItem(item, ignoreBounds=True)
        for item in self._zeros:
            item.setZValue(-1)
        self.setMouseEnabled(x=False, y=False)
        self.scene().sigMouseClicked.connect(self._clicked)
        on_restyle(self, self._dress)
        self._dress()

    def show_curves(self, x: np.ndarray, curves: Mapping[str, np.ndarray]) -> None:
        """Show curves over ``x``, (P,) each; styles without a curve are not drawn."""
        for key, item in self.curves.items():
            item.setVisible(key in curves)
            item.setData(x, curves[key]) if key in curves else item.clear()
        low, high = (float(end([end(y) for y in curves.values()])) for end in (np.nanmin, np.nanmax))
        self._fit(x, low, high)

    def show_shares(self, edges: np.ndarray, shares: Mapping[str, np.ndarray]) -> None:
        """Show histograms: bins with edges (K + 1,), and their heights in each curve, (K,)."""
        for key, y in shares.items():
            brush = pg.mkBrush(self._looks[key].paint(FILL))
            self.curves[key].setData(edges, y, stepMode="center", fillLevel=0, fillBrush=brush)
        self._fit(edges, 0, max(float(y.max()) for y in shares.values()))

    def _fit(self, x: np.ndarray, low: float, high: float) -> None:
        self.setXRange(float(x[0]), float(x[-1]), padding=0.02)
        self.setYRange(low, high, padding=0.08)

    def show_place(self, x: float, values: Mapping[str, float], words: str = "") -> None:
        """Move the marker to an x, with a dot at each value. ``words``: description for screen readers."""
        self.setAccessibleDescription(words)
        self._here.setValue(x)
        self._dots.setData(x=[x] * len(values), y=list(values.values()))
        self._dots.setBrush([pg.mkBrush(self._looks[key].paint()) for key in values])

    def changeEvent(self, event: QEvent) -> None:
        """Set font sizes explicitly, because the style sheet does not apply to items of a graphics scene."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange) and hasattr(self, "_dots"):
            self._dress()

    def _clicked(self, event: pg.GraphicsScene.mouseEvents.MouseClickEvent) -> None:
        box = self.getViewBox()
        if event.button() == Qt.MouseButton.LeftButton and box.sceneBoundingRect().contains(event.scenePos()):
            self.chosen.emit(float(box.mapSceneToView(event.scenePos()).x()))

    def _dress(self) -> None:
        self.setBackground(colour("surface"))
        for key, look in self._looks.items():
            self.curves[key].setPen(look.pen())
        for item in self._zeros:
            item.setPen(pg.mkPen(colour("line"), width=1))
        self._here.setPen(pg.mkPen(colour("muted"), width=1, style=Qt.PenStyle.DashLine))
        self._dots.setPen(pg.mkPen(colour("surface"), width=1.5))
        for side in ("left", "bottom"):
            self.getAxis(side).dress(self.font())
        points = QFontInfo(self.font()).pointSizeF()
        self.setTitle(self._title, color=colour("text").name(), size=f"{points:.1f}pt", bold=True)
        least = round(LEAST * theme.zoom)  # a plot narrower than its title would be cut off on the right
        needed = self.plotItem.titleLabel.minimumWidth() + self.getAxis("left").minimumWidth()
        self.setMinimumSize(max(least, math.ceil(needed)), least)


class LegendEntry(QWidget):
    """Legend entry: a sample of the line, and its label."""

    def __init__(self, look: CurveStyle, words: str) -> None:
        super().__init__()
        with_layout(self, hbox(_Stroke(look), label(words), spacing=8))


def legend(looks: Mapping[str, CurveStyle], words: Mapping[str, str]) -> Flow:
    """Return a legend that names some of the curves."""
    return Flow(*(LegendEntry(looks[key], name) for key, name in words.items()), spacing=12)


class _Stroke(QWidget):
    """Sample of a curve's line, twice as wide as the text is high."""

    def __init__(self, look: CurveStyle) -> None:
        super().__init__()
        self._look = look
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)

    def sizeHint(self) -> QSize:
        letter = self.fontMetrics().height()
        return QSize(2 * letter, letter)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter, middle = QPainter(self), self.height() / 2
        painter.setPen(self._look.pen())
        painter.drawLine(QPointF(2, middle), QPointF(self.width() - 2, middle))
