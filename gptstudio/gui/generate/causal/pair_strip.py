"""Two prompts, token by token: where they differ, the clean token stands above the corrupted one."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QRect, QRectF
from PySide6.QtGui import QFontMetricsF, QPainter, QPen

from gptstudio.gpt import tokenizer
from gptstudio.gui.canvas.strip_layout import StripLayout
from gptstudio.gui.canvas.token_boxes import FittedBoxes
from gptstudio.gui.canvas.writing import CENTRE, rounded, write
from gptstudio.gui.theme import colour
from gptstudio.gui.translation import tr
from gptstudio.inference.prompt_pair import PromptPair

PAD, RADIUS = 5, 4
"""Pixels beside a token, and of the corners."""


class PairStrip(FittedBoxes):
    """Boxes of the tokens of both prompts, in lines as words are."""

    def __init__(self) -> None:
        super().__init__("two_prompts_tokens", tr("Tokens of both prompts, position by position"))
        self._tokens: Sequence[tuple[str, str]] = ()

    def show_pair(self, pair: PromptPair | None) -> None:
        """Show a pair, or nothing."""
        both = zip(pair.clean, pair.corrupted, strict=True) if pair else ()
        self._tokens = [(tokenizer.visible(one), tokenizer.visible(other)) for one, other in both]
        self.describe(self.table_words())
        self.remeasure()

    def words(self, item: int) -> str:
        clean, corrupted = self._tokens[item]
        if clean == corrupted:
            return tr("Position {n}: “{token}” in both prompts", n=item, token=clean)
        return tr("Position {n}: “{clean}” in the clean prompt, “{corrupted}” in the corrupted one", n=item,
                  clean=clean, corrupted=corrupted)

    def table(self) -> Sequence[Sequence[str]]:
        return self._tokens

    def paint(self, painter: QPainter, region: QRect) -> None:
        for index in self._layout.within(region.top(), region.bottom()):
            place, (clean, corrupted) = self._layout.place(index), self._tokens[index]
            differs = clean != corrupted
            edge = QPen(colour("accent"), 2) if index == self.item else None
            rounded(painter, place, RADIUS, colour("amber", 0.22) if differs else colour("line", 0.45), edge)
            half = place.height() / 2
            if differs:
                write(painter, place.adjusted(0, 0, 0, -half), clean, CENTRE, width=math.ceil(place.width()))
                write(painter, place.adjusted(0, half, 0, 0), corrupted, CENTRE, "muted", math.ceil(place.width()))
            else:
                write(painter, place, clean, CENTRE, width=math.ceil(place.width()))

    def heightForWidth(self, width: int) -> int:
        return super().heightForWidth(width) if self._tokens else 0

    def lay(self, layout: StripLayout, width: float) -> None:
        metrics = QFontMetricsF(self.font())
        height = round(2.1 * metrics.height())
        layout.set_sizes(width, height + 4, height, 3, left=0, edge=2)
        layout.add((max(map(metrics.horizontalAdvance, each)) + 2 * PAD, False) for each in self._tokens)

    def place(self, item: int) -> QRectF:
        return self._layout.place(item)
