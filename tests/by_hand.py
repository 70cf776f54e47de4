"""Sampling computed again from the definitions, in plain loops, to compare with the program's figures."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from gptstudio.gpt.sampling.params import SamplingParams

Numbers = list[float]
CUT = -math.inf


class ByHand(NamedTuple):
    """``plain`` and ``probabilities``: before and after all stages. ``after``: logits after each stage, -inf where
    cut."""

    plain: Numbers
    after: dict[str, Numbers]
    probabilities: Numbers


def stages_by_hand(logits: Iterable[float], sampling_params: SamplingParams, seen: Iterable[int] = ()) -> ByHand:
    """Return all stages in the order of the parameters; ``seen`` are the tokens of the text."""
    seen = list(seen)
    values = [float(value) for value in logits]
    plain, after = softmax(values), {}
    for stage in sampling_params.order:
        values = after[stage] = globals()[f"_{stage}"](values, sampling_params, seen)
    return ByHand(plain, after, softmax(values))


def softmax(values: Sequence[float]) -> Numbers:
    largest = max(values)
    powers = [math.exp(value - largest) for value in values]
    total = math.fsum(powers)
    return [power / total for power in powers]


def ranked(values: Sequence[float]) -> list[int]:
    """Return all ids, the most probable first; of equal ones the lower first."""
    return sorted(range(len(values)), key=lambda i: (-values[i], i))


def _repetition_penalty(values: Numbers, sampling_params: SamplingParams, seen: list[int]) -> Numbers:
    after, penalty = list(values), sampling_params.repetition_penalty
    for i in set(seen) & set(range(len(values))):
        after[i] = values[i] / penalty if values[i] > 0 else values[i] * penalty
    return after


def _frequency_penalty(values: Numbers, sampling_params: SamplingParams, seen: list[int]) -> Numbers:
    return [value - sampling_params.frequency_penalty * seen.count(i) for i, value in enumerate(values)]


def _presence_penalty(values: Numbers, sampling_params: SamplingParams, seen: list[int]) -> Numbers:
    return [value - sampling_params.presence_penalty * (i in seen) for i, value in enumerate(values)]


def _temperature(values: Numbers, sampling_params: SamplingParams, seen: list[int]) -> Numbers:
    if sampling_params.temperature == 0:
        return _only(values, ranked(values)[:1])
    return [value / sampling_params.temperature for value in values]


def _top_k(values: Numbers, sampling_params: SamplingParams, seen: list[int]) -> Numbers:
    return _only(values, ranked(values)[: sampling_params.top_k or None])


def _top_p(values: Numbers, sampling_params: SamplingParams, seen: list[int]) -> Numbers:
    if sampling_params.top_p == 1:
        return values  # everything; a sum of rounded numbers might stay below 1
    probabilities, kept, reached = softmax(values), [], 0.0
    for i in ranked(values):
        kept.append(i)
        reached += probabilities[i]
        if reached >= sampling_params.top_p:
            break
    return _only(values, kept)


def _min_p(values: Numbers, sampling_params: SamplingParams, seen: list[int]) -> Numbers:
    probabilities = softmax(values)
    least = sampling_params.min_p * max(probabilities)
    return _only(values, [i for i, p in enumerate(probabilities) if p >= least])


def _typical_p(values: Numbers, sampling_params: SamplingParams, seen: list[int]) -> Numbers:
    if sampling_params.typical_p == 1:
        return values  # everything; a sum of rounded numbers might stay below 1
    probabilities, kept, reached = softmax(values), [], 0.0
    surprisal = [-math.log2(p) if p else math.inf for p in probabilities]
    entropy = math.fsum(p * s for p, s in zip(probabilities, surprisal, strict=True) if p)
    for i in sorted(range(len(values)), key=lambda i: (abs(surprisal[i] - entropy), i)):
        kept.append(i)
        reached += probabilities[i]
        if reached >= sampling_params.typical_p:
            break
    return _only(values, kept)


def _only(values: Numbers, kept: Iterable[int]) -> Numbers:
    after = [CUT] * len(values)
    for i in kept:
        after[i] = values[i]
    return after
