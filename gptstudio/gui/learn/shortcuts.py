"""Page of the shortcuts lab: the gradients of two deep networks, with and without shortcuts.

They are drawn by layer on a logarithmic scale: bars for one random seed, bands for several.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np
from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from gptstudio.gui.canvas.canvas import Cell, CellCanvas
from gptstudio.gui.canvas.writing import CENTRE, RIGHT, draw_with, write
from gptstudio.gui.learn.kit import Formula, LabPage, quiet_button, summed
from gptstudio.gui.theme import colour
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.layouts import Flow, grows, vbox, with_layout
from gptstudio.gui.widgets.parts import label, set_blocker
from gptstudio.labs.shortcuts import DEEPEST, Network, ShortcutsAnswer, ShortcutsRequest

WITHOUT, WITH = 0, 1
HUES = {WITHOUT: "validation", WITH: "training"}
TALL, LEAST = 15, 20  # minimum height and width, in line heights
BELOW = 0.5  # gap between the bottom of the scale and the texts below it, in line heights
OUTER, INNER = 0.24, 0.05
"""Fractions of a bar's slot that are empty towards the next layer, and towards the other network of the same layer."""
MOST_LINES = 8  # maximum number of powers of ten with a line
SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


class Gradients(CellCanvas):
    """Gradients of the networks that are shown: 0 without shortcuts, 1 with them. A cell is (network, layer)."""

    def __init__(self, name: str, accessible: str) -> None:
        super().__init__(name, accessible)
        self.sizes: Sequence[int] = ()  # widths of the input and of each layer
        self.joined: Sequence[bool] = ()  # whether each layer has a shortcut connection
        self.first: Mapping[int, np.ndarray] = {}  # of one random seed (L,)
        self.bands: Mapping[int, np.ndarray] = {}  # of several: 10th, 50th and 90th percentile (3, L); empty for one
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def show_answer(self, answer: ShortcutsAnswer, shown: Sequence[int], many: bool) -> None:
        """Show networks. ``many``: show bands over random seeds instead of bars for one."""
        self.sizes, self.joined = answer.sizes, answer.joined.tolist()
        self.first = {net: _network(answer, net).first for net in shown}
        self.bands = {net: _network(answer, net).bands for net in shown} if many else {}
        self._low, self._high = _range([*(self.bands or self.first).values()])
        self.describe("; ".join(
            " ".join([_words(net), *(f"{value:.3g}" for value in values.tolist())])
            for net, values in self.first.items()))
        self.remeasure()

    def items(self) -> dict[Cell, QRectF]:
        """Return the bars: each layer has the same width, divided among the visible networks."""
        plot, nets = self._plot(), sorted(self.first)
        layers = len(self.joined)
        width = plot.width() / max(1, layers * len(nets))
        return {
            Cell(net, layer): QRectF(
                plot.left() + (layer * len(nets) + place) * width, plot.top(), width, plot.height())
            for place, net in enumerate(nets) for layer in range(layers)}

    def table(self) -> Sequence[Sequence[str]]:
        """Return a row for each network, with a column for each layer."""
        return [[_words(net), *map(repr, values.tolist())] for net, values in self.first.items()]

    def paint(self, painter: QPainter, _region: QRect) -> None:
        if not self.joined:
            return
        self._paint_legend(painter)
        self._paint_scale(painter)
        self._paint_layers(painter)
        boxes = self.items()
        if self.bands:
            for net, band in self.bands.items():
                self._paint_band(painter, net, band)
        else:
            figures = self._figures_fit(min(box.width() for box in boxes.values()))
            for cell, box in boxes.items():
                self._paint_bar(painter, cell, box, figures)
        for cell in {*self.lit, *([self.cell] if self.cell else [])} & boxes.keys():
            draw_with(painter, QPen(colour("text"), 1.5), Qt.BrushStyle.NoBrush)
            painter.drawRect(boxes[cell])

    def _paint_legend(self, painter: QPainter) -> None:
        letter, left = self.fontMetrics().height(), self._plot().left()
        for net in sorted(self.first):
            swatch = QRectF(left, 0.2 * letter, 1.6 * letter, 0.8 * letter)
            draw_with(painter, QPen(colour(HUES[net]), 1.5), _fill(net))
            painter.drawRect(swatch)
            words = _words(net)
            width = self.fontMetrics().horizontalAdvance(words)
            write(painter, QRectF(swatch.right() + 6, 0, width + 4, 1.2 * letter), words)
            left = swatch.right() + width + 2 * letter

    def _paint_scale(self, painter: QPainter) -> None:
        plot, letter = self._plot(), self.fontMetrics().height()
        step = max(1, math.ceil((self._high - self._low) / MOST_LINES))
        for power in range(self._low, self._high + 1, step):
            y = self._y(10.0**power)
            painter.setPen(QPen(colour("line"), 1))
            painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y))
            text = f"10{str(power).translate(SUPERSCRIPT)}"
            write(painter, QRectF(0, y - letter / 2, plot.left() - 6, letter), text, RIGHT, "muted")

    def _paint_layers(self, painter: QPainter) -> None:
        """Paint below each layer its number, its shape, and whether its input is added to its output."""
        plot, letter = self._plot(), self.fontMetrics().height()
        width = plot.width() / len(self.joined)
        shapes = [f"{a} → {b}" for a, b in zip(self.sizes, self.sizes[1:], strict=False)]
        caption = QRectF(0, plot.bottom() + BELOW * letter, plot.left() - 6, 1.1 * letter)
        write(painter, caption, tr("layer"), RIGHT, "muted")
        marks = ["+ x" if joined else "–" for joined in self.joined]
        row = 0
        for texts in (list(map(str, range(len(shapes)))), shapes, marks):
            widest = max(map(self.fontMetrics().horizontalAdvance, texts)) + 8
            every = max(1, math.ceil(widest / width))
            if every > 1 and row:  # not enough space; hovering shows the rest
                continue
            for layer in range(0, len(texts), every):
                centre = plot.left() + (layer + 0.5) * width
                box = QRectF(centre - widest, plot.bottom() + (BELOW + 1.15 * row) * letter, 2 * widest, 1.1 * letter)
                write(painter, box, texts[layer], CENTRE, "muted" if row else "text")
            row += 1

    def _paint_bar(self, painter: QPainter, cell: Cell, box: QRectF, figure: bool) -> None:
        value, plot = float(self.first[cell.row][cell.column]), self._plot()
        bar = QRectF(box)
        bar.setTop(self._y(value))
        nets = sorted(self.first)
        left, right = (OUTER if cell.row == nets[0] else INNER), (OUTER if cell.row == nets[-1] else INNER)
        bar.adjust(left * box.width(), 0, -right * box.width(), 0)
        if value:
            draw_with(painter, QPen(colour(HUES[cell.row]), 1.5), _fill(cell.row))
            painter.drawRect(bar)
        if figure:
            letter = self.fontMetrics().height()
            above = QRectF(0, min(bar.top(), plot.bottom()) - 1.15 * letter, box.width(), 1.1 * letter)
            above.moveCenter(QPointF(bar.center().x(), above.center().y()))
            write(painter, above, short(value), CENTRE)

    def _paint_band(self, painter: QPainter, net: int, band: np.ndarray) -> None:
        plot, layers = self._plot(), band.shape[1]
        xs = [plot.left() + (layer + 0.5) * plot.width() / layers for layer in range(layers)]
        low, middle, high = ([QPointF(x, self._y(v)) for x, v in zip(xs, row.tolist(), strict=True)] for row in band)
        draw_with(painter, QPen(colour(HUES[net], 0.6), 1), _fill(net, 0.28))
        painter.drawPolygon(QPolygonF([*low, *reversed(high)]))
        painter.setPen(QPen(colour(HUES[net]), 2.5, Qt.PenStyle.DashLine if net == WITHOUT else Qt.PenStyle.SolidLine))
        painter.drawPolyline(QPolygonF(middle))
        draw_with(painter, QPen(colour(HUES[net]), 2), colour("surface") if net == WITHOUT else colour(HUES[net]))
        for point in middle:
            painter.drawEllipse(point, 4, 4)

    def _figures_fit(self, width: float) -> bool:
        """Return whether figures fit on all bars, because figures on only some of them would be confusing."""
        figures = (short(float(value)) for each in self.first.values() for value in each)
        return max(map(self.fontMetrics().horizontalAdvance, figures)) + 2 <= width

    def _plot(self) -> QRectF:
        letter = self.fontMetrics().height()
        left = self.fontMetrics().horizontalAdvance("10⁻⁰⁰") + 10
        return QRectF(left, 2.6 * letter, max(1.0, self.width() - left - 4), max(1.0, self.height() - 6.7 * letter))

    def _y(self, value: float) -> float:
        """Return the y position of a value: the top for values that are not finite, the bottom for zero."""
        plot = self._plot()
        if not value:
            return plot.bottom()
        power = math.log10(value) if math.isfinite(value) else self._high
        share = (power - self._low) / (self._high - self._low)
        return plot.bottom() - min(1.0, max(0.0, share)) * plot.height()

    def minimumSizeHint(self) -> QSize:
        letter = self.fontMetrics().height()
        return QSize(LEAST * letter, TALL * letter)


