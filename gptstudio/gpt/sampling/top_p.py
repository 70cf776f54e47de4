"""Top-p, or nucleus sampling (Holtzman et al., 2020)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gptstudio.fields import setting
from gptstudio.gpt.sampling.lazy_numpy import np
from gptstudio.gpt.sampling.logits import keep, largest, softmax
from gptstudio.gpt.sampling.numbers import distinct_from, number
from gptstudio.gpt.sampling.stage import SamplerStage, Step
from gptstudio.i18n import message

if TYPE_CHECKING:
    from gptstudio.gpt.sampling.arrays import Floats


class TopP(SamplerStage):
    """Keeps the smallest set of most likely tokens whose probabilities add up to this value, at least one token."""

    name, off = "top_p", 1.0
    label, short, phrase = message("Top-p"), message("Top-p"), message("top-p")
    field = setting(
        1.0, "Top-p",
        "Samples only from the smallest set of most likely tokens whose probabilities add up to this value.",
        low=0.0, high=1.0, step=0.05,
    )
    slider = tuple(place / 100 for place in range(101))

    def apply(self, logits: Floats, context: Sequence[int]) -> Floats:
        likeliest_first = np.sort(softmax(logits))[::-1]  # sorting values takes a tenth of the time of argsort
        return keep(logits, largest(logits, int(np.searchsorted(np.cumsum(likeliest_first), self.value)) + 1))

    def explain(self, step: Step, token: int, context: Sequence[int]) -> str:
        value, ids = step.before[token], np.arange(step.before.size)
        ahead = (step.before > value) | ((step.before == value) & (ids < token))
        if not ahead.any():
            return message("The most likely token is always kept")
        total = distinct_from(float(softmax(step.before)[ahead].sum()), self.value)
        if step.cut[token]:
            return message(
                "The tokens ranked above it sum to {sum}, which reaches {p}: removed", sum=total, p=number(self.value))
        return message(
            "The tokens ranked above it sum to {sum}, less than {p}: kept", sum=total, p=number(self.value))
