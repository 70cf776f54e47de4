"""Special decoders: the decoder of the Python interface, and a decoder of an n-gram table.

The log-probabilities of the table serve as its logits, so that it can be sampled like a model.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from gptstudio import torch_settings
from gptstudio.data.encodings import Progress, unwatched
from gptstudio.data.ngram import NgramTable
from gptstudio.errors import UserError
from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.decoder import Decoder, Ids, revision
from gptstudio.gpt.tokenizer import Tokenizer
from gptstudio.training import run_text
from gptstudio.training.model_source import TextNgrams


class LibraryDecoder(Decoder):
    """Decoder whose results do not depend on the caller's torch settings, and follow the caller's changes of the
    weights. Several threads can use it, one after the other."""

    no_text: UserError | None = None
    """Error to raise if text is used, because the tokenizer is unknown; None if it is known."""
    _revision: tuple[tuple[int, int], ...] | None = None

    def __init__(self, *args: Any, **options: Any):
        super().__init__(*args, **options)
        self._in_use = threading.Lock()

    @torch_settings.initial()
    def next_logits(self, texts: Sequence[Ids]) -> Tensor:
        with self._in_use:
            self._follow_weights()
            return super().next_logits(texts)

    def read(self, ids: Ids, first: int = 1) -> Iterator[tuple[int, Tensor]]:
        with self._in_use:
            self._follow_weights()
        return torch_settings.each_within(super().read(ids, first))

    def _logits_after(self, ids: Ids, start: int) -> Tensor:
        with self._in_use:
            return super()._logits_after(ids, start)

    def _follow_weights(self) -> None:
        """Discard the copy of the weights, and the cached keys and values, if the weights have changed since."""
        before, self._revision = self._revision, revision(self.model)
        if before not in (None, self._revision):
            self._packed.clear()
            self._cache, self._cached = None, []


def for_text(decoder: Decoder) -> Decoder:
    """Return the decoder after checking that it can read and write text.

    Raises:
        UserError: its tokenizer is unknown.
    """
    if isinstance(decoder, LibraryDecoder) and decoder.no_text:
        raise decoder.no_text
    return decoder


class NgramDecoder:
    """Decoder of an n-gram table, with the methods of :class:`gptstudio.gpt.decoder.Decoder` for generating and reading
    text.

    Attributes:
        config: configuration of the run's models. The table has their vocabulary and context length, but uses only the
            last n - 1 tokens.
    """

    def __init__(self, table: NgramTable, config: GPTConfig, tokenizer: Tokenizer, name: str = ""):
        self._table, self.config, self.tokenizer, self.name = table, config, tokenizer, name

    @classmethod
    def load(cls, source: TextNgrams, progress: Progress = unwatched) -> NgramDecoder:
        """Count the n-grams of a run's training text, and return the decoder.

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
        """Return this decoder, which keeps no state of a text."""
        return self

    def next_logits(self, texts: Sequence[list[int]]) -> Tensor:
        """Return the log-probabilities of the token after each text, (B, V)."""
        return torch.from_numpy(np.log(np.stack([self._table.probabilities(ids) for ids in texts])))

    def read(self, ids: list[int], first: int = 1) -> Iterator[tuple[int, Tensor]]:
        """Yield each position of a text from ``first`` on, and the log-probabilities (V,) of the token there."""
        for position in range(max(first, len(ids) - self.context + 1), len(ids)):
            yield position, self.next_logits([ids[:position]])[0]
