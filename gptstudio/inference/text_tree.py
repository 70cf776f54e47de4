"""Tree of a branching text: every token is a child node of the token before it. No torch.

Branches share their prefix: an existing token is reused, not added again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated

from pydantic import Field

from gptstudio.gpt.sampling.sampler import surprise_bits
from gptstudio.gpt.tokenizer import GPT2, Tokenizer
from gptstudio.i18n import message
from gptstudio.inference.interventions import Interventions
from gptstudio.training.events import TokenDrawn, TokenRead

Reading = TokenRead | TokenDrawn
ROOT = -1
"""Parent key of the first tokens."""


@dataclass(frozen=True)
class BeamMark:
    """Result of a beam search for a token.

    Attributes:
        log_probability: sum over the tokens from the beginning of the search to this one, in nats.
        kept: False once the search has pruned all continuations.
    """

    log_probability: Annotated[float, Field(ge=-1e9, le=0)]
    kept: bool = True


@dataclass(frozen=True)
class Node:
    """Token in a tree. ``name``: the user's name of the branch that ends here or continues from here. ``beam``: result
    of the beam search that found the token; None for other tokens."""

    key: int
    parent: int
    reading: Reading
    name: str = ""
    beam: BeamMark | None = None

    @property
    def pruned(self) -> bool:
        """True if a beam search pruned it and it has not been continued since."""
        return self.beam is not None and not self.beam.kept

    @property
    def id(self) -> int:
        return self.reading.id

    @property
    def position(self) -> int:
        return self.reading.position


@dataclass
class Tree:
    """Texts of one model. ``model``: its name; ``interventions``: sets of interventions by the user's names for them;
    ``tokenizer``: tokenizer of the token ids.

    A node has a larger key than its parent.
    """

    model: str = ""
    nodes: dict[int, Node] = field(default_factory=dict)
    interventions: dict[str, Interventions] = field(default_factory=dict)
    tokenizer: Tokenizer = GPT2
    _children: dict[int, list[int]] = field(default_factory=dict, compare=False, repr=False)
    _next: int = field(default=0, compare=False, repr=False)

    def copy(self) -> Tree:
        """Return an independent copy of the tree."""
        children = {key: list(below) for key, below in self._children.items()}
        return Tree(self.model, dict(self.nodes), dict(self.interventions), self.tokenizer, children, self._next)

    def add(self, parent: int, reading: Reading, beam: BeamMark | None = None) -> int:
        """Add a token as a child of another, and return its key.

        An existing child with the same token is reused. It gets the more detailed of both readings, or the new one if
        they are equally detailed. A token pruned by a beam search does not change an existing one; any other token
        removes the pruned mark from its ancestors.

        Raises:
            KeyError: there is no such parent.
            ValueError: the position of the token does not follow its parent's.
        """
        place = 0 if parent == ROOT else self.nodes[parent].position + 1
        if reading.position != place:
            raise ValueError(message(
                "a token with position {position} does not fit at position {place}",
                position=reading.position, place=place,
            ))
        reading, pruned = reading.model_copy(update={"logits": None}), beam is not None and not beam.kept
        if not pruned:
            self._revive(parent)
        for key in self.children(parent):
            node = self.nodes[key]
            if node.id == reading.id:
                if not pruned:
                    better = _describes(reading) >= _describes(node.reading)
                    self.nodes[key] = replace(node, reading=reading if better else node.reading, beam=beam or node.beam)
                    self._revive(key)
                return key
        key, self._next = self._next, self._next + 1
        self.nodes[key] = Node(key, parent, reading, beam=beam)
        self._children.setdefault(parent, []).append(key)
        return key

    def prune(self, key: int) -> None:
        """Mark a token found by a beam search as pruned, unless it was sampled or has a child that is not pruned."""
        node = self.nodes[key]
        alive = isinstance(node.reading, TokenDrawn) or any(not self.nodes[each].pruned for each in self.children(key))
        if node.beam and not alive:
            self.nodes[key] = replace(node, beam=replace(node.beam, kept=False))

    def _revive(self, key: int) -> None:
        """Mark this token and its ancestors as not pruned, because the text continues from here."""
        while key != ROOT and self.nodes[key].pruned:
            node = self.nodes[key]
            self.nodes[key] = replace(node, beam=replace(node.beam, kept=True) if node.beam else None)
            key = node.parent

    def children(self, key: int) -> list[int]:
        """Return the keys of the tokens that follow, in the order in which they were added."""
        return self._children.get(key, [])

    def path(self, key: int) -> list[Node]:
        """Return the path from the first token to this one."""
        found: list[Node] = []
        while key != ROOT:
            found.append(self.nodes[key])
            key = found[-1].parent
        return found[::-1]

    def ids(self, key: int) -> list[int]:
        """Return the token ids from the first to this one."""
        return [node.id for node in self.path(key)]

    def find(self, ids: Sequence[int]) -> int | None:
        """Return the key of the last of these tokens if they are a path from the beginning of the tree, else None."""
        key = ROOT
        for token in ids:
            found = next((each for each in self.children(key) if self.nodes[each].id == token), None)
            if found is None:
                return None
            key = found
        return key

    def leaves(self, below: int = ROOT) -> Iterator[int]:
        """Yield the ends of the texts that go through a token, the first branch first."""
        waiting = [below]
        while waiting:
            key = waiting.pop()
            waiting.extend(reversed(self.children(key)))
            if key != ROOT and not self.children(key):
                yield key

    def texts(self) -> list[int]:
        """Return the ends of all texts that no beam search pruned, the first branch first."""
        return [key for key in self.leaves() if not self.nodes[key].pruned]

    def leaf(self, key: int) -> int:
        """Return the end of the text that continues from here, at each fork along the newest branch that is not pruned,
        if any; ROOT for an empty tree."""
        while below := self.children(key):
            key = next((each for each in reversed(below) if not self.nodes[each].pruned), below[-1])
        return key

    def without_pruned(self, kept: int = ROOT) -> Tree:
        """Return a copy with the same keys, but without pruned tokens, except those on the path to ``kept``."""
        other, path = self.copy(), {node.key for node in self.path(kept)}
        for key in [node.key for node in self.nodes.values() if node.pruned and node.key not in path]:
            if key in other.nodes:
                other.remove(key)
        return other

    def rename(self, key: int, name: str) -> None:
        """Set the name of a token's branch; an empty name removes it."""
        self.nodes[key] = replace(self.nodes[key], name=" ".join(name.split()))

    def remove(self, key: int) -> None:
        """Remove a token and all its descendants."""
        self._children[self.nodes[key].parent].remove(key)
        waiting = [key]
        while waiting:
            gone = waiting.pop()
            waiting.extend(self._children.pop(gone, []))
            del self.nodes[gone]


