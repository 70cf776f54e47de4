"""A text as its tokens: one box for each, in lines, white space visible. Boxes with logits can be clicked."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from gptstudio.gui.theme import colour, theme
from gptstudio.gui.words import tr


@dataclass(frozen=True)
class Box:
    """One token as it is shown. ``breaks``: the text goes on in a new line behind it."""

    position: int
    text: str
    tip: str
    prompt: bool
    breaks: bool = False


class TokenStrip(QWidget):
    """Lays the boxes out like text and tells which one was chosen."""

    chosen = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.boxes: list[Box] = []
        self.current: int | None = None
        self._places: list[QRectF] = []
        self.setObjectName("token_strip")
        self.setAccessibleName(tr("The text as tokens; the arrow keys choose one"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.MinimumExpanding)
        theme.changed.connect(self.update)

    def clear(self) -> None:
        self.boxes, self._places, self.current = [], [], None
        self._settle()

    def add(self, boxes: list[Box]) -> None:
        """Puts boxes behind the last; only these are laid out."""
        self.boxes.extend(boxes)
        self._lay_out(len(self._places))
        self._settle()

    def choose(self, position: int | None) -> None:
        """Marks the box of that position, without telling."""
        self.current = position
        self.update()

    def place_of(self, position: int) -> QRectF | None:
        """Where the box of a position lies."""
        for box, place in zip(self.boxes, self._places, strict=True):
            if box.position == position:
                return place
        return None

    def sizeHint(self) -> QSize:
        bottom = self._places[-1].bottom() if self._places else self._line()
        return QSize(300, round(bottom) + 6)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._lay_out(0)
        self._settle()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.FontChange:
            self._lay_out(0)
            self._settle()
        super().changeEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        seen = QRectF(event.rect())
        for box, place in zip(self.boxes, self._places, strict=True):
            if place.intersects(seen):
                self._paint_box(painter, box, place)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        box = self._box_at(event.position())
        if box and not box.prompt:
            self.setFocus()
            self.choose(box.position)
            self.chosen.emit(box.position)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
        positions = [box.position for box in self.boxes if not box.prompt]
        if step is None or not positions:
            super().keyPressEvent(event)
            return
        wanted = positions[-1] if self.current is None else self.current + step
        self.choose(min(max(wanted, positions[0]), positions[-1]))
        self.chosen.emit(self.current)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip:
            box = self._box_at(QPointF(event.pos()))  # type: ignore[attr-defined]
            QToolTip.showText(event.globalPos(), box.tip if box else "", self)  # type: ignore[attr-defined]
            return True
        return super().event(event)

    def _paint_box(self, painter: QPainter, box: Box, place: QRectF) -> None:
        current = box.position == self.current and not box.prompt
        fill = colour("accent") if current else colour("line", 0.45) if box.prompt else colour("accent", 0.13)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(fill)
        painter.drawRoundedRect(place, 4, 4)
        painter.setPen(colour("on_accent" if current else "muted" if box.prompt else "text"))
        painter.drawText(place, Qt.AlignmentFlag.AlignCenter, box.text)

    def _lay_out(self, first: int) -> None:
        """Places boxes from ``first`` on, behind those that are placed."""
        metrics, line = QFontMetrics(self.font()), self._line()
        del self._places[first:]
        left, top = 2.0, 2.0
        if first and self._places:
            left, top = self._places[-1].right() + 3, self._places[-1].top()
            if self.boxes[first - 1].breaks:
                left, top = 2.0, top + line
        for box in self.boxes[first:]:
            width = metrics.horizontalAdvance(box.text) + 10
            if left > 2 and left + width > self.width() - 2:
                left, top = 2.0, top + line
            self._places.append(QRectF(left, top, width, line - 4))
            left += width + 3
            if box.breaks:
                left, top = 2.0, top + line

    def _settle(self) -> None:
        self.setMinimumHeight(self.sizeHint().height())
        self.updateGeometry()
        self.update()

    def _line(self) -> float:
        return QFontMetrics(self.font()).height() * 1.6

    def _box_at(self, point: QPointF) -> Box | None:
        for box, place in zip(self.boxes, self._places, strict=True):
            if place.contains(point):
                return box
        return None
