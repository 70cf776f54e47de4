"""The loss while it falls: epochs below, tokens seen above, as in the seeds' plot (5.2); hover reads values."""

from __future__ import annotations

import math

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication, QSizePolicy, QVBoxLayout, QWidget

from gptstudio.gpt.config import VOCAB_SIZE
from gptstudio.gui.theme import colour, theme
from gptstudio.gui.widgets.parts import label, named
from gptstudio.gui.words import tr
from gptstudio.runs.events import Evaluated, StepDone

HIGHEST_LOSS = 11.5
"""The top of the axis: a little over what an untrained model's loss is with GPT-2's vocabulary."""


class Points:
    """A growing curve: two columns that double when full, so that adding a point is cheap."""

    def __init__(self) -> None:
        self._data, self._count = np.empty((2, 256)), 0

    def add(self, x: float, y: float) -> None:
        if self._count == self._data.shape[1]:
            self._data = np.concatenate([self._data, np.empty_like(self._data)], axis=1)
        self._data[:, self._count] = x, y
        self._count += 1

    def clear(self) -> None:
        self._count = 0

    @property
    def x(self) -> np.ndarray:
        return self._data[0, : self._count]

    @property
    def y(self) -> np.ndarray:
        return self._data[1, : self._count]

    def at(self, x: float) -> tuple[float, float] | None:
        """The last point at or before ``x``."""
        index = int(np.searchsorted(self.x, x, side="right")) - 1
        return (float(self.x[index]), float(self.y[index])) if index >= 0 else None


