"""Base of all widgets that paint themselves: items that can be pointed at, their tooltips, and copies of what is shown.

A screen reader hears the words of the item as the description of the widget. The items are no accessible children:
PySide6 6.11 leaves one interface behind for each widget, and ends with a segmentation fault where it has collected a
child that Qt still knows.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QGuiApplication,
    QHelpEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QMenu, QToolTip, QWidget

from gptstudio.gui.theme import theme
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.parts import named, plain

Item = Hashable
"""What a canvas calls one of its parts: an index, a cell, a key."""
KEYS = Qt.Key
ARROWS = {KEYS.Key_Left: (0, -1), KEYS.Key_Right: (0, 1), KEYS.Key_Up: (-1, 0), KEYS.Key_Down: (1, 0)}
"""Rows down and columns to the right."""
ENDS = (KEYS.Key_Home, KEYS.Key_End)
ENTERS = (KEYS.Key_Return, KEYS.Key_Enter, KEYS.Key_Space)
TABS = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)

BREAKS = str.maketrans("\t\r\n", "   ")
"""Instead of what would end a cell or a line of a copied table."""

if TYPE_CHECKING:
    _Base = QWidget
else:
    _Base = object


class Items(_Base):
    """Mixin of a widget with items that have a place and words; emits which of them is pointed at."""

    pointed = Signal(object)  # item, or None

    smooth = True
    """True if lines are painted with antialiasing."""
    moves: Collection[Qt.Key] = (*ARROWS, *ENDS)
    """The keys that lead from item to item."""
    points_by_keys = True
    """True if these keys move what is pointed at; False if they move something of the widget's own."""
    remembers = True
    """True if the keys start from the item that was pointed at last."""

    item: Any = None
    """That is pointed at."""
    explain: Callable[[Any], str] | None = None
    """Function that returns the words of an item, where the widget has none of its own."""
    lit: frozenset[Any] = frozenset()
    """Those that others mark."""
    _last: Any = None
    _summary = ""

    def set_up(self, name: str, accessible: str, pointable: bool = True) -> None:
        """Prepare the widget. ``pointable``: it has items, and takes the focus."""
        named(self, name, accessible)
        self.surface().setMouseTracking(pointable)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if pointable else Qt.FocusPolicy.NoFocus)
        theme.changed.connect(self.remeasure)

    # What a widget has.

    def items(self) -> Mapping[Any, QRectF]:
        """Return the rectangles of the items, in the order in which keys reach them."""
        return {}

    def words(self, item: Any) -> str:
        """Return all that is known of an item, for its tooltip and for a screen reader."""
        return self.explain(item) if self.explain else ""

    def tip(self, item: Any) -> str:
        """Return the words of an item as a tooltip takes them, which would take a text for HTML."""
        return plain(self.words(item))

    def rows(self) -> Sequence[Sequence[str]]:
        """Return the table that is copied: a row for each item."""
        return [self.words(item).split("\n") for item in self.items()]

    def paint(self, painter: QPainter, region: QRect) -> None:
        """Paint what lies in a region."""

    def activate(self, _item: Any) -> bool:
        """Act on a click or on Enter at an item; return whether there was anything to do."""
        return False

    def surface(self) -> QWidget:
        """Return the widget that is painted on."""
        return self

    # Geometry.

    def place(self, item: Any) -> QRectF:
        """Return the rectangle of an item."""
        return self.items()[item]

    def item_at(self, point: QPointF) -> Any:
        """Return the item at a point, or None."""
        return next((item for item, place in self.items().items() if place.contains(point)), None)

    def first_item(self) -> Any:
        """Return the first item, or None."""
        return next(iter(self.items()), None)

    def here(self) -> Any:
        """Return the item from which the keys start, or None."""
        return self._last if self.item is None and self.remembers else self.item

    def entry(self) -> Any:
        """Return the item that is pointed at when Tab brings the focus, or None."""
        return self._last if self.remembers and self._last in self.items() else self.first_item()

    def step(self, key: Qt.Key, start: Any) -> Any:
        """Return the item that a key leads to, or None; by default the next in order, never over an end."""
        items = list(self.items())
        if start is None or key in ENDS:
            return items[-1 if key == KEYS.Key_End else 0]
        return items[min(max(0, items.index(start) + sum(ARROWS[key])), len(items) - 1)]

    def go_to(self, item: Any) -> None:
        """Follow a key to an item."""
        self.point_at(item)

    def point_at(self, item: Any) -> None:
        """Point at an item, or at none."""
        if item != self.item:
            self.item, self._last = item, self._last if item is None else item
            self.describe()
            self.surface().update()
            self.pointed.emit(item)

    def light(self, items: Iterable[Any]) -> None:
        """Mark these items, and no others."""
        lit = frozenset(items)
        if lit != self.lit:
            self.lit = lit
            self.surface().update()

    def describe(self, summary: str | None = None) -> None:
        """Tell a screen reader the item that is pointed at, or else a summary, which may be a new one."""
        self._summary = self._summary if summary is None else summary
        spoken = self.item is not None and self.points_by_keys
        self.setAccessibleDescription(self.words(self.item) if spoken else self._summary)

    def remeasure(self) -> None:
        """Follow another content, font or theme: what is pointed at may be no more."""
        if self.item is not None and self.item not in self.items():
            self.point_at(None)
        self.updateGeometry()
        self.surface().update()

    # Copies.

    def copy_image(self) -> None:
        """Copy the widget as it is on the screen to the clipboard."""
        QGuiApplication.clipboard().setPixmap(self.grab())

    def copy_table(self) -> None:
        """Copy the table to the clipboard, separated by tabs, a line for each row."""
        lines = ("\t".join(cell.translate(BREAKS) for cell in row) for row in self.rows())
        QGuiApplication.clipboard().setText("\n".join(lines))

    # Events of Qt.

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self.surface()) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, self.smooth)
            self.paint(painter, event.rect())

    def sizeHint(self) -> QSize:
        return self.minimumSizeHint()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self.remeasure()

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
        if key in self.moves and self.first_item() is not None:
            aim = self.step(key, self.here())
            if aim is not None:
                self.go_to(aim)
        elif event.matches(QKeySequence.StandardKey.Copy) and self.rows():
            self.copy_table()
        elif key not in ENTERS or self.item is None or not self.activate(self.item):
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if self.focusPolicy() == Qt.FocusPolicy.NoFocus and not self.rows():
            event.ignore()
            return
        menu = QMenu(self)
        menu.setObjectName(f"{self.objectName()}_menu")
        menu.aboutToHide.connect(menu.deleteLater)
        menu.addAction(tr("Copy image")).triggered.connect(self.copy_image)
        if self.rows():
            menu.addAction(tr("Copy table")).triggered.connect(self.copy_table)
        menu.popup(event.globalPos())

    def show_tip(self, event: QEvent) -> bool:
        """Show the tooltip of an item if that is asked for; return whether it was, and was not left to Qt."""
        if not isinstance(event, QHelpEvent) or event.type() != QEvent.Type.ToolTip:
            return False
        item = self.item_at(QPointF(event.pos()))
        tip = "" if item is None else self.tip(item)
        if not tip and (self.toolTip() or not self.surface().hasMouseTracking()):
            return False
        place = self.place(item).toAlignedRect() if tip else QRect()  # the tip goes when the pointer leaves it
        QToolTip.showText(event.globalPos(), tip, self.surface(), place)
        return True


class Canvas(Items, QWidget):
    """Widget that paints itself."""

    def __init__(self, name: str = "", accessible: str = "", pointable: bool = True) -> None:
        super().__init__()
        self.set_up(name, accessible, pointable)

    def event(self, event: QEvent) -> bool:
        return self.show_tip(event) or super().event(event)


class ScrollCanvas(Items, QAbstractScrollArea):
    """Widget that paints a part of what it shows, and scrolls. Places are in pixels of the viewport."""

    def __init__(self, name: str, accessible: str) -> None:
        super().__init__()
        self.set_up(name, accessible)
        self.setFrameShape(self.Shape.NoFrame)

    def surface(self) -> QWidget:
        return self.viewport()

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Leave:
            self.leaveEvent(event)
        return self.show_tip(event) or super().viewportEvent(event)
