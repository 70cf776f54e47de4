"""Table of the sampling stages, from a candidate's logit to its probability. Stages can be dragged in its header."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import cast

from PySide6.QtCore import QEvent, QModelIndex, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QHeaderView, QStyledItemDelegate, QStyleOptionViewItem, QTableView

from gptstudio.gpt.sampling import STAGES
from gptstudio.gpt.sampling.params import SamplingParams
from gptstudio.gui.appearance import on_restyle
from gptstudio.gui.canvas.writing import LEFT, RIGHT, draw_with, write
from gptstudio.gui.generate.stages import stage_texts
from gptstudio.gui.generate.stages.param_list import Order, moved, paint_grip, shifted
from gptstudio.gui.generate.stages.stage_texts import UNCHANGED, CandidateRow, Index, StageModel, TokenChoice
from gptstudio.gui.theme import colour
from gptstudio.gui.translation import percent, tr
from gptstudio.gui.widgets.parts import named
from gptstudio.gui.widgets.tables import style_table, table_height
from gptstudio.i18n import message

PAD, GRIP, DOT, LEAST_BAR = 5, 9, 12, 56
"""Pixels: padding of a cell; width of the drag handle; width of the mark of the sampled token; least space for bars."""
NUMBER, NAME, PERCENT = "-000.00", "50,245 more", "> 99.99 %"
"""Widest logit, name and probability that must fit."""
LOWEST = 1e-12
"""Lower bound of the logarithmic scale of the bars."""


@dataclass(frozen=True)
class ShareScale:
    """Scale of the bars, from ``low`` at 0 to ``high`` at 1."""

    low: float = 0.0
    high: float = 1.0
    logarithmic: bool = False

    @classmethod
    def over(cls, shares: Iterable[float], logarithmic: bool) -> ShareScale:
        """Return the scale on which all shares are visible."""
        seen = [each for each in shares if each > 0] or [1.0]
        if not logarithmic:
            return cls(0.0, max(seen))
        high = math.ceil(math.log10(max(seen)) - 1e-9)
        # The scale begins below the smallest share, whose bar needs a length.
        low = math.ceil(math.log10(max(LOWEST, min(seen))) - 0.05) - 1
        return cls(10.0**low, 10.0**high, True)

    def at(self, share: float) -> float:
        """Return the position of a share as a fraction: 0 at the left end, 1 at the right end."""
        if share <= self.low:
            return 0.0
        if self.logarithmic:
            return math.log(share / self.low) / math.log(self.high / self.low)
        return share / self.high

    def decades(self) -> list[float]:
        """Return the powers of ten between the ends; empty for a linear scale."""
        if not self.logarithmic:
            return []
        return [10.0**power for power in range(round(math.log10(self.low)) + 1, round(math.log10(self.high)))]


@dataclass(frozen=True)
class Room:
    """Optional figures that have room: probability before the stages, expected number of draws, running sum."""

    before: bool = True
    expected: bool = True
    sums: bool = True


def column_widths(
    letters: QFontMetrics, sampling_params: SamplingParams, width: int, drawn: bool
) -> tuple[list[int], Room]:
    """Return the widths of all columns, and the optional figures that fit. The sum may exceed ``width``.

    A width of 0 hides a column: the draws before any are made, and inactive stages if there is no room for all.

    Space goes first to the running sum, then to the expected number of draws, the probability before, and the full
    names of the stages; the rest goes to all columns, mostly to the bars.
    """
    wide = letters.horizontalAdvance
    shown = sampling_params.shown()
    stages = [_stage_width(letters, sampling_params, stage, False) for stage in shown]
    whole = [_stage_width(letters, sampling_params, stage, True) for stage in shown]
    ends = [DOT + wide(NAME) + PAD, wide(NUMBER) + 2 * PAD]
    bars, figure = LEAST_BAR + wide(PERCENT) + 4 * PAD, wide(PERCENT) + PAD
    draws, more = (wide(tr("Drawn")) + 2 * PAD, wide(tr("expected")) + 2 * PAD) if drawn else (0, 0)
    if sum((*ends, *stages, bars, draws)) > width:
        on = [sampling_params.changes(stage) for stage in shown]
        stages, whole = ([each * there for each, there in zip(some, on, strict=True)] for some in (stages, whole))
    spare = width - sum((*ends, *stages, bars, draws))
    sums = max(map(wide, (PERCENT, tr("Sum"), tr("for top-p")))) + 2 * PAD
    sums *= sums <= spare
    spare -= sums
    room = Room(before=figure + more <= spare, expected=drawn and more <= spare, sums=bool(sums))
    draws += more * room.expected
    spare -= more * room.expected + figure * room.before
    if sum(whole) - sum(stages) <= spare - LEAST_BAR:
        spare -= sum(whole) - sum(stages)
        stages = whole
    widths = [each + max(0, min(spare // 24, each // 2)) for each in (*ends, *stages)]
    least = bars + figure * room.before
    return [*widths, sums, max(least, width - sum(widths) - sums - draws), draws], room


def _stage_width(letters: QFontMetrics, sampling_params: SamplingParams, stage: str, whole: bool) -> int:
    """Return the width of a stage's column, for its name, its setting and, if the stage is active, its numbers and
    texts."""
    texts = [stage_texts.setting(sampling_params, stage)]
    if sampling_params.changes(stage):
        texts.append(NUMBER)
    if sampling_params.changes(stage) and STAGES[stage].removes:
        texts.append(tr("removed by {stage}", stage=stage_texts.in_text(stage)) if whole else tr("removed"))
    name = stage_texts.name(stage) if whole else stage_texts.short(stage)
    return max(letters.horizontalAdvance(name) + GRIP, *map(letters.horizontalAdvance, texts)) + 2 * PAD


def parts_of(rect: QRect, letters: QFontMetrics, room: Room) -> tuple[QRect, QRect, QRect]:
    """Return the rectangles of a cell's bars, and of its figures before (empty without room) and after."""
    width = letters.horizontalAdvance(PERCENT) + PAD
    after = QRect(rect.right() - width + 1, rect.top(), width, rect.height())
    before = after.translated(-width, 0) if room.before else QRect(after.left(), rect.top(), 0, rect.height())
    return QRect(rect.left(), rect.top(), before.left() - rect.left() - PAD, rect.height()), before, after


