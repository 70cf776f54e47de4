"""Presence penalty, as in OpenAI's API reference ("Frequency and presence penalties", 2023)."""

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


class PresencePenalty(SamplerStage):
    """Subtracts the penalty once from the logit of each token that is already in the text."""

    name, off = "presence_penalty", 0.0
    label, short, phrase = message("Presence"), message("Pres."), message("the presence penalty")
    field = setting(
        0.0, "Presence penalty",
        "Subtracted from the logit of a token that is already in the text, however often; below 0, tokens of the text "
        "become more likely.",
        low=-2.0, high=2.0, step=0.05,
    )
    common = False
    slider = tuple(place / 20 for place in range(-40, 41))
    removes = False

    def apply(self, logits: Floats, context: Sequence[int]) -> Floats:
        after: Floats = logits - self.value * (counts(context, logits.size) > 0)
        return after

    def explain(self, step: Step, token: int, context: Sequence[int]) -> str:
        before = float(step.before[token])
        if token not in context:
            return message("Not in the text yet: it stays {x}", x=number(before))
        return message("Already in the text: {x} {sign} {penalty} = {y}", x=number(before), sign="-",
                       penalty=number(self.value), y=logit(step.after[token]))

    def expression(self, text: str, step: Step, token: int, context: Sequence[int]) -> str:
        return f"({text} - {number(self.value)})" if token in context else text
