"""Temperature (Ackley, Hinton and Sejnowski, 1985; book §5.3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gptstudio.fields import setting
from gptstudio.gpt.sampling.lazy_numpy import np
from gptstudio.gpt.sampling.logits import keep, largest
from gptstudio.gpt.sampling.numbers import logit, number
from gptstudio.gpt.sampling.stage import SamplerStage, Step
from gptstudio.i18n import message

if TYPE_CHECKING:
    from gptstudio.gpt.sampling.arrays import Floats


class Temperature(SamplerStage):
    """Divides the logits by the temperature; 0 keeps only the most likely token."""

    name, off = "temperature", 1.0
    label, short, phrase = message("Temperature"), message("Temp."), message("temperature")
    field = setting(
        1.0, "Temperature",
        "Divides the logits: below 1 more predictable, above 1 more varied, 0 always the most likely token.",
        low=0.0, high=100.0, step=0.1,
    )
    slider = tuple(place / 20 for place in range(41))
    removes = False

    def apply(self, logits: Floats, context: Sequence[int]) -> Floats:
        if self.value == 0:
            return keep(logits, largest(logits, 1))
        with np.errstate(over="ignore"):
            after: Floats = self._shifted(logits) / self.value
        return after

    def explain(self, step: Step, token: int, context: Sequence[int]) -> str:
        if self.value:
            return f"{self._divided(number(step.before[token]), step, ' / ')} = {logit(step.after[token])}"
        if step.cut[token]:
            return message("Removed: temperature 0 keeps only the most likely token")
        return message("Temperature 0 keeps only the most likely token: this one")

    def reasons(self, step: Step, token: int) -> tuple[str, ...]:
        if self.value:
            return super().reasons(step, token)
        return message("removed: temperature 0"), message("removed")

    def expression(self, text: str, step: Step, token: int, context: Sequence[int]) -> str:
        return self._divided(text, step, "/") if self.value else text

    def _divided(self, text: str, step: Step, sign: str) -> str:
        top = "" if self._shifted(step.before) is step.before else number(step.before.max())
        return f"({text} - {top}){sign}{number(self.value)}" if top else f"{text}{sign}{number(self.value)}"

    def _shifted(self, logits: Floats) -> Floats:
        """Return the logits, minus the largest if dividing it would overflow, so that only others become -inf."""
        with np.errstate(over="ignore"):
            return logits if np.isfinite(logits.max() / self.value) else logits - logits.max()
