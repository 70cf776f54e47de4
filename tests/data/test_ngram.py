"""The table of n-grams: probabilities by the formula, and the loss of a text."""

import math
from collections import Counter

import numpy as np
import pytest

from gptstudio.data.ngram import NgramTable

VOCABULARY = 9
IDS = np.random.default_rng(1).integers(0, 7, 300).tolist()  # 7 and 8 do not occur
OTHER = np.random.default_rng(2).integers(0, VOCABULARY, 50).tolist()


@pytest.fixture(scope="module")
def table() -> NgramTable:
    return NgramTable(IDS, VOCABULARY)


def discount(counts) -> float:
    once, twice = (sum(count == n for count in counts) for n in (1, 2))
    return once / (once + 2 * twice) if once else 0.5


def by_formula(context: list[int], n: int = 3) -> list[float]:
    """Interpolated Kneser-Ney (Chen and Goodman, 1998, section 2.7), written out with dicts."""
    shares = [1 / VOCABULARY] * VOCABULARY
    for length in range(min(n, len(context) + 1)):
        grams = Counter(tuple(IDS[at : at + length + 1]) for at in range(len(IDS) - length))
        if length + 1 < n:  # different tokens before it
            longer = {tuple(IDS[at : at + length + 2]) for at in range(len(IDS) - length - 1)}
            grams = Counter(gram[1:] for gram in longer)
        last = tuple(context[len(context) - length :])
        found = {gram[-1]: count for gram, count in grams.items() if gram[:-1] == last}
        if found:
            less, total = discount(grams.values()), sum(found.values())
            shares = [(max(found.get(w, 0) - less, 0) + less * len(found) * share) / total
                      for w, share in enumerate(shares)]
    return shares


@pytest.mark.parametrize("n", [1, 2, 3, 4, 6])
def test_that_probabilities_are_those_of_the_formula(n):
    table = NgramTable(IDS, VOCABULARY, n)
    for context in ([], [3], [3, 4], [8], [2, 8], [8, 2], [1, 2, 3], IDS[40:48]):
        found = table.probabilities(context)
        assert found == pytest.approx(by_formula(context, n), rel=1e-12)
        assert found.sum() == pytest.approx(1)
        assert found.min() > 0, "also of a token that stands nowhere"


def test_that_tokens_before_one_outside_the_vocabulary_are_not_counted(table):
    assert table.probabilities([3, VOCABULARY, 4]).tolist() == table.probabilities([4]).tolist()
    assert table.probabilities([4, VOCABULARY]).tolist() == table.probabilities([]).tolist()


@pytest.mark.parametrize("n", [1, 2, 3, 5])
def test_that_a_context_counts_as_seen_where_a_token_follows_it_in_the_text(n):
    contexts = {tuple(IDS[at : at + n - 1]) for at in range(len(IDS) - n + 1)}
    wanted = [tuple(OTHER[at : at + n - 1]) in contexts for at in range(len(OTHER) - n + 1)]
    assert NgramTable(IDS, VOCABULARY, n).seen(OTHER) == pytest.approx(np.mean(wanted))
    assert NgramTable(IDS, VOCABULARY, n).seen(IDS) == 1
    assert math.isnan(NgramTable(IDS, VOCABULARY, n).seen([]))


@pytest.mark.parametrize("n", [1, 3, 4])
def test_that_the_loss_is_the_mean_over_a_text_from_its_first_token(n):
    expected = -np.mean([math.log(by_formula(OTHER[:at], n)[token]) for at, token in enumerate(OTHER)])
    assert NgramTable(IDS, VOCABULARY, n).loss(OTHER) == pytest.approx(expected, rel=1e-12)


def test_that_parts_of_a_long_text_give_the_same_loss(table, monkeypatch):
    whole = table.loss(OTHER)
    monkeypatch.setattr("gptstudio.data.ngram.PREDICTED_AT_ONCE", 7)
    assert table.loss(OTHER) == pytest.approx(whole, rel=1e-12)


@pytest.mark.parametrize("ids", [[], [3], [3, 3]])
def test_that_a_text_too_short_for_3_grams_gives_a_table_of_shorter_ones(ids):
    table = NgramTable(ids, VOCABULARY)
    assert table.probabilities([3, 3]).sum() == pytest.approx(1)
    assert math.isnan(table.loss([]))
