"""Beam search on a table of next-word probabilities that is small enough to enumerate every text.

The search of Sutskever et al. (2014, §3.2) keeps the best texts at each step. The score of a text is the sum of its
log-probabilities divided by length**alpha (Wu et al., 2016, §7).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gptstudio.fields import Matrix, Problem, Spec, setting
from gptstudio.i18n import message
from gptstudio.labs import checks
from gptstudio.labs.lab import BookSource, Example, Floats, Lab, Table

WORDS = ("the", "nice", "dog", "barks", ".")
"""Every text begins with the first word; the last word ends it."""
END = len(WORDS) - 1
WEIGHTS = ((0.0, 5.0, 4.0, 0.5, 0.5), (0.5, 3.0, 4.0, 1.0, 1.5), (0.0, 0.5, 0.0, 9.0, 0.5), (2.0, 0.0, 0.0, 0.0, 8.0))
EARLY_END = ((0.0, 2.5, 3.3, 0.5, 3.7), *WEIGHTS[1:])
MOST_STEPS, MOST_WIDTH, LARGEST = 6, 8, 1_000.0
Ids = tuple[int, ...]


class BeamsRequest(Spec):
    """A table of weights, and the parameters of the search."""

    weights: Matrix = setting(
        WEIGHTS, "Weights", "How often each word follows another. Each row is divided by its sum.")
    width: int = setting(2, "Width", "How many texts are kept at each step. 1 is greedy decoding.",
        unit="beams", low=1, high=MOST_WIDTH, step=1)
    steps: int = setting(5, "Steps", "The most words that are appended.", unit="words", low=1, high=MOST_STEPS, step=1)
    length_penalty: float = setting(
        0.0, "Length penalty", "The exponent α of the length, by which the sum is divided. Above 0, longer texts gain.",
        low=0.0, high=2.0, step=0.1)

    @classmethod
    def relations(cls, values: Mapping[str, Any]) -> Iterator[Problem]:
        weights = values.get("weights")
        if weights is None:
            return
        found = list(checks.matrix(
            cls, "weights", weights, rows=(END, END), columns=(END + 1, END + 1), largest=LARGEST))
        yield from found
        for word, row in zip(WORDS, () if found else weights, strict=False):
            if min(row) < 0:
                yield Problem("weights", message("Weights: the row of “{word}” has a number below 0.", word=word))
            elif not sum(row):
                yield Problem("weights", message(
                    "Weights: the row of “{word}” has only zeros, so no word can follow. Enter a number above 0.",
                    word=word))


@dataclass(frozen=True)
class FoundText:
    """A text found by the search.

    Attributes:
        ids: indices of its words, including the first.
        log_probability: log-probability of all words after the first, in nats.
        score: ``log_probability`` divided by length**alpha.
        kept: whether it is among the best texts of its step.
    """

    ids: Ids
    log_probability: float
    score: float
    kept: bool = True

    @property
    def text(self) -> str:
        return " ".join(WORDS[word] for word in self.ids)


@dataclass(frozen=True)
class BeamsAnswer:
    """Result of a search, with greedy decoding and the best of all texts for comparison.

    Attributes:
        probabilities: (4, 5) the rows of the weights, divided by their sums.
        steps: all texts of each step, best first.
        greedy: the text of greedy decoding.
        best: the best of all texts.
        texts: number of all texts.
    """

    probabilities: Floats
    steps: tuple[tuple[FoundText, ...], ...]
    greedy: FoundText
    best: FoundText
    texts: int

    @property
    def found(self) -> FoundText:
        return self.steps[-1][0]


def answer(request: BeamsRequest) -> BeamsAnswer:
    weights = np.array(request.weights)
    probabilities = weights / weights.sum(axis=1, keepdims=True)
    with np.errstate(divide="ignore"):
        logs = np.log(probabilities)
    everything = _all_texts(logs, request)
    return BeamsAnswer(
        probabilities, tuple(_search(logs, request, request.width)), list(_search(logs, request, 1))[-1][0],
        max(everything, key=lambda beam: beam.score), len(everything))


def _search(logs: Floats, request: BeamsRequest, width: int) -> Iterator[tuple[FoundText, ...]]:
    """Yield the texts of each step, best first, until all kept texts have ended or the largest length is reached."""
    beams = [FoundText((0,), 0.0, 0.0)]
    for _ in range(request.steps):
        if all(beam.ids[-1] == END for beam in beams):
            return
        found = [beam for beam in beams if beam.ids[-1] == END]
        found += [each for beam in beams for each in _continuations(beam, logs, request)]
        found.sort(key=lambda beam: -beam.score)  # stable: among equal scores, the text of the better beam comes first
        found = [replace(each, kept=place < width) for place, each in enumerate(found)]
        yield tuple(found)
        beams = found[:width]


def _continuations(beam: FoundText, logs: Floats, request: BeamsRequest) -> Iterator[FoundText]:
    """Yield the text with each word that can follow it; nothing follows the end."""
    for word, log in enumerate(logs[beam.ids[-1]].tolist() if beam.ids[-1] != END else ()):
        if log > -math.inf:
            total = beam.log_probability + log
            yield FoundText((*beam.ids, word), total, total / len(beam.ids) ** request.length_penalty)


def _all_texts(logs: Floats, request: BeamsRequest) -> list[FoundText]:
    """Return every text that ends or has the largest length."""
    ended: list[FoundText] = []
    going = [FoundText((0,), 0.0, 0.0)]
    for _ in range(request.steps):
        longer = [each for beam in going for each in _continuations(beam, logs, request)]
        ended += [beam for beam in longer if beam.ids[-1] == END]
        going = [beam for beam in longer if beam.ids[-1] != END]
    return ended + going


def code(request: BeamsRequest) -> str:
    return f"""import numpy as np

