"""A text as its tokens: one box for each, white space visible, coloured by what the model made of it. No torch.

Only what can be seen is painted, and a text that grows is laid out at its end alone.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QFontMetricsF,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from gptstudio.gui.canvas.strip_layout import StripLayout
from gptstudio.gui.canvas.tint import SCALES
from gptstudio.gui.canvas.token_box import MARKS, Box, BoxPainter, rich, width_of
from gptstudio.gui.theme import colour, theme
from gptstudio.gui.translation import joined, tr
from gptstudio.inference.text_tree import Node

BOX_HEIGHT, LINE_HEIGHT, GAP = 1.3, 1.75, 0.22
"""Of a box, from line to line, and between two boxes, in heights of the font."""


class TokenStrip(QWidget):
    """Lays the boxes out like text, and tells which one was chosen: by a click, or by the arrow keys, Home and End."""

    chosen = Signal(int)
    """The position of the token that the user chose."""
    menu_requested = Signal(object, QPoint)
    """By a right click or the menu key: the position of the token, or None, and where on the screen."""
    pointed = Signal(object)
    """The position of the token under the pointer; None when it has left."""

    def __init__(self, name: str = "token_strip") -> None:
        super().__init__()
        self.boxes: list[Box] = []
        self.current: int | None = None
        self.new_from = 0
        self.scale = "surprise"
        self.dims_ahead = True
        """True if the tokens after the chosen one are dimmed."""
        self._marks: dict[int, str] = {}
        self._pointed: int | None = None
        self._layout = StripLayout()
        self._widths: dict[str, float] = {}
        self.setObjectName(name)
        self.setAccessibleName(tr("The text as tokens; use the arrow keys to select one"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.MinimumExpanding)
        theme.changed.connect(self.update)
        self._lay_out_all()

    # Display.

    @property
    def path(self) -> list[Node]:
        return [box.node for box in self.boxes]

    def show_path(self, nodes: Sequence[Node], new_from: int) -> None:
        """Shows these tokens instead; what they have in common with those before stays as it is laid out.

        Args:
            nodes: from the first token of the text on, each a position further.
            new_from: the position from which on the tokens are not of the prompt.
        """
        same = self._unchanged(nodes, new_from)
        if same == len(self.boxes) == len(nodes):
            return
        self.new_from = new_from
        self.boxes[same:] = [Box.of(node, node.position < new_from) for node in nodes[same:]]
        self._pointed = None
        self._lay_out(same)

    def clear(self) -> None:
        self.current = None
        self._marks = {}
        self.show_path([], 0)

    def choose(self, position: int | None) -> None:
        """Marks the box of that position, without telling. The tokens behind it lie ahead, and are dimmed."""
        if position == self.current:
            return
        before, now = self._index(self.current), self._index(position)
        self.current = position
        if before is None or now is None:
            self.update()
        else:
            self._repaint(min(before, now), max(before, now))
        box = self._box(position)
        self.setAccessibleDescription(box.tip if box else "")

    def colour_by(self, name: str) -> None:
        """By surprise, entropy, rank or none: see :data:`gptstudio.gui.canvas.tint.SCALES`."""
        self.scale = name
        self.update()

    def mark(self, positions: Mapping[int, str]) -> None:
        """Puts a sign on these boxes, and on no other. The kinds are those of :data:`MARKS`."""
        if positions != self._marks:
            self._marks = dict(positions)
            self.update()

    def place_of(self, position: int) -> QRectF | None:
        """Return the rectangle of the box at a position; None if there is none."""
        index = self._index(position)
        return None if index is None else QRectF(self._layout.places[index])

    def tip_of(self, position: int) -> str:
        """Return the tooltip of the token at a position."""
        box = self._box(position)
        if box is None:
            return ""
        mark = self._marks.get(position)
        return joined("\n", box.tip, tr(MARKS[mark])) if mark else box.tip

    def paint(self, painter: QPainter, top: float, bottom: float) -> None:
        """All boxes that reach into a stretch of the strip."""
        made, places = self._box_painter(painter), self._layout.places
        seen = self._layout.within(top, bottom)
        for index in seen:
            box = self.boxes[index]
            made.box(box, places[index], ahead=self._is_ahead(box.position))
        for index in seen:  # over the boxes beside them
            position = self.boxes[index].position
            if position == self.current:
                made.ring(places[index], colour("accent"))
            if position in self._marks:
                made.badge(self._marks[position], places[index])

    # Interface of Qt.

    def sizeHint(self) -> QSize:
        return QSize(300, round(self._layout.bottom))

    def minimumSizeHint(self) -> QSize:
        return QSize(60, self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        if event.size().width() != event.oldSize().width():
            self._lay_out_all()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.FontChange:
            self._widths.clear()
            self._lay_out_all()
        super().changeEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        over = self._layout.pitch - self._layout.height  # so far a ring or a sign may reach
        self.paint(painter, event.rect().top() - over, event.rect().bottom() + over)
        if self._pointed is not None and self.boxes[self._pointed].position != self.current:
            self._box_painter(painter).ring(self._layout.places[self._pointed], colour("muted"))
        if self.hasFocus() and self._index(self.current) is None:
            painter.setPen(colour("accent"))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)

    def focusInEvent(self, event: QFocusEvent) -> None:
        self.update()
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self.update()
        super().focusOutEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self._layout.at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and index is not None:
            self._choose_and_emit(index)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._point_at(self._layout.at(event.position()))

    def leaveEvent(self, _event: QEvent) -> None:
        self._point_at(None)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        index = self._reached_by(event.key()) if not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier else None
        if index is None:
            super().keyPressEvent(event)
        elif self.boxes[index].position != self.current:
            self._choose_and_emit(index)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        index, place = self._layout.at(QPointF(event.pos())), event.globalPos()
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            index = self._index(self.current)
            if index is not None:
                place = self.mapToGlobal(self._layout.places[index].bottomLeft().toPoint())
        self.menu_requested.emit(None if index is None else self.boxes[index].position, place)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            index = self._layout.at(QPointF(event.pos()))
            if index is None:
                QToolTip.hideText()
            else:
                place = self._layout.places[index].toAlignedRect()  # the tip goes when the pointer leaves it
                QToolTip.showText(event.globalPos(), rich(self.tip_of(self.boxes[index].position)), self, place)
            return True
        return super().event(event)

    # Within.

    def _unchanged(self, nodes: Sequence[Node], new_from: int) -> int:
        """Return the number of leading boxes that are already up to date."""
        count = 0
        for box, node in zip(self.boxes, nodes, strict=False):
            if box.node is not node or box.prompt != (node.position < new_from):
                break
            count += 1
        return count

    def _is_ahead(self, position: int) -> bool:
        return self.dims_ahead and self.current is not None and position > self.current

    def _reached_by(self, key: int) -> int | None:
        """Return the index of the box that a key leads to from the current one, or from the last if there is none."""
        last, current = len(self.boxes) - 1, self._index(self.current)
        if last < 0 or key not in _KEYS:
            return None
        if key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            return 0 if key == Qt.Key.Key_Home else last
        if current is None:
            return last
        if key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            return min(last, max(0, current + (1 if key == Qt.Key.Key_Right else -1)))
        return self._layout.above(current) if key == Qt.Key.Key_Up else self._layout.below(current)

    def _choose_and_emit(self, index: int) -> None:
        position = self.boxes[index].position
        self.choose(position)
        self.chosen.emit(position)

    def _point_at(self, index: int | None) -> None:
        if index == self._pointed:
            return
        for each in (self._pointed, index):
            if each is not None:
                self._repaint(each, each)
        self._pointed = index
        self.setCursor(Qt.CursorShape.ArrowCursor if index is None else Qt.CursorShape.PointingHandCursor)
        self.pointed.emit(None if index is None else self.boxes[index].position)

    def _lay_out_all(self) -> None:
        height = self._metrics().height()
        line, box, gap = (round(share * height) for share in (LINE_HEIGHT, BOX_HEIGHT, GAP))  # whole pixels are sharp
        self._layout.set_sizes(self.width(), line, box, gap)
        self._lay_out(0)

    def _lay_out(self, first: int) -> None:
        """Place boxes from ``first`` on, behind those that stay."""
        metrics = self._metrics()
        self._layout.cut(first)
        before = [self.boxes[first - 1] if first else None, *self.boxes[first:]]
        self._layout.add(
            (self._width(box.text, metrics), box.begins_line(last))
            for last, box in zip(before, self.boxes[first:], strict=False)
        )
        if self.minimumHeight() != self.sizeHint().height():
            self.setMinimumHeight(self.sizeHint().height())
        places = self._layout.places
        top = places[min(first, len(places) - 1)].top() if places else 0
        self.update(0, int(top - self._layout.gap), self.width(), self.height())

    def _width(self, text: str, metrics: QFontMetricsF) -> float:
        width = self._widths.get(text)
        if width is None:
            width = self._widths[text] = width_of(text, metrics)
        return width

    def _repaint(self, first: int, last: int) -> None:
        """The lines from one box to another."""
        top, line = self._layout.places[first].top(), self._layout.pitch
        down = self._layout.places[last].top() + line
        self.update(0, int(top - line / 2), self.width(), int(down - top + line))

    def _box_painter(self, painter: QPainter) -> BoxPainter:
        painter.setFont(self.font())
        return BoxPainter(painter, SCALES[self.scale], self._metrics(), self._layout.room)

    def _metrics(self) -> QFontMetricsF:
        return QFontMetricsF(self.font())

    def _index(self, position: int | None) -> int | None:
        if position is None:
            return None
        index = bisect_left(self.boxes, position, key=lambda box: box.position)
        return index if index < len(self.boxes) and self.boxes[index].position == position else None

    def _box(self, position: int | None) -> Box | None:
        index = self._index(position)
        return None if index is None else self.boxes[index]


_KEYS = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Home, Qt.Key.Key_End)
