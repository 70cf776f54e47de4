"""N-grams of a text: next-token probabilities, and detection of copied passages. No torch.

Interpolated Kneser-Ney smoothing (Kneser and Ney, 1995, "Improved backing-off for M-gram language modeling"; Chen and
Goodman, 1998, "An empirical study of smoothing techniques for language modeling", section 2.7), with the absolute
discount of Ney, Essen and Kneser (1994) for each order.

Verbatim passages are found with an index of n-grams, as in studies of memorisation by language models (McCoy et al.,
2023, "How much do language models copy from their training data?"; Carlini et al., 2023).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gptstudio.data.tokens import AT_ONCE, Tokens

Floats = NDArray[np.float64]
Keys = NDArray[np.int64]

ORDER = 3
MOST_TOKENS = 2**23
"""Maximum number of tokens for a table built while a user waits: it takes six seconds and 0.5 GB with n = 3."""
PREDICTED_AT_ONCE = 2**20
"""Number of tokens whose probabilities are computed together: about 100 MB."""


class _Order(NamedTuple):
    """Counts of one order, by context. Contexts of each length are numbered from 0.

    Attributes:
        keys: sorted values of context number times V plus token.
        counts: count of each key.
        totals: sum of the counts of each context; the last entry is for unseen contexts.
        kinds: number of different tokens of each context, likewise.
        discount: absolute discount of each count.
    """

    keys: Keys
    counts: Floats
    totals: Floats
    kinds: Floats
    discount: float

    @classmethod
    def of(cls, keys: Keys, counts: Keys, vocab_size: int, contexts: int) -> _Order:
        """Return an order with these counts. ``contexts``: number of contexts."""
        once, twice = int((counts == 1).sum()), int((counts == 2).sum())
        totals, kinds = (
            np.bincount(keys // vocab_size, each, contexts + 1).astype(float) for each in (counts, np.ones(len(keys))))
        return cls(keys, counts.astype(float), totals, kinds, once / (once + 2 * twice) if once else 0.5)

    def interpolated(self, contexts: Keys, keys: Keys, lower: Floats) -> Floats:
        """Return the probabilities of tokens after contexts, (N,); ``lower``: probabilities of the lower order."""
        places = _places(self.keys, keys)
        counts = np.where(places < 0, 0.0, self.counts[places]) if len(self.counts) else np.zeros(len(keys))
        totals, kinds = self.totals[contexts], self.kinds[contexts]
        seen = totals > 0  # for an unseen context, the lower order is used
        shares = (np.maximum(counts - self.discount, 0) + self.discount * kinds * lower) / np.where(seen, totals, 1)
        return np.where(seen, shares, lower)


class NgramTable:
    """Table of the n-grams of a text."""

    def __init__(self, ids: Tokens | Sequence[int], vocab_size: int, order: int = ORDER):
        """Count the n-grams in O(N log N) for each order.

        Args:
            ids: token ids of the text, each below ``vocab_size``.
            order: n, at least 1: a token and the n - 1 tokens before it.
        """
        self.order, self._size = order, vocab_size
        text = np.asarray(ids[0 : len(ids)], dtype=np.int64)
        known, contexts = np.zeros(1, np.int64), np.zeros_like(text)  # the number of the context before each token
        self._known, self._orders = list[Keys](), list[_Order]()
        for length in range(order):
            if length:
                size = len(known)
                known, contexts = np.unique(
                    contexts[1:] * vocab_size + text[: max(0, len(text) - length)], return_inverse=True)
                self._known.append(known)
            grams, counts = np.unique(contexts * vocab_size + text[length:], return_counts=True)
            if length:  # the lower order counts distinct preceding tokens, not occurrences
                below = known[grams // vocab_size] // vocab_size * vocab_size + grams % vocab_size
                self._orders.append(_Order.of(*np.unique(below, return_counts=True), vocab_size, size))
        self._orders.append(_Order.of(grams, counts, vocab_size, len(known)))
        tokens = np.arange(vocab_size, dtype=np.int64)
        self._alone = self._orders[0].interpolated(np.zeros(1, np.int64), tokens, np.full(vocab_size, 1 / vocab_size))

    def probabilities(self, context: Sequence[int]) -> Floats:
        """Return the probability of each token, (V,), after the last n - 1 tokens of a context. Tokens up to one that
        is not in the vocabulary are ignored."""
        before = takewhile(lambda each: each < self._size, reversed(context))
        return self._of(np.arange(self._size, dtype=np.int64), [
            np.array([each], np.int64) for each, _ in zip(before, self._known, strict=False)])

    def loss(self, ids: Tokens | Sequence[int]) -> float:
        """Return the mean loss of a text in nats per token, its first tokens with shorter contexts; NaN if empty."""
        text = np.asarray(ids[0 : len(ids)], dtype=np.int64)
        total, longest = 0.0, self.order - 1
        for start in range(0, len(text), PREDICTED_AT_ONCE):
            known = min(start, longest)
            part = text[start - known : start + PREDICTED_AT_ONCE]
            for position in range(known, min(longest, len(part))):
                total -= float(np.log(self._of(part[position : position + 1], [
                    part[position - n : position - n + 1] for n in range(1, position + 1)]))[0])
            if len(part) > longest:
                total -= float(np.log(self._of(part[longest:], _before(part, longest))).sum())
        return total / len(text) if len(text) else float("nan")

    def seen(self, ids: Tokens | Sequence[int]) -> float:
        """Return the fraction of a text's contexts of n - 1 tokens that are in the table; NaN without contexts."""
        text = np.asarray(ids[0 : len(ids)], dtype=np.int64)
        contexts = np.zeros(max(0, len(text) - self.order + 1), np.int64)
        for known, each in zip(self._known, _before(text, self.order - 1), strict=True):
            contexts = _places(known, contexts * self._size + each)
        return float((contexts >= 0).mean()) if len(contexts) else float("nan")

    def _of(self, tokens: Keys, before: Sequence[Keys]) -> Floats:
        """Return the probabilities of tokens, (N,); ``before``: the tokens before them, nearest first."""
        found, contexts = self._alone[tokens], np.zeros(1, np.int64)
        for order, known, each in zip(self._orders[1:], self._known, before, strict=False):
            contexts = _places(known, contexts * self._size + each)
            found = order.interpolated(contexts, contexts * self._size + tokens, found)
        return found