words = {list(WORDS)}
weights = np.array({[list(row) for row in request.weights]})
with np.errstate(divide="ignore"):
    logs = np.log(weights / weights.sum(axis=1, keepdims=True))
beams, end = [((0,), 0.0)], len(words) - 1

def score(beam):
    return beam[1] / (len(beam[0]) - 1) ** {request.length_penalty}

for step in range({request.steps}):
    found = [beam for beam in beams if beam[0][-1] == end]
    found += [((*ids, word), total + logs[ids[-1], word]) for ids, total in beams if ids[-1] != end
              for word in range(len(words)) if weights[ids[-1], word] > 0]
    beams = sorted(found, key=score, reverse=True)[:{request.width}]
    print(step + 1, [(" ".join(words[word] for word in ids), round(float(total), 4)) for ids, total in beams])
"""


def table(answer: BeamsAnswer) -> Table:
    rows: list[tuple[object, ...]] = [
        (step, rank, each.text, each.log_probability, each.score, each.kept)
        for step, found in enumerate(answer.steps, start=1) for rank, each in enumerate(found, start=1)]
    others = ("greedy", answer.greedy), ("best of all", answer.best)
    rows += [(name, "", each.text, each.log_probability, each.score, "") for name, each in others]
    return Table(("step", "rank", "text", "log-probability", "score", "kept"), tuple(rows))


def values(answer: BeamsAnswer) -> dict[str, float]:
    """Return probabilities and log-probabilities of three texts; ``is_best``: 1 if the search found the best one."""
    three = {"found": answer.found, "greedy": answer.greedy, "best": answer.best}
    return {
        **{f"{name}_log": each.log_probability for name, each in three.items()},
        **{f"{name}_probability": math.exp(each.log_probability) for name, each in three.items()},
        "is_best": float(math.isclose(answer.found.score, answer.best.score)), "texts": float(answer.texts),
    }


LAB = Lab(
    name="beams", request=BeamsRequest, answer=answer,
    sources=(BookSource("5.3", "Decoding strategies to control randomness"),),
    papers=(
        "Sutskever et al., 2014, Sequence to Sequence Learning with Neural Networks",
        "Wu et al., 2016, Google's Neural Machine Translation System",
    ),
    examples=(
        Example(message("The best first word misleads"), BeamsRequest()),
        Example(message("Width 1: greedy"), BeamsRequest(width=1)),
        Example(message("The shortest text wins"), BeamsRequest(weights=EARLY_END)),
        Example(message("The same with a length penalty"), BeamsRequest(weights=EARLY_END, length_penalty=1.0)),
    ),
    figures=(), code=code, table=table, values=values,
)
