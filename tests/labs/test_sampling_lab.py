"""Nine logits and the stages that lead to a sampled word."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from gptstudio.labs.sampling import LAB, LOGITS, PRINTED, SamplingRequest, answer

BOOK = LAB.examples[0].request


def test_that_the_programs_six_logits_are_smaller_than_the_printed_three(numbers):
    printed = numbers["top_k"]["logits"]
    assert [printed[place] for place in PRINTED] == [LOGITS[place] for place in PRINTED]
    ours = [LOGITS[place] for place, value in enumerate(printed) if value is None]
    assert len(ours) == 6
    assert max(ours) < min(LOGITS[place] for place in PRINTED)


def test_that_ties_keep_exactly_k():
    found = answer(SamplingRequest(logits=(1.0,) * 9, top_k=4))
    assert found.positions.tolist() == [0, 1, 2, 3]
    assert found.probabilities.tolist() == [0.25] * 4 + [0] * 5


def test_that_temperature_0_always_takes_the_largest():
    found = answer(BOOK.but(temperature=0, top_k=None))
    assert found.probabilities.tolist() == [float(place == np.argmax(LOGITS)) for place in range(9)]
    assert found.counts[3] == BOOK.draws
    assert found.entropy_bits == 0


def test_that_no_top_k_removes_nothing_and_temperature_changes_all():
    cold, hot = (answer(SamplingRequest(top_k=None, temperature=value)) for value in (0.1, 5.0))
    assert np.isfinite(cold.cut).all()
    assert cold.scaled == pytest.approx(np.array(LOGITS) / 0.1)
    assert cold.entropy_bits < answer(SamplingRequest(top_k=None)).entropy_bits < hot.entropy_bits


@given(st.lists(st.floats(-100, 100), min_size=9, max_size=9), st.floats(0, 10), st.integers(1, 9))
def test_that_the_probabilities_are_always_the_softmax_of_the_kept_logits(logits, temperature, k):
    found = answer(SamplingRequest(logits=tuple(logits), temperature=temperature, top_k=k, draws=10))
    assert found.probabilities.sum() == pytest.approx(1)
    assert found.probabilities == pytest.approx(torch.softmax(torch.from_numpy(found.cut), 0).numpy())
    assert len(found.positions) == (1 if temperature == 0 else k)
    assert found.counts.sum() == 10
    assert not found.counts[found.probabilities == 0].any()


def test_that_a_thousand_draws_are_near_their_expectation():
    found = answer(BOOK)
    assert found.counts.sum() == 1000
    left = found.probabilities > 0
    assert (np.abs(found.counts - found.expected)[left] < 4 * found.spread[left]).all()


def test_that_the_seed_alone_determines_the_draws():
    torch.manual_seed(1)
    before = torch.get_rng_state()
    first, again, other = answer(BOOK), answer(BOOK), answer(BOOK.but(seed=124))
    assert (first.counts == again.counts).all()
    assert (first.counts != other.counts).any()
    assert torch.equal(before, torch.get_rng_state())