FOR_TOP_P = message("for top-p")


class StageHeader(QHeaderView):
    """Header that emits the new order when a stage is dragged; the owner of the sampling parameters applies it."""

    order_dragged = Signal(object)  # tuple[str, …]

    def __init__(self) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.scale = ShareScale()
        self.room = Room()
        self._pressed: tuple[str, QPoint] | None = None
        self._gap: int | None = None  # between the stages, where the stage would be dropped
        self.setMouseTracking(True)
        self.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setMinimumSectionSize(10)

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), 2 * self.fontMetrics().height() + 10)

    def columns(self) -> StageModel:
        return cast(StageModel, self.model())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        place = event.position().toPoint()
        stage = self.columns().stage(self.logicalIndexAt(place))
        if stage and event.button() == Qt.MouseButton.LeftButton:
            self._pressed = stage, place

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        place = event.position().toPoint()
        if self._pressed and (place - self._pressed[1]).manhattanLength() >= QApplication.startDragDistance():
            self._gap = self._gap_at(place.x())
            self.viewport().update()
        over = bool(self.columns().stage(self.logicalIndexAt(place)))
        hand = Qt.CursorShape.ClosedHandCursor if self._gap is not None else Qt.CursorShape.OpenHandCursor
        self.viewport().setCursor(hand if over or self._gap is not None else Qt.CursorShape.ArrowCursor)

    def mouseReleaseEvent(self, _event: QMouseEvent) -> None:
        pressed, gap = self._pressed, self._gap
        self._pressed = self._gap = None
        self.viewport().update()
        if pressed and gap is not None:
            order, shown = self._order(), self._shown()
            self._emit_order(moved(order, pressed[0], order.index(shown[gap]) if gap < len(shown) else len(order)))

    def shift(self, stage: str, by: int) -> None:
        """Apply a stage one place earlier (-1) or later (1)."""
        self._emit_order(shifted(self._order(), stage, by, self._shown()))

    def _emit_order(self, order: Order) -> None:
        if order != self._order():
            self.order_dragged.emit(order)

    def _order(self) -> Order:
        choice = self.columns().choice
        return choice.sampling_params.order if choice else ()

    def _shown(self) -> Order:
        choice = self.columns().choice
        shown = choice.sampling_params.shown() if choice else ()
        return tuple(name for place, name in enumerate(shown, start=2) if not self.isSectionHidden(place))

    def _gap_at(self, x: int) -> int:
        sections = [self.columns().columns.index(name) for name in self._shown()]
        middles = [self.sectionViewportPosition(section) + self.sectionSize(section) / 2 for section in sections]
        return sum(x > middle for middle in middles)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.fillRect(self.viewport().rect(), colour("surface"))
        for section in range(self.count()):
            if not self.isSectionHidden(section):
                rect = QRect(self.sectionViewportPosition(section), 0, self.sectionSize(section), self.height())
                self._paint_section(painter, rect, section)
        painter.fillRect(QRect(0, self.height() - 1, self.width(), 1), colour("line"))
        if self._gap is not None:
            behind = (*self._shown(), "sum")[self._gap]
            section = self.columns().columns.index(behind)
            painter.fillRect(QRect(self.sectionViewportPosition(section) - 1, 0, 3, self.height()), colour("accent"))

    def _paint_section(self, painter: QPainter, rect: QRect, section: int) -> None:
        model = self.columns()
        stage, inside = model.stage(section), rect.adjusted(PAD, 4, -PAD, -5)
        upper, lower = QRect(inside), QRect(inside)
        upper.setHeight(inside.height() // 2)
        lower.setTop(upper.bottom() + 1)
        if stage and model.choice:
            self._paint_stage(painter, rect, upper, lower, stage, model.choice.sampling_params)
        elif model.columns[section] == "probability":
            self._paint_axis(painter, upper, lower)
        else:
            self._paint_plain(painter, upper, section)
            if model.columns[section] == "sum":
                write(painter, lower, tr(FOR_TOP_P), RIGHT, "muted")

    def _paint_plain(self, painter: QPainter, upper: QRect, section: int) -> None:
        column, words = self.columns().columns[section], str(self.columns().headerData(section, self.orientation()))
        painter.setPen(colour("muted"))
        if column == "draws" and self.room.expected:
            painter.drawText(upper, RIGHT, tr("expected"))
        if column == "draws":
            painter.setPen(colour("amber"))
        side = LEFT if column == "token" or (column == "draws" and self.room.expected) else RIGHT
        painter.drawText(upper, side, words)

    def _paint_stage(
        self, painter: QPainter, rect: QRect, upper: QRect, lower: QRect, stage: str, sampling_params: SamplingParams
    ) -> None:
        on = sampling_params.changes(stage)
        if self._pressed and self._pressed[0] == stage and self._gap is not None:
            painter.fillRect(rect, colour("accent", 0.12))
        wide, words = self.fontMetrics().horizontalAdvance, stage_texts.name(stage)
        if wide(words) > upper.width() - GRIP:
            words = stage_texts.short(stage)
        paint_grip(painter, QRectF(upper.right() - wide(words) - GRIP, upper.center().y() - 4, 5, 9))
        write(painter, upper, words, RIGHT, "text" if on else "muted")
        write(painter, lower, stage_texts.setting(sampling_params, stage), RIGHT, "accent" if on else "muted")

    def _paint_axis(self, painter: QPainter, upper: QRect, lower: QRect) -> None:
        bars, before, after = parts_of(upper, self.fontMetrics(), self.room)
        write(painter, bars, tr("Probability"), LEFT, "muted")
        if self.room.before:
            painter.drawText(before, RIGHT, tr("before"))
        write(painter, after, tr("after"), RIGHT, "accent")
        painter.setPen(colour("muted"))
        axis = QRect(bars.left(), lower.top(), bars.width(), lower.height())
        low, high = percent(self.scale.low) if self.scale.logarithmic else "0", percent(self.scale.high)
        painter.drawText(axis, RIGHT, high)
        if self.fontMetrics().horizontalAdvance(low + "  " + high) <= axis.width():
            painter.drawText(axis, LEFT, low)


LEAST_ROWS = 4
TABLE_INK, TABLE_TOP, TABLE_THICK = "good", 0.87, 0.1
"""Colour of the thin bar of the table of 3-grams; its top and thickness, relative to the height of a row."""


class StagePainter(QStyledItemDelegate):
    """Painter of the rows of the table, on the scale of its header."""

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
            draw_with(painter, colour("accent"), Qt.BrushStyle.NoBrush)
            painter.drawRect(rect.adjusted(0, 0, -1, -1))

    def _below_line(self, painter: QPainter, rect: QRect, row: int) -> QRect:
        """Paint a cell's part of the line above its row, which says what the stages keep; return the rectangle below
        it."""
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
            draw_with(painter, Qt.PenStyle.NoPen, colour("accent"))
            painter.drawEllipse(QRectF(rect.left() + 4, rect.center().y() - 2.5, 6, 6))
            painter.restore()
        room, ink = rect.adjusted(DOT + 2, 0, -4, 0), "muted" if row.reasons or row.token is None else "text"
        write(painter, room, row.name, LEFT | Qt.AlignmentFlag.AlignAbsolute, ink, width=room.width())

    def _paint_reason(self, painter: QPainter, rect: QRect, row: CandidateRow, last: int) -> None:
        """Paint a cell's part of the reason, which extends over all columns from the stage that removed the token."""
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
            if share > self._head.scale.high:  # a bar that is too long has a gap
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
    """Table of the candidates; emits the chosen candidate, and the arithmetic of the number under the pointer."""

    candidate_chosen = Signal(int)
    pointed = Signal(str)
    """Emitted with the arithmetic of the cell under the pointer, or else of the current cell; empty if there is
    none."""

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
        style_table(self, selects=False)
        self.setMouseTracking(True)
        self.clicked.connect(self._chosen)
        self.order_dragged = self.head.order_dragged
        on_restyle(self, self._fit)
        self._fit()

    def show_choice(self, choice: TokenChoice, count: int) -> None:
        """Show the ``count`` most probable tokens with the sampled one in view; the current cell stays."""
        row, column = self.currentIndex().row(), self.currentIndex().column()
        self.stages.show(choice, count)
        if row >= 0:
            self.setCurrentIndex(self.stages.index(min(row, len(self.stages.rows) - 1), column))
        self._fit_columns()
        self._fit_rows()
        self.setMaximumHeight(table_height(self, len(self.stages.rows)) + self.line_height * len(self.stages.lines) +
                              self.horizontalScrollBar().sizeHint().height())
        self.hovered_row = min(self.hovered_row, len(self.stages.rows) - 1)
        self._rescale()
        came = next((row for row, each in enumerate(self.stages.rows) if each.came), None)
        if came is not None:
            self.scrollTo(self.stages.index(came, 0))
        self._emit_pointed()

    @property
    def line_height(self) -> int:
        """Height of the line between the tokens that a stage keeps and those that it removes, in pixels."""
        return round(self.fontMetrics().height() * 1.2)

    def _fit_rows(self) -> None:
        rows = self.verticalHeader()
        for row in range(len(self.stages.rows)):
            high = rows.defaultSectionSize() + self.line_height * (row in self.stages.lines)
            if self.rowHeight(row) != high:
                self.setRowHeight(row, high)

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
            self.setCurrentIndex(self.currentIndex().siblingAtColumn(self.stages.columns.index(stage)))
        elif alt or key == Qt.Key.Key_Space:
            event.ignore()  # for the page
        else:
            super().keyPressEvent(event)

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
        """Return the minimum height: on a page that scrolls, a greater one would scroll the header out of view."""
        return QSize(640, self.minimumSizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(200, table_height(self, LEAST_ROWS))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_columns()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:  # also when the table moves into a window with larger text
            self._fit()

    def _rescale(self) -> None:
        """Set the scale by the listed tokens: the total of the others is often larger, and would shrink the bars."""
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
            for column, width in enumerate(widths):  # columns of stages change their places
                self.setColumnHidden(column, not width)
                if width:
                    self.setColumnWidth(column, width)
