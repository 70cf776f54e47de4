"""Top-k (Fan, Lewis and Dauphin, 2018; book §5.3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gptstudio.fields import setting
from gptstudio.gpt.config import VOCAB_SIZE
from gptstudio.gpt.sampling.lazy_numpy import np
from gptstudio.gpt.sampling.logits import keep, largest, rank
from gptstudio.gpt.sampling.stage import SamplerStage, Step
from gptstudio.i18n import message

if TYPE_CHECKING:
    from gptstudio.gpt.sampling.arrays import Floats


class TopK(SamplerStage):
    """Keeps this many of the most likely tokens."""

    name, off = "top_k", None
    label, short, phrase = message("Top-k"), message("Top-k"), message("top-k")
    type = int | None
    field = setting(
        50, "Top-k", "Samples only from this many of the most likely tokens, or leave empty for all.",
        unit="tokens", low=1, high=1_000_000, step=1, empty="all",
    )
    slider = (*(min(VOCAB_SIZE, round(2 ** (place / 10))) for place in range(157)), None)  # a tenth of a doubling each

    def apply(self, logits: Floats, context: Sequence[int]) -> Floats:
        return keep(logits, largest(logits, self.value))

    def explain(self, step: Step, token: int, context: Sequence[int]) -> str:
        place, kept = f"{rank(step.before, token):,}", f"{np.count_nonzero(step.after > -np.inf):,}"
        if step.cut[token]:
            return message("Removed: rank {n}; only the {k} most likely are kept", n=place, k=kept)
        return message("Rank {n} of the {k} that are kept", n=place, k=kept)

    def reasons(self, step: Step, token: int) -> tuple[str, ...]:
        place = f"{rank(step.before, token):,}"
        return (
            message("removed: rank {n}, top-k is {k}", n=place, k=f"{self.value:,}"), message("rank {n}", n=place),
            message("removed"),
        )
