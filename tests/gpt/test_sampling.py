"""From logits to the drawn token: every stage, and chance that keeps its promises."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from gptstudio.gpt import sampling

VOCAB = 50_257
many_logits = arrays(np.float32, st.integers(1, 60), elements=st.floats(-50, 50, width=32))
tied_logits = arrays(np.float64, st.integers(1, 60), elements=st.sampled_from([0.0, 1.0, 2.0]))
temperatures = st.sampled_from([0.0, 1e-300, 1e-6, 0.1, 1.0, 3.0, 100.0])


@given(many_logits | tied_logits, temperatures, st.none() | st.integers(0, 70))
def test_that_probabilities_are_probabilities(logits, temperature, top_k):
    stages = sampling.distribution(logits, temperature, top_k)
    for probabilities in (stages.plain, stages.probabilities):
        assert probabilities.shape == logits.shape
        assert probabilities.min() >= 0
        assert probabilities.sum() == pytest.approx(1.0, abs=1e-12)
    assert not stages.probabilities[~stages.kept].any()
    assert 0 <= stages.entropy_bits <= math.log2(logits.size) + 1e-9


@given(tied_logits, st.integers(1, 70))
def test_that_exactly_k_tokens_stay_also_when_logits_tie(logits, k):
    kept = sampling.distribution(logits, 1.0, k).kept
    assert kept.sum() == min(k, logits.size)
    best = sorted(range(logits.size), key=lambda i: (-logits[i], i))[:k]
    assert sorted(np.flatnonzero(kept).tolist()) == sorted(best), "of equals the lower id stays"


@pytest.mark.parametrize("top_k", [None, 0, 3, 9, 10])
def test_that_no_k_and_a_k_beyond_all_keep_all(top_k):
    logits = np.array([1.0, 5.0, 3.0])
    assert sampling.distribution(logits, 1.0, top_k).kept.all()


@given(tied_logits | many_logits, st.none() | st.integers(1, 70))
def test_that_temperature_zero_is_the_likeliest_token_for_certain(logits, top_k):
    stages = sampling.distribution(logits, 0.0, top_k)
    assert stages.probabilities[np.argmax(logits)] == 1.0
    assert stages.entropy_bits == 0.0
    assert sampling.draw(stages.probabilities, np.random.default_rng(0)) == np.argmax(logits)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("temperature", [1e-6, 1e-300, 5e-324])
def test_that_a_tiny_temperature_does_not_overflow(temperature):
    stages = sampling.distribution(np.array([-3e38, 80.0, 80.0, 79.0, 3e4, 3e4]), temperature)
    assert stages.probabilities.tolist() == [0, 0, 0, 0, 0.5, 0.5]


@pytest.mark.parametrize("temperature", [-1.0, -1e-9, math.nan, math.inf])
def test_that_a_temperature_that_is_none_is_refused(temperature):
    with pytest.raises(ValueError, match="temperature is"):
        sampling.distribution(np.zeros(3), temperature)


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_that_logits_that_are_not_numbers_are_refused(bad):
    with pytest.raises(ValueError, match="not numbers"):
        sampling.distribution(np.array([1.0, bad, 2.0]))


def test_that_nothing_possible_at_all_is_refused_but_one_impossible_token_is_not():
    with pytest.raises(ValueError, match="not numbers"):
        sampling.distribution(np.full(3, -np.inf))
    assert sampling.distribution(np.array([0.0, -np.inf])).probabilities.tolist() == [1.0, 0.0]


def test_that_temperature_is_the_books_division():
    logits = np.array([4.51, 0.89, -1.90, 6.75, 1.63, -1.62, -1.89, 6.28, 1.79])
    for temperature in (0.1, 1.0, 5.0):
        plain = np.exp(logits / temperature) / np.exp(logits / temperature).sum()
        assert sampling.distribution(logits, temperature).probabilities == pytest.approx(plain, rel=1e-9)


def test_that_what_is_cut_away_is_shared_by_the_rest_in_proportion():
    logits = np.log([0.5, 0.25, 0.2, 0.05])
    assert sampling.distribution(logits, 1.0, 2).probabilities == pytest.approx([2 / 3, 1 / 3, 0, 0])
    assert sampling.distribution(logits, 1.0, 2).plain == pytest.approx([0.5, 0.25, 0.2, 0.05])


@given(many_logits, st.integers(1, 70))
def test_that_the_likeliest_come_best_first_before_anything_is_cut(logits, count):
    found = sampling.distribution(logits, 0.7, 1).likeliest(count)
    plain = sampling.softmax(logits.astype(np.float64))
    assert found.tolist() == sorted(range(logits.size), key=lambda i: (-plain[i], i))[:count]


def test_that_entropy_is_in_bits():
    assert sampling.distribution(np.zeros(8)).entropy_bits == pytest.approx(3.0)
    assert sampling.distribution(np.zeros(8), 1.0, 2).entropy_bits == pytest.approx(1.0)


def test_that_draws_follow_the_probabilities():
    probabilities = sampling.distribution(np.array([2.0, 1.0, 0.5, 0.0, -1.0, -4.0, -np.inf]), 0.8).probabilities
    rng, draws = np.random.default_rng(7), 10_000
    counts = np.bincount([sampling.draw(probabilities, rng) for _ in range(draws)], minlength=7)
    sigma = np.sqrt(draws * probabilities * (1 - probabilities))
    assert (np.abs(counts - draws * probabilities) <= 4 * sigma).all(), counts
    assert counts[6] == 0


def test_that_the_same_seed_draws_the_same_and_another_does_not():
    probabilities = np.full(1000, 1 / 1000)

    def draws(seed):
        rng = np.random.default_rng(seed)
        return [sampling.draw(probabilities, rng) for _ in range(20)]

    assert draws(3) == draws(3) != draws(4)


class Edge:
    """A generator at the ends of its range."""

    def __init__(self, value: float):
        self.value = value

    def random(self) -> float:
        return self.value


@given(arrays(np.float64, st.integers(1, 300), elements=st.sampled_from([0.0, 1e-300, 0.1, 1 / 3, 0.7, 1.0])))
def test_that_only_a_possible_token_is_drawn_at_the_ends_of_chance(weights):
    if weights.sum() == 0:
        return
    probabilities = weights / weights.sum()
    for value in (0.0, np.nextafter(1.0, 0.0)):
        assert probabilities[sampling.draw(probabilities, Edge(value))] > 0


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_that_the_whole_vocabulary_is_reshaped_in_any_dtype_and_left_as_it_was(dtype):
    logits = np.random.default_rng(1).normal(size=VOCAB).astype(dtype)
    before = logits.copy()
    stages = sampling.distribution(logits, 0.9, 50)
    assert stages.kept.sum() == 50
    assert stages.probabilities.sum() == pytest.approx(1.0, abs=1e-12)
    assert np.array_equal(logits, before)
