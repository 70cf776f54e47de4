"""Bars of the most likely next tokens, without and with the changes of "What if"."""

from __future__ import annotations

import numpy as np

from gptstudio.gpt.sampling.logits import best, softmax
from gptstudio.gpt.tokenizer import Tokenizer
from gptstudio.gui.plots.bar_list import Bar, BarRow, Bars
from gptstudio.gui.plots.shades import Floats
from gptstudio.gui.translation import percent, tr

LISTED = 5


def before_after(plain: Floats, changed: Floats, tokenizer: Tokenizer) -> Bars:
    """Return a row for each of the tokens that are most likely in either case.

    Args:
        plain: logits (V,) of the model as it is.
        changed: logits (V,) with the changes.
    """
    before, after = (softmax(each.astype(np.float64)) for each in (plain, changed))
    ids = best(np.maximum(before, after), LISTED).tolist()
    return Bars([
        BarRow(tokenizer.visible(token), (
            Bar(float(before[token]), percent(float(before[token])), "muted"),
            Bar(float(after[token]), percent(float(after[token])), "accent")))
        for token in ids], (tr("Before"), tr("After")))