def _before(text: Keys, longest: int) -> list[Keys]:
    """Return the tokens before each token from ``longest`` on, nearest first."""
    return [text[longest - n : max(0, len(text) - n)] for n in range(1, longest + 1)]


def _places(keys: Keys, wanted: Keys) -> Keys:
    """Return the indices of the wanted keys in the sorted ``keys``; -1 for missing ones."""
    if not len(keys):
        return np.full(len(wanted), -1, np.int64)
    places = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return np.where(keys[places] == wanted, places, -1)


SHORTEST = 5
"""Minimum number of tokens of a copied passage: shorter ones are common phrases."""
MOST_INDEXED = 2**23
"""Maximum number of indexed tokens, about 32 MB of English: 12 bytes per token, and 8 more while it is built."""
MOST_PLACES = 2**16
"""Maximum number of places of an n-gram that are compared, because in a text of line breaks alone, every position is
one. The copied fraction is exact nevertheless, but the longest passage may be underestimated."""
FACTOR = np.uint32(0x9E3779B1)
"""Odd, so that multiplying by it loses no information (Knuth, 1998, vol. 3, §6.4)."""

Ids = NDArray[np.uint32]


class CopiedStretch(NamedTuple):
    """Passage: tokens ``start`` to ``stop`` of a text that occur in the indexed text, first at ``place``."""

    start: int
    stop: int
    place: int


