"""Min-p (Nguyen et al., 2024)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gptstudio.fields import setting
from gptstudio.gpt.sampling.lazy_numpy import np
from gptstudio.gpt.sampling.logits import keep, softmax
from gptstudio.gpt.sampling.numbers import number
from gptstudio.gpt.sampling.stage import SamplerStage, Step
from gptstudio.i18n import message

if TYPE_CHECKING:
    from gptstudio.gpt.sampling.arrays import Floats


class MinP(SamplerStage):
    """Keeps the tokens whose probability is at least this fraction of the highest one."""

    name, off = "min_p", 0.0
    label, short, phrase = message("Min-p"), message("Min-p"), message("min-p")
    field = setting(
        0.0, "Min-p", "Samples only from tokens whose probability is at least this share of the highest one.",
        low=0.0, high=1.0, step=0.01,
    )
    slider = tuple(each / 100 for each in (*range(20), *range(20, 101, 5)))  # finer below 0.2, where it removes most

    def apply(self, logits: Floats, context: Sequence[int]) -> Floats:
        return keep(logits, np.exp(logits - logits.max()) >= self.value)

    def explain(self, step: Step, token: int, context: Sequence[int]) -> str:
        probabilities = softmax(step.before)
        values = {"min": number(self.value)}
        for digits in range(3, 17):  # as few as keep the displayed comparison true
            values |= {"p": f"{probabilities[token]:.{digits}g}", "top": f"{probabilities.max():.{digits}g}"}
            if (float(values["p"]) < self.value * float(values["top"])) == step.cut[token]:
                break
        if step.cut[token]:
            return message("{p} is less than {min} × {top}: removed", **values)
        return message("{p} is at least {min} × {top}: kept", **values)
