"""What could come next: the likeliest tokens as paired bars, before and after temperature and top-k.

Always the softmax over the whole vocabulary; what is not listed is summed in one last row.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gptstudio.gpt.sampling import Distribution
from gptstudio.gui.theme import colour, theme
from gptstudio.gui.words import percent, tr

REASONS = {"top_k": "cut by top-k", "temperature": "temperature 0"}


@dataclass(frozen=True)
class Row:
    """One candidate: its probability as the model gives it, and after temperature and top-k, or why it was cut."""

    name: str
    before: float
    after: float
    chosen: bool = False
    cut: Literal["", "top_k", "temperature"] = ""

    @property
    def outcome(self) -> str:
        return tr(REASONS[self.cut]) if self.cut else percent(self.after)


def rows_of(
    stages: Distribution, visible: Callable[[int], str], chosen: int | None, temperature: float, count: int = 12
) -> list[Row]:
    """The likeliest ``count`` tokens, the chosen one wherever it stands, and everything else summed."""
    why: Literal["top_k", "temperature"] = "top_k" if temperature else "temperature"
    ids = stages.likeliest(count).tolist()
    if chosen is not None and chosen not in ids:
        ids = [*ids[:-1], chosen]
    before, after = stages.plain, stages.probabilities
    rows = [
        Row(visible(i), float(before[i]), float(after[i]), i == chosen, "" if stages.kept[i] else why) for i in ids
    ]
    rest = np.ones(stages.plain.size, dtype=bool)
    rest[ids] = False
    if rest.any():
        others = tr("{n} other tokens", n=f"{int(rest.sum()):,}")
        rows.append(Row(others, float(before[rest].sum()), float(after[rest].sum())))
    return rows


class CandidateBars(QWidget):
    """Paints the rows; knows nothing of models."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[Row] = []
        self.setObjectName("candidate_bars")
        self.setAccessibleName(tr("The likeliest next tokens and their probabilities"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def show_rows(self, rows: list[Row]) -> None:
        if len(rows) != len(self.rows):
            self.updateGeometry()
        self.rows = rows
        self.setAccessibleDescription("; ".join(f"{row.name} {row.outcome}" for row in rows))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(420, max(1, len(self.rows)) * self._row_height() + 4)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        metrics, height = QFontMetrics(self.font()), self._row_height()
        widest = max((metrics.horizontalAdvance(row.name) for row in self.rows), default=0)
        names = min(self.width() * 0.32, widest + 24)
        figures = metrics.horizontalAdvance("> 99.99 %") + 10
        last = max(figures, *(metrics.horizontalAdvance(tr(words)) + 16 for words in REASONS.values()))
        longest = max((max(row.before, row.after) for row in self.rows), default=1.0) or 1.0
        area = QRectF(names, 0, max(20.0, self.width() - names - figures - last), height)
        for index, row in enumerate(self.rows):
            self._paint_row(painter, row, index * height, area, figures, longest)

    def _paint_row(
        self, painter: QPainter, row: Row, top: float, area: QRectF, figures: float, longest: float
    ) -> None:
        height, middle = area.height(), Qt.AlignmentFlag.AlignVCenter
        if row.chosen:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour("accent", 0.12))
            painter.drawRoundedRect(QRectF(0, top + 1, self.width(), height - 2), 5, 5)
        painter.setPen(colour("muted" if row.cut else "text"))
        name = QFontMetrics(self.font()).elidedText(
            ("● " if row.chosen else "   ") + row.name, Qt.TextElideMode.ElideRight, int(area.left()) - 6
        )
        painter.drawText(QRectF(4, top, area.left() - 6, height), middle, name)
        thick = height * 0.26
        for share, offset, paint in (
            (row.before, height * 0.2, colour("muted", 0.45)),
            (row.after, height * 0.52, colour("accent")),
        ):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(paint)
            width = area.width() * share / longest
            painter.drawRoundedRect(QRectF(area.left(), top + offset, max(width, 1.0 if share else 0.0), thick), 2, 2)
        right = Qt.AlignmentFlag.AlignRight | middle
        painter.setPen(colour("muted"))
        painter.drawText(QRectF(area.right(), top, figures, height), right, percent(row.before))
        painter.setPen(colour("muted" if row.cut else "text"))
        last = QRectF(area.right() + figures, top, self.width() - area.right() - figures - 6, height)
        painter.drawText(last, right, row.outcome)

    def _row_height(self) -> int:
        return round(QFontMetrics(self.font()).height() * 1.5)
