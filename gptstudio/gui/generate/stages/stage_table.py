"""The stages of a choice as a table the eye can follow: from the logit of each candidate to its probability."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QModelIndex, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QTableView

from gptstudio.gui.appearance import follow
from gptstudio.gui.canvas.writing import LEFT, RIGHT, write
from gptstudio.gui.generate.stages.arithmetic import Choice
from gptstudio.gui.generate.stages.stage_header import StageHeader
from gptstudio.gui.generate.stages.stage_model import UNCHANGED, CandidateRow, Index, StageModel
from gptstudio.gui.generate.stages.stage_widths import DOT, PAD, ShareScale, column_widths, parts_of
from gptstudio.gui.theme import colour
from gptstudio.gui.translation import percent, tr
from gptstudio.gui.widgets.parts import named
from gptstudio.gui.widgets.quiet_table import quieten

LEAST_ROWS = 4
TABLE_INK, TABLE_TOP, TABLE_THICK = "good", 0.87, 0.1
"""Colour of the thin bar of the table of 3-grams, and where it is, in heights of a row."""


class StagePainter(QStyledItemDelegate):
    """Paints the rows of a table on the scale of its header."""

    def __init__(self, table: StageTable) -> None:
        super().__init__(table)
        self._table, self._stages, self._head = table, table.stages, table.head

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        table, at, columns = self._table, index.column(), self._stages.columns
        row, sums, bars = self._stages.rows[index.row()], columns.index("sum"), columns.index("probability")
        rect = self._below_line(painter, option.rect, index.row())
        if row.came or index.row() == table.hovered_row:
            painter.fillRect(rect, colour("accent", 0.12) if row.came else colour("line", 0.45))
        if at == 0:
            self._paint_name(painter, rect, row)
        elif at == bars:
            self._paint_bars(painter, rect, row)
        elif row.cut_from <= at < sums:
            self._paint_reason(painter, rect, row, sums)
        elif at > bars and self._head.room.expected:
            self._paint_draws(painter, rect, row)
        else:
            quiet = row.token is None or row.cells[at] == UNCHANGED
            write(painter, rect.adjusted(2, 0, -PAD, 0), row.cells[at], RIGHT, "muted" if quiet else "text")
        if table.hasFocus() and index == table.currentIndex():
            painter.setPen(colour("accent"))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(rect.adjusted(0, 0, -1, -1))

    def _below_line(self, painter: QPainter, rect: QRect, row: int) -> QRect:
        """Paint the part in a cell of the line above its row, with what stages keep; return what is below it."""
        words, table = self._stages.lines.get(row, ""), self._table
        if not words:
            return rect
        left, high = table.columnViewportPosition(0) + DOT + 2, table.line_height
        band = QRect(left, rect.top(), table.viewport().width() - left, high)
        painter.save()
        painter.setClipRect(rect, Qt.ClipOperation.IntersectClip)
        write(painter, band, words, LEFT, "accent", width=band.width())
        middle, end = rect.top() + high // 2, band.left() + painter.fontMetrics().horizontalAdvance(words) + DOT
        painter.fillRect(QRect(end, middle, table.viewport().width() - end, 1), colour("accent"))
        painter.restore()
        return rect.adjusted(0, high, 0, 0)

    def _paint_name(self, painter: QPainter, rect: QRect, row: CandidateRow) -> None:
        if row.came:
            painter.save()
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour("accent"))
            painter.drawEllipse(QRectF(rect.left() + 4, rect.center().y() - 2.5, 6, 6))
            painter.restore()
        room, ink = rect.adjusted(DOT + 2, 0, -4, 0), "muted" if row.reasons or row.token is None else "text"
        write(painter, room, row.name, LEFT | Qt.AlignmentFlag.AlignAbsolute, ink, width=room.width())

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
        shares = [(row.before, colour("muted", 0.45)), (row.after, colour("accent"))]
        shares += [] if row.changed is None else [(row.changed, colour("validation"))]
        for place, (share, paint) in enumerate(shares):
            thick = height * (0.28 if len(shares) == 2 else 0.22)
            top = rect.top() + height * 0.18 * (2 / len(shares)) + place * height * (0.34 if len(shares) == 2 else 0.28)
            if share:
                painter.fillRect(QRectF(bars.left(), top, max(1.0, self._x(bars, share) - bars.left()), thick), paint)
            if share > self._head.scale.high:  # a bar that is longer than there is room for is broken
                painter.fillRect(QRectF(bars.right() - 9, top, 3, thick), colour("surface"))
        if row.table:
            length = max(1.0, self._x(bars, row.table) - bars.left())
            painter.fillRect(QRectF(bars.left(), rect.top() + height * TABLE_TOP, length, height * TABLE_THICK),
                             colour(TABLE_INK))
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


class StageTable(QTableView):
    """Table of a choice; emits the candidate that is chosen, and the arithmetic of the number under the pointer."""

    candidate_chosen = Signal(int)
    pointed = Signal(str)
    """The arithmetic of the cell that is pointed at, or else of the one that the keyboard is at; empty for none."""

    def __init__(self) -> None:
        super().__init__()
        self.stages, self.head = StageModel(), StageHeader()
        self.hovered_row = -1
        self._hovered_column = -1
        self._logarithmic = False
        self.setModel(self.stages)
        self.setHorizontalHeader(self.head)
        self.setItemDelegate(StagePainter(self))
        named(self, "stage_table", tr("The most likely next tokens, stage by stage"))
        quieten(self, selects=False)
        self.setMouseTracking(True)
        self.clicked.connect(self._chosen)
        self.order_dragged = self.head.order_dragged
        follow(self, self._fit)
        self._fit()

    def show_choice(self, choice: Choice, count: int) -> None:
        """The likeliest ``count`` tokens, that which came in sight; where the keyboard is, it stays."""
        row, column = self.currentIndex().row(), self.currentIndex().column()
        self.stages.show(choice, count)
        if row >= 0:
            self.setCurrentIndex(self.stages.index(min(row, len(self.stages.rows) - 1), column))
        self._fit_columns()
        self._fit_rows()
        self.setMaximumHeight(self._height_of(len(self.stages.rows)) + self.line_height * len(self.stages.lines) +
                              self.horizontalScrollBar().sizeHint().height())
        self.hovered_row = min(self.hovered_row, len(self.stages.rows) - 1)
        self._rescale()
        self._show_token()
        self._emit_pointed()

    @property
    def line_height(self) -> int:
        """Pixels of the line between what a stage keeps and what it removes."""
        return round(self.fontMetrics().height() * 1.2)

    def _fit_rows(self) -> None:
        rows = self.verticalHeader()
        for row in range(len(self.stages.rows)):
            high = rows.defaultSectionSize() + self.line_height * (row in self.stages.lines)
            if self.rowHeight(row) != high:
                self.setRowHeight(row, high)

    def _show_token(self) -> None:
        """Scroll to the token that came, where it is not in sight."""
        came = next((row for row, each in enumerate(self.stages.rows) if each.came), None)
        if came is not None:
            self.scrollTo(self.stages.index(came, 0))

    def show_logarithmic(self, logarithmic: bool) -> None:
        self._logarithmic = logarithmic
        self._rescale()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        index = self.indexAt(event.position().toPoint())
        self._hover(index.row(), index.column())

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._hover(-1, -1)

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        self._emit_pointed()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, alt = event.key(), event.modifiers() & Qt.KeyboardModifier.AltModifier
        stage = self.stages.stage(self.currentIndex().column())
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._chosen(self.currentIndex())
        elif alt and stage and key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self.head.shift(stage, -1 if key == Qt.Key.Key_Left else 1)
            self._follow(stage)
        elif alt or key == Qt.Key.Key_Space:
            event.ignore()  # for the page
        else:
            super().keyPressEvent(event)

    def _follow(self, stage: str) -> None:
        """The keyboard goes with the stage that it moved."""
        self.setCurrentIndex(self.currentIndex().siblingAtColumn(self.stages.columns.index(stage)))

    def _chosen(self, index: QModelIndex) -> None:
        token = self.stages.rows[index.row()].token if index.isValid() else None
        if token is not None:
            self.candidate_chosen.emit(token)

    def _hover(self, row: int, column: int) -> None:
        if (row, column) == (self.hovered_row, self._hovered_column):
            return
        if row != self.hovered_row:
            self.viewport().update()
        self.hovered_row, self._hovered_column = row, column
        can = row >= 0 and self.stages.rows[row].token is not None
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor if can else Qt.CursorShape.ArrowCursor)
        self._emit_pointed()

    def _emit_pointed(self) -> None:
        row, column = self.hovered_row, self._hovered_column
        if row < 0:
            row, column = self.currentIndex().row(), self.currentIndex().column()
        self.pointed.emit(self.stages.explain(row, column) if row >= 0 else "")

    def sizeHint(self) -> QSize:
        """No higher than it must be: on a page that scrolls it would get all that it asks for, and its head be gone."""
        return QSize(640, self.minimumSizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(200, self._height_of(LEAST_ROWS))

    def _height_of(self, rows: int) -> int:
        return self.head.sizeHint().height() + rows * self.verticalHeader().defaultSectionSize()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_columns()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:  # also when it is put into a window with larger text
            self._fit()

    def _rescale(self) -> None:
        """By the listed tokens: all others in one are often more than any of them, and would leave them no length."""
        listed = (row for row in self.stages.rows if row.token is not None)
        shares = [each for row in listed for each in (
            row.before, row.after, row.drawn or 0.0, row.changed or 0.0, row.table or 0.0)]
        self.head.scale = ShareScale.over(shares, self._logarithmic)
        self.head.viewport().update()
        self.viewport().update()

    def _fit(self) -> None:
        self.ensurePolished()
        self.verticalHeader().setDefaultSectionSize(round(self.fontMetrics().height() * 1.45))
        self._fit_rows()
        self._fit_columns()
        self.updateGeometry()

    def _fit_columns(self) -> None:
        choice, width = self.stages.choice, self.viewport().width()
        if choice:
            drawn = choice.draws is not None
            widths, self.head.room = column_widths(self.fontMetrics(), choice.sampling_params, width, drawn)
            for column, width in enumerate(widths):  # those of stages come and go, and with them what a column is
                self.setColumnHidden(column, not width)
                if width:
                    self.setColumnWidth(column, width)
