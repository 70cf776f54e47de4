"""A table of the n-grams of a text, which only looks up: the probability of a token after the two before it.

Interpolated Kneser-Ney smoothing (Kneser and Ney, 1995, "Improved backing-off for M-gram language modeling"; Chen and
Goodman, 1998, "An empirical study of smoothing techniques for language modeling", section 2.7), with the absolute
discount of Ney, Essen and Kneser (1994) for each order. No torch.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gptstudio.data.tokens import Tokens

Floats = NDArray[np.float64]
Keys = NDArray[np.int64]

ORDER = 3
MOST_TOKENS = 2**23
"""The longest text that a table should be made of while a user waits: it takes six seconds and 0.5 GB."""
AT_ONCE = 2**20
"""Tokens whose probabilities are computed together: some 100 MB."""


class _Order(NamedTuple):
    """Counts of one order, by context.

    Attributes:
        keys: context times V plus token, sorted; ``counts`` of each.
        contexts: sorted; of each ``totals``, the sum of its counts, and ``kinds``, the number of different tokens.
        discount: taken from each count.
    """

    keys: Keys
    counts: Floats
    contexts: Keys
    totals: Floats
    kinds: Floats
    discount: float

    @classmethod
    def of(cls, keys: Keys, counts: Floats, vocab_size: int) -> _Order:
        contexts, first, kinds = np.unique(keys // vocab_size, return_index=True, return_counts=True)
        totals = np.add.reduceat(counts, first) if len(first) else np.empty(0)
        once, twice = int((counts == 1).sum()), int((counts == 2).sum())
        return cls(keys, counts, contexts, totals, kinds.astype(float), once / (once + 2 * twice) if once else 0.5)

    def interpolated(self, contexts: Keys, keys: Keys, lower: Floats) -> Floats:
        """Return the probabilities of tokens after contexts, (N,); ``lower``: those of the order below."""
        counts = _at(self.keys, self.counts, keys)
        totals, kinds = (_at(self.contexts, each, contexts) for each in (self.totals, self.kinds))
        seen = totals > 0  # of a context that was never seen, the order below knows as much
        shares = (np.maximum(counts - self.discount, 0) + self.discount * kinds * lower) / np.where(seen, totals, 1)
        return np.where(seen, shares, lower)


class NgramTable:
    """Table of the 3-grams of a text."""

    def __init__(self, ids: Tokens | Sequence[int], vocab_size: int):
        """``ids``: of the text that it is made from, each below ``vocab_size``."""
        self._size, text = vocab_size, np.asarray(ids[0 : len(ids)], dtype=np.int64)
        pairs = np.unique(text[:-1] * vocab_size + text[1:])
        triples, counts = np.unique(
            text[:-2] * vocab_size**2 + text[1:-1] * vocab_size + text[2:], return_counts=True)
        followers = np.bincount(pairs % vocab_size, minlength=vocab_size).astype(float)  # different tokens before each
        low = _Order.of(np.arange(vocab_size), followers, vocab_size)
        self._unigram = self._lowest(low)
        continued, before = np.unique(triples % vocab_size**2, return_counts=True)
        self._orders = (_Order.of(continued, before.astype(float), vocab_size),
                        _Order.of(triples, counts.astype(float), vocab_size))

    def probabilities(self, context: Sequence[int]) -> Floats:
        """Return the probability of each token, (V,), after the last two tokens of a context."""
        tokens = np.arange(self._size, dtype=np.int64)
        last = np.asarray([*context][1 - ORDER :], dtype=np.int64)
        return self._of(tokens, [np.full(self._size, each) for each in last[::-1]])

    def loss(self, ids: Tokens | Sequence[int]) -> float:
        """Return the mean loss of a text in nats per token; of its first tokens after as many as there are. NaN for a
        text without tokens."""
        text = np.asarray(ids[0 : len(ids)], dtype=np.int64)
        total = 0.0
        for start in range(0, len(text), AT_ONCE):
            known = min(start, ORDER - 1)
            part = text[start - known : start + AT_ONCE]
            for position in range(known, min(ORDER - 1, len(part))):
                total -= float(np.log(self._of(part[position : position + 1], [
                    part[position - n : position - n + 1] for n in range(1, position + 1)]))[0])
            if len(part) >= ORDER:
                total -= float(np.log(self._of(part[2:], [part[1:-1], part[:-2]])).sum())
        return total / len(text) if len(text) else float("nan")

    def _of(self, tokens: Keys, before: Sequence[Keys]) -> Floats:
        """Return the probabilities of tokens, (N,); ``before``: the tokens before them, the nearest first."""
        found, context, factor = self._unigram[tokens], np.zeros_like(tokens), 1
        for order, each in zip(self._orders, before, strict=False):
            context = context + each * factor
            factor *= self._size
            found = order.interpolated(context, context * self._size + tokens, found)
        return found

    def _lowest(self, counts: _Order) -> Floats:
        """Return the probabilities of tokens after nothing that is known, (V,): none is 0."""
        uniform = np.full(self._size, 1 / self._size)
        total = counts.counts.sum()
        if not total:
            return uniform
        kinds = (counts.counts > 0).sum()
        shares: Floats = (
            np.maximum(counts.counts - counts.discount, 0) + counts.discount * kinds * uniform) / total
        return shares


def _at(keys: Keys, values: Floats, wanted: Keys) -> Floats:
    """Return the values of wanted keys, which are sorted in ``keys``; 0 where there is none."""
    if not len(keys):
        return np.zeros(len(wanted))
    place = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return np.where(keys[place] == wanted, values[place], 0.0)
