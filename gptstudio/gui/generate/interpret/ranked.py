"""Tokens in their order with a bar and a figure each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gptstudio.gui.theme import colour, theme
from gptstudio.gui.widgets.parts import named

KEYS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}


@dataclass(frozen=True)
class Rank:
    """A row: a name, the length of its bar from 0 to 1, a figure. ``marked``: with a dot in front."""

    name: str
    share: float
    figure: str
    marked: bool = False


class Ranked(QWidget):
    """Painted rows; emits ``taken`` when one is chosen by click or Enter, if it leads somewhere."""

    taken = Signal(int)

    def __init__(self, name: str, accessible: str, leads_on: bool = False) -> None:
        super().__init__()
        named(self, name, accessible)
        self.rows: Sequence[Rank] = ()
        self._leads_on = leads_on
        self._at: int | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        if leads_on:
            self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            self.setMouseTracking(True)
        theme.changed.connect(self.update)

    def show_rows(self, rows: Sequence[Rank]) -> None:
        if len(rows) != len(self.rows):
            self.updateGeometry()
            self._at = None
        self.rows = rows
        self.setAccessibleDescription("; ".join(f"{row.name} {row.figure}" for row in rows))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(round(11 * self._high()), round(max(1, len(self.rows)) * self._high()))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter, metrics, high = QPainter(self), QFontMetricsF(self.font()), self._high()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        widest = max((metrics.horizontalAdvance(row.name) for row in self.rows), default=0)
        names = min(0.42 * self.width(), widest + 20)
        figures = max((metrics.horizontalAdvance(row.figure) for row in self.rows), default=0) + 8
        bars = QRectF(names, 0.22 * high, max(0.0, self.width() - names - figures), 0.56 * high)
        for index, row in enumerate(self.rows):
            top = index * high
            if index == self._at and self._leads_on:
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(colour("accent", 0.12))
                painter.drawRoundedRect(QRectF(0, top, self.width(), high), 4, 4)
            self._paint_row(painter, row, bars.translated(0, top), metrics)

    def _paint_row(self, painter: QPainter, row: Rank, bar: QRectF, metrics: QFontMetricsF) -> None:
        middle, high = bar.center().y(), metrics.height()
        painter.setPen(Qt.PenStyle.NoPen)
        if row.marked:
            painter.setBrush(colour("validation"))
            painter.drawEllipse(QPointF(5, middle), 3, 3)
        painter.setBrush(colour("training"))
        length = bar.width() * min(1.0, max(0.0, row.share))
        painter.drawRoundedRect(QRectF(bar.left(), bar.top(), length, bar.height()), 2, 2)
        painter.setPen(colour("text"))
        place = QRectF(13, middle - high / 2, bar.left() - 18, high)
        centred = Qt.AlignmentFlag.AlignVCenter
        painter.drawText(place, centred, metrics.elidedText(row.name, Qt.TextElideMode.ElideRight, place.width()))
        painter.setPen(colour("muted"))
        rest = QRectF(bar.right(), place.top(), self.width() - bar.right() - 2, high)
        painter.drawText(rest, Qt.AlignmentFlag.AlignRight | centred, row.figure)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._go(int(event.position().y() // self._high()))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._go(int(event.position().y() // self._high()))
        self._take()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key in KEYS:
            self._go(KEYS[key] + (self._at if self._at is not None else -1))
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self._take()
        else:
            super().keyPressEvent(event)

    def _go(self, row: int) -> None:
        self._at = min(max(0, row), len(self.rows) - 1) if self.rows else None
        self.update()

    def _take(self) -> None:
        if self._leads_on and self._at is not None:
            self.taken.emit(self._at)

    def _high(self) -> float:
        return 1.4 * QFontMetricsF(self.font()).height()
