"""Bars of the most probable next tokens at one evaluation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QSizePolicy

from gptstudio.gpt import tokenizer
from gptstudio.gui.canvas.canvas import Canvas
from gptstudio.gui.canvas.writing import LEFT, RIGHT, rounded, write
from gptstudio.gui.charts.style import CurveStyle
from gptstudio.gui.theme import colour
from gptstudio.gui.translation import percent, tr
from gptstudio.history.probe_history import RIBBONS, Candidate

ROW = 1.35
"""Height of a row, in heights of a letter."""
FEWEST = 3
"""Rows that are shown where the window is low."""
NAME, FIGURE = 8, 5
"""Widths of a token and of its probability, in heights of a letter."""


def ribbon_colour(number: int | None, opacity: float = 1.0) -> QColor:
    """Return the colour of a ribbon; that of a token without one."""
    return colour("muted", 0.5 * opacity) if number is None else CurveStyle(number).paint(opacity)


class TokenBars(Canvas):
    """Bars of up to six tokens, each in the colour of its ribbon."""

    def __init__(self) -> None:
        super().__init__("probe_bars", tr("Most probable next tokens"))
        self._rows: Sequence[Candidate] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)

    def show_tokens(self, rows: Sequence[Candidate]) -> None:
        """Show these, the first at the top."""
        self._rows = rows
        self.describe(self.table_words())
        self.surface().update()

    def items(self) -> Mapping[int, QRectF]:
        height = self._height()
        fitting = min(len(self._rows), max(FEWEST, int(self.height() / height)))
        return {row: QRectF(0, row * height, self.width(), height) for row in range(fitting)}

    def words(self, item: int) -> str:
        return "\n".join(self._cells(item))

    def table(self) -> Sequence[Sequence[str]]:
        return [self._cells(row) for row in range(len(self._rows))]

    def _cells(self, row: int) -> list[str]:
        each = self._rows[row]
        return [tokenizer.visible(each.id), percent(each.probability)]

    def _height(self) -> float:
        return ROW * self.fontMetrics().height()

    def minimumSizeHint(self) -> QSize:
        return QSize((NAME + FIGURE + 4) * self.fontMetrics().height(), round(FEWEST * self._height()))

    def sizeHint(self) -> QSize:
        return QSize(self.minimumSizeHint().width(), round(RIBBONS * self._height()))

    def paint(self, painter: QPainter, _region: QRect) -> None:
        letter = self.fontMetrics().height()
        name, figure = NAME * letter, FIGURE * letter
        for row, place in self.items().items():
            each, cells = self._rows[row], self._cells(row)
            write(painter, QRectF(0, place.top(), name - 8, place.height()), cells[0], LEFT, width=name - 8)
            most = max(place.width() - name - figure, 1.0)
            bar = QRectF(name, place.top() + 3, max(2.0, most * each.probability), place.height() - 6)
            rounded(painter, bar, 3, ribbon_colour(each.ribbon))
            behind = QRectF(place.right() - figure, place.top(), figure, place.height())
            write(painter, behind, cells[1], RIGHT, "muted")
            if row == self.item and self.hasFocus():
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(colour("accent"))
                painter.drawRect(place.adjusted(0, 0, -1, -1))
