"""Token boxes: the text, tooltip and painting of a box, and the layout of boxes in lines of equal height. No torch.

Appending does not move existing boxes, and only the boxes in view are painted.
"""

from __future__ import annotations

import html
import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from gptstudio.gpt.tokenizer import GPT2, Tokenizer
from gptstudio.gui.canvas.canvas import ARROWS, ENDS, KEYS, Canvas
from gptstudio.gui.canvas.tint import TintScale, ink_on, surprise
from gptstudio.gui.canvas.writing import draw_with, rounded
from gptstudio.gui.theme import colour
from gptstudio.gui.translation import joined, percent, tr
from gptstudio.i18n import bits, message
from gptstudio.inference.text_tree import Node
from gptstudio.training.events import TokenDrawn

MARKS = {
    "branches": message("Another branch has a different token here."),
    "differs": message("The other text has a different token here."),
    "yours": message("You chose this token."),
}
"""Kinds of marks on a box, and their meanings."""


class TokenBox(NamedTuple):
    """Displayed token. ``prompt``: it was there before the model wrote."""

    node: Node
    text: str
    prompt: bool

    @classmethod
    def of(cls, node: Node, prompt: bool, tokenizer: Tokenizer = GPT2) -> TokenBox:
        return cls(node, tokenizer.visible(node.id), prompt)

    @property
    def position(self) -> int:
        return self.node.position

    def begins_line(self, before: TokenBox | None) -> bool:
        """Return whether the text continues with this box on a new line. Consecutive line breaks stay in one line,
        because empty lines would take too much space."""
        text = self.node.reading.text
        return before is not None and before.node.reading.text.endswith("\n") and text.strip("\n") != ""

    @property
    def tip(self) -> str:
        """Tooltip with all information on the token, one item per line, the token first."""
        token = tr("{token}   ID {id}", token=self.text, id=f"{self.node.id:,}")
        return joined("\n", token, self._origin(), *self._figures())

    def _origin(self) -> str:
        n = f"{self.position:,}"
        if self.prompt:
            return tr("Position {n}, in the prompt", n=n)
        if isinstance(self.node.reading, TokenDrawn):
            return tr("Position {n}, sampled by the model", n=n)
        if self.node.beam:
            return tr("Position {n}, found by a beam search", n=n)
        return tr("Position {n}, given, not sampled", n=n)

    def _figures(self) -> list[str]:
        reading, surprisal = self.node.reading, surprise(self.node.reading)
        if reading.plain_probability is None or surprisal is None or reading.rank is None:
            return [tr(
                "The model made no prediction for it: it is the first token that the model reads, or lies before its "
                "context window.")]
        lines = [
            tr("Probability {p}, surprisal {bits} bits", p=percent(reading.plain_probability), bits=bits(surprisal)),
            tr("Rank {n}", n=f"{reading.rank:,}"),
            tr("Entropy here: {bits} bits", bits=f"{reading.plain_entropy_bits:.2f}"),
        ]
        if isinstance(reading, TokenDrawn):
            lines.append(tr("Sampled with probability {p}, after sampling settings", p=percent(reading.probability)))
            lines.append(tr("Time: {ms} ms", ms=f"{reading.took_s * 1000:.3g}"))
        return lines


def rich(tip: str) -> str:
    """Return a tooltip as rich text, for a token with any characters."""
    first, *rest = (html.escape(line).replace(" ", "&nbsp;") for line in tip.split("\n"))
    return "<br>".join([f"<b>{first}</b>", *rest])