def _describes(reading: Reading) -> int:
    """Return the level of detail of a reading: 2 if the token was sampled, 1 if its probability is known, else 0."""
    return 2 if isinstance(reading, TokenDrawn) else int(reading.plain_probability is not None)


def first_difference(one: list[Node], other: list[Node]) -> int | None:
    """Return the first position at which two paths have different tokens or one has ended; None if they are equal."""
    for position, (a, b) in enumerate(zip(one, other, strict=False)):
        if a.id != b.id:
            return position
    return min(len(one), len(other)) if len(one) != len(other) else None


@dataclass(frozen=True)
class TokenTotals:
    """Totals over some tokens.

    Attributes:
        tokens: number of tokens.
        asked: number of tokens with a probability.
        bits: total surprisal of these.
    """

    tokens: int = 0
    asked: int = 0
    bits: float = 0.0

    @property
    def mean_bits(self) -> float | None:
        """Surprisal per token with a probability, in bits; None if there are none."""
        return self.bits / self.asked if self.asked else None

    def __add__(self, other: TokenTotals) -> TokenTotals:
        return TokenTotals(self.tokens + other.tokens, self.asked + other.asked, self.bits + other.bits)


def figures(nodes: Iterable[Node]) -> TokenTotals:
    """Return the totals over these tokens."""
    nodes = list(nodes)
    known = [p for node in nodes if (p := node.reading.plain_probability) is not None]
    return TokenTotals(len(nodes), len(known), sum(map(surprise_bits, known), 0.0))


