"""Self-attention, from dot products to several heads (Vaswani et al., 2017; book §3.3 to §3.6).

The module has the request, the code that a reader can run, and the answer in torch.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
import torch
from torch import Tensor

from gptstudio.fields import Matrix, Problem, Spec, setting
from gptstudio.i18n import message
from gptstudio.labs import checks
from gptstudio.labs.draws import Draws
from gptstudio.labs.lab import BookSource, Example, Figure, Floats, Lab, Table

Stage = Literal["products", "weights", "mask", "dropout", "heads"]
STAGES: tuple[Stage, ...] = get_args(Stage)
"""Stages of attention; each adds one thing to the previous one."""
MOST_WORDS, LARGEST = 8, 100.0


class AttentionRequest(Spec):
    """Words as vectors, and the stage up to which attention is built over them."""

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

    @property
    def weights_step(self) -> Literal["unmasked", "before", "cut", "after"]:
        """Name of the step of a head that gives the attention weights."""
        if not self.reaches("mask") or self.mask == "none":
            return "unmasked"
        return "before" if self.mask == "before" else "after" if self.renormalise else "cut"


def _not_as_many(values: Mapping[str, Any]) -> Iterator[Problem]:
    count, rows = len(str(values.get("words", "")).split()), len(values["inputs"])
    if "words" in values and rows and count != rows:
        yield Problem("words", message(
            "The number of words is {count}, but the number of rows in Inputs is {rows}. The two must match.",
            count=count, rows=rows,
        ))


def code(request: AttentionRequest) -> str:
    """Return code that prints the context vectors."""
    numbers = [[round(number, 6) for number in row] for row in request.inputs]
    words = [repr(word)[1:-1] for word in request.tokens]  # repr escapes characters not allowed in code, such as NUL
    rows = "\n".join(f"    {row},  # {word}" for row, word in zip(numbers, words, strict=True))
    lines = ["import torch", "", "inputs = torch.tensor([", rows, "])", *_code_of_weights(request)]
    if request.stage == "heads":
        inside = (*_code_of_head(request), "contexts.append(weights @ values)")
        lines += ["contexts = []", "for W_query, W_key, W_value in heads:", *("    " + line for line in inside)]
        lines += ["context = torch.cat(contexts, dim=-1)"]
    else:
        lines += [*_code_of_head(request), "context = weights @ values"]
    return "\n".join([*lines, "print(context)", ""])


def _code_of_weights(request: AttentionRequest) -> list[str]:
    if not request.reaches("weights"):
        return []
    d_in = len(request.inputs[0])
    one = {
        "Linear": f"torch.nn.Linear({d_in}, {request.d_out}, bias=False).weight.detach().T",
        "rand": f"torch.rand({d_in}, {request.d_out})",
    }[request.drawn]
    lines = [f"torch.manual_seed({request.seed})", f"W_query, W_key, W_value = [{one} for _ in range(3)]"]
    if request.stage == "heads":
        lines[1] = f"heads = [[{one} for _ in range(3)] for _ in range({request.heads})]"
    return [*lines, f"torch.manual_seed({request.drop_seed})"] if request.reaches("dropout") else lines


def _code_of_head(request: AttentionRequest) -> list[str]:
    """Return the lines from the inputs to the attention weights."""
    weights = request.reaches("weights")
    lines = ["queries, keys, values = " + ("inputs @ W_query, inputs @ W_key, inputs @ W_value" if weights
                                           else "inputs, inputs, inputs")]
    lines += ["scores = queries @ keys.T" + (" / keys.shape[-1] ** 0.5" if weights and request.scale else "")]
    mask = request.mask if request.reaches("mask") else "none"
    if mask == "before":
        lines += ["later = torch.ones_like(scores).triu(diagonal=1).bool()",
                  "scores = scores.masked_fill(later, -torch.inf)"]
    lines += ["weights = torch.softmax(scores, dim=-1)"]
    if mask == "after":
        lines += ["weights = weights.tril()"]
        lines += ["weights = weights / weights.sum(dim=-1, keepdim=True)"] if request.renormalise else []
    if request.reaches("dropout"):
        lines += [f"weights = torch.nn.functional.dropout(weights, {request.rate})"]
    return lines


@dataclass(frozen=True)
class Head:
    """Steps of one attention head: T words of d_in numbers each; row i of a (T, T) matrix has word i as its query."""

    w_query: Floats
    """(d_in, d_out), like the other two; (0, 0) if the stage has no weights."""
    w_key: Floats
    w_value: Floats
    queries: Floats
    """(T, d_out), like the other two; the inputs themselves if the stage has no weights."""
    keys: Floats
    values: Floats
    scores: Floats
    scaled: Floats
    masked: Floats
    """The scaled scores, with minus infinity for every later word."""
    before: Floats
    """Softmax of ``masked``."""
    unmasked: Floats
    """Softmax of ``scaled``: later words contribute to the sum of each row."""
    cut: Floats
    """``unmasked`` with zero for every later word: the rows sum to less than 1."""
    after: Floats
    """``cut`` with each row divided by its sum; NaN if the sum is zero."""
    weights: Floats
    """The variant that the request selects."""
    dropped: Floats
    context: Floats
    """(T, d_out): weighted sum of the values for each word."""


@dataclass(frozen=True)
class AttentionAnswer:
    """Result of attention over the words; ``context`` concatenates the contexts of all heads, (T, heads · d_out)."""

    words: tuple[str, ...]
    query: int
    inputs: Floats
    heads: tuple[Head, ...]
    context: Floats


def answer(request: AttentionRequest) -> AttentionAnswer:
    x = torch.tensor(request.inputs)
    draws, chance = Draws(request.seed), Draws(request.drop_seed)
    count = request.heads if request.stage == "heads" else 1
    projections = [_projections(request, draws, x.shape[1]) for _ in range(count)]
    heads = tuple(_head(request, x, weights, chance) for weights in projections)
    contexts = np.concatenate([head.context for head in heads], axis=1)
    return AttentionAnswer(request.tokens, request.query, x.numpy(), heads, contexts)


def _projections(request: AttentionRequest, draws: Draws, d_in: int) -> tuple[Tensor, ...]:
    """Return W_query, W_key and W_value, each (d_in, d_out), in the order in which the book draws them."""
    if not request.reaches("weights"):
        return ()
    if request.drawn == "rand":
        return tuple(draws.rand(d_in, request.d_out) for _ in range(3))
    return tuple(draws.linear(d_in, request.d_out, bias=False)[0].T for _ in range(3))


def _head(request: AttentionRequest, x: Tensor, weights: tuple[Tensor, ...], chance: Draws) -> Head:
    queries, keys, values = (x @ weight for weight in weights) if weights else (x, x, x)
    scores = queries @ keys.T
    scaled = scores / math.sqrt(keys.shape[1]) if weights and request.scale else scores
    later = torch.ones_like(scores).triu(diagonal=1).bool()
    masked = scaled.masked_fill(later, -torch.inf)
    before, unmasked = torch.softmax(masked, dim=-1), torch.softmax(scaled, dim=-1)
    cut = unmasked.masked_fill(later, 0)
    after = cut / cut.sum(dim=-1, keepdim=True)
    chosen = {"before": before, "unmasked": unmasked, "cut": cut, "after": after}[request.weights_step]
    dropped = chance.dropout(chosen, request.rate) if request.reaches("dropout") else chosen
    steps = (queries, keys, values, scores, scaled, masked, before, unmasked, cut, after, chosen, dropped)
    projections = [weight.numpy() for weight in weights] or [np.empty((0, 0), np.float32)] * 3
    return Head(*projections, *(step.numpy() for step in (*steps, dropped @ values)))


STEPS = ("queries", "keys", "values", "scores", "scaled", "masked", "weights", "dropped", "context")


def table(answer: AttentionAnswer) -> Table:
    """Return one row per word, step and head, with as many columns as the widest step has."""
    rows = [
        (number, step, word, *map(float, row))
        for number, head in enumerate(answer.heads, start=1)
        for step in STEPS
        for word, row in zip(answer.words, getattr(head, step), strict=True)
    ]
    widest = max(len(row) for row in rows)
    blank = ("",) * widest
    columns = ("head", "step", "word", *(f"column {i}" for i in range(widest - 3)))
    return Table(columns, tuple((*row, *blank[len(row):]) for row in rows))


def values(answer: AttentionAnswer) -> dict[str, float]:
    """Return the first head's values for a lesson's checks: the weights of the query, and their totals."""
    head, row = answer.heads[0], answer.query - 1
    weights = head.dropped[row]
    later = np.triu(head.dropped, k=1)
    return {
        "largest_weight": float(weights.max()), "row_sum": float(weights.sum()), "later": float(later.max()),
        "dropped": float(np.count_nonzero((head.weights != 0) & (head.dropped == 0))),
        "before_against_after": float(np.abs(head.before - head.after).max()),
        **{f"weight_{number}": float(weight) for number, weight in enumerate(weights, start=1)},
        **{f"context_{number}": float(part) for number, part in enumerate(answer.context[row], start=1)},
    }


SENTENCE = "Your journey starts with one step"
INPUTS: Matrix = (
    (0.43, 0.15, 0.89), (0.55, 0.87, 0.66), (0.57, 0.85, 0.64), (0.22, 0.58, 0.33), (0.77, 0.25, 0.10),
    (0.05, 0.80, 0.55),
)
SCORES = [
    [0.9995, 0.9544, 0.9422, 0.4753, 0.4576, 0.6310], [0.9544, 1.4950, 1.4754, 0.8434, 0.7070, 1.0865],
    [0.9422, 1.4754, 1.4570, 0.8296, 0.7154, 1.0605], [0.4753, 0.8434, 0.8296, 0.4937, 0.3474, 0.6565],
    [0.4576, 0.7070, 0.7154, 0.3474, 0.6654, 0.2935], [0.6310, 1.0865, 1.0605, 0.6565, 0.2935, 0.9450],
]
WEIGHTS = [
    [0.2098, 0.2006, 0.1981, 0.1242, 0.1220, 0.1452], [0.1385, 0.2379, 0.2333, 0.1240, 0.1082, 0.1581],
    [0.1390, 0.2369, 0.2326, 0.1242, 0.1108, 0.1565], [0.1435, 0.2074, 0.2046, 0.1462, 0.1263, 0.1720],
    [0.1526, 0.1958, 0.1975, 0.1367, 0.1879, 0.1295], [0.1385, 0.2184, 0.2128, 0.1420, 0.0988, 0.1896],
]
CONTEXT = [
    [0.4421, 0.5931, 0.5790], [0.4419, 0.6515, 0.5683], [0.4431, 0.6496, 0.5671], [0.4304, 0.6298, 0.5510],
    [0.4671, 0.5910, 0.5266], [0.4177, 0.6503, 0.5645],
]
W_QUERY = [[0.2961, 0.5166], [0.2517, 0.6886], [0.0740, 0.8665]]

PRODUCTS, RAND, LINEAR = message("Dot products"), message("torch.rand"), message("nn.Linear")
CAUSAL, TWO_HEADS = message("Causal attention"), message("Two heads")
BOOK_INPUT = AttentionRequest(words=SENTENCE, inputs=INPUTS)

LAB = Lab(
    name="attention", request=AttentionRequest, answer=answer,
    sources=(
        BookSource("3.3", "Attending to different parts of the input with self-attention"),
        BookSource("3.4", "Implementing self-attention with trainable weights"),
        BookSource("3.5", "Hiding future words with causal attention"),
        BookSource("3.6", "Extending single-head attention to multi-head attention"),
    ),
    examples=(
        Example(PRODUCTS, BOOK_INPUT),
        Example(RAND, BOOK_INPUT.but(stage="weights", drawn="rand", seed=123)),
        Example(LINEAR, BOOK_INPUT.but(stage="weights")),
        Example(CAUSAL, BOOK_INPUT.but(stage="mask", seed=123)),
        Example(TWO_HEADS, BOOK_INPUT.but(stage="heads", seed=123, rate=0.0)),
    ),
    figures=(
        Figure(("attention", "words"), lambda a: a.words, message("words")),
        Figure(("attention", "inputs_6x3"), lambda a: a.inputs, message("inputs")),
        Figure(("attention", "scores_query_2"), lambda a: a.heads[0].scores[1], message("scores of “journey”")),
        Figure(("attention", "weights_6x6_row_0"), lambda a: a.heads[0].weights[0], message("weights of “Your”")),
        Figure(("attention", "weights_6x6_row_1"), lambda a: a.heads[0].weights[1], message("weights of “journey”")),
        Figure(("attention", "context_query_2"), lambda a: a.context[1], message("context vector of “journey”")),
        Figure(("attention", "context_6x3_row_0"), lambda a: a.context[0], message("context vector of “Your”")),
        Figure(("book", "attn_scores"), lambda a: a.heads[0].scores, message("all scores"), also=SCORES),
        Figure(("book", "attn_weights"), lambda a: a.heads[0].weights, message("all weights"), also=WEIGHTS),
        Figure(("book", "attn_weights[0].sum()"), lambda a: a.heads[0].weights[0].sum(),
               message("sum of a row"), also=1.0),
        Figure(("book", "all_context_vecs"), lambda a: a.context, message("all context vectors"), also=CONTEXT),
        Figure(("book", "W_query"), lambda a: a.heads[0].w_query, message("initial weights"), RAND, also=W_QUERY),
        Figure(("attention", "self_attention_linear_seed_789_d_out_2"), lambda a: a.context,
               message("context vectors"), LINEAR),
        Figure(("attention", "causal_seed_123_d_out_2_no_dropout"), lambda a: a.context, message("context vectors"),
               CAUSAL),
        Figure(("attention", "two_head_wrapper_seed_123"), lambda a: a.context, message("context vectors"), TWO_HEADS),
    ),
    code=code, table=table, values=values,
)
