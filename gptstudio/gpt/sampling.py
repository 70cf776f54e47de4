"""From logits to the drawn token, each stage returned (seeds 5.3): temperature, then top-k, then softmax.

numpy only: 50,257 logits take well under a millisecond, so a slider reshapes them without the model.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating]


@dataclass(frozen=True)
class Distribution:
    """What may come next, at every stage. All arrays have one entry for each token of the vocabulary (V,).

    Attributes:
        logits: as the model gave them.
        plain: softmax of the logits, over the whole vocabulary: temperature 1, nothing cut.
        kept: False where top-k cut the token away.
        probabilities: after temperature and top-k; sums to 1.
    """

    logits: Floats
    plain: Floats
    kept: NDArray[np.bool_]
    probabilities: Floats

    @property
    def entropy_bits(self) -> float:
        """How open the choice is: 0 bits when certain, log2(V) when every token is as likely."""
        p = self.probabilities[self.probabilities > 0]
        return float(-(p * np.log2(p)).sum()) + 0.0

    def likeliest(self, count: int) -> NDArray[np.intp]:
        """Ids of the likeliest tokens before anything was cut, best first; of equals the lower id first."""
        return _best(self.plain, count)


def softmax(logits: Floats) -> Floats:
    """exp(x) / sum of exp(x), shifted by the largest so that nothing overflows."""
    powers = np.exp(logits - logits.max())
    return powers / powers.sum()


def top_k_mask(logits: Floats, k: int | None) -> NDArray[np.bool_]:
    """True for exactly k tokens, also when logits tie: of equals the lower id stays. None or 0 keeps all."""
    kept = np.ones(logits.shape, dtype=bool)
    if k and k < logits.size:
        kept[:] = False
        kept[_best(logits, k)] = True
    return kept


def distribution(logits: Floats, temperature: float = 1.0, top_k: int | None = None) -> Distribution:
    """All stages for one position.

    Args:
        logits: (V,), any float dtype; computed in float64.
        temperature: divides the logits. 0 means the likeliest token for certain.
        top_k: how many of the likeliest tokens may be drawn; None or 0 for all.

    Raises:
        ValueError: logits that are not numbers, or a temperature that is negative or none.
    """
    logits = np.asarray(logits, dtype=np.float64)
    if not np.isfinite(logits.max()):  # the largest of numbers with a NaN among them is NaN
        raise ValueError("The model gave logits that are not numbers; its weights are broken.")
    if not 0 <= temperature < np.inf:
        raise ValueError(f"temperature is {temperature}; allowed is 0 and above.")
    kept = top_k_mask(logits, 1 if temperature == 0 else top_k)
    with np.errstate(over="ignore"):  # shifted first, so that what overflows goes to -inf: probability 0
        scaled = (logits - logits.max()) / (temperature or 1.0)
    probabilities = softmax(np.where(kept, scaled, -np.inf))
    return Distribution(logits, softmax(logits), kept, probabilities)


def draw(probabilities: Floats, rng: np.random.Generator) -> int:
    """One token id, drawn by its probability."""
    edges = np.cumsum(probabilities)
    # Scaling by the last edge instead of 1 keeps rounding from ever choosing past the end.
    return int(np.searchsorted(edges, rng.random() * edges[-1], side="right"))


def _best(values: Floats, count: int) -> NDArray[np.intp]:
    """Indices of the ``count`` largest, best first; of equals the lower index first."""
    count = min(count, values.size)
    threshold = np.partition(values, -count)[-count]
    above = np.flatnonzero(values > threshold)
    equal = np.flatnonzero(values == threshold)[: count - above.size]
    return np.concatenate([above[np.argsort(-values[above], kind="stable")], equal])