class LossPlot(QWidget):
    """Three curves over tokens seen: each step's loss, and both evaluations."""

    def __init__(self) -> None:
        super().__init__()
        self.points = {"step": Points(), "training": Points(), "validation": Points()}
        self._steps = Points()  # tokens seen -> step, for the hover
        self._tokens_per_epoch = 1.0
        self.plot = named(pg.PlotWidget(), "loss_plot", tr("Loss while training, in nats per token"))
        self.plot.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
        self._curves = {name: self.plot.plot() for name in self.points}
        self._cursor = pg.InfiniteLine(angle=90, movable=False)
        self._cursor.hide()
        self.plot.addItem(self._cursor, ignoreBounds=True)
        self.readout = label(tr("Loss in nats per token. Point at the curves to read them."), "muted", "loss_readout")
        self._set_up_axes()
        self._guess = pg.InfiniteLine(
            angle=0,
            movable=False,
            label=tr("guessing") + ": {value:.2f}",
            labelOpts={"position": 0.9, "anchors": [(0.5, 0), (0.5, 0)]}
        )
        self._guess.setToolTip(tr("The loss of guessing every token with the same probability: ln of the vocabulary."))
        self.plot.addItem(self._guess, ignoreBounds=True)
        self.show_guess(VOCAB_SIZE)
        self._show_up_to(HIGHEST_LOSS)
        self.plot.setXRange(0, 10, padding=0.02)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.plot, 1)
        layout.addWidget(self.readout)
        self.plot.scene().sigMouseMoved.connect(self._hover)
        theme.changed.connect(self._dress)
        self._dress()

    def begin(self, tokens_per_epoch: float, total_tokens: float) -> None:
        """Empties the plot for a run of this length."""
        self.clear()
        self._tokens_per_epoch = tokens_per_epoch
        self.plot.getAxis("bottom").setScale(1 / tokens_per_epoch)
        self.plot.setXRange(0, total_tokens, padding=0.02)
        self._show_up_to(HIGHEST_LOSS)

    def clear(self) -> None:
        """Takes all points away."""
        for points in (*self.points.values(), self._steps):
            points.clear()
        self.refresh()

    def show_guess(self, vocab_size: int) -> None:
        """A line where the loss would be if every token were as likely: ln V."""
        self._guess.setValue(math.log(vocab_size))

    def add_step(self, event: StepDone) -> None:
        self.points["step"].add(event.tokens_seen, event.loss)
        self._steps.add(event.tokens_seen, event.step)

    def add_evaluation(self, event: Evaluated) -> None:
        self.points["training"].add(event.tokens_seen, event.train_loss)
        self.points["validation"].add(event.tokens_seen, event.val_loss)

    def refresh(self) -> None:
        """Draws what was added: once for each curve."""
        for name, points in self.points.items():
            self._curves[name].setData(points.x, points.y)
        losses = np.concatenate([points.y for points in self.points.values()])
        highest = losses[np.isfinite(losses)].max(initial=0.0)
        if highest > self._top:
            self._show_up_to(highest * 1.05)

    def _show_up_to(self, loss: float) -> None:
        """Always from zero, so that the curve does not jump while it grows and its height means something."""
        self._top = loss
        self.plot.setYRange(0, loss, padding=0)

    def _set_up_axes(self) -> None:
        plot = self.plot.getPlotItem()
        plot.setClipToView(True)
        plot.setDownsampling(auto=True, mode="peak")
        plot.hideButtons()
        plot.setMenuEnabled(False)
        plot.setMouseEnabled(x=False, y=False)  # the wheel scrolls past; there would be no way back from a zoom
        plot.showAxis("top")
        plot.showAxis("right")
        plot.getAxis("right").setStyle(showValues=False, tickLength=0)
        plot.getAxis("top").enableAutoSIPrefix(False)
        plot.getAxis("bottom").enableAutoSIPrefix(False)
        plot.setLabel("bottom", tr("Epochs"))
        plot.setLabel("top", tr("Tokens seen"))
        plot.setLabel("left", tr("Loss"))
        self._legend = plot.addLegend(offset=(14, -14))
        names = {"step": tr("Each step"), "training": tr("Training"), "validation": tr("Validation")}
        for name, words in names.items():
            self._legend.addItem(self._curves[name], words)

    def _dress(self) -> None:
        self.plot.setBackground(colour("surface"))
        font = _scene_font()
        self.plot.setMinimumHeight(round(190 * theme.zoom))
        dash_dot = Qt.PenStyle.DashDotLine
        self._curves["step"].setPen(pg.mkPen(colour("muted", 0.55), width=1))
        self._curves["training"].setPen(pg.mkPen(colour("training"), width=2))
        self._curves["validation"].setPen(pg.mkPen(colour("validation"), width=2, style=dash_dot))
        self._guess.setPen(pg.mkPen(colour("muted", 0.7), width=1, style=Qt.PenStyle.DotLine))
        self._guess.label.setColor(colour("muted"))
        self._guess.label.setFont(font)
        self._cursor.setPen(pg.mkPen(colour("muted"), width=1))
        for side in ("bottom", "top", "left", "right"):
            axis = self.plot.getAxis(side)
            axis.setPen(pg.mkPen(colour("line")))
            axis.setTextPen(pg.mkPen(colour("muted")))
            axis.setTickFont(font)
            axis.label.setFont(font)
        for _, words in self._legend.items:
            words.setText(words.text, color=colour("text"), size=f"{font.pointSizeF():.1f}pt")
        self.plot.showGrid(x=False, y=True, alpha=0.15)

    def _hover(self, position: QPointF) -> None:
        box = self.plot.getPlotItem().getViewBox()
        inside = box.sceneBoundingRect().contains(position)
        self._cursor.setVisible(inside and self.read_at(box.mapSceneToView(position).x()))

    def read_at(self, tokens: float) -> bool:
        """Shows all curves at the last step before so many tokens seen; False where there is none."""
        found = self._steps.at(tokens)
        if found is None:
            return False
        seen, step = found
        self._cursor.setPos(seen)
        shown = [tr("Step {n}", n=f"{int(step):,}"), tr("epoch {n}", n=f"{seen / self._tokens_per_epoch:.2f}")]
        for name, words in (("step", tr("this step")), ("training", tr("training")), ("validation", tr("validation"))):
            point = self.points[name].at(seen)
            if point is not None:
                shown.append(f"{words} {point[1]:.3f}")
        self.readout.setText("  ·  ".join(shown))
        return True


def _scene_font() -> QFont:
    """What is drawn in a scene is not reached by the style sheet, so its size is told."""
    font = QApplication.font()
    font.setPointSizeF(font.pointSizeF() * theme.zoom)
    return font