class VerbatimIndex:
    """Index of all n-grams of :data:`SHORTEST` tokens of a text: their sorted hashes, with their positions. Hash
    collisions cost a comparison, but cause no errors."""

    def __init__(self, tokens: Tokens | Sequence[int]):
        """Sort the n-grams of ``tokens`` in O(N log N).

        Raises:
            ValueError: there are more than :data:`MOST_INDEXED` tokens.
        """
        if len(tokens) > MOST_INDEXED:
            raise ValueError(f"{len(tokens):,} tokens are more than {MOST_INDEXED:,}.")
        self._ids = _array(tokens)
        hashes = _hashes(self._ids)
        self._places = np.argsort(hashes, kind="stable").astype(np.uint32)  # the first place of a hash comes first
        self._hashes = hashes[self._places]

    def stretches(self, tokens: Sequence[int]) -> list[CopiedStretch]:
        """Return the longest passages of ``tokens`` that occur in the text, in order. None contains another, but
        passages may overlap."""
        return list(self.stretches_from(tokens))

    def stretches_from(self, tokens: Sequence[int], begin: int = 0, end: int = 0) -> Iterator[CopiedStretch]:
        """Yield the passages of :meth:`stretches` that begin at ``begin`` or later and stop after ``end``."""
        ids = _array(tokens)
        hashes = _hashes(ids)
        first, last = (np.searchsorted(self._hashes, hashes, side=side) for side in ("left", "right"))
        known = first < last
        for start in (begin + np.flatnonzero(known[begin:])).tolist():
            # A passage from here that stops after ``end`` contains all n-grams up to the one that ends there.
            if end == len(ids) or not known[start : max(start, end - SHORTEST + 2)].all():
                continue
            most = min(last[start], first[start] + MOST_PLACES)
            stop, place = self._longest(ids, start, self._places[first[start] : most])
            if stop >= start + SHORTEST and stop > end:
                yield CopiedStretch(start, stop, place)
                end = stop

    def _longest(self, ids: Ids, start: int, places: NDArray[np.uint32]) -> tuple[int, int]:
        """Return the end of the longest passage from ``start`` on that occurs at one of these places, and its place."""
        length, place = 0, -1
        here = places.astype(np.int64)
        while len(here) > 1:
            place = int(here[0])
            here = here[here + length < len(self._ids)]
            if start + length == len(ids):
                return start + length, place
            here = here[self._ids[here + length] == ids[start + length]]
            length += bool(len(here))
        if len(here):
            place = int(here[0])
            length += _common(self._ids[place + length :], ids[start + length :])
        return start + length, place


class GrowingSearch:
    """Repeated search of a growing text, which is faster than searching it from the beginning."""

    def __init__(self, index: VerbatimIndex):
        self._index = index
        self._ids: tuple[int, ...] = ()
        self._found: list[CopiedStretch] = []

    def stretches(self, tokens: Sequence[int]) -> list[CopiedStretch]:
        """Return the result of :meth:`VerbatimIndex.stretches`, reusing previous passages that cannot have changed."""
        ids = tuple(tokens)
        same = len(self._ids) if ids[: len(self._ids)] == self._ids else 0
        kept = [each for each in self._found if each.stop < same]  # a passage at the end may have grown
        start, end = (kept[-1].start + 1, kept[-1].stop) if kept else (0, 0)
        self._ids, self._found = ids, [*kept, *self._index.stretches_from(ids, start, end)]
        return list(self._found)


def _common(one: Ids, other: Ids) -> int:
    """Return the length of the common prefix."""
    count = min(len(one), len(other))
    differ = np.flatnonzero(one[:count] != other[:count])
    return int(differ[0]) if len(differ) else count


def copied_share(stretches: Sequence[CopiedStretch], tokens: int) -> float:
    """Return the fraction of ``tokens`` tokens that are in one of the passages."""
    covered = np.zeros(tokens, bool)
    for each in stretches:
        covered[each.start : each.stop] = True
    return float(covered.mean()) if tokens else 0.0


def _array(tokens: Tokens | Sequence[int]) -> Ids:
    parts = [np.asarray(tokens[i : i + AT_ONCE], dtype=np.uint32) for i in range(0, len(tokens), AT_ONCE)]
    return np.concatenate(parts) if parts else np.empty(0, np.uint32)


def _hashes(ids: Ids) -> Ids:
    """Return the hash of each n-gram, (N - n + 1,)."""
    count = max(0, len(ids) - SHORTEST + 1)
    hashes = np.zeros(count, np.uint32)
    for offset in range(SHORTEST):
        hashes = (hashes ^ ids[offset : offset + count]) * FACTOR
        hashes ^= hashes >> np.uint32(15)
    return hashes
