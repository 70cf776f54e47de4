"""Probabilities of the next token after the clean and the corrupted prompt, and with a patch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QRectF, QSize
from PySide6.QtGui import QFontMetricsF, QPainter
from PySide6.QtWidgets import QSizePolicy

from gptstudio.gpt import tokenizer
from gptstudio.gui.canvas.canvas import Canvas
from gptstudio.gui.canvas.items import ENDS, KEYS
from gptstudio.gui.canvas.writing import RIGHT, rounded, write
from gptstudio.gui.theme import colour
from gptstudio.gui.translation import percent, tr

if TYPE_CHECKING:  # torch stays out of the window
    from gptstudio.inference.patching import Candidate

COLOURS = ("training", "muted", "accent")
ROW, LINE = 3.4, 0.96
"""Heights of a token and of one of its bars, in heights of a letter."""


class PatchBars(Canvas):
    """Three bars for each token, with their percentages. The items are the tokens, by their index."""

    moves = (KEYS.Key_Up, KEYS.Key_Down, *ENDS)

    def __init__(self) -> None:
        super().__init__("two_prompts_bars", tr("Probabilities of the next token: clean, corrupted, patched"))
        self.rows: Sequence[Candidate] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_rows(self, rows: Sequence[Candidate]) -> None:
        self.rows, self.item = rows, None
        self.describe(self.table_words())
        self.updateGeometry()
        self.update()

    def items(self) -> Mapping[int, QRectF]:
        high = ROW * QFontMetricsF(self.font()).height()
        return {index: QRectF(0, index * high, self.width(), high) for index in range(len(self.rows))}

    def words(self, item: int) -> str:
        row = self.rows[item]
        return tr("{token}: clean {clean}, corrupted {corrupted}, patched {patched}", token=tokenizer.visible(row.id),
                  clean=percent(row.clean), corrupted=percent(row.corrupted), patched=percent(row.patched))

    def table(self) -> Sequence[Sequence[str]]:
        head = [(tr("Token"), tr("Clean"), tr("Corrupted"), tr("Patched"))]
        return head + [(tokenizer.visible(row.id), *map(percent, row[1:])) for row in self.rows]

    def minimumSizeHint(self) -> QSize:
        letter = self.fontMetrics().height()
        return QSize(round(16 * letter), round(ROW * letter * max(1, len(self.rows))))

    def paint(self, painter: QPainter, _region: QRect) -> None:
        metrics = QFontMetricsF(self.font())
        letter, figures = metrics.height(), metrics.horizontalAdvance("< 0.01 %") + 8
        titles = [tr("Clean"), tr("Corrupted"), tr("Patched")]
        title = max(map(metrics.horizontalAdvance, titles)) + 8
        longest = max((metrics.horizontalAdvance(tokenizer.visible(row.id)) for row in self.rows), default=0) + 10
        names = min(longest, 0.3 * self.width())
        most = max((max(row[1:]) for row in self.rows), default=1) or 1
        for index, place in self.items().items():
            if index == self.item:
                rounded(painter, place, 4, colour("accent", 0.12))
            row, top = self.rows[index], place.top() + 0.24 * letter
            line = QRectF(names + title, top, max(0.0, self.width() - names - title - figures), LINE * letter)
            write(painter, QRectF(4, top, names - 8, 3 * line.height()), tokenizer.visible(row.id), width=names - 8)
            for name, share, paint in zip(titles, row[1:], COLOURS, strict=True):
                write(painter, QRectF(names, line.top(), title, line.height()), name, ink="muted")
                bar = QRectF(line).adjusted(0, 2, 0, -2)
                bar.setWidth(line.width() * share / most)
                rounded(painter, bar, 2, colour(paint))
                rest = QRectF(line.right(), line.top(), figures - 2, line.height())
                write(painter, rest, percent(share), RIGHT, "muted")
                line.translate(0, line.height())
