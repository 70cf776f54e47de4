"""From logits to the drawn token, every stage returned (book §5.3).

Repetition penalty, temperature, top-k, top-p and min-p each take the logits as the stage before left them; a token that
is cut has the logit -inf from there on. The order is the user's, since it changes what survives.

numpy only: 50,257 logits pass all stages in a few milliseconds, so a slider reshapes them without the model.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gptstudio.errors import UserError
from gptstudio.gpt.sampling_params import SamplingParams, Stage, check

Floats = NDArray[np.floating]
Mask = NDArray[np.bool_]


class BrokenLogits(UserError, ValueError):
    """Logits that nothing can be drawn from."""


@dataclass(frozen=True)
class Step:
    """One stage, done. Arrays have one entry for each token of the vocabulary (V,).

    Attributes:
        before, after: the logits around it; -inf where a token is cut.
        cut: the tokens that this stage took away.
    """

    stage: Stage
    before: Floats
    after: Floats
    cut: Mask


@dataclass(frozen=True)
class Distribution:
    """Distribution of the next token, at every stage. Arrays have one entry for each token of the vocabulary (V,).

    Attributes:
        logits: as the model gave them.
        plain: softmax of the logits, over the whole vocabulary: temperature 1, nothing removed.
        steps: the stages in their order, including those that change nothing.
        probabilities: after all stages; sums to 1.
    """

    logits: Floats
    plain: Floats
    steps: tuple[Step, ...]
    probabilities: Floats

    @cached_property
    def kept(self) -> Mask:
        """False where a stage cut the token away."""
        return self.steps[-1].after > -np.inf

    @property
    def entropy_bits(self) -> float:
        """Entropy after all stages: 0 bits if certain, log2(V) if all tokens are equally likely."""
        return entropy_bits(self.probabilities)

    def cut_by(self, token: int) -> Stage | None:
        """The stage that took a token away."""
        return next((step.stage for step in self.steps if step.cut[token]), None)

    def likeliest(self, count: int) -> NDArray[np.intp]:
        """Ids of the likeliest tokens before anything was changed, best first; of equals the lower id first."""
        return best(self.plain, count)


UNCHANGED = SamplingParams()
"""Changes nothing."""


def distribution(
    logits: Floats, sampling_params: SamplingParams = UNCHANGED, seen: Collection[int] = ()
) -> Distribution:
    """Apply all stages at one position.

    Args:
        logits: (V,), any float dtype; computed in float64.
        seen: IDs of the tokens in the text so far, for the repetition penalty.

    Raises:
        BrokenLogits: logits that are not numbers.
        ValueError: an invalid sampling parameter.
    """
    logits = np.asarray(logits, dtype=np.float64)
    if not np.isfinite(logits.max()):  # the largest of numbers with a NaN among them is NaN
        raise BrokenLogits(
            "The model's logits are not valid numbers (NaN or infinite), so no token can be sampled. Its weights are "
            "damaged, for example because training diverged. Choose an earlier checkpoint or another model."
        )
    check(sampling_params)
    steps: list[Step] = []
    values = logits
    for stage in sampling_params.order:
        steps.append(_step(stage, values, sampling_params, seen))
        values = steps[-1].after
    return Distribution(logits, softmax(logits), tuple(steps), softmax(values))


def softmax(logits: Floats) -> Floats:
    """exp(x) / sum of exp(x), shifted by the largest so that nothing overflows."""
    powers: Floats = np.exp(logits - logits.max())
    powers /= powers.sum()
    return powers


def entropy_bits(probabilities: Floats) -> float:
    """Shannon's entropy in bits."""
    p = probabilities[probabilities > 0]
    return float(-(p * np.log2(p)).sum()) + 0.0


def surprise_bits(probability: float) -> float:
    """Return the surprise, -log2(p), of an outcome with this probability. 0 if it was certain."""
    return float(-np.log2(probability)) + 0.0 if probability > 0 else float("inf")


