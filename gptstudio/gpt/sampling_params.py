"""Sampling parameters of text generation. The stages themselves: :mod:`gptstudio.gpt.sampling`.

Imports neither torch nor numpy: the command line needs its flags before it needs them.
"""

from __future__ import annotations

import math
from typing import Literal, NamedTuple

Stage = Literal["repetition_penalty", "temperature", "top_k", "top_p", "min_p"]
STAGES: tuple[Stage, ...] = ("repetition_penalty", "temperature", "top_k", "top_p", "min_p")
"""The usual order."""


class SamplingParams(NamedTuple):
    """Sampling parameters of text generation. With the defaults, no stage changes anything.

    Attributes:
        temperature: divides the logits (Ackley et al., 1985; book §5.3). 0: always the most likely token.
        top_k: number of most likely tokens that are kept (Fan et al., 2018; book §5.3); None or 0 for all.
        top_p: the smallest set of most likely tokens that reaches this probability is kept (Holtzman et al., 2020).
        min_p: tokens are kept that are at least this fraction as likely as the most likely one (Nguyen et al., 2024).
        repetition_penalty: divides positive logits of tokens that are in the text already, and multiplies negative ones
            (after Keskar et al., 2019, who divide both).
        order: order of the stages.
    """

    temperature: float = 1.0
    top_k: int | None = None
    top_p: float = 1.0
    min_p: float = 0.0
    repetition_penalty: float = 1.0
    order: tuple[Stage, ...] = STAGES

    def changes(self, stage: Stage) -> bool:
        """Return whether the stage can change anything at all."""
        return {
            "repetition_penalty": self.repetition_penalty != 1,
            "temperature": self.temperature != 1,
            "top_k": bool(self.top_k),
            "top_p": self.top_p < 1,
            "min_p": self.min_p > 0,
        }[stage]


def check(sampling_params: SamplingParams) -> None:
    """Check that the sampling parameters are valid.

    Raises:
        ValueError: with the first invalid one.
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
