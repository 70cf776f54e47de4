"""Attention on the text: the token under the pointer, or the chosen one, and how much it attends to the others."""

from __future__ import annotations

import math

from PySide6.QtCore import QObject

from gptstudio.app.requests import TextAttentionQuery
from gptstudio.app.state import AppState
from gptstudio.gui.asking import TextAsking
from gptstudio.gui.controllers.generation import GenerationController
from gptstudio.gui.generate.interpret.attention import AttentionPane
from gptstudio.gui.generate.strip.arcs import Arc
from gptstudio.gui.generate.strip.text_card import TextCard
from gptstudio.gui.translation import percent, tr

SCALE, BEFORE = "attention", "surprise"
SPOKEN, ARCS = 3, 5


class AttentionOnText(QObject):
    """Asks the model once for a text and a source; the answer has the rows of all tokens."""

    def __init__(
        self, state: AppState, controller: GenerationController, card: TextCard, pane: AttentionPane
    ) -> None:
        super().__init__(card)
        self._state, self._card, self._pane = state, card, pane
        self._strip, self._controls = card.strip, pane.on_text
        self._before = BEFORE  # how the text was coloured
        self.asking = TextAsking(controller, "text_attention", self)
        self.asking.changed.connect(self.look)
        self._strip.more = self.words
        self._strip.pointed.connect(lambda _: self.show())
        self._controls.switched.connect(self._switch)
        card.transport.colour_chosen.connect(lambda _: self.look())
        for signal in (self._controls.changed, pane.head.currentIndexChanged, pane.layer.currentIndexChanged):
            signal.connect(lambda *_: self.look())
        state.on(self.look, "selection")

    @property
    def on(self) -> bool:
        return self._card.transport.colouring() == SCALE

    def look(self) -> None:
        """Ask about the text as it is now, unless that was asked last."""
        self._controls.show_on(self.on)
        if not self.on:
            self._before = self._card.transport.colouring()
        wanted, asking = self._wanted(), self.asking
        if wanted is None or (asking.query and wanted.ids != asking.query.ids):
            asking.forget()
        if wanted:
            asking.ask(wanted)
        self._controls.notice.setText(asking.problem)
        self.show()

    def show(self) -> None:
        """Colour the text by the row of the token that is looked at, and draw its arcs."""
        if not self.on:
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
        self._strip.show_arcs(arcs if self._controls.arcs.isChecked() else None)
        if self._strip.current is not None:
            self._strip.describe(self._strip.words(self._strip.current))

    def words(self, position: int) -> str:
        """Return what a token attends to most; nothing where that is not known."""
        first, row = self._row(position)
        if row is None or not self.on:
            return ""
        ids, visible = self.asking.query.ids, self._strip.tokenizer.visible
        most = [
            f"“{visible(ids[first + at])}” {percent(weight)}"
            for at, weight in self.asking.latest.most(row, SPOKEN)]
        return tr("Attends most to: {tokens}", tokens=",  ".join(most))

    def _wanted(self) -> TextAttentionQuery | None:
        selection = self._state.selection
        if not self.on or selection.model is None or not selection.path or selection.writing:
            return None
        ids = self.asking.ids(selection, selection.cursor)
        layer, head = (max(0, box.currentIndex()) for box in (self._pane.layer, self._pane.head))
        return TextAttentionQuery(selection.model, ids, self._controls.chosen(layer, head))

    def _position(self) -> int | None:
        """Return the token that is looked at: under the pointer, or chosen, or the last."""
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

    def _switch(self, on: bool) -> None:
        colours = self._card.transport.colours
        colours.setCurrentIndex(colours.findData(SCALE if on else self._before))
