"""Frequency penalty, as in OpenAI's API reference ("Frequency and presence penalties", 2023)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gptstudio.fields import setting
from gptstudio.gpt.sampling.logits import counts
from gptstudio.gpt.sampling.numbers import logit, number
from gptstudio.gpt.sampling.stage import SamplerStage, Step
from gptstudio.i18n import message

if TYPE_CHECKING:
    from gptstudio.gpt.sampling.arrays import Floats


class FrequencyPenalty(SamplerStage):
    """Subtracts the penalty from a token's logit once for each occurrence of the token in the text."""

    name, off = "frequency_penalty", 0.0
    label, short, phrase = message("Frequency"), message("Freq."), message("the frequency penalty")
    field = setting(
        0.0, "Frequency penalty",
        "Subtracted from the logit of a token once for each time that it is already in the text; below 0, tokens of "
        "the text become more likely.",
        low=-2.0, high=2.0, step=0.05,
    )
    common = False
    slider = tuple(place / 20 for place in range(-40, 41))
    removes = False

    def apply(self, logits: Floats, context: Sequence[int]) -> Floats:
        after: Floats = logits - self.value * counts(context, logits.size)
        return after

    def explain(self, step: Step, token: int, context: Sequence[int]) -> str:
        before, count = float(step.before[token]), list(context).count(token)
        if not count:
            return message("Not in the text yet: it stays {x}", x=number(before))
        return message("Occurrences in the text: {n}. {x} - {n} × {penalty} = {y}", n=f"{count:,}", x=number(before),
                       penalty=number(self.value), y=logit(step.after[token]))

    def expression(self, text: str, step: Step, token: int, context: Sequence[int]) -> str:
        count = list(context).count(token)
        return f"({text} - {count} × {number(self.value)})" if count else text
