"""Base of the strips of tokens: boxes in lines, like words, of which only those are painted that are to be seen."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QPointF, QRectF, Qt, Signal

from gptstudio.gui.canvas.canvas import Canvas
from gptstudio.gui.canvas.items import ARROWS, ENDS, KEYS
from gptstudio.gui.canvas.strip_layout import Places, StripLayout


class TokenBoxes(Canvas):
    """The items are the boxes, by their number from ``begin`` on."""

    begin = 0

    def __init__(self, name: str, accessible: str) -> None:
        super().__init__(name, accessible)
        self._layout = StripLayout()

    def items(self) -> Mapping[int, QRectF]:
        return Places(self._layout, self.begin)

    def place(self, item: int) -> QRectF:
        return self._layout.place(item - self.begin)

    def item_at(self, point: QPointF) -> int | None:
        index = self._layout.at(point)
        return None if index is None else index + self.begin

    def step(self, key: Qt.Key, start: int | None) -> int:
        """Return the box beside, that above or below, or the first or last."""
        last = len(self._layout) - 1
        if start is None or key in ENDS:
            return self.begin + (last if key == KEYS.Key_End else 0)
        (down, right), index = ARROWS[key], start - self.begin
        if down:
            return self.begin + (self._layout.below(index) if down > 0 else self._layout.above(index))
        return self.begin + min(last, max(0, index + right))


class ChosenBoxes(TokenBoxes):
    """Strip of which one box is chosen, by a click or by the keys; emits which."""

    chosen = Signal(int)
    points_by_keys = False

    current: int | None = None
    """That is chosen."""

    def choose(self, item: int | None) -> None:
        """Mark a box, without telling."""
        self.current = item
        self.describe("" if item is None else self.words(item))
        self.update()

    def here(self) -> int | None:
        index = -1 if self.current is None else self.current - self.begin
        return self.current if 0 <= index < len(self._layout) else None

    def step(self, key: Qt.Key, start: int | None) -> int:
        """Return the box that a key leads to; from none, the last."""
        return super().step(key if start is not None or key == KEYS.Key_Home else KEYS.Key_End, start)

    def go_to(self, item: int) -> None:
        if item != self.current:
            self.activate(item)

    def activate(self, item: int) -> bool:
        self.choose(item)
        self.chosen.emit(item)
        return True
