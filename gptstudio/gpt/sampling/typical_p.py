"""Locally typical sampling (Meister, Pimentel, Wiher and Cotterell, 2023, section 4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gptstudio.fields import setting
from gptstudio.gpt.sampling.lazy_numpy import np
from gptstudio.gpt.sampling.logits import keep, softmax
from gptstudio.gpt.sampling.numbers import distinct_from, number
from gptstudio.gpt.sampling.stage import SamplerStage, Step
from gptstudio.i18n import message

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from gptstudio.gpt.sampling.arrays import Floats


class TypicalP(SamplerStage):
    """Keeps the tokens whose surprisal is nearest to the entropy, until their probabilities add up to this value.

    A very likely token may be removed as well, because its surprisal is below the entropy. At least one token is kept.
    """

    name, off = "typical_p", 1.0
    label, short, phrase = message("Typical-p"), message("Typ.-p"), message("typical-p")
    field = setting(
        1.0, "Typical-p",
        "Samples only from the tokens whose surprisal is nearest to the entropy and whose probabilities add up to this "
        "value (locally typical sampling).",
        low=0.0, high=1.0, step=0.05,
    )
    common = False
    slider = tuple(place / 100 for place in range(101))

    def apply(self, logits: Floats, context: Sequence[int]) -> Floats:
        probabilities, ids = softmax(logits), _most_typical_first(logits)
        count = int(np.searchsorted(np.cumsum(probabilities[ids]), self.value)) + 1
        mask = np.zeros(logits.shape, dtype=bool)
        mask[ids[:count]] = True
        return keep(logits, mask)

    def explain(self, step: Step, token: int, context: Sequence[int]) -> str:
        probabilities, ids = softmax(step.before), _most_typical_first(step.before)
        ahead = ids[: int(np.flatnonzero(ids == token)[0])]
        surprisal, entropy = _bits(probabilities)
        values = {
            "bits": number(surprisal[token]), "entropy": number(entropy), "p": number(self.value),
            "sum": distinct_from(float(probabilities[ahead].sum()), self.value),
        }
        if step.cut[token]:
            return message(
                "Surprisal {bits} bits, entropy {entropy}: the tokens nearer to it sum to {sum}, which reaches {p}: "
                "removed", **values)
        return message(
            "Surprisal {bits} bits, entropy {entropy}: the tokens nearer to it sum to {sum}, less than {p}: kept",
            **values)


def _most_typical_first(logits: Floats) -> NDArray[np.intp]:
    """Return the IDs of the possible tokens by the distance of surprisal from entropy; ties go to the lower ID."""
    surprisal, entropy = _bits(softmax(logits))
    ids = np.argsort(np.abs(surprisal - entropy), kind="stable")
    return ids[logits[ids] > -np.inf]


def _bits(probabilities: Floats) -> tuple[Floats, float]:
    """Return the surprisal of each token, (V,), and the entropy, which is its mean; both in bits."""
    with np.errstate(divide="ignore"):
        surprisal = -np.log2(probabilities)
    possible = probabilities > 0
    return surprisal, float((probabilities[possible] * surprisal[possible]).sum())