def short(value: float) -> str:
    """Return a value as '2.0·10⁻⁴' if it is small or large, otherwise with two significant digits."""
    if not math.isfinite(value):
        return "∞"
    if value == 0 or 0.001 <= value < 1000:
        return f"{value:.2g}"
    digits, power = f"{value:.1e}".split("e")
    return f"{digits}·10{str(int(power)).translate(SUPERSCRIPT)}"


def _words(net: int) -> str:
    return tr("with shortcuts") if net == WITH else tr("without shortcuts")


def _fill(net: int, strength: float = 0.55) -> QBrush:
    """Return the brush of a network: hatched without shortcuts, solid with them."""
    hue = QColor(colour(HUES[net], 0.9 if net == WITHOUT else strength))
    return QBrush(hue, Qt.BrushStyle.BDiagPattern if net == WITHOUT else Qt.BrushStyle.SolidPattern)


def _range(values: Sequence[np.ndarray]) -> tuple[int, int]:
    """Return exponents of ten that enclose all positive finite values."""
    flat = np.concatenate([np.ravel(each) for each in values])
    good = flat[np.isfinite(flat) & (flat > 0)]
    if not good.size:
        return -1, 0
    low, high = math.floor(math.log10(good.min())), math.ceil(math.log10(good.max()))
    return low, max(high, low + 1)


