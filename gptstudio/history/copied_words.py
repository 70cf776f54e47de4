"""Words for the share of a text that a model has copied from its training text. No torch."""

from __future__ import annotations

import math

from gptstudio.i18n import message, percent
from gptstudio.training.events import CopiesFound

WHAT_COUNTS = message(
    "Counted are stretches of five or more tokens that stand word for word in the training part of the text. The "
    "longest one is a measure of memorisation.")


def copied_words(share: float, longest: int) -> str:
    """Return the share of the tokens that are copied (0 to 1, NaN without tokens) and the longest stretch, as a
    message."""
    if math.isnan(share) or not longest:
        return message("Nothing copied")
    return message("{share} copied, longest {n} tokens", share=percent(share), n=f"{longest:,}")


def last_sample_words(found: CopiesFound) -> str:
    """Return what the last sample of a run has copied, as a message."""
    if math.isnan(found.share) or not found.longest:
        return message("The last sample: nothing copied from the training text.")
    return message("The last sample: {share} copied from the training text, longest {n} tokens.",
                   share=percent(found.share), n=f"{found.longest:,}")
