"""Layouts as nested calls in the order of the screen: ``vbox(title, hbox(grows(field), button), FREE)``.

``Flow`` wraps controls like words, ``Reflow`` stacks widgets that do not fit next to each other, ``Splitter`` has a
handle between two parts, and ``HeightForWidth`` is as high as its wrapped text requires at its width.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple, TypeVar

from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLayout,
    QLayoutItem,
    QSplitter,
    QSplitterHandle,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from gptstudio.gui.theme import colour
from gptstudio.gui.translation import tr

W = TypeVar("W", bound=QWidget)
L = TypeVar("L", bound=QBoxLayout)
Margins = tuple[int, int, int, int]
LEFT, TOP = Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignTop


class Item(NamedTuple):
    """Element of a layout, and its share of the remaining space. Without a part: empty space."""

    part: QWidget | QLayout | None
    stretch: int = 0
    alignment: Qt.AlignmentFlag = Qt.AlignmentFlag(0)


FREE = Item(None, 1)
"""Empty space that takes the remaining space."""


def grows(part: QWidget | QLayout, stretch: int = 1) -> Item:
    return Item(part, stretch)


def aligned(part: QWidget, alignment: Qt.AlignmentFlag) -> Item:
    return Item(part, 0, alignment)


def vbox(
    *parts: QWidget | QLayout | Item, spacing: int | None = None, margins: Margins = (0, 0, 0, 0)
) -> QVBoxLayout:
    """Return a layout of widgets and layouts stacked vertically. ``spacing``: pixels, by default the spacing of the
    enclosing layout. ``margins``: left, top, right, bottom."""
    return _filled(QVBoxLayout(), parts, spacing, margins)


def hbox(*parts: QWidget | QLayout | Item, spacing: int | None = None, margins: Margins = (0, 0, 0, 0)) -> QHBoxLayout:
    """Return a layout of widgets and layouts next to each other; ``spacing`` and ``margins`` as in ``vbox``."""
    return _filled(QHBoxLayout(), parts, spacing, margins)


def fill(layout: L, *parts: QWidget | QLayout | Item) -> L:
    """Append widgets, layouts and empty space to a layout; return the layout."""
    for each in parts:
        part, stretch, alignment = each if isinstance(each, Item) else Item(each)
        if isinstance(part, QLayout):
            layout.addLayout(part, stretch)
        elif part is not None:
            layout.addWidget(part, stretch, alignment)
        else:
            layout.addStretch(stretch)
    return layout


def with_layout(whole: W, layout: QLayout) -> W:
    whole.setLayout(layout)
    return whole


def in_column(whole: W, *parts: QWidget | QLayout | Item, spacing: int) -> W:
    """Stack widgets and layouts at the top of a widget, without margins; return the widget."""
    return with_layout(whole, vbox(*parts, FREE, spacing=spacing))


def card(
    *parts: QWidget | QLayout | Item, name: str = "", spacing: int = 8, margins: Margins = (12, 12, 12, 12)
) -> QFrame:
    """Return a frame with padding that holds stacked widgets and layouts."""
    frame = with_layout(QFrame(), vbox(*parts, spacing=spacing, margins=margins))
    frame.setObjectName(name)
    frame.setProperty("card", True)
    return frame


def centred(whole: W, *labels: QLabel) -> W:
    """Stack labels in the middle of a widget; return the widget."""
    layout = QVBoxLayout(whole)
    layout.setSpacing(8)
    for each in labels:
        each.setAlignment(Qt.AlignmentFlag.AlignCenter)
    fill(layout, FREE, *labels, FREE)
    return whole


def stacked(*pages: QWidget) -> QStackedWidget:
    """Return a widget that shows one of these pages at a time, initially the first."""
    stack = QStackedWidget()
    for page in pages:
        stack.addWidget(page)
    return stack


def _filled(layout: L, parts: tuple[QWidget | QLayout | Item, ...], spacing: int | None, margins: Margins) -> L:
    layout.setContentsMargins(*margins)
    if spacing is not None:
        layout.setSpacing(spacing)
    return fill(layout, *parts)


class Flow(QLayout):
    """Row of controls at their preferred widths, which wraps; the controls of a line are centred vertically. The
    widgets of a tuple, such as a label and its field, stay together."""

    wraps = True
    """False: the controls stay in one row, which is at least as wide as all of them."""

    def __init__(self, *parts: QWidget | tuple[QWidget, ...], spacing: int = 8):
        super().__init__()
        self._items: list[QLayoutItem] = []
        self.setContentsMargins(0, 0, 0, 0)
        self.setSpacing(spacing)
        for part in parts:
            self.add_group(*part) if isinstance(part, tuple) else self.addWidget(part)

    def add_group(self, *widgets: QWidget) -> None:
        self.addWidget(with_layout(QWidget(), hbox(*widgets, spacing=self.spacing())))

    # Interface of Qt

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        lines = self._lines(width)
        return sum(_height(line) for line in lines) + self.spacing() * max(0, len(lines) - 1)

    def sizeHint(self) -> QSize:
        """Return the size of a single line with all items."""
        widths = [item.sizeHint().width() + self.spacing() for item in self._items]
        return QSize(sum(widths) - self.spacing(), _height(self._items)) if widths else QSize()

    def minimumSize(self) -> QSize:
        """Return the width of the widest item, or of all if they stay in one row, and the height of one line of
        items."""
        if not self.wraps:
            return self.sizeHint()
        return QSize(max((item.sizeHint().width() for item in self._items), default=0), _height(self._items))

    def setGeometry(self, room: QRect) -> None:
        super().setGeometry(room)
        top = room.top()
        for line in self._lines(room.width()):
            left, height = room.left(), _height(line)
            for item in line:
                size = item.sizeHint()
                item.setGeometry(QRect(QPoint(left, top + (height - size.height()) // 2), size))
                left += size.width() + self.spacing()
            top += height + self.spacing()

    def _lines(self, width: int) -> list[list[QLayoutItem]]:
        lines: list[list[QLayoutItem]] = []
        taken = 0
        for item in (item for item in self._items if not item.isEmpty()):  # hidden items take no space
            needed = item.sizeHint().width()
            if not lines or taken + self.spacing() + needed > width:
                lines.append([])
                taken = -self.spacing()
            lines[-1].append(item)
            taken += self.spacing() + needed
        return lines


def _height(line: list[QLayoutItem]) -> int:
    return max((item.sizeHint().height() for item in line), default=0)


BESIDE = QBoxLayout.Direction.LeftToRight
BELOW, ABOVE = QBoxLayout.Direction.TopToBottom, QBoxLayout.Direction.BottomToTop


class _Row(QBoxLayout):
    """Row at the preferred height of its widgets. With height for width, a page would give them more than they need."""

    def hasHeightForWidth(self) -> bool:
        return False


class Reflow(QWidget):
    """Widgets next to each other, or stacked if the width is not sufficient."""

    turned = Signal(bool)
    """Emitted with True when the widgets are no longer next to each other."""

    def __init__(
        self,
        *widgets: QWidget,
        stretch: Collection[QWidget] = (),
        spacing: int = 8,
        narrow: QBoxLayout.Direction = BELOW,
        least: int = 0,
        shares: Sequence[int] = (),
    ):
        """Create the layout. ``stretch``: widgets that share the remaining space. ``narrow``: direction of the stacked
        widgets, BELOW or ABOVE. ``least``: the width, in line heights, below which they are always stacked. ``shares``:
        the share of each widget in the remaining space, where the shares differ."""
        super().__init__()
        self._narrow, self._least = narrow, least
        self._box = _Row(BESIDE, self)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(spacing)
        for widget in widgets:
            self._box.addWidget(widget, 1 if widget in stretch else 0)
        for place, share in enumerate(shares):
            self._box.setStretch(place, share)

    def minimumSizeHint(self) -> QSize:
        return QSize(max(self._widths(), default=0), self._box.minimumSize().height())

    def event(self, event: QEvent) -> bool:
        handled = super().event(event)
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            self._turn()
        return handled

    def _turn(self) -> None:
        widths = self._widths()
        room = self.width() - self._box.spacing() * (len(widths) - 1)
        wide = sum(widths) <= room and self.width() >= self._least * self.fontMetrics().height()
        direction = BESIDE if wide else self._narrow
        if direction != self._box.direction():
            self._box.setDirection(direction)
            self.updateGeometry()
            self.turned.emit(direction != BESIDE)

    def _widths(self) -> list[int]:
        """Return the minimum widths of the visible widgets."""
        items = (self._box.itemAt(index) for index in range(self._box.count()))
        return [item.minimumSize().width() for item in items if item and not item.isEmpty()]


class CompactReflow(Reflow):
    """Reflow at its minimum height, which is less than the height that wrapped text requests in a narrow column."""

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self.minimumSizeHint().height())


GRIP = 36, 3
"""Width and height of the line on the handle, in pixels."""


class _Grip(QSplitterHandle):
    """Handle with a short line that shows that it can be dragged."""

    def paintEvent(self, _event: QPaintEvent) -> None:
        width, height = GRIP
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour("muted" if self.underMouse() else "line"))
        middle = QRectF(self.rect()).center()
        painter.drawRoundedRect(QRectF(middle.x() - width / 2, middle.y() - height / 2, width, height), 1.5, 1.5)


class Splitter(QSplitter):
    """Vertical splitter of two parts, neither of which can be collapsed."""

    def __init__(self, above: QWidget, below: QWidget, shares: tuple[int, int]) -> None:
        """Create the splitter. ``shares``: of the two parts in the initial height and in later changes of it."""
        super().__init__(Qt.Orientation.Vertical)
        self.setChildrenCollapsible(False)
        self.setHandleWidth(12)
        for index, (part, share) in enumerate(zip((above, below), shares, strict=True)):
            self.addWidget(part)
            self.setStretchFactor(index, share)
        self.setSizes([1_000 * share for share in shares])
        self.handle(1).setToolTip(tr("Drag to resize the two parts."))

    def createHandle(self) -> QSplitterHandle:
        return _Grip(self.orientation(), self)


class HeightForWidth(QWidget):
    """Widget whose minimum height fits its wrapped text; Qt requests only one line, and cuts off large text."""

    def minimumSizeHint(self) -> QSize:
        layout = self.layout()
        if layout is None:
            return QSize()
        least = layout.totalMinimumSize()
        height = layout.totalMinimumHeightForWidth(self.width()) if layout.hasHeightForWidth() else -1
        return QSize(least.width(), max(least.height(), height))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()
