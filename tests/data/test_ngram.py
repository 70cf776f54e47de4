"""The table of n-grams: probabilities by the formula, and the loss of a text."""

import math
from collections import Counter, defaultdict
from itertools import pairwise

import numpy as np
import pytest

from gptstudio.data.ngram import NgramTable

VOCABULARY = 9
IDS = np.random.default_rng(1).integers(0, 7, 300).tolist()  # 7 and 8 stand nowhere
OTHER = np.random.default_rng(2).integers(0, VOCABULARY, 50).tolist()


@pytest.fixture(scope="module")
def table() -> NgramTable:
    return NgramTable(IDS, VOCABULARY)


def discount(counts) -> float:
    once, twice = (sum(count == n for count in counts) for n in (1, 2))
    return once / (once + 2 * twice) if once else 0.5


def by_formula(context: list[int]) -> list[float]:
    """Interpolated Kneser-Ney (Chen and Goodman, 1998, section 2.7), written out with dicts."""
    triples = Counter(zip(IDS, IDS[1:], IDS[2:], strict=False))
    before = Counter(triple[1:] for triple in triples)  # different tokens before a pair
    alone = Counter(second for _, second in set(pairwise(IDS)))
    orders = [{(): {(w,): n for w, n in alone.items()}}, defaultdict(dict), defaultdict(dict)]
    for (v, w), n in before.items():
        orders[1][v,][w,] = n
    for (u, v, w), n in triples.items():
        orders[2][u, v][w,] = n
    shares = [1 / VOCABULARY] * VOCABULARY
    for length, order in enumerate(orders[: len(context) + 1]):
        found = order.get(tuple(context[len(context) - length :]))
        if found:
            less = discount([n for counts in order.values() for n in counts.values()])
            total = sum(found.values())
            shares = [(max(found.get((w,), 0) - less, 0) + less * len(found) * share) / total
                      for w, share in enumerate(shares)]
    return shares


@pytest.mark.parametrize("context", [[], [3], [3, 4], [8], [2, 8], [8, 2], [1, 2, 3]])
def test_that_probabilities_are_those_of_the_formula(table, context):
    found = table.probabilities(context)
    assert found == pytest.approx(by_formula(context[-2:]), rel=1e-12)
    assert found.sum() == pytest.approx(1)
    assert found.min() > 0, "also of a token that stands nowhere"


def test_that_the_loss_is_the_mean_over_a_text_from_its_first_token(table):
    expected = -np.mean([math.log(by_formula(OTHER[max(0, n - 2) : n])[token]) for n, token in enumerate(OTHER)])
    assert table.loss(OTHER) == pytest.approx(expected, rel=1e-12)


def test_that_parts_of_a_long_text_give_the_same_loss(table, monkeypatch):
    whole = table.loss(OTHER)
    monkeypatch.setattr("gptstudio.data.ngram.AT_ONCE", 7)
    assert table.loss(OTHER) == pytest.approx(whole, rel=1e-12)


@pytest.mark.parametrize("ids", [[], [3], [3, 3]])
def test_that_a_text_too_short_for_3_grams_gives_a_table_of_what_there_is(ids):
    table = NgramTable(ids, VOCABULARY)
    assert table.probabilities([3, 3]).sum() == pytest.approx(1)
    assert math.isnan(table.loss([]))


def test_that_what_was_read_is_predicted_better_than_what_was_not(table):
    assert table.loss(IDS) < table.loss(OTHER)