class BoxPainter:
    """Painter of boxes in one font, coloured by one scale.

    A box is filled with its colour. A box after the chosen token is hollow, with its colour as a bar below the text.
    Tokens of the prompt have a line under the box.
    """

    def __init__(self, painter: QPainter, scale: TintScale, metrics: QFontMetricsF, room: float):
        """Prepare for painting. ``room``: width of a line; a box of that width may be too narrow for its text."""
        self._painter, self._scale, self._metrics, self._room = painter, scale, metrics, room
        self._unit = metrics.height() / 16
        self._radius = 4 * self._unit
        self._muted, self._text, self._line = colour("muted"), colour("text"), colour("line")
        self._plain = {True: colour("line", 0.45), False: colour("accent", 0.13)}  # prompt, other tokens
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)

    def box(self, box: TokenBox, place: QRectF, ahead: bool) -> None:
        painter, fill, ink = self._painter, self._fill(box), self._muted
        if fill is None:
            rounded(painter, place, self._radius, edge=QPen(self._line, 1))
        elif ahead:
            high = 2.5 * self._unit
            painter.fillRect(QRectF(place.left() + 2, place.bottom() - high, place.width() - 4, high), fill)
        else:
            rounded(painter, place, self._radius, fill)
            ink = self._text if fill.alpha() < 255 else ink_on(fill)
        if box.prompt:
            y, height = round(place.bottom() + 2 * self._unit), round(1.5 * self._unit)
            painter.fillRect(QRectF(place.left() + 1, y, place.width() - 2, height), self._muted)
        painter.setPen(ink)
        self._write(box.text, place)

    def copied(self, place: QRectF, right: float) -> None:
        """Draw a line under a box that is copied from the training text, up to ``right``: thicker than the line under
        the prompt, and without a gap before the next box."""
        y, height = round(place.bottom() + 1.5 * self._unit), round(2.5 * self._unit)
        self._painter.fillRect(QRectF(place.left() + 1, y, right - place.left() - 2, height), colour("amber"))

    def ring(self, place: QRectF, paint: QColor) -> None:
        """Draw a ring around a box, with a small gap."""
        air = 1.5 * self._unit
        rounded(self._painter, place.adjusted(-air, -air, air, air), self._radius, edge=QPen(paint, 2 * self._unit))

    def badge(self, mark: str, place: QRectF) -> None:
        """Draw a round sign at the upper right corner: a fork, an unequal sign, or a tick."""
        painter, unit = self._painter, self._unit
        centre = place.topRight() + QPointF(0, unit)
        draw_with(painter, QPen(colour("surface"), unit), colour("amber" if mark == "differs" else "accent"))
        painter.drawEllipse(centre, 6 * unit, 6 * unit)
        painter.setPen(QPen(colour("surface"), 1.2 * unit, c=Qt.PenCapStyle.RoundCap))
        for x, y, to_x, to_y in SIGNS[mark]:
            painter.drawLine(centre + QPointF(x, y) * unit, centre + QPointF(to_x, to_y) * unit)

    def _fill(self, box: TokenBox) -> QColor | None:
        if not self._scale.low:
            return self._plain[box.prompt]
        share = self._scale.share_of(box.node.reading)
        return None if share is None else self._scale.shade(share)

    def _write(self, text: str, place: QRectF) -> None:
        pad = padding(self._metrics)
        baseline = place.center().y() + (self._metrics.ascent() - self._metrics.descent()) / 2
        if place.width() >= self._room:
            text = self._metrics.elidedText(text, Qt.TextElideMode.ElideRight, place.width() - 2 * pad)
        self._painter.drawText(QPointF(place.left() + pad, baseline), text)


SIGNS = {
    "branches": ((0, 3, 0, 0.5), (0, 0.5, -2, -2.5), (0, 0.5, 2, -2.5)),
    "differs": ((-2.5, -1, 2.5, -1), (-2.5, 1, 2.5, 1), (1.5, -3, -1.5, 3)),
    "yours": ((-2.8, 0.2, -0.8, 2.2), (-0.8, 2.2, 2.8, -2)),
}
"""Lines of each mark's sign, relative to its centre."""


def padding(metrics: QFontMetricsF) -> float:
    """Return the padding of a box to the left and right of its text."""
    return 0.3 * metrics.height()


def width_of(text: str, metrics: QFontMetricsF) -> float:
    """Return the width of a box in whole pixels, so that its edges are sharp. A character without a width of its own,
    such as a combining accent, gets a minimum width."""
    return math.ceil(max(metrics.horizontalAdvance(text), 0.5 * metrics.height()) + 2 * padding(metrics))


MARGIN = 5.0