def jensen_shannon_bits(p: Floats, q: Floats) -> float:
    """The distance between two distributions (Lin, 1991): 0 when equal, 1 bit when nothing is possible in both.

    Where one vocabulary is larger, its further tokens are impossible in the other.
    """
    size = max(p.size, q.size)
    p, q = (np.pad(each, (0, size - each.size)) for each in (p, q))
    bits = entropy_bits((p + q) / 2) - (entropy_bits(p) + entropy_bits(q)) / 2
    return min(max(bits, 0.0), 1.0)  # rounding may go a little beyond


def draw(probabilities: Floats, random_number: float) -> int:
    """Return the token ID that ``random_number`` in [0, 1) selects, with tokens in ID order."""
    return int(draw_many(probabilities, np.array([random_number]))[0])


def draw_many(probabilities: Floats, random_numbers: Floats) -> NDArray[np.intp]:
    """One token id for each of the numbers (n,)."""
    edges: Floats = np.cumsum(probabilities)
    # Scaling by the last edge instead of 1 keeps rounding from ever choosing past the end.
    tokens: NDArray[np.intp] = np.searchsorted(edges, random_numbers * edges[-1], side="right")
    return tokens


def rank(values: Floats, token: int) -> int:
    """The place of a token among all, 1 for the highest value; of equals the lower id first."""
    value = values[token]
    return int((values > value).sum() + (values[:token] == value).sum()) + 1


def best(values: Floats, count: int) -> NDArray[np.intp]:
    """Indices of the ``count`` largest, best first; of equals the lower index first."""
    ids = np.flatnonzero(_largest(values, count))
    return ids[np.argsort(-values[ids], kind="stable")]


# The stages.


def _step(stage: Stage, values: Floats, sampling_params: SamplingParams, seen: Collection[int]) -> Step:
    if not sampling_params.changes(stage):
        return Step(stage, values, values, np.zeros(values.shape, dtype=bool))
    match stage:
        case "repetition_penalty":
            after = _penalise(values, sampling_params.repetition_penalty, seen)
        case "temperature":
            after = _cool(values, sampling_params.temperature)
        case "top_k":
            after = _keep(values, _largest(values, sampling_params.top_k or values.size))
        case "top_p":
            after = _keep(values, _nucleus(values, sampling_params.top_p))
        case "min_p":
            shares = np.exp(values - values.max())  # of the likeliest token's probability
            after = _keep(values, shares >= sampling_params.min_p)
    return Step(stage, values, after, (after == -np.inf) & (values > -np.inf))


def _penalise(values: Floats, penalty: float, seen: Collection[int]) -> Floats:
    ids = np.unique(np.fromiter((i for i in seen if i < values.size), dtype=np.intp))
    after = values.copy()
    after[ids] = np.where(values[ids] > 0, values[ids] / penalty, values[ids] * penalty)
    return after


def _cool(values: Floats, temperature: float) -> Floats:
    if temperature == 0:
        return _keep(values, _largest(values, 1))
    with np.errstate(over="ignore"):
        if not np.isfinite(values.max() / temperature):  # shifted, only those beside the largest go to -inf
            values = values - values.max()
        return values / temperature


def _nucleus(values: Floats, p: float) -> Mask:
    """The smallest set of likeliest tokens that reaches ``p``; always one at least."""
    likeliest_first = np.sort(softmax(values))[::-1]  # sorting numbers takes a tenth of sorting ids by them
    return _largest(values, int(np.searchsorted(np.cumsum(likeliest_first), p)) + 1)


def _largest(values: Floats, count: int) -> Mask:
    """Return a mask of the ``count`` largest values, all if there are fewer; among equals the lower index first."""
    count = min(count, values.size)
    threshold = np.partition(values, -count)[-count]
    largest: Mask = values > threshold
    largest[np.flatnonzero(values == threshold)[: count - np.count_nonzero(largest)]] = True
    return largest


def _keep(values: Floats, mask: Mask) -> Floats:
    return np.where(mask, values, -np.inf)
