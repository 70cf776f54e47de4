"""Self-attention, from dot products to several heads (Vaswani et al., 2017; book §3.3 to §3.6)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from gptstudio.field_view import Matrix
from gptstudio.i18n import message
from gptstudio.labs.attention_code import code
from gptstudio.labs.attention_request import AttentionRequest
from gptstudio.labs.draws import Draws
from gptstudio.labs.lab import BookSource, Example, Figure, Floats, Lab, Table


@dataclass(frozen=True)
class Head:
    """One attention, step by step. T words, d_in numbers each; a row of (T, T) is a word that looks."""

    w_query: Floats
    """(d_in, d_out), as the other two; (0, 0) where there are no weights yet."""
    w_key: Floats
    w_value: Floats
    queries: Floats
    """(T, d_out), as the other two; the inputs themselves where there are no weights yet."""
    keys: Floats
    values: Floats
    scores: Floats
    scaled: Floats
    masked: Floats
    """The scaled scores, minus infinity for every later word."""
    before: Floats
    """Masked, then softmax."""
    unmasked: Floats
    """Softmax of all the scores: later words had a part in each row's sum."""
    cut: Floats
    """The same, with zero for every later word: rows sum to less than 1."""
    after: Floats
    """The same, each row divided by its sum; nan where the sum is zero."""
    weights: Floats
    """Those of the four that the question chose."""
    dropped: Floats
    context: Floats
    """(T, d_out): each word's weighted sum of the values."""


@dataclass(frozen=True)
class AttentionAnswer:
    """Result of attention over the words; ``context`` is that of all heads concatenated, (T, heads · d_out)."""

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
    """W_query, W_key and W_value, each (d_in, d_out), in the order in which the book draws them."""
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
    chosen = _chosen(request, before=before, unmasked=unmasked, cut=cut, after=after)
    dropped = chance.dropout(chosen, request.rate) if request.reaches("dropout") else chosen
    steps = (queries, keys, values, scores, scaled, masked, before, unmasked, cut, after, chosen, dropped)
    return Head(*_three(weights), *(step.numpy() for step in (*steps, dropped @ values)))


def _three(weights: tuple[Tensor, ...]) -> tuple[Floats, ...]:
    return tuple(weight.numpy() for weight in weights) or (np.empty((0, 0), np.float32),) * 3


def _chosen(request: AttentionRequest, *, before: Tensor, unmasked: Tensor, cut: Tensor, after: Tensor) -> Tensor:
    if not request.reaches("mask") or request.mask == "none":
        return unmasked
    if request.mask == "before":
        return before
    return after if request.renormalise else cut


STEPS = ("queries", "keys", "values", "scores", "scaled", "masked", "weights", "dropped", "context")


def table(answer: AttentionAnswer) -> Table:
    """A row for each word at each step of each head, in as many columns as the widest step has."""
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
        "struck": float(np.count_nonzero((head.weights != 0) & (head.dropped == 0))),
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