class StripLayout:
    """Layout of boxes of given widths, by index. Sizes are in pixels. Rectangles are computed on demand, because a text
    may have 100,000 boxes."""

    def __init__(self) -> None:
        self._lefts: list[float] = []
        self._widths: list[float] = []
        self.width, self.pitch, self.height, self.gap = 0.0, 20.0, 16.0, 3.0
        self.left = self.edge = MARGIN
        self._drop = 0.0
        self._starts: list[int] = []  # index of the first box of each line

    def set_sizes(
        self, width: float, pitch: float, height: float, gap: float, left: float = MARGIN, edge: float = MARGIN,
        drop: float = 0.0,
    ) -> None:
        """Set the width, the line pitch, the height of a box, and the gap between two. Discards all positions.

        ``left``: left edge of the lines. ``edge``: margin at the top and on the right. ``drop``: space above the boxes
        of each line.
        """
        self.left, self.edge, self._drop = left, edge, drop
        self.width, self.pitch, self.height, self.gap = width, pitch, height, gap
        self.cut(0)

    def cut(self, first: int) -> None:
        """Discard the boxes from this index on."""
        del self._lefts[first:], self._widths[first:]
        del self._starts[bisect_left(self._starts, first) :]

    def add(self, boxes: Iterable[tuple[float, bool]]) -> None:
        """Append boxes after the last.

        Args:
            boxes: their widths, and whether they start a new line.
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
        top = self.edge + (bisect_right(self._starts, index) - 1) * self.pitch + self._drop
        return QRectF(self._lefts[index], top, self._widths[index], self.height)

    @property
    def room(self) -> float:
        """Width of a line."""
        return max(1.0, self.width - self.left - self.edge)

    @property
    def bottom(self) -> float:
        return self.edge + max(1, len(self._starts)) * self.pitch

    def at(self, point: QPointF) -> int | None:
        line = int((point.y() - self.edge) // self.pitch)
        if not 0 <= line < len(self._starts):
            return None
        index = self._nearest_left(line, point.x())
        return index if self.place(index).contains(point) else None

    def within(self, top: float, bottom: float) -> range:
        """Return the boxes of all lines that intersect this vertical range."""
        first = max(0, int((top - self.edge) // self.pitch))
        last = max(first, int((bottom - self.edge) // self.pitch) + 1)
        return range(self._start(first), self._start(last))

    def neighbour(self, index: int, step: int) -> int:
        """Return the box above (-1) or below (1) the middle of this one; in the first or last line, the box itself."""
        line = bisect_right(self._starts, index) - 1 + step
        return self._nearest_left(line, self.place(index).center().x()) if 0 <= line < len(self._starts) else index

    def _nearest_left(self, line: int, x: float) -> int:
        """Return the last box of a line that starts at or before x, or the first of the line if none does."""
        first, end = self._start(line), self._start(line + 1)
        return max(first, bisect_right(self._lefts, x, first, end) - 1)

    def _start(self, line: int) -> int:
        return self._starts[line] if line < len(self._starts) else len(self._lefts)


class BoxRects(Mapping[int, QRectF]):
    """Rectangles of boxes, numbered from ``begin``."""

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


class TokenBoxes(Canvas):
    """Canvas of token boxes; the items are the boxes, numbered from ``begin``."""

    begin = 0

    def __init__(self, name: str, accessible: str) -> None:
        super().__init__(name, accessible)
        self._layout = StripLayout()

    def items(self) -> Mapping[int, QRectF]:
        return BoxRects(self._layout, self.begin)

    def place(self, item: int) -> QRectF:
        return self._layout.place(item - self.begin)

    def item_at(self, point: QPointF) -> int | None:
        index = self._layout.at(point)
        return None if index is None else index + self.begin

    def step(self, key: Qt.Key, start: int | None) -> int:
        """Return the box next to this one, above or below it, or the first or last."""
        last = len(self._layout) - 1
        if start is None or key in ENDS:
            return self.begin + (last if key == KEYS.Key_End else 0)
        (down, right), index = ARROWS[key], start - self.begin
        if down:
            return self.begin + self._layout.neighbour(index, down)
        return self.begin + min(last, max(0, index + right))


class ChosenBoxes(TokenBoxes):
    """Strip with one chosen box, selected by a click or by keys; emits its number."""

    chosen = Signal(int)
    points_by_keys = False

    current: int | None = None
    """Number of the chosen box."""

    def choose(self, item: int | None) -> None:
        """Mark a box without emitting ``chosen``."""
        self.current = item
        self.describe("" if item is None else self.words(item))
        self.update()

    def here(self) -> int | None:
        index = -1 if self.current is None else self.current - self.begin
        return self.current if 0 <= index < len(self._layout) else None

    def step(self, key: Qt.Key, start: int | None) -> int:
        """Return the box to which a key moves; without a chosen box, the last."""
        return super().step(key if start is not None or key == KEYS.Key_Home else KEYS.Key_End, start)

    def go_to(self, item: int) -> None:
        if item != self.current:
            self.activate(item)

    def activate(self, item: int) -> bool:
        self.choose(item)
        self.chosen.emit(item)
        return True
