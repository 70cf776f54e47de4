"""Probabilities at one position as a function of temperature, with the cut-offs of the other stages. numpy only.

Shapes: V vocabulary, N tokens, P temperatures.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gptstudio.gpt.sampling.arrays import Floats
from gptstudio.gpt.sampling.logits import best
from gptstudio.gpt.sampling.params import SamplingParams
from gptstudio.gpt.sampling.sampler import distribution

TEMPERATURES = np.linspace(0.0, 3.0, 31)  # (P,)
TOKENS = 20


@dataclass(frozen=True, eq=False)
class Landscape:
    """Distribution at one position for each of ``TEMPERATURES``.

    Attributes:
        ids: ids of the most likely tokens, (N,), most likely first.
        probabilities: probabilities with temperature only, nothing removed, (N, P).
        cuts: for each stage that removes tokens, by name: the smallest of these probabilities that it keeps, (P,);
            nan where it removes nothing.
        kept: number of tokens left after all stages, (P,).
    """

    ids: NDArray[np.intp]
    probabilities: Floats
    cuts: dict[str, Floats]
    kept: NDArray[np.intp]


def landscape(logits: Floats, params: SamplingParams, context: Sequence[int] = ()) -> Landscape:
    """Return the landscape of logits (V,), with :func:`gptstudio.gpt.sampling.sampler.distribution` computed at each
    temperature and the other stages of ``params`` in their order.

    Raises:
        BrokenLogits: some logits are not numbers.
    """
    alone = SamplingParams()
    ids = best(np.asarray(logits, dtype=np.float64), TOKENS)
    shares, kept = np.empty((len(ids), len(TEMPERATURES))), np.empty(len(TEMPERATURES), dtype=np.intp)
    cuts: dict[str, Floats] = {}
    for place, temperature in enumerate(TEMPERATURES.tolist()):
        plain = distribution(logits, alone.but(temperature=temperature)).probabilities
        stages = distribution(logits, params.but(temperature=temperature), context)
        shares[:, place], kept[place] = plain[ids], np.count_nonzero(stages.kept)
        for step in stages.steps:
            if step.stage.name != "temperature" and step.cut.any():
                least = plain[step.after > -np.inf].min()
                cuts.setdefault(step.stage.name, np.full(len(TEMPERATURES), np.nan))[place] = least
    return Landscape(ids, shares, cuts, kept)
