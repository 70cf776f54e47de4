"""The head of the table of stages: what each column is and what its stage is set to. Stages can be dragged."""

from __future__ import annotations

from typing import cast

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QHeaderView

from gptstudio.gpt.sampling.params import SamplingParams
from gptstudio.gui.canvas.writing import LEFT, RIGHT, write
from gptstudio.gui.generate.stages import stage_texts
from gptstudio.gui.generate.stages.stage_model import StageModel
from gptstudio.gui.generate.stages.stage_order import Order, moved, paint_grip, shifted
from gptstudio.gui.generate.stages.stage_widths import GRIP, PAD, Room, ShareScale, parts_of
from gptstudio.gui.theme import colour
from gptstudio.gui.translation import percent, tr
from gptstudio.i18n import message

FOR_TOP_P = message("for top-p")


class StageHeader(QHeaderView):
    """Header that emits the order when stages are dragged; the owner of the sampling parameters applies it."""

    order_dragged = Signal(object)  # tuple[str, …]

    def __init__(self) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.scale = ShareScale()
        self.room = Room()
        self._pressed: tuple[str, QPoint] | None = None
        self._gap: int | None = None  # between the stages, where it would be dropped
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
        """Let a stage work one place sooner (-1) or later (1)."""
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
