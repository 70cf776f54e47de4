"""The text under the windows: one of those that ship or can be fetched, words of one's own, or ids. No torch."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from gptstudio.data import texts, tokens
from gptstudio.data.texts import STORY, Text, TextError, TextNotHere
from gptstudio.errors import text_of
from gptstudio.i18n import message

OWN, IDS = "own", "ids"
LONGEST = 256
"""Tokens of a window, as in the book's training."""
NOT_HERE = message(
    "The Verdict is not on this computer, so this page uses the story that ships with GPT Studio. The book's values "
    "are for The Verdict: to see them, download it on the Train tab and come back."
)


@dataclass(frozen=True)
class TokenText:
    """Text as token IDs, (N,). ``missing``: a message on why it is not the requested one."""

    name: str
    characters: int
    sha256: str
    ids: np.ndarray
    missing: str = ""


def read(text: str, own: str, ids: tuple[int, ...]) -> TokenText:
    """Return the requested text; the story if it is not available."""
    if text == OWN:
        return tokens_of_own(own)
    if text == IDS:
        return TokenText(message("Token IDs"), 0, "", np.array(ids, np.int64))
    try:
        return _tokens_of(texts.read(text))
    except TextNotHere:
        return replace(_tokens_of(texts.read(STORY)), missing=NOT_HERE)
    except TextError as error:
        return replace(_tokens_of(texts.read(STORY)), missing=text_of(error))


@lru_cache(4)
def _tokens_of(text: Text) -> TokenText:
    ids = tokens.of(text)
    if len(ids) <= LONGEST:
        raise TextError(message(
            "{path} has only {n} tokens. Replace it with the complete text.", path=text.path, n=f"{len(ids):,}"))
    return TokenText(text.name, text.characters, text.sha256, np.asarray(ids, np.int64))


@lru_cache(4)
def tokens_of_own(text: str) -> TokenText:
    return TokenText(
        message("Your own text"), len(text), hashlib.sha256(text.encode()).hexdigest(),
        tokens.encode(text).astype(np.int64),
    )
