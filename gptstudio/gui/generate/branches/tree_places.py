"""Layout of the segments of a branching text: one row for each branch, from left to right. No Qt.

A segment shows as many of its first and last tokens as fit, since the last ones are just before the next fork.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from gptstudio.gpt import tokenizer
from gptstudio.inference.branches import Shape
from gptstudio.inference.text_tree import Node, Tree

Measure = Callable[[str], float]
"""The width of a text in pixels."""

LONGEST_TOKEN = 24
"""Characters of a single token."""
LONGEST_CHARACTER = 4
"""Bytes, and so tokens, of a character in UTF-8."""
HEAD_SHARE, TAIL_SHARE = 0.55, 0.35
"""Fractions of a segment's width for its first and for its last tokens, if not all fit."""


class Piece(NamedTuple):
    """A token as it is drawn; or several, where only together they are a character, or where they are left out.

    Attributes:
        key: of the first.
        width, left: in pixels, from the left of its stretch's text.
        tokens: how many there are.
    """

    key: int
    text: str
    width: float
    tokens: int
    left: float = 0.0
    left_out: bool = False


@dataclass(frozen=True)
class StretchBox:
    """Of a stretch: its row, its left edge and width in pixels, and what is written in it. ``note``: at its end, the
    sum of log-probabilities of a beam search; ``note_width`` with the space before it."""

    row: int
    left: float
    width: float
    pieces: tuple[Piece, ...]
    note: str = ""
    note_width: float = 0.0


@dataclass(frozen=True)
class Sizes:
    """Sizes in pixels.

    Attributes:
        margin: at the left of everything.
        pad: between the edge of a segment and its text.
        gap: between a segment and those that continue it.
        inner, last: text width of a segment that forks, and of one that ends a branch.
        room: maximum right edge of the last segment of a row.
    """

    margin: float
    pad: float
    gap: float
    inner: float
    last: float
    room: float


def places(tree: Tree, shape: Shape, measure: Measure, sizes: Sizes) -> list[StretchBox]:
    """One for each stretch, in their order."""
    found: list[StretchBox] = []
    for stretch in shape.stretches:
        before = found[stretch.before] if stretch.before is not None else None
        left = before.left + before.width + sizes.gap if before else sizes.margin
        room = sizes.inner if stretch.after else max(sizes.last, sizes.room - left - 2 * sizes.pad)
        written = list(words([tree.nodes[key] for key in stretch.keys]))
        pieces = _side_by_side(_fitting(written, stretch.keys, measure, room))
        beam = tree.nodes[stretch.keys[-1]].beam
        note = nats(beam.log_probability) if beam else ""
        note_width = measure(f"  {note}") if note else 0.0
        width = pieces[-1].left + pieces[-1].width + note_width + 2 * sizes.pad
        found.append(StretchBox(stretch.row, left, width, pieces, note, note_width))
    return found


def nats(log_probability: float) -> str:
    """A log-probability in nats as people read it, with a minus sign."""
    return f"{log_probability:,.2f}".replace("-", "\u2212")


def words(nodes: Sequence[Node]) -> Iterator[tuple[str, int]]:
    """Tokens as they are read in a line, and how many each text stands for: blanks as they are, all else visible."""
    index = 0
    while index < len(nodes):
        node, count = nodes[index], 1
        if "\ufffd" in node.reading.text:
            text, count = _character(tuple(each.id for each in nodes[index : index + LONGEST_CHARACTER]))
        else:
            text = _shown(node.reading.text or tokenizer.visible(node.id))  # an id beyond the vocabulary has no text
        yield text, count
        index += count


@lru_cache(maxsize=10_000)
def _character(ids: tuple[int, ...]) -> tuple[str, int]:
    """The text of as many of these tokens as make it whole; the bytes of the first where nothing does."""
    for count in range(1, len(ids) + 1):
        try:
            return _shown(b"".join(map(tokenizer.token_bytes, ids[:count])).decode("utf-8")), count
        except UnicodeDecodeError:
            continue
    return tokenizer.visible(ids[0]), 1


@lru_cache(maxsize=60_000)
def _shown(text: str) -> str:
    shown = tokenizer.visible_text(text).replace("␣", " ")
    return shown if len(shown) <= LONGEST_TOKEN else shown[: LONGEST_TOKEN - 1] + "…"


def _fitting(written: list[tuple[str, int]], keys: Sequence[int], measure: Measure, room: float) -> Iterator[Piece]:
    """Yield the pieces that fit into ``room``, and one piece for all others."""
    widths = [measure(text) for text, _ in written]
    first, last = len(written), len(written)
    if sum(widths) > room:
        first = _how_many(widths, room * HEAD_SHARE)
        last -= _how_many(reversed(widths[first:]), room * TAIL_SHARE)
    place = 0
    for index, ((text, count), width) in enumerate(zip(written, widths, strict=True)):
        if index == first and first < last:
            hidden = sum(count for _, count in written[first:last])
            words = f" …{hidden:,}… "
            yield Piece(keys[place], words, measure(words), hidden, left_out=True)
        if not first <= index < last:
            yield Piece(keys[place], text, width, count)
        place += count


def _how_many(widths: Iterable[float], room: float) -> int:
    """Return the number of these that fit, at least one."""
    count = 0
    for width in widths:
        room -= width
        if count and room < 0:
            break
        count += 1
    return count


def _side_by_side(pieces: Iterable[Piece]) -> tuple[Piece, ...]:
    left, placed = 0.0, []
    for piece in pieces:
        placed.append(piece._replace(left=left))
        left += piece.width
    return tuple(placed)
