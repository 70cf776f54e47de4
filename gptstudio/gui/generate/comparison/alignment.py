"""Alignment of two texts that continue one prompt, position by position, from events. Logits are not kept.

No Qt, no torch.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain
from math import prod
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from gptstudio.gpt.sampling import sampler
from gptstudio.gpt.sampling.arrays import Floats
from gptstudio.gpt.sampling.sampler import Distribution
from gptstudio.gpt.tokenizer import GPT2, Tokenizer
from gptstudio.training.events import Event, PromptRead, TextEnded, TokenDrawn

CANDIDATES = 8
"""Number of candidates kept per position, in 1 KB instead of 200 KB of logits."""

Sides = tuple[Tokenizer, Tokenizer]
Group = tuple[list[TokenDrawn], list[TokenDrawn]]
"""Tokens of the left and the right side in one column."""


@dataclass(frozen=True)
class GeneratedToken:
    """Token that one side generated at a position; or several, if the sides have different tokenizers and only these
    together cover the bytes of the other side.

    Attributes:
        ids, data: IDs and bytes of the tokens.
        text: the tokens as displayed, separated by a line.
        probability: probability with which they were sampled, after all stages.
        surprise_bits: -log2 of their probability under the model, before sampling parameters.
        plain_entropy_bits, entropy_bits: entropy at the first one, before sampling parameters and after all stages.
    """

    ids: tuple[int, ...]
    data: bytes
    text: str
    probability: float
    surprise_bits: float
    plain_entropy_bits: float
    entropy_bits: float

    @classmethod
    def of(cls, drawn: Sequence[TokenDrawn], tokenizer: Tokenizer) -> GeneratedToken:
        """Return the tokens of these events; at least one is required."""
        ids = tuple(each.id for each in drawn)
        return cls(
            ids, b"".join(map(tokenizer.token_bytes, ids)), "│".join(map(tokenizer.visible, ids)),
            prod(each.probability for each in drawn),
            sum(sampler.surprise_bits(each.plain_probability or 0.0) for each in drawn),
            drawn[0].plain_entropy_bits or 0.0, drawn[0].entropy_bits)


@dataclass(frozen=True)
class TokenProbability:
    """Probability of a token on one side after all stages, and the stage that removed it, if any.

    Attributes:
        plain: its probability under the model, before sampling parameters.
    """

    probability: float
    plain: float
    cut_by: str | None = None


@dataclass(frozen=True)
class TokenShares:
    """A token and its probabilities on both sides; None if a side does not have the token, or has no token at the
    position.

    Attributes:
        ids: its ID on each side; None if the vocabulary does not have its bytes.
        text: the token as displayed.
    """

    ids: tuple[int | None, int | None]
    text: str
    shares: tuple[TokenProbability | None, TokenProbability | None]


@dataclass(frozen=True)
class AlignedPosition:
    """Position of both texts: a column of the comparison.

    Attributes:
        cells: token of each side; None if the side has none (yet).
        distance: Jensen–Shannon divergence of the two distributions after all stages, in bits; None until both are
            known.
        candidates: the most likely tokens of both sides in descending order; empty until the position is settled.
        others, other_shares: number of all other tokens, and their total probability on each side.
    """

    cells: tuple[GeneratedToken | None, GeneratedToken | None]
    distance: float | None = None
    candidates: tuple[TokenShares, ...] = ()
    others: int = 0
    other_shares: tuple[float, float] = (0.0, 0.0)

    @property
    def equal(self) -> bool:
        left, right = self.cells
        return bool(left and right and left.data == right.data)

    @property
    def is_contradictory(self) -> bool:
        """True if the bytes of the sides differ before one of them ends."""
        left, right = self.cells
        return bool(left and right and not left.data.startswith(right.data) and not right.data.startswith(left.data))


class Numbers:
    """Common numbers for the tokens of both sides: tokens with the same bytes have the same number. With one tokenizer
    on both sides, these are the IDs."""

    def __init__(self, tokenizers: Sides):
        self._tokenizers, self._same = tokenizers, tokenizers[0] == tokenizers[1]
        self._by_bytes: dict[bytes, int] = {}
        self._found: tuple[list[int], list[int]] = [], []

    def of(self, side: int, size: int) -> NDArray[np.intp]:
        """Return the numbers (size,) of the tokens of a side, by ID."""
        if self._same:
            return np.arange(size)
        found, known = self._found[side], self._by_bytes
        for token in range(len(found), size):
            found.append(known.setdefault(self._tokenizers[side].token_bytes(token), len(known)))
        return np.array(found[:size])


@dataclass(frozen=True)
class SideDistribution:
    """Distribution of one side at a position, with the common numbers (V,) of its tokens."""

    stages: Distribution
    numbers: NDArray[np.intp]

    def id_of(self, number: int) -> int | None:
        """Return the ID of the token with a number; None if the side does not have it."""
        found = np.flatnonzero(self.numbers == number)
        return int(found[0]) if found.size else None

    @property
    def probabilities(self) -> Floats:
        """Probabilities after all stages, by number."""
        return np.bincount(self.numbers, self.stages.probabilities).astype(np.float64)


Choices = tuple[SideDistribution | None, SideDistribution | None]


class Alignment:
    """Alignment of the two sides of a comparison in columns.

    With one tokenizer, a column has one token of each side. With two, it has the smallest groups of tokens that end at
    the same byte.
    """

    def __init__(self, left: Tokenizer = GPT2, right: Tokenizer = GPT2) -> None:
        """``left``, ``right``: tokenizers of the sides."""
        self.columns: list[AlignedPosition] = []
        self.parted: int | None = None
        """Index of the first column with a difference; None if there is none."""
        self.ends: list[TextEnded | None] = [None, None]
        """Event that ended the text of each side."""
        self._tokenizers = left, right
        self._numbers = Numbers(self._tokenizers)
        self._texts: list[list[int]] = [[], []]
        self.prompts = [0, 0]
        """Number of prompt tokens on each side."""
        self._settled = 0  # number of columns
        self._waiting: list[list[TokenDrawn]] = [[], []]  # the tokens after them

    def take(self, side: int, event: Event) -> int | None:
        """Process an event of side 0 or 1. Return the index of the first changed column if the event was a token."""
        match event:
            case PromptRead():
                self._texts[side] = [piece.id for piece in event.pieces]
                self.prompts[side] = len(event.pieces)
            case TokenDrawn():
                self._texts[side].append(event.id)
                self._waiting[side].append(event)
                return self._align()
            case TextEnded():
                self.ends[side] = event
                self._align()
        return None

    def close(self) -> None:
        self._align(over=True)

    @property
    def by_token(self) -> bool:
        """True if a column has one token of each side, not a group of tokens."""
        return self._tokenizers[0] == self._tokenizers[1]

    def text(self, side: int) -> str:
        return self._tokenizers[side].decode(self._texts[side])

    @property
    def prompt(self) -> str:
        return self._tokenizers[0].decode(self._texts[0][: self.prompts[0]])

    def count(self, side: int) -> int:
        return len(self._texts[side]) - self.prompts[side]

    @property
    def equal(self) -> int:
        return sum(column.equal for column in self.columns)

    def mean_distance(self, same_text: bool = False) -> float | None:
        """Return the mean distance in bits. ``same_text``: only over the columns at which both sides had read the same
        text."""
        upto = None if not same_text or self.parted is None else self.parted + 1
        known = [column.distance for column in self.columns[:upto] if column.distance is not None]
        return fmean(known) if known else None

    def mean_surprise(self, side: int) -> float | None:
        """Return the mean surprisal of a side's tokens under its own model, in bits, before sampling parameters."""
        cells = [cell for column in self.columns if (cell := column.cells[side])]
        tokens = sum(len(cell.ids) for cell in cells)
        return sum(cell.surprise_bits for cell in cells) / tokens if tokens else None

    def _align(self, over: bool = False) -> int:
        """Settle the complete columns, and add provisional ones for waiting tokens. ``over``: no more tokens will
        follow. Return the index of the first changed column."""
        first = self._settled
        del self.columns[first:]
        while counts := self._common_end():
            self._settle(self._group(*counts), whole=True)
            for waiting, count in zip(self._waiting, counts, strict=True):
                del waiting[:count]
        groups = list(self._groups())
        behind = min((0, 1), key=lambda side: max(self._extents(side), default=0))
        if over or self.ends[behind]:
            for group in groups:
                self._settle(group)
            self._waiting = [[], []]
        else:
            self.columns += [AlignedPosition(self._cells(group)) for group in groups]
        return first

    def _extents(self, side: int) -> list[int]:
        """Return the end of each waiting token, in bytes, or in tokens if both sides have the same tokenizer."""
        if self.by_token:
            return list(range(1, len(self._waiting[side]) + 1))
        return list(accumulate(len(self._tokenizers[side].token_bytes(each.id)) for each in self._waiting[side]))

    def _common_end(self) -> tuple[int, int] | None:
        """Return the number of waiting tokens on each side up to the first common end; None if there is none."""
        left, right = self._extents(0), self._extents(1)
        both = set(left).intersection(right)
        return (left.index(min(both)) + 1, right.index(min(both)) + 1) if both else None

    def _groups(self) -> Iterator[Group]:
        """Yield the waiting tokens in columns: first the part that both sides have written, then the rest of the longer
        one."""
        extents = self._extents(0), self._extents(1)
        reach = min(max(each, default=0) for each in extents)
        shared = [bisect_left(each, reach) + 1 if reach else 0 for each in extents]
        if reach:
            yield self._group(*shared)
        for side, start in enumerate(shared):
            for drawn in self._waiting[side][start:]:
                yield ([], [drawn]) if side else ([drawn], [])

    def _group(self, left: int, right: int) -> Group:
        return self._waiting[0][:left], self._waiting[1][:right]

    def _cells(self, group: Group) -> tuple[GeneratedToken | None, GeneratedToken | None]:
        left, right = (
            GeneratedToken.of(drawn, tokenizer) if drawn else None
            for drawn, tokenizer in zip(group, self._tokenizers, strict=True))
        return left, right

    def _settle(self, group: Group, whole: bool = False) -> None:
        """Add a column with the candidates from the logits of its first tokens. ``whole``: both sides end at the same
        place."""
        left, right = (self._choice(side, drawn[0]) if drawn else None for side, drawn in enumerate(group))
        distance = sampler.jensen_shannon_bits(left.probabilities, right.probabilities) if left and right else None
        candidates = self._candidates((left, right), [drawn[0].id for drawn in group if drawn])
        column = AlignedPosition(self._cells(group), distance, candidates, *_others((left, right), candidates))
        # A token without a counterpart is a difference if the other text has ended, but not if it was stopped.
        if self.parted is None and not column.equal and (whole or any(self.ends) or column.is_contradictory):
            self.parted = self._settled
        self.columns.append(column)
        self._settled += 1

    def _choice(self, side: int, drawn: TokenDrawn) -> SideDistribution:
        context = self._texts[side][: drawn.position]
        stages = sampler.distribution(drawn.logits, drawn.sampling_params, context)
        return SideDistribution(stages, self._numbers.of(side, stages.plain.size))

    def _candidates(self, sides: Choices, drawn: Iterable[int]) -> tuple[TokenShares, ...]:
        """Return the candidates in descending order of probability: the sampled tokens, and the most likely ones of
        each side alternately."""
        there = [choice for choice in sides if choice]
        likeliest = [choice.numbers[choice.stages.likeliest(CANDIDATES)].tolist() for choice in there]
        first = [int(choice.numbers[token]) for choice, token in zip(there, drawn, strict=True)]
        numbers = list(dict.fromkeys([*first, *chain(*zip(*likeliest, strict=False))]))[:CANDIDATES]
        found = [self._candidate(sides, number) for number in numbers]

        def weight(candidate: TokenShares) -> tuple[float, float]:
            known = [share for share in candidate.shares if share]
            return sum(each.probability for each in known), sum(each.plain for each in known)

        return tuple(sorted(found, key=weight, reverse=True))

    def _candidate(self, sides: Choices, number: int) -> TokenShares:
        left, right = (choice.id_of(number) if choice else None for choice in sides)
        side, token = (0, left) if left is not None else (1, right)
        text = "" if token is None else self._tokenizers[side].visible(token)
        return TokenShares((left, right), text, (_share(sides[0], left), _share(sides[1], right)))


def _share(choice: SideDistribution | None, token: int | None) -> TokenProbability | None:
    if choice is None or token is None:
        return None
    stages, cut = choice.stages, choice.stages.cut_by(token)
    return TokenProbability(
        float(stages.probabilities[token]), float(stages.plain[token]), cut.stage.name if cut else None)


def _others(sides: Choices, candidates: Sequence[TokenShares]) -> tuple[int, tuple[float, float]]:
    tokens = int(np.count_nonzero(np.bincount(np.concatenate([choice.numbers for choice in sides if choice]))))
    left, right = (
        1 - sum(share.probability for each in candidates if (share := each.shares[side])) if choice else 0.0
        for side, choice in enumerate(sides)
    )
    return tokens - len(candidates), (max(0.0, left), max(0.0, right))
