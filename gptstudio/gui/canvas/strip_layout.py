"""Layout of the boxes of a text in lines of one height, like words. Appending moves no existing box."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping

from PySide6.QtCore import QPointF, QRectF

MARGIN = 5.0


class StripLayout:
    """Boxes of given widths, by their index. Sizes in pixels. A rectangle is made when it is asked for: a text may have
    100,000 boxes."""

    def __init__(self) -> None:
        self._lefts: list[float] = []
        self._widths: list[float] = []
        self.width, self.pitch, self.height, self.gap = 0.0, 20.0, 16.0, 3.0
        self.left = self.edge = MARGIN
        self._drop = 0.0
        self._starts: list[int] = []  # of each line, the index of its first box

    def set_sizes(
        self, width: float, pitch: float, height: float, gap: float, left: float = MARGIN, edge: float = MARGIN,
        drop: float = 0.0,
    ) -> None:
        """Set the width, the line pitch, the height of a box, and the gap between two. Discards all positions.

        ``left``: where lines begin; ``edge``: what stays free above and at the right; ``drop``: above
        the boxes of each line.
        """
        self.left, self.edge, self._drop = left, edge, drop
        self.width, self.pitch, self.height, self.gap = width, pitch, height, gap
        self.cut(0)

    def cut(self, first: int) -> None:
        """Forgets boxes from this one on."""
        del self._lefts[first:], self._widths[first:]
        del self._starts[bisect_left(self._starts, first) :]

    def add(self, boxes: Iterable[tuple[float, bool]]) -> None:
        """Place boxes behind the last.

        Args:
            boxes: their width, and whether they begin a new line.
        """
        lefts, widths, starts = self._lefts, self._widths, self._starts
        left = lefts[-1] + widths[-1] + self.gap if lefts else self.left
        room, end, gap = self.room, self.width - self.edge, self.gap
        for wanted, begins in boxes:
            width = wanted if wanted < room else room
            if begins or not starts or left + width > end:
                starts.append(len(lefts))
                left = self.left
            lefts.append(left)
            widths.append(width)
            left += width + gap

    def __len__(self) -> int:
        return len(self._lefts)

    def place(self, index: int) -> QRectF:
        """Return the rectangle of a box."""
        top = self.edge + (bisect_right(self._starts, index) - 1) * self.pitch + self._drop
        return QRectF(self._lefts[index], top, self._widths[index], self.height)

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
        return index if self.place(index).contains(point) else None

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
        return self._nearest_left(line, self.place(index).center().x()) if 0 <= line < len(self._starts) else index

    def _nearest_left(self, line: int, x: float) -> int:
        """The last box of a line that begins at x or before it; its first where none does."""
        first, end = self._start(line), self._start(line + 1)
        return max(first, bisect_right(self._lefts, x, first, end) - 1)

    def _start(self, line: int) -> int:
        return self._starts[line] if line < len(self._starts) else len(self._lefts)


class Places(Mapping[int, QRectF]):
    """The rectangles of boxes, by their number from ``begin`` on."""

    def __init__(self, layout: StripLayout, begin: int) -> None:
        self._layout, self._numbers = layout, range(begin, begin + len(layout))

    def __len__(self) -> int:
        return len(self._numbers)

    def __iter__(self) -> Iterator[int]:
        return iter(self._numbers)

    def __getitem__(self, number: int) -> QRectF:
        if number not in self._numbers:
            raise KeyError(number)
        return self._layout.place(number - self._numbers.start)
