"""The branch of a tree that is shown, and what each of its tokens is. No Qt."""

from __future__ import annotations

from dataclasses import dataclass, replace

from gptstudio.inference.text_tree import Node, Tree
from gptstudio.training.events import TokenDrawn


@dataclass(frozen=True)
class Walk:
    """The branch to a token of a tree: walked once, and then grown with it. To walk a long text takes long.

    Attributes:
        given: how many tokens the prompt has: from there on the model drew one, here or in another branch.
        by_hand: the positions behind the prompt whose token the user chose.
        forks: the positions that have other tokens beside them.
    """

    tree: Tree
    tip: int
    path: list[Node]
    ids: tuple[int, ...]
    given: int
    by_hand: list[int]
    forks: list[int]

    @classmethod
    def to(cls, tree: Tree, tip: int) -> Walk:
        path = tree.path(tip)
        beside = [
            [each for key in tree.children(node.parent) if not (each := tree.nodes[key]).pruned or each is node]
            for node in path]
        given = next((position for position, nodes in enumerate(beside) if any(map(_drawn, nodes))), len(path))
        return cls(
            tree, tip, path, tuple(node.id for node in path), given,
            [node.position for node in path[given:] if not _drawn(node)],
            [position for position, nodes in enumerate(beside) if len(nodes) > 1],
        )

    def on_to(self, node: Node) -> Walk:
        """One token further, where no other follows."""
        given, by_hand = self.given, self.by_hand
        if not _drawn(node):
            in_prompt = given == len(self.path)
            given, by_hand = given + in_prompt, by_hand if in_prompt else [*by_hand, node.position]
        return replace(
            self, tip=node.key, path=[*self.path, node], ids=(*self.ids, node.id), given=given, by_hand=by_hand
        )


def _drawn(node: Node) -> bool:
    return isinstance(node.reading, TokenDrawn) or node.beam is not None
