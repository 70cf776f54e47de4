"""A table of n-grams as a decoder: its log probabilities are the logits, so that it is sampled from as a model is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import torch
from torch import Tensor

from gptstudio.data.encodings import Progress, unwatched
from gptstudio.data.ngram import NgramTable
from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.tokenizer import Tokenizer
from gptstudio.training import run_text
from gptstudio.training.model_source import TextTable


class NgramDecoder:
    """Decoder of a table, with the part of :class:`gptstudio.gpt.decoder.Decoder` that generates and reads text.

    Attributes:
        config: of the models of the run. The table has their vocabulary, and reads as many tokens as they do, of which
            the last n - 1 count.
    """

    def __init__(self, table: NgramTable, config: GPTConfig, tokenizer: Tokenizer, name: str = ""):
        self._table, self.config, self.tokenizer, self.name = table, config, tokenizer, name

    @classmethod
    def load(cls, source: TextTable, progress: Progress = unwatched) -> NgramDecoder:
        """Count the training text of a run.

        Raises:
            UserError: the text cannot be read, has changed, or is too long.
        """
        run = run_text.run_of(source)
        read = run_text.searchable(run, progress)
        table = NgramTable(read.train_ids, read.tokenizer.size)
        return cls(table, run.record().spec.config, read.tokenizer, source.name)

    @property
    def context(self) -> int:
        return self.config.context_length

    def sibling(self) -> NgramDecoder:
        """Return the table itself: it keeps nothing of a text."""
        return self

    def next_logits(self, texts: Sequence[list[int]]) -> Tensor:
        """Return the log probabilities of the token after each text, (B, V)."""
        return torch.from_numpy(np.log(np.stack([self._table.probabilities(ids) for ids in texts])))

    def read(self, ids: list[int], first: int = 1) -> Iterator[tuple[int, Tensor]]:
        """Yield each position of a text from ``first`` on, and the log probabilities (V,) of the token there."""
        for position in range(max(first, len(ids) - self.context + 1), len(ids)):
            yield position, self.next_logits([ids[:position]])[0]
