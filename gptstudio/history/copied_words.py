"""Messages about the share of a text that a model has copied from its training text. Imports no torch."""

from __future__ import annotations

import math

from gptstudio.i18n import message, percent
from gptstudio.training.events import CopiesFound

WHAT_COUNTS = message(
    "Stretches of five or more tokens that occur word for word in the training part of the text are counted. The "
    "longest one is a measure of memorisation; in a vocabulary of characters, the share is not, because almost every "
    "five characters of a word occur there.")


def copied_words(share: float, longest: int) -> str:
    """Return a message with the share of copied tokens (0 to 1, NaN without tokens) and the longest copied stretch."""
    if math.isnan(share) or not longest:
        return message("Nothing copied")
    return message("{share} copied, longest {n} tokens", share=percent(share), n=f"{longest:,}")


def last_sample_words(found: CopiesFound) -> str:
    """Return a message about the copies in the last sample of a run."""
    if math.isnan(found.share) or not found.longest:
        return message("The last sample: nothing copied from the training text.")
    return message("The last sample: {share} copied from the training text, longest {n} tokens.",
                   share=percent(found.share), n=f"{found.longest:,}")
