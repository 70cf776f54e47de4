"""Layout of controls in a row that wraps like words."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget

from gptstudio.gui.widgets.layouts import hbox, holding


class Flow(QLayout):
    """Every control as wide as it would like to be; those of one line on one centre. The widgets of a tuple stay beside
    each other, such as a name and what it names."""

    def __init__(self, *parts: QWidget | tuple[QWidget, ...], spacing: int = 8):
        super().__init__()
        self._items: list[QLayoutItem] = []
        self.setContentsMargins(0, 0, 0, 0)
        self.setSpacing(spacing)
        for part in parts:
            self.add_group(*part) if isinstance(part, tuple) else self.addWidget(part)

    def add_group(self, *widgets: QWidget) -> None:
        self.addWidget(holding(QWidget(), hbox(*widgets, spacing=self.spacing())))

    # Interface of Qt.

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
        """All in one line."""
        widths = [item.sizeHint().width() + self.spacing() for item in self._items]
        return QSize(sum(widths) - self.spacing(), _height(self._items)) if widths else QSize()

    def minimumSize(self) -> QSize:
        """As wide as the widest."""
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
        for item in (item for item in self._items if not item.isEmpty()):  # what is hidden takes no room
            needed = item.sizeHint().width()
            if not lines or taken + self.spacing() + needed > width:
                lines.append([])
                taken = -self.spacing()
            lines[-1].append(item)
            taken += self.spacing() + needed
        return lines


def _height(line: list[QLayoutItem]) -> int:
    return max((item.sizeHint().height() for item in line), default=0)
