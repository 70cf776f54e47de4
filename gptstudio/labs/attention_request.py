"""Request of the attention lab: words as vectors, and the stages of attention built over them. No torch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal, get_args

from gptstudio.field_view import Matrix
from gptstudio.fields import Problem, Spec, setting
from gptstudio.i18n import message
from gptstudio.labs import checks

Stage = Literal["products", "weights", "mask", "dropout", "heads"]
STAGES: tuple[Stage, ...] = get_args(Stage)
"""Each adds one thing to the one before."""
MOST_WORDS, LARGEST = 8, 100.0


class AttentionRequest(Spec):
    """Some words as vectors, and how far attention is built up over them."""

    stage: Stage = setting(
        "products", "Stage",
        "How much of attention is built: dot products, trainable weights, mask, dropout, heads.", panel=False
    )
    words: str = setting("", "Words", "Separated by spaces; as many words as there are rows of numbers.")
    inputs: Matrix = setting((), "Inputs",
        "One row of numbers per word; all rows must have the same length.", panel=False)
    query: int = setting(2, "Query",
        "The word that attends to the others, counted from 1.", low=1, high=MOST_WORDS, step=1)
    d_out: int = setting(2, "d_out", "Number of elements of each query, key and value, per head.",
                         low=1, high=8, step=1)
    drawn: Literal["Linear", "rand"] = setting(
        "Linear", "Weight initialisation",
        "Linear: as in nn.Linear, random numbers around 0. rand: as in torch.rand, random numbers from 0 to 1."
    )
    seed: int = setting(789, "Random seed", "The same random seed gives the same weights.", low=0, high=2**63 - 1)
    scale: bool = setting(True, "Divide by √d_k", "Divides the scores by the square root of the size of the keys.")
    mask: Literal["before", "after", "none"] = setting(
        "before", "Mask", "Masks later words before the softmax, after it, or not at all."
    )
    renormalise: bool = setting(
        True, "Renormalise rows",
        "With the mask after the softmax: divides each row by its sum, so that it sums to 1 again."
    )
    rate: float = setting(0.5, "Dropout", "Fraction of the weights that is dropped.", low=0, high=0.99, step=0.05)
    drop_seed: int = setting(123, "Dropout seed", "The same random seed drops the same weights.", low=0, high=2**63 - 1)
    heads: int = setting(2, "Heads", "Number of attention heads, each with its own weights.", low=1, high=4, step=1)

    @classmethod
    def relations(cls, values: Mapping[str, Any]) -> Iterator[Problem]:
        if "inputs" in values:
            yield from checks.matrix(
                cls, "inputs", values["inputs"], rows=(1, MOST_WORDS), columns=(1, 8), largest=LARGEST
            )
            yield from _not_as_many(values)
        if "query" in values and "inputs" in values and values["query"] > len(values["inputs"]) > 0:
            yield Problem("query", message(
                "Query ({query}) must be between 1 "
                "and the number of words ({count}).", query=values["query"], count=len(values["inputs"])
            ))

    @property
    def tokens(self) -> tuple[str, ...]:
        return tuple(self.words.split())

    def reaches(self, stage: Stage) -> bool:
        """Return whether this request includes a stage."""
        return STAGES.index(self.stage) >= STAGES.index(stage)


def _not_as_many(values: Mapping[str, Any]) -> Iterator[Problem]:
    count, rows = len(str(values.get("words", "")).split()), len(values["inputs"])
    if "words" in values and rows and count != rows:
        yield Problem("words", message(
            "The number of words is {count}, but the number of rows in Inputs is {rows}. The two must match.",
            count=count, rows=rows,
        ))
