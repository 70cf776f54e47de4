"""A lab's random numbers equal torch's, to the bit, and drawing them changes no other random state."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from gptstudio.labs.draws import Draws
from gptstudio.torch_settings import RandomStream

BOOK_INPUT = st.integers(0, 2**31)
SIZES = st.integers(1, 40)


@pytest.fixture(autouse=True)
def nobody_notices():
    before = torch.get_rng_state()
    yield
    assert torch.equal(before, torch.get_rng_state())


@given(BOOK_INPUT, SIZES, SIZES)
def test_that_draws_are_those_after_manual_seed(seed, rows, columns):
    draws = Draws(seed)
    with RandomStream(seed).active():
        assert torch.equal(draws.randn(rows, columns), torch.randn(rows, columns))
        assert torch.equal(draws.rand(rows, columns), torch.rand(rows, columns))
        assert torch.equal(draws.randn(rows, columns), nn.Embedding(rows, columns).weight)


@given(BOOK_INPUT, SIZES, SIZES, st.booleans())
def test_that_a_linear_layer_and_what_follows_are_drawn_as_torch_draws_them(seed, inputs, outputs, bias):
    draws = Draws(seed)
    weight, shift = draws.linear(inputs, outputs, bias)
    with RandomStream(seed).active():
        layer = nn.Linear(inputs, outputs, bias=bias)
        assert torch.equal(weight, layer.weight)
        assert shift is None if not bias else torch.equal(shift, layer.bias)
        assert torch.equal(draws.rand(5), torch.rand(5))


@given(BOOK_INPUT, SIZES, st.sampled_from([0.0, 0.1, 0.5, 0.9, 1.0]))
def test_that_dropout_drops_the_same_values_as_torchs(seed, size, rate):
    draws, values = Draws(seed), torch.arange(1.0, size * size + 1).view(size, size)
    with RandomStream(seed).active():
        assert torch.equal(draws.dropout(values, rate), nn.Dropout(rate).train()(values))


def test_that_nothing_is_drawn_at_a_rate_of_zero():
    draws = Draws(123)
    draws.dropout(torch.ones(6, 6), 0)
    assert torch.equal(draws.rand(3), Draws(123).rand(3))


@given(BOOK_INPUT, SIZES, st.integers(1, 1000))
def test_that_tokens_are_sampled_as_torch_samples_them(seed, size, count):
    chances = Draws(seed).rand(size) + 0.01
    with RandomStream(seed + 1).active():
        expected = torch.multinomial(chances, count, replacement=True)
    assert torch.equal(Draws(seed + 1).multinomial(chances, count), expected)


def test_that_two_streams_of_one_seed_are_equal_and_of_two_seeds_differ():
    assert torch.equal(Draws(1).rand(9), Draws(1).rand(9))
    assert not torch.equal(Draws(1).rand(9), Draws(2).rand(9))
