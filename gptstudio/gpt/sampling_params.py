"""What may be turned while text is written. The stages themselves: :mod:`gptstudio.gpt.sampling`.

Neither torch nor numpy: the command line knows its flags before it needs them.
"""

from __future__ import annotations

import math
from typing import Literal, NamedTuple

Stage = Literal["repetition_penalty", "temperature", "top_k", "top_p", "min_p"]
STAGES: tuple[Stage, ...] = ("repetition_penalty", "temperature", "top_k", "top_p", "min_p")
"""The usual order."""


class SamplingParams(NamedTuple):
    """What may be turned while text is written. As they stand here, no stage changes anything.

    Attributes:
        temperature: divides the logits (Ackley et al., 1985; book §5.3). 0: the likeliest token for certain.
        top_k: how many of the likeliest tokens stay (Fan et al., 2018; book §5.3); None or 0 for all.
        top_p: the smallest set of likeliest tokens that reaches this probability stays (Holtzman et al., 2020).
        min_p: tokens stay that are at least this share as likely as the likeliest (Nguyen et al., 2024).
        repetition_penalty: divides positive logits of tokens that are in the text already, and multiplies negative ones
            (after Keskar et al., 2019, who divide both).
        order: in which the stages follow each other.
    """

    temperature: float = 1.0
    top_k: int | None = None
    top_p: float = 1.0
    min_p: float = 0.0
    repetition_penalty: float = 1.0
    order: tuple[Stage, ...] = STAGES

    def changes(self, stage: Stage) -> bool:
        """Whether the stage can change anything at all."""
        return {
            "repetition_penalty": self.repetition_penalty != 1,
            "temperature": self.temperature != 1,
            "top_k": bool(self.top_k),
            "top_p": self.top_p < 1,
            "min_p": self.min_p > 0,
        }[stage]


def check(sampling_params: SamplingParams) -> None:
    """Refuses dials without a meaning.

    Raises:
        ValueError: with the first of them.
    """
    for name, right, allowed in (
        ("temperature", 0 <= sampling_params.temperature < math.inf, "0 or more"),
        ("top_k", sampling_params.top_k is None or sampling_params.top_k >= 0, "0 or more (0 keeps all)"),
        ("top_p", 0 <= sampling_params.top_p <= 1, "0 to 1"),
        ("min_p", 0 <= sampling_params.min_p <= 1, "0 to 1"),
        ("repetition_penalty", 0 < sampling_params.repetition_penalty < math.inf, "above 0"),
        ("order", sorted(sampling_params.order) == sorted(STAGES), "each stage once"),
    ):
        if not right:
            raise ValueError(f"{name} is {getattr(sampling_params, name)}; allowed is {allowed}.")