@dataclass
class Stretch:
    """Consecutive tokens without a fork between them.

    Attributes:
        keys: keys of its nodes, from the first to the last.
        before: index of the previous stretch; None at the beginning.
        after: indices of the next stretches: none, or at least two.
        row: row of the stretch; the first stretch after a fork stays in the row, each other one begins a new row below.
        figures: figures of the whole text up to its end.
    """

    keys: tuple[int, ...]
    before: int | None
    row: int
    figures: TokenTotals
    after: list[int] = field(default_factory=list)


@dataclass(frozen=True)
class Branch:
    """Complete text, from its first token to its last.

    Attributes:
        tip: key of its last token.
        own: index of the first stretch of its row, where it branches off.
        named: key of the last named token of its row, otherwise its tip.
        name: name of that token; empty without a name.
        figures: figures of all its tokens.
    """

    tip: int
    own: int
    named: int
    name: str
    figures: TokenTotals


@dataclass(frozen=True)
class TreeShape:
    """Stretches, each before its continuations, and one branch for each row."""

    stretches: list[Stretch]
    branches: list[Branch]
    places: dict[int, int]
    """Index of the stretch of each node, by key."""

    def through(self, index: int) -> list[Branch]:
        """Return the branches that go through a stretch."""
        found, waiting = [], [index]
        while waiting:
            stretch = self.stretches[waiting.pop()]
            waiting.extend(reversed(stretch.after))
            if not stretch.after:
                found.append(self.branches[stretch.row])
        return found

    def back_from(self, index: int) -> list[int]:
        """Return the indices of a stretch and its predecessors, back to the beginning."""
        found = [index]
        while (before := self.stretches[found[-1]].before) is not None:
            found.append(before)
        return found


def shape(tree: Tree) -> TreeShape:
    """Split a tree into stretches and branches, in time linear in its nodes."""
    stretches = _stretches(tree)
    rows: dict[int, list[int]] = {}
    for index, stretch in enumerate(stretches):
        rows.setdefault(stretch.row, []).append(index)
    branches = [_branch(tree, stretches, row) for row in rows.values()]
    return TreeShape(stretches, branches, {key: i for i, stretch in enumerate(stretches) for key in stretch.keys})


def _stretches(tree: Tree) -> list[Stretch]:
    found: list[Stretch] = []
    row = -1
    waiting: list[tuple[int, int | None, bool]] = [(key, None, True) for key in reversed(tree.children(ROOT))]
    while waiting:
        key, before, opens_row = waiting.pop()
        row += opens_row
        keys = [key]
        while len(below := sorted(tree.children(keys[-1]), key=lambda each: tree.nodes[each].pruned)) == 1:
            keys.append(below[0])
        so_far = found[before].figures if before is not None else TokenTotals()
        if before is not None:
            found[before].after.append(len(found))
        waiting.extend((each, len(found), each != below[0]) for each in reversed(below))
        found.append(Stretch(tuple(keys), before, row, so_far + figures(tree.nodes[each] for each in keys)))
    return found


def _branch(tree: Tree, stretches: list[Stretch], row: list[int]) -> Branch:
    last = stretches[row[-1]]
    backwards = (key for index in reversed(row) for key in reversed(stretches[index].keys))
    named = next((key for key in backwards if tree.nodes[key].name), last.keys[-1])
    return Branch(last.keys[-1], row[0], named, tree.nodes[named].name, last.figures)
