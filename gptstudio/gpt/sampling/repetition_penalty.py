"""Repetition penalty (after Keskar et al., 2019, section 4.1, who also divide negative logits)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gptstudio.fields import setting
from gptstudio.gpt.sampling.lazy_numpy import np
from gptstudio.gpt.sampling.logits import counts
from gptstudio.gpt.sampling.numbers import logit, number
from gptstudio.gpt.sampling.stage import SamplerStage, Step
from gptstudio.i18n import message

if TYPE_CHECKING:
    from gptstudio.gpt.sampling.arrays import Floats


class RepetitionPenalty(SamplerStage):
    """Divides the positive logits of tokens that are already in the text, and multiplies the negative ones."""

    name, off = "repetition_penalty", 1.0
    label, short, phrase = message("Repetition"), message("Rep."), message("the repetition penalty")
    field = setting(
        1.0, "Repetition penalty", "Above 1: tokens that are already in the text become less likely.",
        low=0.01, high=100.0, step=0.05,
    )
    slider = tuple(place / 20 for place in range(10, 41))
    removes = False

    def apply(self, logits: Floats, context: Sequence[int]) -> Floats:
        ids = np.flatnonzero(counts(context, logits.size))
        after = logits.copy()
        after[ids] = np.where(logits[ids] > 0, logits[ids] / self.value, logits[ids] * self.value)
        return after

    def explain(self, step: Step, token: int, context: Sequence[int]) -> str:
        before = float(step.before[token])
        if token not in context:
            return message("Not in the text yet: it stays {x}", x=number(before))
        return message("Already in the text: {x} {sign} {penalty} = {y}", x=number(before), sign=_sign(before),
                       penalty=number(self.value), y=logit(step.after[token]))

    def expression(self, text: str, step: Step, token: int, context: Sequence[int]) -> str:
        return f"{text}{_sign(step.before[token])}{number(self.value)}" if token in context else text


def _sign(value: float) -> str:
    return "/" if value > 0 else "×"
