"""Statistics of the surprisal of a text's tokens. No torch."""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from gptstudio.gpt.sampling import sampler
from gptstudio.gpt.tokenizer import GPT2, Tokenizer, visible_text
from gptstudio.training.events import TokenDrawn, TokenRead

WORST = 10
"""Number of most surprising tokens that are kept."""


@dataclass
class ScoreStats:
    """Running statistics of the tokens of a text. Tokens without a probability, such as the first, are not counted.

    Attributes:
        tokens: number of counted tokens.
        bytes: number of their UTF-8 bytes.
        bits: their total surprisal; infinite if the model gave one of them probability 0.
        worst: the most surprising tokens, most surprising first; ties go to the earlier token.
        tokenizer: tokenizer of the tokens.
    """

    tokens: int = 0
    bytes: int = 0
    bits: float = 0.0
    worst: list[TokenRead] = field(default_factory=list)
    tokenizer: Tokenizer = field(default=GPT2, repr=False)

    def add(self, readings: Iterable[TokenRead]) -> None:
        """Add tokens of the text."""
        new = [reading for reading in readings if reading.plain_probability is not None]
        self.tokens += len(new)
        self.bytes += sum(len(self.tokenizer.token_bytes(reading.id)) for reading in new)
        self.bits = math.fsum((self.bits, *map(surprise, new)))
        self.worst = heapq.nlargest(WORST, (*self.worst, *new), key=surprise)

    @property
    def guessing_bits(self) -> float:
        """Surprisal of each token under a uniform distribution over the vocabulary."""
        return math.log2(self.tokenizer.size)

    @property
    def bits_per_token(self) -> float:
        """Mean surprisal per token; NaN without tokens."""
        return self.bits / self.tokens if self.tokens else math.nan

    @property
    def bits_per_byte(self) -> float:
        """Mean surprisal per byte, comparable between models with different tokenizers; NaN without tokens."""
        return self.bits / self.bytes if self.bytes else math.nan

    @property
    def perplexity(self) -> float:
        """Perplexity, 2 to the bits per token: the effective number of equally likely tokens."""
        with np.errstate(over="ignore"):
            return float(np.exp2(self.bits_per_token))


@dataclass
class TextScore(ScoreStats):
    """Score of a whole text.

    Attributes:
        model: name of the model.
        context, stride: length and stride of the windows of the text; None if it was read at once.
        readings: every token of the text, in order, without logits.
    """

    model: str = ""
    context: int | None = None
    stride: int | None = None
    readings: list[TokenRead] = field(default_factory=list, repr=False)


def surprise(reading: TokenRead | TokenDrawn) -> float:
    """Return the surprisal in bits of a token that has a probability."""
    return sampler.surprise_bits(reading.plain_probability or 0.0)


def surroundings(
    ids: Sequence[int], position: int, before: int = 8, after: int = 4, tokenizer: Tokenizer = GPT2
) -> tuple[str, str]:
    """Return the text before and after a token, each in one line: white space other than spaces is made visible."""
    parts = ids[max(0, position - before) : position], ids[position + 1 : position + 1 + after]
    one, other = (visible_text(tokenizer.decode(part)).replace("␣", " ") for part in parts)
    return one, other
