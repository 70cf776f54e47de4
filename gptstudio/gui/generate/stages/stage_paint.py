"""Painting of a cell of the table of sampling stages."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QTableView

from gptstudio.gui.canvas.writing import LEFT, RIGHT, write
from gptstudio.gui.generate.stages.stage_header import StageHeader
from gptstudio.gui.generate.stages.stage_model import UNCHANGED, CandidateRow, StageModel
from gptstudio.gui.generate.stages.stage_widths import DOT, PAD, parts_of
from gptstudio.gui.theme import colour
from gptstudio.gui.translation import percent, tr


class StagePainter(QStyledItemDelegate):
    """Paints the rows of a model on the scale of a header. ``hovered_row``: the row under the pointer; -1 for none."""

    def __init__(
        self, table: QTableView, stages: StageModel, head: StageHeader, hovered_row: Callable[[], int]
    ) -> None:
        super().__init__(table)
        self._table, self._stages, self._head, self._hovered_row = table, stages, head, hovered_row

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        table, rect, at = self._table, option.rect, index.column()
        row, last = self._stages.rows[index.row()], len(self._stages.columns) - 2
        if row.came or index.row() == self._hovered_row():
            painter.fillRect(rect, colour("accent", 0.12) if row.came else colour("line", 0.45))
        if at == 0:
            self._paint_name(painter, rect, row)
        elif at == last:
            self._paint_bars(painter, rect, row)
        elif row.cut_from <= at < last:
            self._paint_reason(painter, rect, row, last)
        elif at > last and self._head.room.expected:
            self._paint_draws(painter, rect, row)
        else:
            quiet = row.token is None or row.cells[at] == UNCHANGED
            write(painter, rect.adjusted(2, 0, -PAD, 0), row.cells[at], RIGHT, "muted" if quiet else "text")
        if table.hasFocus() and index == table.currentIndex():
            painter.setPen(colour("accent"))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(rect.adjusted(0, 0, -1, -1))

    def _paint_name(self, painter: QPainter, rect: QRect, row: CandidateRow) -> None:
        if row.came:
            painter.save()
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour("accent"))
            painter.drawEllipse(QRectF(rect.left() + 4, rect.center().y() - 2.5, 6, 6))
            painter.restore()
        painter.setPen(colour("muted" if row.reasons or row.token is None else "text"))
        room = rect.adjusted(DOT + 2, 0, -4, 0)
        name = painter.fontMetrics().elidedText(row.name, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, LEFT | Qt.AlignmentFlag.AlignAbsolute, name)

    def _paint_reason(self, painter: QPainter, rect: QRect, row: CandidateRow, last: int) -> None:
        """Across all columns from the one that cut it: each cell paints its part of the words."""
        left, right = (self._table.columnViewportPosition(column) for column in (row.cut_from, last))
        whole = QRect(left + PAD, rect.top(), right - left - 2 * PAD, rect.height())
        fitting = (words for words in row.reasons if painter.fontMetrics().horizontalAdvance(words) <= whole.width())
        painter.save()
        painter.setClipRect(rect, Qt.ClipOperation.IntersectClip)
        write(painter, whole, next(fitting, row.reasons[-1]), RIGHT if row.cut_from == last - 1 else LEFT, "muted")
        painter.restore()

    def _paint_bars(self, painter: QPainter, rect: QRect, row: CandidateRow) -> None:
        bars, before, after = parts_of(rect.adjusted(PAD, 0, -PAD, 0), painter.fontMetrics(), self._head.room)
        for decade in self._head.scale.decades():
            painter.fillRect(QRectF(self._x(bars, decade), rect.top(), 1, rect.height()), colour("line", 0.6))
        height = rect.height()
        thick = height * 0.28
        for share, top, paint in (
            (row.before, 0.18, colour("muted", 0.45)), (row.after, 0.52, colour("accent")),
        ):
            if share:
                width = max(1.0, self._x(bars, share) - bars.left())
                painter.fillRect(QRectF(bars.left(), rect.top() + height * top, width, thick), paint)
            if share > self._head.scale.high:  # a bar that is longer than there is room for is broken
                painter.fillRect(QRectF(bars.right() - 9, rect.top() + height * top, 3, thick), colour("surface"))
        if row.drawn and row.drawn <= self._head.scale.high:
            x = self._x(bars, row.drawn)
            painter.fillRect(QRectF(x - 1, rect.top() + height * 0.44, 2.5, height * 0.44), colour("amber"))
        painter.setPen(colour("muted"))
        if before.width():
            painter.drawText(before, RIGHT, percent(row.before))
        write(painter, after, row.cells[-2], RIGHT, "text" if row.after else "muted")

    def _paint_draws(self, painter: QPainter, rect: QRect, row: CandidateRow) -> None:
        if not row.cells[-1]:
            return
        inside = rect.adjusted(PAD, 0, -PAD, 0)
        write(painter, inside, row.expected, RIGHT, "muted")
        inside.setWidth(painter.fontMetrics().horizontalAdvance(tr("Drawn")))
        write(painter, inside, row.cells[-1], RIGHT)

    def _x(self, bars: QRect, share: float) -> float:
        return bars.left() + bars.width() * min(1.0, self._head.scale.at(share))