SHOWN = {"both": (WITHOUT, WITH), "without": (WITHOUT,), "with": (WITH,)}
DEEP = 20


class Page(LabPage[ShortcutsRequest, ShortcutsAnswer]):
    """Page of the shortcuts lab: a chart with a bar for each layer, and a sentence on its result."""

    def text(self) -> Sequence[QWidget | str]:
        without = Formula(
            "lab_shortcuts_without",
            r"\frac{\partial L}{\partial W_0} = \frac{\partial L}{\partial x_n} \, \sym{without}{J_{n-1} \cdots J_1} \,"
            r" \frac{\partial x_1}{\partial W_0}",
            tr("the gradient of the first layer's weights is a product with one factor J for each later layer"))
        with_shortcuts = Formula(
            "lab_shortcuts_with",
            r"\frac{\partial L}{\partial W_0} = \frac{\partial L}{\partial x_n} \,"
            r" \sym{with}{(I + J_{n-1}) \cdots (I + J_1)} \, \frac{\partial x_1}{\partial W_0}",
            tr("with shortcuts each factor is the identity I plus J"))
        return (
            tr("Training runs backwards: starting from the loss, every weight gets its gradient, which says how to "
               "change it. The gradient that reaches the first layer is a product with one factor J for each later "
               "layer. These factors are mostly small, so the more layers, the less arrives."),
            without,
            tr("A shortcut connection adds a layer's input to its output. Each factor becomes I + J, and even where J "
               "is almost zero, I passes the whole gradient on."),
            with_shortcuts,
            tr("It can be added only where a layer's input and output have the same width. Below each layer, + x means "
               "it is added, – that it is not."))

    def make_stage(self) -> QWidget:
        self.gradients = Gradients("shortcuts_gradients", tr("Mean absolute gradient of each layer's weights"))
        self.gradients.explain = self._explain
        self.links.add("without", self.gradients, partial(self._layers, WITHOUT))
        self.links.add("with", self.gradients, partial(self._layers, WITH))
        self.result = self.sentence("shortcuts_sentence", self._sentence)
        self.bands = self.sentence("shortcuts_bands", lambda answer: tr(
            "Random seeds: {count}. Line: median. Band: 10th to 90th percentile.",
            count=len(answer.with_shortcuts.means)), "muted")
        heading = label(tr("Mean absolute gradient of each layer's weights (logarithmic scale)"), "heading",
                        "shortcuts_heading", wrap=True)
        return with_layout(QWidget(), vbox(
            self._depth_buttons(), self.result, heading, self.bands, grows(self.gradients), spacing=8))

    def _depth_buttons(self) -> Flow:
        self.fewer = quiet_button(
            tr("− layer"), "shortcuts_fewer", tr("Remove a layer"), lambda: self._set_depth(self._depth - 1))
        self.more = quiet_button(tr("+ layer"), "shortcuts_more", tr("Add a layer as wide as the first"),
                                 lambda: self._set_depth(self._depth + 1))
        self.deep = quiet_button(
            tr("{count} layers", count=DEEP), "shortcuts_deep",
            tr("So many layers that almost no gradient reaches the first"), lambda: self._set_depth(DEEP))
        return Flow(self.fewer, self.more, self.deep, spacing=8)

    @property
    def _depth(self) -> int:
        return len(self.request.layer_sizes) - 1

    def _set_depth(self, depth: int) -> None:
        """Insert or remove layers after the input; the last ones are kept."""
        first, *rest = self.request.layer_sizes
        kept = rest[-depth:]
        self.update_request(layer_sizes=(first, *[first] * (depth - len(kept)), *kept))

    def show_answer(self, answer: ShortcutsAnswer) -> None:
        shown, many = SHOWN[self.request.shown], self.request.seeds > 1
        self.gradients.show_answer(answer, shown, many)
        set_blocker(self.fewer, "" if self._depth > 1 else tr("A network has at least one layer."))
        set_blocker(self.more, "" if self._depth < DEEPEST else tr("A network has at most {n} layers here.", n=DEEPEST))
        set_blocker(self.deep, "" if self._depth != DEEP else tr("The network has this number of layers now."))
        self.bands.setVisible(many)

    def _sentence(self, answer: ShortcutsAnswer) -> str:
        return tr(
            "Gradient of the first layer relative to the last: {without} without shortcuts, {with_shortcuts} with "
            "shortcuts.", without=_share(answer.without), with_shortcuts=_share(answer.with_shortcuts))

    def _layers(self, net: int, hovered: Cell | None) -> list[Cell]:
        """Return the layers of a network that have a factor J; while one is hovered, all of its layers."""
        return [Cell(net, layer) for layer in range(0 if hovered else 1, self._depth)]

    def _explain(self, cell: Cell) -> str:
        network, which = _network(self.answer, cell.row), _words(cell.row)
        if len(network.means) > 1:
            low, middle, high = map(short, network.bands[:, cell.column].tolist())
            return tr("Layer {layer}, {which}, random seeds: {count}. Median {middle}; 10th percentile {low}; 90th "
                      "percentile {high}.", layer=cell.column, which=which, count=len(network.means), low=low,
                      middle=middle, high=high)
        weights = np.abs(network.gradients[cell.column]).ravel()
        added = summed([f"{weight:.3g}" for weight in weights])
        return tr("Layer {layer}, {inputs} → {outputs}, {which}: ({added}) / {count} = {mean}, the mean absolute "
                  "gradient of its weights.", layer=cell.column, inputs=self.answer.sizes[cell.column],
                  outputs=self.answer.sizes[cell.column + 1], which=which, added=added, count=len(weights),
                  mean=f"{weights.mean():.6g}")


def _network(answer: ShortcutsAnswer, net: int) -> Network:
    return answer.with_shortcuts if net == WITH else answer.without


def _share(network: Network) -> str:
    """Return the ratio of the first layer's gradient to the last one's as text; of several random seeds, of the
    medians."""
    first, last = (network.bands[1] if len(network.means) > 1 else network.first)[[0, -1]].tolist()
    if not last or not math.isfinite(first / last):
        return tr("not comparable")
    return tr("{share} times", share=short(first / last))
