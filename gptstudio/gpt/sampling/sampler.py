"""Sampling of a token from logits, with the result of every stage (book §5.3).

Each stage takes the logits of the previous stage; the logit of a removed token is -inf from then on. The user chooses
the order, because it affects which tokens are kept.

numpy only: all stages take a few milliseconds for 50,257 logits, so a slider can update them without running the model.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gptstudio.errors import UserError
from gptstudio.gpt.sampling.arrays import Floats, Mask
from gptstudio.gpt.sampling.logits import best, softmax
from gptstudio.gpt.sampling.params import SamplingParams
from gptstudio.gpt.sampling.stage import SamplerStage, Step
from gptstudio.i18n import message


class BrokenLogits(UserError, ValueError):
    """Logits that no token can be sampled from."""


@dataclass(frozen=True)
class Distribution:
    """Distribution of the next token at every stage. Arrays have one entry for each token of the vocabulary (V,).

    Attributes:
        logits: output of the model.
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
        """Mask of the tokens that no stage removed."""
        return self.steps[-1].after > -np.inf

    @property
    def entropy_bits(self) -> float:
        """Entropy after all stages: 0 bits if certain, log2(V) if all tokens are equally likely."""
        return entropy_bits(self.probabilities)

    def cut_by(self, token: int) -> Step | None:
        """Return the step that removed a token."""
        return next((step for step in self.steps if step.cut[token]), None)

    def likeliest(self, count: int) -> NDArray[np.intp]:
        """Return the IDs of the most likely tokens before any stage, most likely first; ties go to the lower ID."""
        return best(self.plain, count)


UNCHANGED = SamplingParams()
"""Parameters with all stages off."""


def distribution(
    logits: Floats, sampling_params: SamplingParams = UNCHANGED, context: Sequence[int] = ()
) -> Distribution:
    """Apply all stages at one position.

    Args:
        logits: (V,), any float dtype; the computation is in float64.
        context: IDs of the tokens in the text so far, for the penalties.

    Raises:
        BrokenLogits: some logits are not finite numbers.
    """
    logits = checked(logits)
    steps: list[Step] = []
    values = logits
    for stage in sampling_params.stages():
        steps.append(_step(stage, values, context))
        values = steps[-1].after
    return Distribution(logits, softmax(logits), tuple(steps), softmax(values))


def checked(logits: Floats) -> Floats:
    """Return logits, (V,) of any float dtype, in float64.

    Raises:
        BrokenLogits: some logits are not finite numbers.
    """
    logits = np.asarray(logits, dtype=np.float64)
    if not np.isfinite(logits.max()):  # the maximum is NaN if any value is
        raise BrokenLogits(message(
            "The model's logits are not valid numbers (NaN or infinite), so no token can be sampled. Its weights are "
            "damaged, for example because training diverged. Choose an earlier checkpoint or another model."
        ))
    return logits


def check_finite(values: Floats) -> None:
    """Check that all values are finite, so that they can be displayed.

    Raises:
        BrokenLogits: values are not finite.
    """
    if not np.isfinite(values).all():
        raise BrokenLogits(message(
            "Values inside this model are not valid numbers (NaN or infinite), so there is nothing to show. Its "
            "weights are damaged, for example because training diverged. Choose an earlier checkpoint or another "
            "model."
        ))


def _step(stage: SamplerStage, logits: Floats, context: Sequence[int]) -> Step:
    after = logits if stage.is_off else stage.apply(logits, context)
    return Step(stage, logits, after, (after == -np.inf) & (logits > -np.inf))


def entropy_bits(probabilities: Floats) -> float:
    """Return the Shannon entropy in bits."""
    p = probabilities[probabilities > 0]
    return float(-(p * np.log2(p)).sum()) + 0.0


def surprise_bits(probability: float) -> float:
    """Return the surprisal, -log2(p), of an outcome with this probability: 0 if it was certain."""
    return float(-np.log2(probability)) + 0.0 if probability > 0 else float("inf")


def jensen_shannon_bits(p: Floats, q: Floats) -> float:
    """Return the Jensen-Shannon divergence of two distributions (Lin, 1991): 0 if equal, 1 bit if they are disjoint.

    If one vocabulary is larger, its additional tokens have probability 0 in the other.
    """
    size = max(p.size, q.size)
    p, q = (np.pad(each, (0, size - each.size)) for each in (p, q))
    bits = entropy_bits((p + q) / 2) - (entropy_bits(p) + entropy_bits(q)) / 2
    return min(max(bits, 0.0), 1.0)  # rounding errors


def draw(probabilities: Floats, random_number: float) -> int:
    """Return the token ID that ``random_number`` in [0, 1) selects from the cumulative probabilities in ID order."""
    return int(draw_many(probabilities, np.array([random_number]))[0])


def draw_many(probabilities: Floats, random_numbers: Floats) -> NDArray[np.intp]:
    """Return one token ID for each of the random numbers (n,)."""
    edges: Floats = np.cumsum(probabilities)
    # Scaling by the last edge instead of 1 prevents an index past the end due to rounding.
    tokens: NDArray[np.intp] = np.searchsorted(edges, random_numbers * edges[-1], side="right")
    return tokens
