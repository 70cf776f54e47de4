"""Texts that branch, as small as possible, for all tests that need one."""

import math

import numpy as np

from gptstudio.gpt.sampling.params import SamplingParams
from gptstudio.inference.generator import draw
from gptstudio.inference.text_tree import ROOT, Tree
from gptstudio.training.events import TokenDrawn, TokenRead


def read(token: int, position: int, probability: float | None = None) -> TokenRead:
    rank = None if probability is None else 1
    return TokenRead(
        position=position, id=token, text=f" {token}", plain_probability=probability, rank=rank, plain_entropy_bits=None
    )


def drawn(token: int, position: int) -> TokenDrawn:
    """Return a token as the decoding loop makes it, of a vocabulary of ten of which one is nearly certain and one
    impossible."""
    logits = np.linspace(-1, 1, 10)
    logits[token], logits[9 - token] = 50, -math.inf
    return draw(logits, SamplingParams(temperature=0.7, top_k=5), [1] * position, 0.5)


def grow(written: list[list[int]]) -> Tree:
    tree = Tree("a model")
    for text in written:
        key = ROOT
        for position, token in enumerate(text):
            key = tree.add(key, read(token, position, 2.0 ** -(token + 1)))
    return tree


def tip(tree: Tree, text: list[int]) -> int:
    key = tree.find(text)
    assert key is not None
    return key


def all_texts(tree: Tree) -> list[tuple[list[int], list[str]]]:
    """Return the ids and the names along each branch."""
    return [(tree.ids(leaf), [node.name for node in tree.path(leaf)]) for leaf in tree.leaves()]


def some_tree() -> Tree:
    tree = grow([[1, 2, 3], [1, 2, 0], [1, 1]])
    key = tree.add(tip(tree, [1, 1]), drawn(4, 2))
    tree.add(key, read(7, 3))
    tree.rename(key, "the ﬁne ›name‹ 🌳")
    return tree
