"""The prompt as both sides of a comparison read it: the probability of each token, and the loss of them all."""

from __future__ import annotations

import math
from collections.abc import Sequence

from gptstudio.gpt.tokenizer import Tokenizer
from gptstudio.gui.generate.comparison.side import COLOURS
from gptstudio.gui.plots.bar_list import Bar, BarRow, Bars
from gptstudio.gui.translation import percent, tr
from gptstudio.inference.score_stats import ScoreStats
from gptstudio.training.events import TokenRead

MOST_SHOWN = 12
"""Tokens of the prompt's end that are shown; all of them count."""


class PromptReading:
    """Probabilities that the models of both sides give to one prompt, before any sampling setting."""

    def __init__(self, tokenizers: Sequence[Tokenizer]) -> None:
        self._tokenizers = tuple(tokenizers)
        self._read: tuple[list[TokenRead], list[TokenRead]] = [], []

    def take(self, side: int, read: TokenRead) -> None:
        """Add the next token of a side, without its logits."""
        self._read[side].append(read.model_copy(update={"logits": None}))

    @property
    def same_tokens(self) -> bool:
        """True if both sides read the prompt as the same tokens."""
        return self._tokenizers[0] == self._tokenizers[1]

    @property
    def counted(self) -> tuple[Sequence[TokenRead], Sequence[TokenRead]]:
        """The tokens that have a probability; with the same tokens, those that have one on both sides. They are the
        last ones: the first token has none, and neither have those before the context."""
        left, right = ([each for each in side if each.plain_probability is not None] for side in self._read)
        n = min(len(left), len(right))
        return (left[len(left) - n :], right[len(right) - n :]) if self.same_tokens else (left, right)

    def stats(self, side: int) -> ScoreStats:
        """Return the losses of a side."""
        found = ScoreStats(tokenizer=self._tokenizers[side])
        found.add(self.counted[side])
        return found

    def bars(self) -> Bars:
        """Return the mean loss and the bits per byte of both sides, and with the same tokens the probabilities of the
        last ones; nothing until both have read the prompt."""
        counted = self.counted
        if not all(counted):
            return Bars()
        stats = [self.stats(side) for side in (0, 1)]
        rows = [
            BarRow(name, tuple(Bar(None, f"{loss:.2f}") for loss in losses), quiet=True)
            for name, losses in (
                (tr("nats per token"), [each.bits_per_token * math.log(2) for each in stats]),
                (tr("bits per byte"), [each.bits_per_byte for each in stats]))]
        if self.same_tokens:
            rows += map(self._row, *(side[-MOST_SHOWN:] for side in counted))
        return Bars(rows, mirrored=True)

    def _row(self, *sides: TokenRead) -> BarRow:
        shares = [each.plain_probability or 0.0 for each in sides]
        return BarRow(self._tokenizers[0].visible(sides[0].id), tuple(
            Bar(share, percent(share), ink, 0.6) for share, ink in zip(shares, COLOURS, strict=True)))
