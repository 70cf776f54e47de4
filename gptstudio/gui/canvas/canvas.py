"""Base of all widgets that paint themselves: their items can be pointed at by the mouse and by the keyboard."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QFocusEvent, QHelpEvent, QKeyEvent, QKeySequence, QMouseEvent
from PySide6.QtWidgets import QAbstractScrollArea, QScrollBar, QToolTip, QWidget

from gptstudio.gui.canvas.items import KEYS, Items

ENTERS = (KEYS.Key_Return, KEYS.Key_Enter, KEYS.Key_Space)
TABS = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)


class Pointing(Items):
    """Mixin of a widget whose items the user points at, and acts on by a click or Enter."""

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.point_at(self.item_at(event.position()))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        item = self.item_at(event.position())
        self.point_at(item)
        if item is not None and event.button() == Qt.MouseButton.LeftButton:
            self.activate(item)

    def leaveEvent(self, _event: QEvent) -> None:
        self.point_at(None)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if self.points_by_keys and event.reason() in TABS:
            entry = self.entry()
            if entry is not None:
                self.go_to(entry)
        self.surface().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if self.points_by_keys:
            self.point_at(None)
        self.surface().update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = KEYS(event.key())
        if key in self.moves and self.items():
            aim = self.step(key, self.here())
            if aim is not None:
                self.go_to(aim)
        elif event.matches(QKeySequence.StandardKey.Copy) and self.table():
            self.copy_table()
        elif key not in ENTERS or not self.points_by_keys or self.item is None or not self.activate(self.item):
            super().keyPressEvent(event)

    def show_tip(self, event: QEvent) -> bool:
        """Show the tooltip of an item if that is asked for; return whether it was, and was not left to Qt."""
        if not isinstance(event, QHelpEvent) or event.type() != QEvent.Type.ToolTip:
            return False
        item = self.item_at(QPointF(event.pos()))
        tip = "" if item is None else self.tip(item)
        if not tip and (item is not None or self.toolTip() or not self.surface().hasMouseTracking()):
            return False
        place = self.place(item).toAlignedRect() if tip else QRect()  # the tip goes when the pointer leaves it
        QToolTip.showText(event.globalPos(), tip, self.surface(), place)
        return True


class Canvas(Pointing, QWidget):
    """Widget that paints itself."""

    def __init__(self, name: str = "", accessible: str = "", pointable: bool = True) -> None:
        super().__init__()
        self.set_up(name, accessible, pointable)

    def event(self, event: QEvent) -> bool:
        return self.show_tip(event) or super().event(event)


class ScrollCanvas(Pointing, QAbstractScrollArea):
    """Widget that paints a part of what it shows, and scrolls. Places are in pixels of the viewport."""

    def __init__(self, name: str, accessible: str) -> None:
        super().__init__()
        self.set_up(name, accessible)
        self.setFrameShape(self.Shape.NoFrame)

    def surface(self) -> QWidget:
        return self.viewport()

    def reveal(self, box: QRectF, seen: QRectF) -> None:
        """Scroll so far that a box lies in the part of the viewport that is seen; of one too large its beginning."""
        for bar, first, last, low, high in (
            (self.horizontalScrollBar(), box.left(), box.right(), seen.left(), seen.right()),
            (self.verticalScrollBar(), box.top(), box.bottom(), seen.top(), seen.bottom()),
        ):
            way = min(max(0.0, last - high), first - low) if first >= low else first - low
            bar.setValue(bar.value() + round(way))

    def set_range(self, bar: QScrollBar, whole: float, seen: float, step: float) -> None:
        """Let a bar scroll through so many pixels, of which so many are seen at once."""
        bar.setRange(0, max(0, round(whole - seen)))
        bar.setPageStep(max(1, round(seen)))
        bar.setSingleStep(max(1, round(step)))

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Leave:
            self.leaveEvent(event)
        return self.show_tip(event) or super().viewportEvent(event)
