"""Layout of the boxes of a text in lines of one height, like words. Appending moves no existing box."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable

from PySide6.QtCore import QPointF, QRectF

MARGIN = 5.0


class StripLayout:
    """Boxes of given widths, by their index. Sizes in pixels."""

    def __init__(self) -> None:
        self.places: list[QRectF] = []
        self.width, self.pitch, self.height, self.gap = 0.0, 20.0, 16.0, 3.0
        self.left = self.edge = MARGIN
        self._starts: list[int] = []  # of each line, the index of its first box

    def set_sizes(
        self, width: float, pitch: float, height: float, gap: float, left: float = MARGIN, edge: float = MARGIN
    ) -> None:
        """Set the width, the line pitch, the height of a box, and the gap between two. Discards all positions.

        ``left``: where lines begin; ``edge``: what stays free above and at the right.
        """
        self.left, self.edge = left, edge
        self.width, self.pitch, self.height, self.gap = width, pitch, height, gap
        self.cut(0)

    def cut(self, first: int) -> None:
        """Forgets boxes from this one on."""
        del self.places[first:]
        del self._starts[bisect_left(self._starts, first) :]

    def add(self, boxes: Iterable[tuple[float, bool]]) -> None:
        """Place boxes behind the last.

        Args:
            boxes: their width, and whether they begin a new line.
        """
        left = self.places[-1].right() + self.gap if self.places else self.left
        for wanted, begins in boxes:
            width = min(wanted, self.room)
            if begins or not self._starts or left + width > self.width - self.edge:
                self._starts.append(len(self.places))
                left = self.left
            top = self.edge + (len(self._starts) - 1) * self.pitch
            self.places.append(QRectF(left, top, width, self.height))
            left += width + self.gap

    @property
    def room(self) -> float:
        """The width of a line."""
        return max(1.0, self.width - self.left - self.edge)

    @property
    def bottom(self) -> float:
        return self.edge + max(1, len(self._starts)) * self.pitch

    def at(self, point: QPointF) -> int | None:
        """The box under a point."""
        line = int((point.y() - self.edge) // self.pitch)
        if not 0 <= line < len(self._starts):
            return None
        index = self._nearest_left(line, point.x())
        return index if self.places[index].contains(point) else None

    def within(self, top: float, bottom: float) -> range:
        """The boxes of all lines that reach into this stretch."""
        first = max(0, int((top - self.edge) // self.pitch))
        last = max(first, int((bottom - self.edge) // self.pitch) + 1)
        return range(self._start(first), self._start(last))

    def above(self, index: int) -> int:
        """The box that lies over the middle of this one; itself in the first line."""
        return self._neighbour(index, -1)

    def below(self, index: int) -> int:
        """The box that lies under the middle of this one; itself in the last line."""
        return self._neighbour(index, 1)

    def _neighbour(self, index: int, step: int) -> int:
        line = bisect_right(self._starts, index) - 1 + step
        return self._nearest_left(line, self.places[index].center().x()) if 0 <= line < len(self._starts) else index

    def _nearest_left(self, line: int, x: float) -> int:
        """The last box of a line that begins at x or before it; its first where none does."""
        first, end = self._start(line), self._start(line + 1)
        return max(first, bisect_right(self.places, x, first, end, key=QRectF.left) - 1)

    def _start(self, line: int) -> int:
        return self._starts[line] if line < len(self._starts) else len(self.places)
