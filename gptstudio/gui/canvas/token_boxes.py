"""Base of the strips of tokens: boxes in lines, like words, of which only those are painted that are to be seen."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QPointF, QRectF, Qt

from gptstudio.gui.canvas.canvas import ARROWS, ENDS, KEYS, Canvas
from gptstudio.gui.canvas.strip_layout import StripLayout


class TokenBoxes(Canvas):
    """The items are the boxes, by their index."""

    def __init__(self, name: str, accessible: str) -> None:
        super().__init__(name, accessible)
        self._layout = StripLayout()

    def items(self) -> Mapping[int, QRectF]:
        return dict(enumerate(self._layout.places))

    def first_item(self) -> int | None:
        return 0 if self._layout.places else None

    def place(self, item: int) -> QRectF:
        return QRectF(self._layout.places[item])

    def item_at(self, point: QPointF) -> int | None:
        return self._layout.at(point)

    def step(self, key: Qt.Key, start: int | None) -> int:
        """Return the box beside, that above or below, or the first or last."""
        last = len(self._layout.places) - 1
        if start is None or key in ENDS:
            return last if key == KEYS.Key_End else 0
        down, right = ARROWS[key]
        if down:
            return self._layout.below(start) if down > 0 else self._layout.above(start)
        return min(last, max(0, start + right))
