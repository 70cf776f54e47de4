"""Scoring of a text by a model: the probability of every token, given the tokens before it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from gptstudio.errors import UserError
from gptstudio.gpt.decoder import Decoder
from gptstudio.gpt.tokenizer import GPT2, Tokenizer
from gptstudio.i18n import joined, message
from gptstudio.inference.generator import about_unknown, check_vocabulary, read
from gptstudio.training.control import Control
from gptstudio.training.events import PhaseChanged, Piece, PromptRead, TokenRead, Warned
from gptstudio.training.executor import Stream

LONGEST = 2_000_000
"""Maximum number of characters of a text: about 500,000 tokens, which stay in memory."""


def score(
    text: str, open_decoder: Callable[[], Decoder], control: Control, stride: int | None = None,
    tokenizer: Tokenizer = GPT2,
) -> Stream:
    """Read a text, and report each token without its logits, which would fill the memory for a long text.

    A text longer than the context C is read in windows of C tokens, ``stride`` tokens apart, and a token is reported
    from the first window that contains it: except in the first window, it has at least C - stride tokens before it.
    Hugging Face's documentation computes the perplexity of fixed-length models in this way. With a stride of 1, each
    token has the maximum context, at C times the work; with a stride of C, the windows do not overlap, and the first
    token of each has no context and does not count.

    Args:
        stride: from 1 to C; None for half of C.
        tokenizer: tokenizer of the model, so that a text can be rejected before the model is loaded.

    Raises:
        UserError: the text is too short or too long, the model cannot read it, or the stride is out of range.
    """
    ids = _encoded(text, tokenizer)
    yield PhaseChanged(phase="loading")
    decoder = open_decoder()
    control.check()
    if decoder.context < 2:
        raise UserError(message(
            "The context length of this model is 1, so it never sees an earlier token. Choose a model with a "
            "longer context.",
        ))
    check_vocabulary(decoder.config, ids, tokenizer)
    stride = decoder.context // 2 if stride is None else stride
    if not 1 <= stride <= decoder.context:
        raise UserError(message(
            "The stride must be from 1 to {context}, the context length of this model, but is {stride}.",
            context=f"{decoder.context:,}", stride=f"{stride:,}"))
    pieces = [Piece(id=i, text=tokenizer.decode([i])) for i in ids]
    windows = (decoder.context, stride) if len(ids) > decoder.context else (None, None)
    yield PromptRead(pieces=pieces, dropped=0, model=decoder.name, context=windows[0], stride=windows[1])
    if warning := about_unknown(ids, tokenizer):
        yield Warned(message=joined(" ", warning, message(
            "So the bits per byte cannot be compared with those of other models.")))
    yield PhaseChanged(phase="generating")
    for reading in _read_in_windows(decoder, ids, stride):
        if control.stopping:
            return "stopped"
        yield reading
    return "finished"


def _encoded(text: str, tokenizer: Tokenizer) -> list[int]:
    """Return the token ids of a text.

    Raises:
        UserError: the text is too long, or too short to be scored.
    """
    if len(text) > LONGEST:
        raise UserError(message(
            "The text has {len} characters; the maximum is {longest}. Score part of it.",
            len=f"{len(text):,}", longest=f"{LONGEST:,}",
        ))
    ids = tokenizer.encode(text)
    if len(ids) < 2:
        raise UserError(message(
            "The text has fewer than two tokens. The first token has no context and cannot be scored. Add more text."))
    return ids


def _read_in_windows(decoder: Decoder, ids: list[int], stride: int) -> Iterator[TokenRead]:
    context = decoder.context
    known = start = 0
    while known < len(ids):
        window = ids[start : start + context]
        for reading in read(decoder, window, known - start):
            yield reading.model_copy(update={"position": start + reading.position, "logits": None})
        known = start + len(window)
        start += stride
