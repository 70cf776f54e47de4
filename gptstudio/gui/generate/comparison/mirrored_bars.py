"""Candidates at one position, for both sides: bars that grow outwards from the tokens' names in the middle.

Above them is the number of effective choices of each model; a token removed by a sampling stage has a hollow bar.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QSizePolicy

from gptstudio.gpt import tokenizer
from gptstudio.gpt.sampling import STAGES
from gptstudio.gui.canvas.canvas import Canvas
from gptstudio.gui.canvas.writing import CENTRE, LEFT, RIGHT, rounded, write
from gptstudio.gui.generate.comparison.alignment import AlignedPosition, Candidate, GeneratedToken, TokenProbability
from gptstudio.gui.generate.comparison.side import COLOURS
from gptstudio.gui.generate.stages import stage_texts
from gptstudio.gui.theme import colour
from gptstudio.gui.translation import joined, percent, tr
from gptstudio.i18n import message

WIDTH, LEAST_WIDTH = 32, 18
"""That it would like to have, and that it needs, in heights of a letter."""
TIP = message(
    "The candidates on each side. Effective choices (2^entropy): first for the model alone, then after all sampling "
    "settings. Dot: the token this side sampled.")


class MirroredBars(Canvas):
    """Paints the candidates of a column, on one scale for both sides."""

    def __init__(self) -> None:
        super().__init__(
            "mirrored_bars", tr("The most likely tokens of both sides and their probabilities"), pointable=False)
        self.column: AlignedPosition | None = None
        self.setToolTip(tr(TIP))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_column(self, column: AlignedPosition | None) -> None:
        self.column = column
        self.describe(joined("; ", *map(_spoken, column.candidates)) if column else "")
        self.remeasure()

    def table(self) -> Sequence[Sequence[str]]:
        return [
            (tokenizer.visible(each.id), *(probability_text(share) if share else "" for share in each.shares))
            for each in (self.column.candidates if self.column else ())
        ]

    @property
    def cutting(self) -> list[str]:
        """The stages that cut away a candidate, in their usual order."""
        candidates = self.column.candidates if self.column else ()
        found = {share.cut_by for each in candidates for share in each.shares if share}
        return [stage for stage in STAGES if stage in found]

    def sizeHint(self) -> QSize:
        rows = len(self.column.candidates) + 2 if self.column and self.column.candidates else 0
        return QSize(WIDTH * self.fontMetrics().height(), rows * self._row_height() + 2)

    def minimumSizeHint(self) -> QSize:
        return QSize(LEAST_WIDTH * self.fontMetrics().height(), self.sizeHint().height())

    def paint(self, painter: QPainter, _region: QRect) -> None:
        if self.column is None or not self.column.candidates:
            return
        candidates, others = self.column.candidates, self.column.others
        longest = max(_length(share) for each in candidates for share in each.shares if share) or 1.0
        for side, cell in enumerate(self.column.cells):
            if cell:
                self._paint_figure(painter, 0, side, entropy_text(cell), quiet=True)
        for row, candidate in enumerate(candidates, 1):
            self._paint_name(painter, row, self._name(candidate))
            for side, share in enumerate(candidate.shares):
                self._paint_share(painter, row, side, share, self._drew(side, candidate), longest)
        last = len(candidates) + 1
        self._paint_name(painter, last, tr("{n} others", n=f"{others.count:,}"), quiet=True)
        for side, cell in enumerate(self.column.cells):
            if cell:
                self._paint_figure(painter, last, side, percent(others.shares[side]), quiet=True)

    def _paint_share(
        self, painter: QPainter, row: int, side: int, share: TokenProbability | None, drew: bool, longest: float
    ) -> None:
        if share is None:
            return
        self._paint_figure(painter, row, side, percent(_length(share)), quiet=bool(share.cut_by))
        inner, room = self._middle() + self._names() / 2, self._middle() - self._names() / 2 - self._figures()
        height = self._row_height()
        length = max(room * _length(share) / longest, 1.0 if _length(share) else 0.0)
        bar = QRectF(inner, row * height + height * 0.2, length, height * 0.6)
        if side == 0:
            bar.moveRight(self.width() - inner)
        if share.cut_by:
            rounded(painter, bar, 2, edge=QPen(colour(COLOURS[side]), 1, Qt.PenStyle.DotLine))
        else:
            paint = colour(COLOURS[side], 0.95 if drew else 0.45)
            rounded(painter, bar, 2, paint, colour(COLOURS[side]) if drew else None)

    def _paint_name(self, painter: QPainter, row: int, words: str, quiet: bool = False) -> None:
        names = self._names()
        place = QRectF(self._middle() - names / 2, row * self._row_height(), names, self._row_height())
        write(painter, place, words, CENTRE, "muted" if quiet else "text", width=round(names) - 12)

    def _paint_figure(self, painter: QPainter, row: int, side: int, words: str, quiet: bool) -> None:
        """At the outer edge, where a bar of the whole length ends."""
        place = QRectF(2, row * self._row_height(), self.width() - 4, self._row_height())
        room = place.width() / 2 - self._row_height() / 2
        write(painter, place, words, RIGHT if side else LEFT, "muted" if quiet else "text", width=room)

    def _name(self, candidate: Candidate) -> str:
        """With a dot on the side that drew it."""
        before, behind = ("● " if self._drew(side, candidate) else "" for side in (0, 1))
        return f"{before}{tokenizer.visible(candidate.id)}{behind and ' ●'}"

    def _drew(self, side: int, candidate: Candidate) -> bool:
        cell = self.column.cells[side] if self.column else None
        return cell is not None and cell.id == candidate.id

    def _middle(self) -> float:
        return self.width() / 2

    def _names(self) -> float:
        metrics = QFontMetrics(self.font())
        shown = [self._name(each) for each in self.column.candidates] if self.column else []
        widest = max((metrics.horizontalAdvance(name) for name in shown), default=0)
        return min(self.width() * 0.36, max(widest, metrics.horizontalAdvance(tr("{n} others", n="50,249"))) + 24)

    def _figures(self) -> float:
        metrics = QFontMetrics(self.font())
        candidates = self.column.candidates if self.column else ()
        shares = [share for each in candidates for share in each.shares if share]
        return max(metrics.horizontalAdvance(percent(_length(each))) for each in shares) + 14

    def _row_height(self) -> int:
        return round(QFontMetrics(self.font()).height() * 1.35)


def probability_text(share: TokenProbability) -> str:
    """Return a token's probability; if a stage removed it, the original probability and the stage."""
    if share.cut_by is None:
        return percent(share.probability)
    return tr("{p}, removed by {stage}", p=percent(share.plain), stage=stage_texts.in_text(share.cut_by))


def entropy_text(cell: GeneratedToken) -> str:
    """Return the number of effective choices (2^entropy), before sampling parameters and after all stages."""
    plain, left = (_count(2**bits) for bits in (cell.plain_entropy_bits, cell.entropy_bits))
    return tr("{n} effective choices; {m} after sampling", n=plain, m=left)


def _count(choices: float) -> str:
    return f"{choices:,.0f}" if choices >= 10 else f"{choices:.1f}"


def _length(share: TokenProbability) -> float:
    """Return the probability that a bar shows."""
    return share.plain if share.cut_by else share.probability


def _spoken(candidate: Candidate) -> str:
    figures = (probability_text(share) if share else tr("nothing") for share in candidate.shares)
    return joined(" ", tokenizer.visible(candidate.id), joined(", ", *figures))
