"""Shortcuts: the gradients of two deep networks, with one switch between them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtWidgets import QWidget

from gptstudio.gui.canvas.grid import Cell
from gptstudio.gui.learn.kit import Formula, LabPage, quiet_button
from gptstudio.gui.learn.shortcuts.gradients import WITH, WITHOUT, Gradients, Picture, short
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.flow import Flow
from gptstudio.gui.widgets.layouts import grows, holding, vbox
from gptstudio.gui.widgets.parts import label, permit
from gptstudio.labs.shortcuts import DEEPEST, Network, ShortcutsAnswer, ShortcutsRequest

SHOWN = {"both": (WITHOUT, WITH), "without": (WITHOUT,), "with": (WITH,)}
DEEP = 20
LONG = 4  # maximum number of terms of a sum that are all written; a longer one is written as its first two and its last


class Page(LabPage):
    """A picture with a bar for each layer, and what it says in a sentence."""

    request: ShortcutsRequest

    def text(self) -> Sequence[QWidget | str]:
        self.without = Formula(
            "lab_shortcuts_without",
            r"\frac{\partial L}{\partial W_0} = \frac{\partial L}{\partial x_n} \, \sym{without}{J_{n-1} \cdots J_1} \,"
            r" \frac{\partial x_1}{\partial W_0}",
            tr("the gradient of the first layer's weights is a product with one factor J for each later layer"))
        self.with_shortcuts = Formula(
            "lab_shortcuts_with",
            r"\frac{\partial L}{\partial W_0} = \frac{\partial L}{\partial x_n} \,"
            r" \sym{with}{(I + J_{n-1}) \cdots (I + J_1)} \, \frac{\partial x_1}{\partial W_0}",
            tr("with shortcuts each factor is the identity I plus J"))
        for formula in (self.without, self.with_shortcuts):
            formula.pointed.connect(self._light)
        return (
            tr("Training runs backwards: starting from the loss, every weight gets its gradient, which says how to "
               "change it. The gradient that reaches the first layer is a product with one factor J for each later "
               "layer. These factors are mostly small, so the more layers, the less arrives."),
            self.without,
            tr("A shortcut connection adds a layer's input to its output. Each factor becomes I + J, and even where J "
               "is almost zero, I passes the whole gradient on."),
            self.with_shortcuts,
            tr("It can be added only where a layer's input and output have the same width. Below each layer, + x means "
               "it is added, – that it is not."))

    def make_stage(self) -> QWidget:
        self.gradients = Gradients("shortcuts_gradients", tr("Mean absolute gradient of each layer's weights"))
        self.explain(self.gradients, self._explain)
        self.gradients.pointed.connect(self._pointed)
        self.sentence = label("", "", "shortcuts_sentence", wrap=True)
        self.bands = label("", "muted", "shortcuts_bands", wrap=True)
        heading = label(tr("Mean absolute gradient of each layer's weights (logarithmic scale)"), "heading",
                        "shortcuts_heading", wrap=True)
        return holding(QWidget(), vbox(
            self._depth_buttons(), self.sentence, heading, self.bands, grows(self.gradients), spacing=8))

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
        """Layers are put in, or taken away, behind the input; the last stays the last."""
        first, *rest = self.request.layer_sizes
        kept = rest[-depth:]
        self.turn(layer_sizes=(first, *[first] * (depth - len(kept)), *kept))

    def show_answer(self, answer: ShortcutsAnswer) -> None:
        shown, many = SHOWN[self.request.shown], self.request.seeds > 1
        self.gradients.show_picture(Picture(
            sizes=answer.sizes, joined=answer.joined.tolist(),
            first={net: _network(answer, net).first for net in shown},
            bands={net: _network(answer, net).bands for net in shown} if many else {}))
        permit(self.fewer, "" if self._depth > 1 else tr("A network has at least one layer."))
        permit(self.more, "" if self._depth < DEEPEST else tr("A network has at most {n} layers here.", n=DEEPEST))
        permit(self.deep, "" if self._depth != DEEP else tr("The network has this number of layers now."))
        ends = {net: self._middle(answer, net)[[0, -1]].tolist() for net in (WITHOUT, WITH)}
        self.sentence.setText(tr(
            "Gradient of the first layer relative to the last: {without} without shortcuts, {with_shortcuts} with "
            "shortcuts.", without=_share(*ends[WITHOUT]), with_shortcuts=_share(*ends[WITH])))
        self.bands.setText(tr("Random seeds: {count}. Line: median. Band: 10th to 90th percentile.",
                              count=len(answer.with_shortcuts.means)))
        self.bands.setVisible(many)

    def _middle(self, answer: ShortcutsAnswer, net: int) -> np.ndarray:
        """Return one random seed's gradients, or the medians of many (L,)."""
        network = _network(answer, net)
        return network.bands[1] if len(network.means) > 1 else network.first

    def _light(self, key: str | None) -> None:
        net = {"without": WITHOUT, "with": WITH}.get(key or "")
        self.gradients.light(Cell(net, layer) for layer in range(1, self._depth) if net is not None)

    def _pointed(self, cell: Cell | None) -> None:
        self.without.light({"without"} if cell and cell.row == WITHOUT else ())
        self.with_shortcuts.light({"with"} if cell and cell.row == WITH else ())

    def _explain(self, cell: Cell) -> str:
        network = _network(self.answer, cell.row)
        which = tr("with shortcuts") if cell.row == WITH else tr("without shortcuts")
        if len(network.means) > 1:
            low, middle, high = map(short, network.bands[:, cell.column].tolist())
            return tr("Layer {layer}, {which}, random seeds: {count}. Median {middle}; 10th percentile {low}; 90th "
                      "percentile {high}.", layer=cell.column, which=which, count=len(network.means), low=low,
                      middle=middle, high=high)
        weights = np.abs(network.gradients[cell.column]).ravel()
        terms = [f"{weight:.3g}" for weight in weights]
        added = " + ".join(terms if len(terms) <= LONG else [*terms[:2], "…", terms[-1]])
        return tr("Layer {layer}, {inputs} → {outputs}, {which}: ({added}) / {count} = {mean}, the mean absolute "
                  "gradient of its weights.", layer=cell.column, inputs=self.answer.sizes[cell.column],
                  outputs=self.answer.sizes[cell.column + 1], which=which, added=added, count=len(weights),
                  mean=f"{weights.mean():.6g}")


def _network(answer: ShortcutsAnswer, net: int) -> Network:
    return answer.with_shortcuts if net == WITH else answer.without


def _share(first: float, last: float) -> str:
    """Return the ratio of the first to the last, as text."""
    if not last or not np.isfinite(first / last):
        return tr("not comparable")
    return tr("{share} times", share=short(first / last))
