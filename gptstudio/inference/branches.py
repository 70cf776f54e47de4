"""A tree as its branches: the tokens between two forks, the whole texts, and what each comes to. No torch."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from gptstudio.gpt.sampling.sampler import surprise_bits
from gptstudio.inference.text_tree import ROOT, Node, Tree


@dataclass(frozen=True)
class Figures:
    """Totals over some tokens.

    Attributes:
        tokens: number of tokens.
        asked: number of tokens whose probability the model computed.
        bits: total surprise of these.
    """

    tokens: int = 0
    asked: int = 0
    bits: float = 0.0

    @property
    def mean_bits(self) -> float | None:
        """Bits a token; None where the model was asked for none."""
        return self.bits / self.asked if self.asked else None

    def __add__(self, other: Figures) -> Figures:
        return Figures(self.tokens + other.tokens, self.asked + other.asked, self.bits + other.bits)


def figures(nodes: Iterable[Node]) -> Figures:
    """Return the totals over these tokens under the model."""
    nodes = list(nodes)
    known = [p for node in nodes if (p := node.reading.plain_probability) is not None]
    return Figures(len(nodes), len(known), sum(map(surprise_bits, known), 0.0))


@dataclass
class Stretch:
    """Tokens without a fork between them.

    Attributes:
        keys: of its nodes, from the first to the last.
        before: the index of the stretch that it continues from; None at the beginning.
        after: the indices of those that continue from it: none, or two and more.
        row: the first to continue from a stretch stays in its row; each other begins a row of its own below.
        figures: of the whole text up to its end.
    """

    keys: tuple[int, ...]
    before: int | None
    row: int
    figures: Figures
    after: list[int] = field(default_factory=list)


@dataclass(frozen=True)
class Branch:
    """A whole text, from its first token to its last.

    Attributes:
        tip: the key of its last token.
        own: the index of the first stretch of its row, with which it leaves the others.
        named: the key of the token that has its name: the last of its row that has one, otherwise its tip.
        name: empty where the user gave none.
        figures: of all its tokens.
    """

    tip: int
    own: int
    named: int
    name: str
    figures: Figures


@dataclass(frozen=True)
class Shape:
    """All stretches, each before those that continue from it, and one branch for each row."""

    stretches: list[Stretch]
    branches: list[Branch]
    places: dict[int, int]
    """The index of its stretch by the key of a node."""

    def through(self, index: int) -> list[Branch]:
        """The branches that go through a stretch."""
        found, waiting = [], [index]
        while waiting:
            stretch = self.stretches[waiting.pop()]
            waiting.extend(reversed(stretch.after))
            if not stretch.after:
                found.append(self.branches[stretch.row])
        return found

    def back_from(self, index: int) -> list[int]:
        """A stretch and those before it, back to the beginning."""
        found = [index]
        while (before := self.stretches[found[-1]].before) is not None:
            found.append(before)
        return found


def shape(tree: Tree) -> Shape:
    """Split a tree into stretches and branches, in time linear in its nodes."""
    stretches = _stretches(tree)
    rows: dict[int, list[int]] = {}
    for index, stretch in enumerate(stretches):
        rows.setdefault(stretch.row, []).append(index)
    branches = [_branch(tree, stretches, row) for row in rows.values()]
    return Shape(stretches, branches, {key: i for i, stretch in enumerate(stretches) for key in stretch.keys})


def _stretches(tree: Tree) -> list[Stretch]:
    found: list[Stretch] = []
    row = -1
    waiting: list[tuple[int, int | None, bool]] = [(key, None, True) for key in reversed(tree.children(ROOT))]
    while waiting:
        key, before, opens_row = waiting.pop()
        row += opens_row
        keys = [key]
        while len(below := _pruned_last(tree, keys[-1])) == 1:
            keys.append(below[0])
        so_far = found[before].figures if before is not None else Figures()
        if before is not None:
            found[before].after.append(len(found))
        waiting.extend((each, len(found), each != below[0]) for each in reversed(below))
        found.append(Stretch(tuple(keys), before, row, so_far + figures(tree.nodes[each] for each in keys)))
    return found


def _pruned_last(tree: Tree, key: int) -> list[int]:
    """The tokens that follow, those that a beam search pruned behind the others."""
    return sorted(tree.children(key), key=lambda each: tree.nodes[each].pruned)


def _branch(tree: Tree, stretches: list[Stretch], row: list[int]) -> Branch:
    last = stretches[row[-1]]
    backwards = (key for index in reversed(row) for key in reversed(stretches[index].keys))
    named = next((key for key in backwards if tree.nodes[key].name), last.keys[-1])
    return Branch(last.keys[-1], row[0], named, tree.nodes[named].name, last.figures)
