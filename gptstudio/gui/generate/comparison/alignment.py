"""Two texts that go on from one prompt, position by position. Fed by events; keeps what is shown, and no logits.

No Qt, no torch.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from statistics import fmean
from typing import TypeVar

from gptstudio.gpt.sampling import sampler
from gptstudio.gpt.sampling.sampler import Distribution
from gptstudio.training.events import Event, PromptRead, TextEnded, TokenDrawn

CANDIDATES = 8
"""Tokens that are kept of a position: 200 KB of logits become one."""

T = TypeVar("T")
Stages = Sequence[Distribution | None]  # of the left and the right side


@dataclass(frozen=True)
class GeneratedToken:
    """Token that one side generated at a position.

    Attributes:
        probability: with which it was sampled, after all stages.
        surprise_bits: -log2 of its probability in the model, before sampling parameters.
        plain_entropy_bits, entropy_bits: before sampling parameters and after all stages.
    """

    id: int
    probability: float
    surprise_bits: float
    plain_entropy_bits: float
    entropy_bits: float


@dataclass(frozen=True)
class TokenProbability:
    """Probability of a token on one side after all stages, and the stage that removed it, if any.

    Attributes:
        plain: its probability in the model, before sampling parameters.
    """

    probability: float
    plain: float
    cut_by: str | None = None


@dataclass(frozen=True)
class Candidate:
    """A token, and both sides' shares of it. None: the side has no such token, or writes nothing there."""

    id: int
    shares: tuple[TokenProbability | None, TokenProbability | None]


@dataclass(frozen=True)
class Others:
    """Number of tokens that are not among the candidates, and their total probability on each side."""

    count: int
    shares: tuple[float, float]


@dataclass(frozen=True)
class AlignedPosition:
    """A position of both texts.

    Attributes:
        cells: what each side wrote; None where it has not (yet).
        distance: Jensen-Shannon, in bits, of the two distributions after all stages; None until both are there.
        candidates: the likeliest tokens of both sides, the likeliest first; none until the position is settled.
        others: all tokens that are not among them.
    """

    cells: tuple[GeneratedToken | None, GeneratedToken | None]
    distance: float | None = None
    candidates: tuple[Candidate, ...] = ()
    others: Others = Others(0, (0.0, 0.0))

    @property
    def equal(self) -> bool:
        left, right = self.cells
        return bool(left and right and left.id == right.id)


class Alignment:
    """Puts the two sides of a comparison together."""

    def __init__(self) -> None:
        self.columns: list[AlignedPosition] = []
        self.parted: int | None = None
        """The first column whose tokens differ."""
        self.ends: list[TextEnded | None] = [None, None]
        """Event with which a side's text ended by itself."""
        self._texts: list[list[int]] = [[], []]
        self._prompt = 0  # tokens of it
        self._waiting: dict[int, TokenDrawn] = {}  # by column, until the other side is as far

    def take(self, side: int, event: Event) -> int | None:
        """An event of side 0 or 1; the index of the column that it wrote in, if it did."""
        match event:
            case PromptRead():
                self._texts[side] = [piece.id for piece in event.pieces]
                self._prompt = len(event.pieces)
            case TokenDrawn():
                return self._place(side, event)
            case TextEnded():
                self.ends[side] = event
                self._settle_alone(1 - side)
        return None

    def close(self) -> None:
        for side in (0, 1):
            self._settle_alone(side)

    def text(self, side: int) -> list[int]:
        return self._texts[side]

    @property
    def prompt(self) -> list[int]:
        return self._texts[0][: self._prompt]

    def count(self, side: int) -> int:
        return len(self._texts[side]) - self._prompt

    @property
    def equal(self) -> int:
        return sum(column.equal for column in self.columns)

    def mean_distance(self, same_text: bool = False) -> float | None:
        """In bits. ``same_text``: only of the columns before which both sides had read the same."""
        upto = None if not same_text or self.parted is None else self.parted + 1
        return _mean(column.distance for column in self.columns[:upto])

    def mean_surprise(self, side: int) -> float | None:
        """Return the mean surprisal of a side's own tokens in its model, in bits, before sampling parameters."""
        return _mean(cell.surprise_bits for column in self.columns if (cell := column.cells[side]))

    def _place(self, side: int, drawn: TokenDrawn) -> int:
        index = drawn.position - self._prompt
        self._texts[side].append(drawn.id)
        surprise = sampler.surprise_bits(drawn.plain_probability or 0.0)
        cell = GeneratedToken(
            drawn.id, drawn.probability, surprise, drawn.plain_entropy_bits or 0.0, drawn.entropy_bits)
        if index == len(self.columns):
            self.columns.append(AlignedPosition(_sided(side, cell, None)))
            self._waiting[index] = drawn
            if self.ends[1 - side]:
                self._settle_alone(side)
        else:
            self.columns[index] = AlignedPosition(_sided(side, cell, self.columns[index].cells[1 - side]))
            self._settle(index, _sided(side, drawn, self._waiting.pop(index)))
        return index

    def _settle_alone(self, side: int) -> None:
        """The columns that wait for the other side, which will not come."""
        waiting = [index for index in self._waiting if self.columns[index].cells[side]]
        for index in waiting:
            self._settle(index, _sided(side, self._waiting.pop(index), None))

    def _settle(self, index: int, drawn: tuple[TokenDrawn | None, TokenDrawn | None]) -> None:
        """Take from the logits what is shown of them."""
        left, right = (
            sampler.distribution(each.logits, each.sampling_params, text[: each.position]) if each else None
            for text, each in zip(self._texts, drawn, strict=True))
        distance = sampler.jensen_shannon_bits(left.probabilities, right.probabilities) if left and right else None
        column = self.columns[index]
        candidates = _candidates((left, right), [each.id for each in drawn if each])
        self.columns[index] = AlignedPosition(column.cells, distance, candidates, _others((left, right), candidates))
        # A token without the other's is a difference where the other's text has ended, and none where it was stopped.
        if self.parted is None and not column.equal and (distance is not None or any(self.ends)):
            self.parted = index


def _candidates(sides: Stages, drawn: Iterable[int]) -> tuple[Candidate, ...]:
    """The drawn tokens and the likeliest of each side in turn, until there are enough; the likeliest first."""
    likeliest = [stages.likeliest(CANDIDATES).tolist() for stages in sides if stages]
    ids = list(dict.fromkeys([*drawn, *chain(*zip(*likeliest, strict=False))]))[:CANDIDATES]

    def weight(token: int) -> tuple[float, float]:
        known = [stages for stages in sides if stages and token < stages.plain.size]
        return sum(each.probabilities[token] for each in known), sum(each.plain[token] for each in known)

    left, right = sides
    return tuple(
        Candidate(token, (_share(left, token), _share(right, token)))
        for token in sorted(ids, key=weight, reverse=True))


def _share(stages: Distribution | None, token: int) -> TokenProbability | None:
    if stages is None or token >= stages.plain.size:
        return None
    cut = stages.cut_by(token)
    return TokenProbability(
        float(stages.probabilities[token]), float(stages.plain[token]), cut.stage.name if cut else None)


def _others(sides: Stages, candidates: Sequence[Candidate]) -> Others:
    largest = max(stages.plain.size for stages in sides if stages)
    left, right = (
        1 - sum(share.probability for each in candidates if (share := each.shares[side])) if stages else 0.0
        for side, stages in enumerate(sides)
    )
    return Others(largest - len(candidates), (max(0.0, left), max(0.0, right)))


def _sided(side: int, mine: T, other: T) -> tuple[T, T]:
    return (other, mine) if side else (mine, other)


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known else None
