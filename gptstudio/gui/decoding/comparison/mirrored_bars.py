"""What could have come at one position, for both sides: bars that grow away from the tokens' names in the middle."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gptstudio.gpt import tokenizer
from gptstudio.gui.decoding.comparison.pairing import Candidate, Column, Share
from gptstudio.gui.decoding.comparison.side import COLOURS
from gptstudio.gui.decoding.stages import stage_words
from gptstudio.gui.theme import colour, theme
from gptstudio.gui.words import percent, tr

RIGHT, MIDDLE = Qt.AlignmentFlag.AlignRight, Qt.AlignmentFlag.AlignVCenter


class MirroredBars(QWidget):
    """Paints the candidates of a column, on one scale for both sides."""

    def __init__(self) -> None:
        super().__init__()
        self.column: Column | None = None
        self.setObjectName("mirrored_bars")
        self.setAccessibleName(tr("The likeliest tokens of both sides and their probabilities"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def show_column(self, column: Column | None) -> None:
        self.column = column
        self.setAccessibleDescription("; ".join(_spoken(each) for each in column.candidates) if column else "")
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        rows = len(self.column.candidates) + 1 if self.column and self.column.candidates else 0
        return QSize(420, rows * self._row_height() + 2)

    def minimumSizeHint(self) -> QSize:
        return QSize(240, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.column is None or not self.column.candidates:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        candidates, others = self.column.candidates, self.column.others
        longest = max(share.probability for each in candidates for share in each.shares if share) or 1.0
        for row, candidate in enumerate(candidates):
            self._paint_name(painter, row, self._name(candidate))
            for side, share in enumerate(candidate.shares):
                self._paint_share(painter, row, side, share, self._drew(side, candidate), longest)
        last = len(candidates)
        self._paint_name(painter, last, tr("{n} others", n=f"{others.count:,}"), quiet=True)
        for side, cell in enumerate(self.column.cells):
            if cell:
                self._paint_figure(painter, last, side, percent(others.shares[side]), quiet=True)

    def _paint_share(
        self, painter: QPainter, row: int, side: int, share: Share | None, drew: bool, longest: float
    ) -> None:
        if share is None:
            return
        self._paint_figure(painter, row, side, share_words(share), quiet=bool(share.cut_by))
        inner, room = self._middle() + self._names() / 2, self._middle() - self._names() / 2 - self._figures()
        height = self._row_height()
        length = max(room * share.probability / longest, 1.0 if share.probability else 0.0)
        bar = QRectF(inner, row * height + height * 0.2, length, height * 0.6)
        if side == 0:
            bar.moveRight(self.width() - inner)
        painter.setPen(colour(COLOURS[side]) if drew else Qt.PenStyle.NoPen)
        painter.setBrush(colour(COLOURS[side], 0.95 if drew else 0.45))
        painter.drawRoundedRect(bar, 2, 2)

    def _paint_name(self, painter: QPainter, row: int, words: str, quiet: bool = False) -> None:
        names = self._names()
        place = QRectF(self._middle() - names / 2, row * self._row_height(), names, self._row_height())
        painter.setPen(colour("muted" if quiet else "text"))
        text = QFontMetrics(self.font()).elidedText(words, Qt.TextElideMode.ElideRight, round(names) - 12)
        painter.drawText(place, Qt.AlignmentFlag.AlignCenter, text)

    def _paint_figure(self, painter: QPainter, row: int, side: int, words: str, quiet: bool) -> None:
        """At the outer edge, where a bar of the whole length ends."""
        place = QRectF(2, row * self._row_height(), self.width() - 4, self._row_height())
        painter.setPen(colour("muted" if quiet else "text"))
        painter.drawText(place, RIGHT | MIDDLE if side else MIDDLE, words)

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
        """The width of the tokens' names."""
        metrics = QFontMetrics(self.font())
        shown = [self._name(each) for each in self.column.candidates] if self.column else []
        widest = max((metrics.horizontalAdvance(name) for name in shown), default=0)
        return min(self.width() * 0.36, max(widest, metrics.horizontalAdvance(tr("{n} others", n="50,249"))) + 24)

    def _figures(self) -> float:
        """The width of the outer figures."""
        metrics = QFontMetrics(self.font())
        shares = [share for each in self.column.candidates for share in each.shares if share] if self.column else []
        return max(metrics.horizontalAdvance(words) for words in ("99.9 %", *map(share_words, shares))) + 14

    def _row_height(self) -> int:
        return round(QFontMetrics(self.font()).height() * 1.35)


def share_words(share: Share) -> str:
    """A probability, or which stage cut the token away."""
    if share.cut_by is None:
        return percent(share.probability)
    return tr("cut by {stage}", stage=stage_words.in_text(share.cut_by))


def _spoken(candidate: Candidate) -> str:
    figures = ", ".join(share_words(share) if share else tr("nothing") for share in candidate.shares)
    return f"{tokenizer.visible(candidate.id)} {figures}"
