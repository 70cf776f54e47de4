"""The strip from the embedding to the logits, with what it is of and what its bars mean."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from gptstudio.gpt.tokenizer import Tokenizer
from gptstudio.gui.canvas.swatch import Swatch
from gptstudio.gui.canvas.writing import rounded
from gptstudio.gui.generate.interpret.flow_strip import INKS, FlowStrip
from gptstudio.gui.theme import colour
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.layouts import fill, grows, hbox, holding, vbox
from gptstudio.gui.widgets.parts import label

if TYPE_CHECKING:  # torch stays out of the window
    from gptstudio.inference.interpret import LogitLens


class FlowView(QWidget):
    """Shows the stages at one token of a lens."""

    def __init__(self) -> None:
        super().__init__()
        self.strip = FlowStrip()
        self._about = label(role="muted", name="flow_about")
        self._shown: object = None
        line = hbox(grows(self._about), spacing=8)
        for ink, words in zip(INKS, (tr("attention writes"), tr("feed-forward network writes")), strict=True):
            fill(line, Swatch(partial(_paint_ink, ink), 0.8, 1, grows=True), label(words, "muted"))
        holding(self, vbox(line, self.strip, spacing=4))

    def show_flow(
        self, lens: LogitLens, column: int, ids: Sequence[int], position: int, tokenizer: Tokenizer
    ) -> None:
        """Show the stages in a column of the lens, which is a position of the text."""
        after = ids[position + 1] if position + 1 < len(ids) else None
        shown = lens, column, ids[position], after
        if shown != self._shown:
            self._shown = shown
            self._about.setText(tr(
                "From embedding to logits, after “{token}”", token=tokenizer.visible(ids[position])))
            self.strip.show_steps(lens.flow(column), ids[position], after, tokenizer)


def _paint_ink(ink: str, painter: QPainter, room: QRectF, letter: int) -> None:
    rounded(painter, QRectF(0, room.center().y() - 0.25 * letter, room.width(), 0.5 * letter), 2, colour(ink))
