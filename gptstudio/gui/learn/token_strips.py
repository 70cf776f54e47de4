"""Tokens in boxes, in lines as words are: the token above, its id below. What a box looks like is a page's own."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QFont,
    QFontMetricsF,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from gptstudio.gui.canvas.strip_layout import StripLayout
from gptstudio.gui.canvas.token_box import width_of
from gptstudio.gui.theme import colour, theme
from gptstudio.gui.widgets.parts import named, plain

SMALLER = 0.82
RADIUS = 4.0
CENTRE = Qt.AlignmentFlag.AlignCenter
LEAST_WIDTH = 16
"""In heights of a letter."""


class TokenStrip(QWidget):
    """Boxes of texts; emits which box is hovered or reached with the arrow keys, and which is chosen by a click or
    Enter."""

    pointed = Signal(object)  # index, or None
    chosen = Signal(int)

    def __init__(self, name: str, accessible: str) -> None:
        super().__init__()
        named(self, name, accessible)
        self.texts: Sequence[str] = ()
        self.index: int | None = None
        """That is pointed at."""
        self.tip: Callable[[int], str] = lambda index: self.texts[index]
        self._below: Sequence[str] = ()
        self._breaks: frozenset[int] = frozenset()
        self._layout, self._lit = StripLayout(), frozenset[int]()
        self._widths: list[float] = []  # of the boxes, if there is room
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        theme.changed.connect(self._place)

    # Display.

    def show_tokens(self, texts: Sequence[str], below: Sequence[str], breaks: frozenset[int] = frozenset()) -> None:
        """``below``: what stands under each, as a rule its id. ``breaks``: those that begin a new line."""
        self.texts, self._below, self._breaks = texts, below, breaks
        if self.index is not None and self.index >= len(texts):
            self._point_at(None)
        self._place()

    def light(self, indices: frozenset[int]) -> None:
        """Puts a thick frame around these, and no others."""
        if indices != self._lit:
            self._lit = indices
            self.update()

    @property
    def lit(self) -> frozenset[int]:
        return self._lit

    def place(self, index: int) -> QRectF:
        """Return the rectangle of a box."""
        return self._layout.places[index]

    # What a page adds.

    def room(self) -> tuple[float, float]:
        """Pixels that are painted on above each box and below it."""
        return 0, 0

    def paint_box(self, painter: QPainter, index: int, place: QRectF) -> None:
        """Paint the background of a text; nothing by default."""

    def ink(self, _index: int) -> str:
        """The colour of the text."""
        return "text"

    # What somebody does.

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._point_at(self._layout.at(event.position()))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self._layout.at(event.position())
        self._point_at(index)
        if index is not None:
            self.chosen.emit(index)

    def leaveEvent(self, _event: QEvent) -> None:
        self._point_at(None)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason) and self.texts:
            self._point_at(0)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._point_at(None)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        index, key = self.index, Qt.Key(event.key())
        if index is not None and key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.chosen.emit(index)
        elif self.texts and key in STEPS:
            self._point_at(STEPS[key](self._layout, index) if index is not None else 0)
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            index = self._layout.at(QPointF(event.pos()))
            QToolTip.showText(event.globalPos(), plain(self.tip(index)) if index is not None else "", self)
            return True
        return super().event(event)

    def _point_at(self, index: int | None) -> None:
        if index != self.index:
            self.index = index
            self.setAccessibleDescription(self.tip(index) if index is not None else "")
            self.update()
            self.pointed.emit(index)

    # How it looks.

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            for index in self._layout.within(event.rect().top(), event.rect().bottom()):
                place = self._layout.places[index]
                self.paint_box(painter, index, place)
                self._write(painter, index, place)
            for index in self._lit | ({self.index} if self.index is not None else set()):
                if index < len(self._layout.places):
                    frame(painter, self._layout.places[index], "accent", 2)

    def _write(self, painter: QPainter, index: int, place: QRectF) -> None:
        lower = 0.45 * place.height()
        painter.setPen(colour(self.ink(index)))
        painter.setFont(self.font())
        shown = painter.fontMetrics().elidedText(
            self.texts[index], Qt.TextElideMode.ElideRight, math.ceil(place.width())
        )
        painter.drawText(place.adjusted(0, 0, 0, -lower), CENTRE, shown)
        painter.setFont(small(self.font()))
        painter.setPen(colour("muted" if self.ink(index) == "text" else self.ink(index)))
        painter.drawText(place.adjusted(0, place.height() - lower - 2, 0, -2), CENTRE, self._below[index])

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._place()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay(self._layout, self.width())

    def heightForWidth(self, width: int) -> int:
        layout = StripLayout()
        self._lay(layout, width)
        return math.ceil(layout.bottom)

    def minimumSizeHint(self) -> QSize:
        width = LEAST_WIDTH * self.fontMetrics().height()
        return QSize(width, self.heightForWidth(max(width, self.width())))

    def sizeHint(self) -> QSize:
        return self.minimumSizeHint()

    def _place(self) -> None:
        metrics, lower = QFontMetricsF(self.font()), QFontMetricsF(small(self.font()))
        self._widths = [
            max(width_of(text, metrics), width_of(under, lower))
            for text, under in zip(self.texts, self._below, strict=True)
        ]
        self._lay(self._layout, self.width())
        self.updateGeometry()
        self.update()

    def _lay(self, layout: StripLayout, width: float) -> None:
        metrics, lower = QFontMetricsF(self.font()), QFontMetricsF(small(self.font()))
        above, below = self.room()
        height = round(1.15 * metrics.height() + lower.height())
        layout.set_sizes(width, height + above + below + 5, height, 4)
        layout.add((wanted, index in self._breaks) for index, wanted in enumerate(self._widths))
        for place in layout.places:
            place.translate(0, above)


def frame(painter: QPainter, place: QRectF, name: str, width: float) -> None:
    """Around a box."""
    painter.setPen(QPen(colour(name), width))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(place, RADIUS, RADIUS)


def small(font: QFont) -> QFont:
    """For ids and the like."""
    made = QFont(font)
    made.setPointSizeF(SMALLER * font.pointSizeF())
    return made


STEPS: dict[Qt.Key, Callable[[StripLayout, int], int]] = {
    Qt.Key.Key_Left: lambda _, index: max(0, index - 1),
    Qt.Key.Key_Right: lambda layout, index: min(len(layout.places) - 1, index + 1),
    Qt.Key.Key_Up: StripLayout.above,
    Qt.Key.Key_Down: StripLayout.below,
}
