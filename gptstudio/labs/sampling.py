"""Sampling: from nine logits to a drawn word, over temperature and top-k (book §5.3)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from gptstudio.fields import Numbers, Problem, Spec, setting
from gptstudio.gpt.sampling import sampler
from gptstudio.gpt.sampling.logits import best
from gptstudio.gpt.sampling.params import SamplingParams
from gptstudio.i18n import message
from gptstudio.labs import checks
from gptstudio.labs.draws import Draws
from gptstudio.labs.lab import BookSource, Example, Figure, Floats, Lab, Table

VOCABULARY = ("closer", "every", "effort", "forward", "inches", "moves", "pizza", "toward", "you")
PRINTED = (0, 3, 7)
"""Indices of the words with logits printed in the book; the other six are smaller, and invented for this lab."""
LOGITS = (4.51, 1.0, -1.0, 6.75, 2.0, -1.5, -2.0, 6.28, 1.5)
LARGEST = 100
FIRST = 24


class SamplingRequest(Spec):
    """Nine logits, and the sampling parameters."""

    logits: Numbers = setting(
        LOGITS, "Logits", "One number for each of the nine words; the larger, the more likely.", panel=False
    )
    temperature: float = setting(
        1.0, "Temperature",
        "The logits are divided by this. Below 1: more predictable; above 1: more varied; 0: always the most likely "
        "word.", low=0, high=10, step=0.1
    )
    top_k: int | None = setting(
        3, "Top-k", "Draws only from this many of the most likely words, or leave empty to draw from all nine.",
        unit="words", low=1, high=len(VOCABULARY), step=1, empty="all",
    )
    draws: int = setting(
        1000, "Draws", "How many words are drawn, independently of each other.", unit="words", low=1, high=100_000
    )
    seed: int = setting(123, "Random seed", "The same random seed draws the same words.", low=0, high=2**63 - 1)

    @classmethod
    def relations(cls, values: Mapping[str, Any]) -> Iterator[Problem]:
        logits = values.get("logits")
        if logits is None:
            return
        if len(logits) != len(VOCABULARY):
            yield Problem("logits", message(
                "Logits: the number of values is {count}; it must be {all}, one for each word.",
                count=len(logits), all=len(VOCABULARY),
            ))
        yield from checks.numbers(cls, "logits", logits, -LARGEST, LARGEST)


@dataclass(frozen=True)
class SamplingAnswer:
    """The nine words at each stage; every array is (9,) except ``positions`` and ``drawn``.

    Attributes:
        logits: the logits of the request.
        plain: softmax of ``logits``: temperature 1, no top-k.
        scaled: logits divided by the temperature; at temperature 0, all except the largest are -inf.
        cut: logits after top-k; the removed ones are -inf.
        probabilities: softmax of ``cut``.
        positions: (k,) indices of the words that remain, most probable first; among equals, the first one first.
        drawn: indices of the first words drawn, 24 at most.
        counts: number of draws of each word.
        expected: expected number of draws of each word.
        spread: standard deviation of the number of draws.
    """

    words: tuple[str, ...]
    logits: Floats
    plain: Floats
    scaled: Floats
    cut: Floats
    probabilities: Floats
    positions: Floats
    drawn: Floats
    counts: Floats
    expected: Floats
    spread: Floats
    entropy_bits: float


def answer(request: SamplingRequest) -> SamplingAnswer:
    sampling_params = SamplingParams(temperature=request.temperature, top_k=request.top_k)
    stages = sampler.distribution(np.array(request.logits), sampling_params)
    after = {step.stage.name: step.after for step in stages.steps}
    p = stages.probabilities
    drawn = Draws(request.seed).multinomial(torch.from_numpy(p), request.draws).numpy()
    return SamplingAnswer(
        words=VOCABULARY, logits=stages.logits, plain=stages.plain, scaled=after["temperature"], cut=after["top_k"],
        probabilities=p, positions=best(after["top_k"], int(stages.kept.sum())),
        drawn=drawn[:FIRST], counts=np.bincount(drawn, minlength=p.size), expected=request.draws * p,
        spread=np.sqrt(request.draws * p * (1 - p)), entropy_bits=stages.entropy_bits,
    )


def code(request: SamplingRequest) -> str:
    lines = [
        "import torch",
        "",
        f"words = {' '.join(VOCABULARY)!r}.split()",
        f"logits = torch.tensor({list(request.logits)}, dtype=torch.float64)",
        *_code_of_temperature(request),
        *_code_of_top_k(request),
        "probabilities = torch.softmax(logits, dim=0)",
        f"torch.manual_seed({request.seed})",
        f"drawn = torch.multinomial(probabilities, {request.draws}, replacement=True)",
        "counts = torch.bincount(drawn, minlength=len(words))",
        "for word, probability, count in zip(words, probabilities, counts):",
        '    print(f"{word:8} {probability:.4f} {count:5}")',
    ]
    return "\n".join(lines) + "\n"


def _code_of_temperature(request: SamplingRequest) -> list[str]:
    if request.temperature == 0:
        return ["top_logits, positions = torch.max(logits, dim=0, keepdim=True)  # temperature 0: the most likely word",
                'logits = torch.full_like(logits, float("-inf")).scatter(0, positions, top_logits)']
    if math.isinf(max(request.logits) / request.temperature):  # relative to the largest, only other logits become -inf
        return [f"logits = (logits - logits.max()) / {request.temperature}"]
    return [f"logits = logits / {request.temperature}"]


def _code_of_top_k(request: SamplingRequest) -> list[str]:
    if request.top_k is None:
        return []
    return [
        f"positions = logits.argsort(descending=True, stable=True)[:{request.top_k}]  # if logits are equal, the first",
        'logits = torch.full_like(logits, float("-inf")).scatter(0, positions, logits[positions])',
    ]


def table(answer: SamplingAnswer) -> Table:
    stages = (answer.logits, answer.scaled, answer.cut, answer.probabilities, answer.counts, answer.expected)
    rows = zip(answer.words, *(stage.tolist() for stage in stages), strict=True)
    return Table(
        ("word", "logit", "after temperature", "after top-k", "probability", "drawn", "expected"), tuple(rows)
    )


def values(answer: SamplingAnswer) -> dict[str, float]:
    return {
        "entropy": answer.entropy_bits, "top_probability": float(answer.probabilities.max()),
        "kept": len(answer.positions), "words_drawn": int((answer.counts > 0).sum()),
        "pizza": float(answer.probabilities[VOCABULARY.index("pizza")]),
    }


LAB = Lab(
    name="sampling", request=SamplingRequest, answer=answer,
    sources=(BookSource("5.3", "Decoding strategies to control randomness"),),
    examples=(Example(message("The three most likely of nine words"), SamplingRequest()),),
    figures=(
        Figure(("top_k", "logits"), lambda a: [value if np.isfinite(value) else None for value in a.cut.tolist()],
               message("three logits kept, the others removed")),
        Figure(("top_k", "k"), lambda a: len(a.positions), message("number of words kept")),
        Figure(("top_k", "positions"), lambda a: a.positions,
               message("positions of the words kept, most likely first")),
        Figure(("top_k", "probabilities"), lambda a: a.probabilities, message("probabilities after top-k")),
        Figure(("book", "top_logits"), lambda a: a.cut[a.positions], message("largest logits, in descending order"),
               also=[6.75, 6.28, 4.51]),
    ),
    code=code, table=table, values=values,
)
