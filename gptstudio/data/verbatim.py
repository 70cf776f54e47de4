"""Stretches of a text that stand word for word in another one, found through an index of its n-grams, as in studies of
what language models memorise (McCoy et al., 2023, "How much do language models copy from their training data?";
Carlini et al., 2023). No torch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gptstudio.data.tokens import AT_ONCE, Tokens

SHORTEST = 5
"""Tokens of the shortest stretch that counts as copied: shorter ones are common phrases."""
MOST_TOKENS = 2**23
"""The longest text that is indexed, about 32 MB of English: 12 bytes a token are kept, and 8 more while it is made."""
MOST_PLACES = 2**16
"""Places of one n-gram that are compared, the first ones: of a text of line breaks alone, each is a place. The share
that was copied is exact nevertheless; the longest stretch may be longer there."""
FACTOR = np.uint32(0x9E3779B1)
"""Odd, so that multiplying by it loses nothing (Knuth, 1998, vol. 3, §6.4)."""

Ids = NDArray[np.uint32]


class Stretch(NamedTuple):
    """Tokens ``start`` to ``stop`` of a text that stand at ``place`` in the other one, where that is first."""

    start: int
    stop: int
    place: int


class VerbatimIndex:
    """Index of all stretches of :data:`SHORTEST` tokens of a text: their hashes, sorted, with their positions. A hash
    that two of them share costs a comparison, and no error."""

    def __init__(self, tokens: Tokens | Sequence[int]):
        """Sort the n-grams of ``tokens``, N log N operations.

        Raises:
            ValueError: there are more than :data:`MOST_TOKENS`.
        """
        if len(tokens) > MOST_TOKENS:
            raise ValueError(f"{len(tokens):,} tokens are more than {MOST_TOKENS:,}.")
        self._ids = _array(tokens)
        hashes = _hashes(self._ids)
        self._places = np.argsort(hashes, kind="stable").astype(np.uint32)  # the first place of a hash comes first
        self._hashes = hashes[self._places]

    def stretches(self, tokens: Sequence[int]) -> list[Stretch]:
        """Return the longest stretches of ``tokens`` that stand in the text, in order: none is inside another, but two
        may overlap where each continues in a passage of its own."""
        return list(self.stretches_from(tokens))

    def stretches_from(self, tokens: Sequence[int], begin: int = 0, end: int = 0) -> Iterator[Stretch]:
        """Yield those of them that begin at ``begin`` or later and stop after ``end``."""
        ids = _array(tokens)
        hashes = _hashes(ids)
        first, last = (np.searchsorted(self._hashes, hashes, side=side) for side in ("left", "right"))
        known = first < last
        for start in (begin + np.flatnonzero(known[begin:])).tolist():
            # A stretch from here that stops after ``end`` has all n-grams up to the one whose last token is there.
            if end == len(ids) or not known[start : max(start, end - SHORTEST + 2)].all():
                continue
            most = min(last[start], first[start] + MOST_PLACES)
            stop, place = self._longest(ids, start, self._places[first[start] : most])
            if stop >= start + SHORTEST and stop > end:
                yield Stretch(start, stop, place)
                end = stop

    def _longest(self, ids: Ids, start: int, places: NDArray[np.uint32]) -> tuple[int, int]:
        """Return where the longest stretch from ``start`` on ends that stands at one of these places, and which."""
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
    """Search of one text after another, where each is as a rule the one before and some tokens more."""

    def __init__(self, index: VerbatimIndex):
        self._index = index
        self._ids: tuple[int, ...] = ()
        self._found: list[Stretch] = []

    def stretches(self, tokens: Sequence[int]) -> list[Stretch]:
        """Return what :meth:`VerbatimIndex.stretches` does; what cannot have changed is not looked for again."""
        ids = tuple(tokens)
        same = len(self._ids) if ids[: len(self._ids)] == self._ids else 0
        kept = [each for each in self._found if each.stop < same]  # one that ends there may continue
        start, end = (kept[-1].start + 1, kept[-1].stop) if kept else (0, 0)
        self._ids, self._found = ids, [*kept, *self._index.stretches_from(ids, start, end)]
        return list(self._found)


def _common(one: Ids, other: Ids) -> int:
    """Return the number of first tokens that are the same."""
    count = min(len(one), len(other))
    differ = np.flatnonzero(one[:count] != other[:count])
    return int(differ[0]) if len(differ) else count


def share(stretches: Sequence[Stretch], tokens: int) -> float:
    """Return the share of ``tokens`` tokens that are in one of the stretches, from 0 to 1."""
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
