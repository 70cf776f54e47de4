"""Pane "Attention": a head of a layer as a heat map, with each step of its computation, and all heads as small maps."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QEvent, QRectF, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QImage, QPainter, QPaintEvent, QPen, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QCheckBox, QComboBox, QSizePolicy, QWidget

from gptstudio.app.requests import AttentionQuery, TextAttentionQuery
from gptstudio.app.state import AppState
from gptstudio.gui.appearance import on_restyle
from gptstudio.gui.asking import Asks, TextAsking
from gptstudio.gui.canvas.canvas import Cell
from gptstudio.gui.controllers.generation import GenerationController
from gptstudio.gui.forms.controls import Segments
from gptstudio.gui.generate.interpret.interpret_pane import TextInterpretPane
from gptstudio.gui.generate.strip.token_strip import Arc
from gptstudio.gui.plots import shades
from gptstudio.gui.plots.bar_list import Bar, BarList, BarRow, Bars
from gptstudio.gui.plots.grid_view import Grid, GridView
from gptstudio.gui.plots.shades import Floats, Range
from gptstudio.gui.theme import colour
from gptstudio.gui.translation import percent, tr
from gptstudio.gui.widgets.layouts import Flow, Reflow, grows, vbox, with_layout
from gptstudio.gui.widgets.parts import Notice, button, choice_box, label, named, scrolling, set_blocker, set_entries
from gptstudio.i18n import message
from gptstudio.inference.flow import AttentionSource

if TYPE_CHECKING:
    from gptstudio.gui.generate.strip.text_card import TextCard

SOURCES = {
    "head": (message("This head"), message("The weights of the head that is chosen here")),
    "mean": (message("Mean of the layer"), message("The mean over all heads of the layer that is chosen here")),
    "rollout": (message("Rollout"), message(
        "Attention rollout over all layers (Abnar and Zuidema, 2020): the mean weights of all layers multiplied, each "
        "mixed half and half with the identity for the residual stream")),
}


SCALE, BEFORE = "attention", "surprise"
SPOKEN, ARCS = 3, 5


class AttentionOnText(QWidget):
    """Attention shown on the text, with its controls. The model is asked once per text and source; the answer has the
    rows of all tokens. ``layer``, ``head``: choices of the pane."""

    def __init__(self, layer: QComboBox, head: QComboBox) -> None:
        super().__init__()
        self._layer, self._head = layer, head
        self._before = BEFORE  # the previous colouring
        self.on = named(QCheckBox(tr("Attention on the text")), "attention_on_text", tr("Attention on the text"))
        self.on.setToolTip(tr(
            "Colours the text above by how much the token under the pointer, or the chosen one, attends to each"))
        self.source = choice_box("attention_source", tr("Whose attention is shown on the text"))
        for kind, (words, tip) in SOURCES.items():
            self.source.addItem(tr(words), kind)
            self.source.setItemData(self.source.count() - 1, tr(tip), Qt.ItemDataRole.ToolTipRole)
        self.arcs = named(QCheckBox(tr("Arcs")), "attention_arcs", tr("Arcs above the text"))
        self.notice = Notice("attention_on_text_notice")
        with_layout(self, vbox(Flow(self.on, self.source, self.arcs, spacing=8), self.notice, spacing=4))
        self._show_on(False)

    def attach(self, state: AppState, controller: GenerationController, card: TextCard) -> None:
        """Show the attention on the text of a card."""
        self._state, self._strip, self._transport = state, card.strip, card.transport
        self.asking = TextAsking(controller, "text_attention", self)
        self.asking.changed.connect(self.look)
        self._strip.more = self.words
        self._strip.pointed.connect(lambda _: self.show_row())
        self.on.toggled.connect(self._switch)
        self._transport.colour_chosen.connect(lambda _: self.look())
        for signal in (self.source.currentIndexChanged, self.arcs.toggled, self._head.currentIndexChanged,
                       self._layer.currentIndexChanged):
            signal.connect(lambda *_: self.look())
        state.on(self.look, "selection")

    @property
    def is_on(self) -> bool:
        return self._transport.colouring() == SCALE

    def look(self) -> None:
        """Ask about the current text, unless that was the last question."""
        self._show_on(self.is_on)
        if not self.is_on:
            self._before = self._transport.colouring()
        wanted, asking = self._wanted(), self.asking
        if wanted is None or (asking.query and wanted.ids != asking.query.ids):
            asking.forget()
        if wanted:
            asking.ask(wanted)
        self.notice.setText(asking.problem)
        self.show_row()

    def show_row(self) -> None:
        """Colour the text by the row of the inspected token, and draw its arcs."""
        if not self.is_on:
            self._strip.show_arcs(None)
            return
        position = self._position()
        first, row = self._row(position)
        shares, arcs = [math.nan] * first, []
        if row is not None and position is not None:
            weights = self.asking.latest.weights[row, : row + 1]
            shares += (weights / weights.max()).tolist()
            most = self.asking.latest.most(row, ARCS + 1)
            arcs = [Arc(position, first + at, weight) for at, weight in most if at != row and weight > 0][:ARCS]
        self._strip.show_values(SCALE, shares)
        self._strip.show_arcs(arcs if self.arcs.isChecked() else None)
        if self._strip.current is not None:
            self._strip.describe(self._strip.words(self._strip.current))

    def words(self, position: int) -> str:
        """Return the tokens that a token attends to most, as text; empty if they are not known."""
        first, row = self._row(position)
        if row is None or not self.is_on:
            return ""
        ids, visible = self.asking.query.ids, self._strip.tokenizer.visible
        most = [
            f"“{visible(ids[first + at])}” {percent(weight)}"
            for at, weight in self.asking.latest.most(row, SPOKEN)]
        return tr("Attends most to: {tokens}", tokens=",  ".join(most))

    def _wanted(self) -> TextAttentionQuery | None:
        selection = self._state.selection
        if not self.is_on or selection.model is None or not selection.path or selection.writing:
            return None
        ids = self.asking.ids(selection, selection.cursor)
        layer, head = (max(0, box.currentIndex()) for box in (self._layer, self._head))
        sources = {"head": AttentionSource("head", layer, head), "mean": AttentionSource("mean", layer)}
        return TextAttentionQuery(selection.model, ids, sources.get(self._kind, AttentionSource("rollout")))

    def _position(self) -> int | None:
        """Return the inspected token: the one under the pointer, else the chosen one, else the last."""
        strip = self._strip
        if strip.item is not None:
            return int(strip.item)
        return strip.current if strip.current is not None else len(strip.boxes) - 1

    def _row(self, position: int | None) -> tuple[int, int | None]:
        """Return the position of the first token that was read, and the row of a position; None if it has none."""
        if self.asking.latest is None or position is None:
            return 0, None
        first = len(self.asking.query.ids) - self.asking.latest.read
        return first, position - first if first <= position < len(self.asking.query.ids) else None

    def _show_on(self, on: bool) -> None:
        """Show whether the text is coloured by attention, without emitting a signal."""
        with QSignalBlocker(self.on):
            self.on.setChecked(on)
        off = "" if on else tr("Turn on “Attention on the text” first.")
        set_blocker(self.source, off, tr(SOURCES[self._kind][1]))
        set_blocker(self.arcs, off, tr(
            "Draws arcs from the token to the five that it attends to most, the thicker the more"))

    @property
    def _kind(self) -> str:
        return str(self.source.currentData())

    def _switch(self, on: bool) -> None:
        colours = self._transport.colours
        colours.setCurrentIndex(colours.findData(SCALE if on else self._before))


LEAST, MOST = 3.6, 9.0
"""Smallest and largest side of a map, in heights of a letter."""
GAP = 6


class HeadMaps(QWidget):
    """Small maps of the weights of all heads, sized so that all are visible; emits ``chosen`` when one is selected."""

    chosen = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self._maps: list[_HeadMap] = []
        self._group = QButtonGroup(self)
        self._group.idClicked.connect(self.chosen)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def show_heads(self, weights: shades.Floats, spread: shades.Range) -> None:
        """Show the weights (H, R, T), which are not finite at masked positions."""
        if len(weights) != len(self._maps):
            self._make(len(weights))
        for made, each in zip(self._maps, weights, strict=True):
            made.show_shares(spread.shares(each))

    def choose(self, head: int) -> None:
        self._maps[head].setChecked(True)

    def sizeHint(self) -> QSize:
        side = round(LEAST * self.fontMetrics().height())
        return QSize(3 * (side + GAP), side)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._place()

    def _make(self, count: int) -> None:
        for made in self._maps:
            made.deleteLater()
        self._maps = [_HeadMap(index, self) for index in range(count)]
        for index, made in enumerate(self._maps):
            self._group.addButton(made, index)
            made.show()
        self._place()

    def _place(self) -> None:
        letter = self.fontMetrics().height()
        least, most = round(LEAST * letter), round(MOST * letter)
        self.setMinimumHeight(self._height(least))
        side = next((side for side in range(most, least, -1) if self._height(side) <= self.height()), least)
        beside = self._beside(side)
        for index, made in enumerate(self._maps):
            row, column = divmod(index, beside)
            made.setGeometry(column * (side + GAP), row * (side + GAP), side, side)

    def _beside(self, side: int) -> int:
        return max(1, (self.width() + GAP) // (side + GAP))

    def _height(self, side: int) -> int:
        return -(-len(self._maps) // self._beside(side)) * (side + GAP)


class _HeadMap(QAbstractButton):
    def __init__(self, index: int, parent: QWidget) -> None:
        super().__init__(parent)
        named(self, f"head_{index}", tr("Head {n}", n=index + 1))
        self.setCheckable(True)
        self.setText(str(index + 1))
        self.setToolTip(self.accessibleName())
        self._shares: shades.Floats = np.empty((0, 0))
        self._image = QImage()
        on_restyle(self, self._draw)

    def show_shares(self, shares: shades.Floats) -> None:
        self._shares = shares
        self._draw()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter, place = QPainter(self), QRectF(self.rect()).adjusted(1.5, 1.5, -1.5, -1.5)
        painter.fillRect(place, colour("surface"))
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, place.width() < self._image.width())
        painter.drawImage(place, self._image)
        chosen = self.isChecked()
        lit = chosen or self.hasFocus() or self.underMouse()
        painter.setPen(QPen(colour("accent" if lit else "line"), 2 if chosen else 1))
        painter.drawRect(place)
        painter.setPen(colour("text" if chosen else "muted"))
        corner = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop
        painter.drawText(place.adjusted(0, 1, -4, 0), corner, self.text())

    def _draw(self) -> None:
        self._image = shades.picture(self._shares)
        self.update()


STEPS = {
    "scores": (message("Scores"), message(
        "Dot product of query and key: how well what the row's token looks for matches what the column's token "
        "offers.")),
    "scaled": (message("Scaled"), message(
        "Each score divided by √{d} = {root}, the square root of the query dimension, to keep the values moderate.")),
    "masked": (message("Masked"), message(
        "The scores of later tokens are set to −∞, so no token can look ahead. That half stays empty from here on.")),
    "weights": (message("Softmax"), message(
        "Softmax, e^x divided by the row sum: each row becomes weights that sum to 1.")),
}
"""Attribute of the answer -> name and explanation of the step, as in the book (§3.3 to §3.6)."""
WEIGHTS = Range(0, 1, power=0.5)
"""Range of attention weights: most are small, and the first token, which attends only to itself, always has 1."""
LEGIBLE = 4.0
"""Minimum size of a cell in pixels; a longer text scrolls."""
NAMED = 5


class AttentionPane(TextInterpretPane):
    """Pane with the attention in the shown text, and the row of the hovered or chosen token in detail."""

    PURPOSE = message("Attention: which earlier tokens each token attends to, in every head of every layer.")

    def __init__(self, asks: Asks) -> None:
        super().__init__("attention", asks)
        self._row: int | None = None  # chosen row
        self._place: object = None  # span and cursor of the choice
        self._drawn: object = None  # answer and span
        self._weights: Floats = np.empty((0, 0))  # (R, T) of the shown head
        self.seen_steps: set[str] = set()
        """Steps of the computation that were shown since a lesson cleared this set."""
        self._make_controls()
        self._lay_out()

    def question(self) -> AttentionQuery | None:
        selection = self.selection
        if selection.model is None or not selection.path:
            return None
        return AttentionQuery(selection.model, self.requested_ids(), max(0, self.layer.currentIndex()))

    def serves(self, wanted: Any) -> bool:
        return super().serves(wanted) and wanted.layer in (self.request.layer, self.answer.layer)

    def consider(self) -> None:
        super().consider()
        # Also above a refusal, because another layer may be possible. The first answer has the number of layers.
        self._top.setVisible(self.question() is not None and self.layer.count() > 0)
        set_blocker(self.layer, tr("The model is generating. Stop it first.") if self.selection.writing else "")
        if self.asking.waiting:
            self.formula.setText(tr("Running the model…"))

    def show_layer(self, layer: int) -> None:
        """Show a layer, even before an answer with the number of layers."""
        if layer >= self.layer.count():
            set_entries(self.layer, [tr("Layer {n}", n=n + 1) for n in range(layer + 1)], -1)
        self.layer.setCurrentIndex(layer)
        self.consider()

    def start_layer(self, position: int | None) -> None:
        """Show the row of a token hovered elsewhere; None: of the chosen one again."""
        if self.answer is not None:
            self._look_into(None if position is None else position - self.span()[0])

    def show_answer(self) -> None:
        answer, span, cursor = self.answer, self.span(), self.selection.cursor
        moved = (span, cursor) != self._place
        if moved:
            self._place, self._row = (span, cursor), None if cursor is None else cursor - span[0]
        set_entries(self.layer, [tr("Layer {n}", n=n + 1) for n in range(answer.layers)], answer.layer)
        if (answer, span) != self._drawn:
            self._drawn = answer, span
            heads = [tr("Head {n}", n=n + 1) for n in range(len(answer.scores))]
            set_entries(self.head, heads, min(max(0, self.head.currentIndex()), len(heads) - 1))
            tokens = -(-(span[1] - span[0]) // answer.overview_block)
            self.heads.show_heads(answer.overview[:, :tokens, :tokens], WEIGHTS)
            self._draw()
        self._explain()
        self._look_into(None)
        if moved and self.map.row is not None:
            self.map.bring_into_view(Cell(self.map.row, self.map.row))

    def _draw(self) -> None:
        head, (first, end) = self.answer.head(self.head.currentIndex()), self.span()
        self._note_step()
        self._weights = head.weights[0]
        shown = head.visible_weights[0] if self._step() == "weights" else getattr(head, self._step())[0]
        values = shown[: end - first, : end - first]
        spread = WEIGHTS if self._step() == "weights" else Range.of(values)
        names = [self.selection.tokenizer.visible(each) for each in self.request.ids[first:end]]
        self.map.show_grid(Grid(values, names, names, spread))
        self.heads.choose(self.head.currentIndex())

    def _note_step(self) -> None:
        if self.answer is not None and self.isVisible():
            self.seen_steps.add(self._step())

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._note_step()

    def _redraw(self) -> None:
        if self.answer is not None:
            self._draw()
            self._explain()
            self._look_into(None)

    def _explain(self) -> None:
        d = self.answer.head_dim
        self.formula.setText(tr(STEPS[self._step()][1], d=d, root=f"{d**0.5:.3g}"))
        self.note.setText(self.of_how_many())

    def _step(self) -> str:
        return list(STEPS)[self.step.index()]

    def _look_into(self, row: int | None) -> None:
        """List the tokens that the token of a row attends to most; None: of the chosen row, or of the last."""
        first, end = self.span()
        row = self._row if row is None else row
        if row is None or not 0 <= row < end - first:
            row = end - first - 1
        self.map.mark(row)
        weights = self._weights[row]
        unread, visible = len(self.request.ids) - len(weights), self.selection.tokenizer.visible
        most = np.argsort(-weights, kind="stable")[: min(NAMED, row + first - unread + 1)]
        self.looks.setText(tr("“{token}” attends most to", token=visible(self.request.ids[first + row])))
        self.most.show_bars(Bars([
            BarRow(tr("{token}  at {n}", token=visible(self.request.ids[unread + at]), n=unread + at),
                   (Bar(float(weights[at]), percent(float(weights[at]))),))
            for at in most.tolist()], longest=1.0))

    def _pointed(self, cell: Cell | None) -> None:
        self._look_into(cell[0] if cell else None)
        self.cell.setText(self.map.words(cell) if cell else "")

    def _chosen(self, cell: Cell) -> None:
        self._row = cell.row
        self._look_into(None)

    def _make_controls(self) -> None:
        self.layer = choice_box("attention_layer", tr("Layer"))
        self.layer.activated.connect(lambda _: self.consider())
        self.head = choice_box("attention_head", tr("Head"))
        self.head.currentIndexChanged.connect(lambda _: self._redraw())
        self.step = Segments("attention_step", [tr(name) for name, _ in STEPS.values()])
        self.step.choose(len(STEPS) - 1)
        self.step.chosen.connect(lambda _: self._redraw())
        self.formula = label(role="muted", name="attention_formula", wrap=True)
        self.note = Notice("attention_note", "muted")
        self.map = GridView(
            "attention_map", tr("Attention: one row per query token; use the arrow keys to move"), LEGIBLE)
        self.map.pointed.connect(self._pointed)
        self.map.chosen.connect(self._chosen)
        self.looks = label(role="heading", name="attention_looks", wrap=True)
        self.most = BarList(
            "attention_most", tr("Tokens that this token attends to most"))
        self.cell = label(role="muted", name="attention_cell", wrap=True)
        self.on_text = AttentionOnText(self.layer, self.head)
        self.heads = HeadMaps()
        self.heads.chosen.connect(self.head.setCurrentIndex)
        self.closer = button("+", "attention_closer", tr("Larger cells (or Ctrl + mouse wheel)"), "quiet",
                             lambda: self.map.zoom(1.5))
        self.farther = button("−", "attention_farther", tr("Smaller cells, until all are visible"), "quiet",
                              lambda: self.map.zoom(1 / 1.5))

    def _lay_out(self) -> None:
        self._top = with_layout(QWidget(), Flow(
            (self.layer, self.head), self.step, (self.farther, self.closer), self.on_text, spacing=8))
        self._top.hide()
        beside = with_layout(QWidget(), vbox(
            self.looks, self.most, self.cell, label(tr("All heads of this layer"), "heading"), grows(self.heads),
            spacing=4))
        both = Reflow(self.map, beside, stretch=(self.map, beside), spacing=12)
        body = with_layout(QWidget(), vbox(self.formula, self.note, grows(both), spacing=4, margins=(0, 4, 0, 0)))
        self.hold(scrolling(body, "attention_scroll"), above=self._top)
