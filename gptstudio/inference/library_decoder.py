"""The decoder that the Python interface gives to a caller."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from torch import Tensor

from gptstudio import torch_settings
from gptstudio.errors import UserError
from gptstudio.gpt.decoder import Decoder, Ids


class LibraryDecoder(Decoder):
    """A decoder that computes the same whatever the caller has set in torch."""

    no_text: UserError | None = None
    """Why it can neither read nor write text; None if it can."""

    @torch_settings.initial()
    def next_logits(self, texts: Sequence[Ids]) -> Tensor:
        return super().next_logits(texts)

    def read(self, ids: Ids, first: int = 1) -> Iterator[tuple[int, Tensor]]:
        return torch_settings.each_within(super().read(ids, first))


def for_text(decoder: Decoder) -> Decoder:
    """Return a decoder that is to read or write text.

    Raises:
        UserError: its vocabulary is not GPT-2's.
    """
    if isinstance(decoder, LibraryDecoder) and decoder.no_text:
        raise decoder.no_text
    return decoder
