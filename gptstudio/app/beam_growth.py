"""The beams of a search as branches of a tree: they grow step by step, and what the search prunes is marked. No Qt."""

from __future__ import annotations

from collections.abc import Iterator

from gptstudio.inference.text_tree import BeamMark, Tree
from gptstudio.training.events import Beam, BeamStep, TokenRead

Ids = tuple[int, ...]


class BeamGrowth:
    """Grows a tree below one token of it, ``start``.

    Beams that were kept and then pruned stay in the tree; of the candidates that never were, those of the last step.
    """

    def __init__(self, tree: Tree, start: int) -> None:
        self._tree, self._start = tree, start
        self._tips: dict[Ids, int] = {(): start}  # the last token of each beam that the last step kept
        self._alive: set[int] = set()  # the tokens that these go through
        self._candidates: list[int] = []  # that the last step added to the tree

    def take(self, step: BeamStep) -> list[int]:
        """Add the tokens of a step, and return the keys of the last token of each kept beam."""
        for key in self._candidates:
            self._tree.remove(key)
        tips = {  # a beam that ended before is there already
            beam.ids: self._tips.get(beam.ids) or self._add(beam, kept=True) for beam in step.kept}
        alive = {key for tip in tips.values() for key in self._back_from(tip)}
        for key in sorted(self._alive - alive, reverse=True):  # from the last token back: it has the larger key
            self._tree.prune(key)
        before = set(self._tree.children(self._start)).union(*map(self._tree.children, self._tips.values()))
        added = [self._add(beam, kept=False) for beam in step.pruned if beam.ids not in self._tips]
        self._candidates = [key for key in added if key not in before]
        self._tips, self._alive = tips, alive
        return list(tips.values())

    def _back_from(self, key: int) -> Iterator[int]:
        """The tokens from the last of a beam to the first that the search found."""
        while key != self._start:
            yield key
            key = self._tree.nodes[key].parent

    def _add(self, beam: Beam, kept: bool) -> int:
        parent = self._tips[beam.ids[:-1]]
        reading = TokenRead(
            position=self._tree.nodes[parent].position + 1, id=beam.ids[-1], text=beam.text,
            plain_probability=beam.plain_probability, rank=beam.rank, plain_entropy_bits=beam.plain_entropy_bits)
        return self._tree.add(parent, reading, BeamMark(beam.log_probability, kept))
