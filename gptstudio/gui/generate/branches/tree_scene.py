"""Contents of the map of a branching text and their positions: built from a tree, painted and hit-tested by others."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFontMetricsF

from gptstudio.gui.generate.branches.tree_places import Measure, Piece, Sizes, StretchBox, places
from gptstudio.gui.translation import tr
from gptstudio.inference.branches import Branch, Shape, shape
from gptstudio.inference.text_tree import Tree

INNER_LINES, LAST_LINES = 11, 14
"""Maximum text width of a segment, in line heights: of one that forks, and of a last one."""


class Spot(NamedTuple):
    """A token in the row of its branch; without a key, the branch in the list."""

    row: int
    key: int | None = None


@dataclass
class Frame:
    """Sizes in pixels, which follow the font and the width of the map. The list stands at the right and does not scroll
    sideways; the heading stands above and does not scroll at all."""

    width: float
    height: float
    line: float
    list_left: float
    name_width: float
    tokens_right: float
    has_tokens: bool
    bits_right: float
    bits_heading: str

    def __post_init__(self) -> None:
        self.row, self.box, self.heading = (round(share * self.line) for share in (1.9, 1.4, 1.7))
        self.pad, self.around = self.line * 0.35, self.line * 0.6

    @classmethod
    def of(cls, metrics: QFontMetricsF, width: float, height: float, titles: list[str]) -> Frame:
        line, advance = metrics.height(), metrics.horizontalAdvance
        bits = max(advance(tr("Bits per token")), advance("10.00")) + line
        tokens = max(advance(tr("Tokens")), advance("10,000")) + line
        name = min(max([advance(title) for title in titles] + [5 * line]) + line, max(10 * line, width / 5))
        heading = tr("Bits per token")
        if name + tokens + bits > width / 2:
            heading, bits = tr("Bits"), max(advance(tr("Bits")), advance("10.00")) + line
            name = min(name, 7 * line)
        if name + tokens + bits > width / 2:
            tokens = 0
        left = max(width - name - tokens - bits, width / 3)
        name, right = max(0.0, width - bits - tokens - left), width - line * 0.5
        return cls(width, height, line, left, name, right - bits, tokens > 0, right, heading)

    @property
    def map(self) -> QRectF:
        return QRectF(0, self.heading, self.list_left, self.height - self.heading)

    @property
    def sizes(self) -> Sizes:
        """Of the stretches."""
        room = self.list_left - self.around
        inner, last = max(self.line * INNER_LINES, room / 5), self.line * LAST_LINES
        return Sizes(self.around, self.pad, self.line * 1.5, inner, last, room)


@dataclass
class Scene:
    """State of the map.

    Attributes:
        shown: the segments of the branch that is shown.
        row: its row; -1 if no branch is shown.
        cursor: the key of the chosen token.
        mark: the segment highlighted with the arrow keys; -1 if none.
        picked: the tips of the branches to be compared.
        scrolled: scroll offset in pixels.
        focused: whether the map has the keyboard focus.
    """

    frame: Frame
    tree: Tree = field(default_factory=Tree)
    shape: Shape = field(default_factory=lambda: Shape([], [], {}))
    places: list[StretchBox] = field(default_factory=list)
    shown: frozenset[int] = frozenset()
    row: int = -1
    cursor: int | None = None
    mark: int = -1
    picked: list[int] = field(default_factory=list)
    scrolled: QPointF = field(default_factory=QPointF)
    focused: bool = False

    @property
    def branches(self) -> list[Branch]:
        return self.shape.branches

    @property
    def marked_branch(self) -> Branch | None:
        """That of the row in which the mark is."""
        return self.branches[self.shape.stretches[self.mark].row] if self.mark >= 0 else None

    @property
    def shown_branch(self) -> Branch | None:
        return self.branches[self.row] if self.row >= 0 else None

    @property
    def removable(self) -> list[Branch]:
        """Branches that removing the highlighted segment would remove; none at the root: that would remove all."""
        found = self.shape.through(self.mark) if self.mark >= 0 else []
        return found if len(found) < len(self.branches) else []

    def take(self, tip: int | None, cursor: int | None) -> None:
        """Take the tree apart again, which has grown or is another: the last token of the shown branch, and the chosen
        one. The mark and what is picked stay where they can."""
        kept = self.shape.stretches[self.mark].keys[0] if self.mark >= 0 else None
        self.shape = shape(self.tree)
        end = self._stretch_of(tip)
        self.shown = frozenset(self.shape.back_from(end)) if end >= 0 else frozenset()
        self.row = self.shape.stretches[end].row if end >= 0 else -1
        self.cursor = cursor
        self.picked = list(dict.fromkeys(self.tree.leaf(key) for key in self.picked if key in self.tree.nodes))
        self.mark = self._stretch_of(kept)

    def lay_out(self, frame: Frame, measure: Measure) -> None:
        self.frame = frame
        self.places = places(self.tree, self.shape, measure, frame.sizes)

    @property
    def width(self) -> float:
        """Of the whole map, in pixels."""
        return max((place.left + place.width for place in self.places), default=0.0) + self.frame.around

    @property
    def height(self) -> float:
        return self.frame.row * len(self.branches)

    # Where something is, in pixels of the viewport.

    def box(self, index: int) -> QRectF:
        place, frame = self.places[index], self.frame
        top = frame.heading + place.row * frame.row + (frame.row - frame.box) / 2 - self.scrolled.y()
        return QRectF(place.left - self.scrolled.x(), top, place.width, frame.box)

    def piece(self, index: int, piece: Piece) -> QRectF:
        box = self.box(index)
        return QRectF(box.left() + self.frame.pad + piece.left, box.top() + 2, piece.width, box.height() - 4)

    def row_rect(self, row: int) -> QRectF:
        top = self.frame.heading + row * self.frame.row - self.scrolled.y()
        return QRectF(self.frame.list_left, top, self.frame.width - self.frame.list_left, self.frame.row)

    def at(self, point: QPointF) -> Spot | None:
        row = int((point.y() - self.frame.heading + self.scrolled.y()) // self.frame.row)
        if point.y() < self.frame.heading or not row < len(self.branches):
            return None
        if point.x() >= self.frame.list_left:
            return Spot(row)
        for index, place in enumerate(self.places):
            if place.row == row and self.box(index).contains(point):
                reached = [piece for piece in place.pieces if self.piece(index, piece).left() <= point.x()]
                return Spot(row, (reached[-1] if reached else place.pieces[0]).key)
        return None

    def _stretch_of(self, key: int | None) -> int:
        return self.shape.places.get(key, -1) if key is not None else -1


def along(shape: Shape, index: int, step: int, shown: Collection[int]) -> int:
    """The stretch behind one (1), the shown one where the text forks, or that before it (-1); itself at an end."""
    stretch = shape.stretches[index]
    if step < 0:
        return index if stretch.before is None else stretch.before
    return next((each for each in stretch.after if each in shown), stretch.after[0] if stretch.after else index)


def beside(shape: Shape, index: int, step: int) -> int:
    """Return the segment above (-1) or below (1) this one among those after the same fork; if there is none, after an
    earlier fork. Down from the last of these leads to the fork that ends the segment itself."""
    for at in shape.back_from(index):
        before = shape.stretches[at].before
        equals = _beginnings(shape) if before is None else shape.stretches[before].after
        place = equals.index(at) + step
        if 0 <= place < len(equals):
            return equals[place]
    after = shape.stretches[index].after
    return after[1] if step > 0 and after else index


def _beginnings(shape: Shape) -> list[int]:
    return [index for index, stretch in enumerate(shape.stretches) if stretch.before is None]
