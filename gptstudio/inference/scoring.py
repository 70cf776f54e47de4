"""Scoring of a text by a model: the probability of every token, given those before it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from gptstudio.errors import UserError
from gptstudio.gpt import tokenizer
from gptstudio.gpt.decoder import Decoder
from gptstudio.i18n import message
from gptstudio.inference.generator import check_vocabulary, read
from gptstudio.training.control import Control
from gptstudio.training.events import PhaseChanged, Piece, PromptRead, TokenRead
from gptstudio.training.executor import Stream

LONGEST = 2_000_000
"""Characters of the longest text that is read: about 500,000 tokens, which stay in memory."""


def score(text: str, open_decoder: Callable[[], Decoder], control: Control) -> Stream:
    """Read a text, and report each token without its logits: those of a long text would fill the memory.

    A text longer than the context C is read in windows that overlap by half of it, and a token is reported from the
    first window that contains it: all but those of the first window have at least C/2 tokens before them.

    Raises:
        UserError: a text too short to be scored or too long, or a model that cannot read it.
    """
    if len(text) > LONGEST:
        raise UserError(message(
            "The text has {len} characters; the maximum is {longest}. Score part of it.",
            len=f"{len(text):,}", longest=f"{LONGEST:,}",
        ))
    ids = tokenizer.encode(text)
    if len(ids) < 2:
        raise UserError(message(
            "The text has fewer than two tokens. The first token has no context and cannot be scored. Add more "
            "text.",
        ))
    yield PhaseChanged(phase="loading")
    decoder = open_decoder()
    control.check()
    if decoder.context < 2:
        raise UserError(message(
            "The context length of this model is 1, so it never sees an earlier token. Choose a model with a "
            "longer context.",
        ))
    check_vocabulary(decoder.model, ids)
    yield PromptRead(pieces=[Piece(id=i, text=tokenizer.decode([i])) for i in ids], dropped=0, model=decoder.name)
    yield PhaseChanged(phase="generating")
    for reading in _read_in_windows(decoder, ids):
        if control.stopping:
            return "stopped"
        yield reading
    return "finished"


def _read_in_windows(decoder: Decoder, ids: list[int]) -> Iterator[TokenRead]:
    context = decoder.context
    known = start = 0
    while known < len(ids):
        window = ids[start : start + context]
        for reading in read(decoder, window, known - start):
            yield reading.model_copy(update={"position": start + reading.position, "logits": None})
        known = start + len(window)
        start += context // 2
