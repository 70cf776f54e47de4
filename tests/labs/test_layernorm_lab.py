"""Layer normalization: the printed figures, torch's own layers, and input that cannot be normalized."""

import numpy as np
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from gptstudio.labs.layernorm import LAB, ONE, ZERO, LayerNormRequest, answer

BY_BOOK = {example.name: example.request for example in LAB.examples}
BATCHES = st.tuples(st.integers(1, 8), st.integers(2, 8)).flatmap(
    lambda shape: st.lists(
        st.lists(st.integers(-400, 400).map(lambda n: n / 100), min_size=shape[1], max_size=shape[1]).map(tuple),
        min_size=shape[0], max_size=shape[0],
    )
).map(tuple)


def test_that_a_shift_of_one_moves_every_number_by_one_and_no_variance():
    zero, one = answer(BY_BOOK[ZERO]), answer(BY_BOOK[ONE])
    np.testing.assert_allclose(one.out, zero.out + 1, rtol=1e-6)
    np.testing.assert_allclose(one.out_variance, zero.out_variance, rtol=1e-5)


@given(BATCHES, st.floats(1e-6, 1), st.floats(-10, 10), st.floats(-10, 10))
def test_that_it_is_torchs_layer_norm(batch, eps, scale, shift):
    got = answer(LayerNormRequest(batch=batch, eps=eps, scale=scale, shift=shift))
    width = len(batch[0])
    expected = nn.functional.layer_norm(
        torch.tensor(batch), (width,), torch.full((width,), scale), torch.full((width,), shift), eps
    )
    np.testing.assert_allclose(got.out, expected.numpy(), atol=2e-4, rtol=1e-4)


@given(BATCHES.filter(lambda batch: len(batch) > 1), st.floats(1e-5, 1))
def test_that_by_columns_it_is_torchs_batch_norm(batch, eps):
    expected = nn.functional.batch_norm(torch.tensor(batch), None, None, training=True, eps=eps)
    got = answer(LayerNormRequest(batch=batch, eps=eps)).columns.normalised
    np.testing.assert_allclose(got, expected.numpy(), atol=2e-4, rtol=1e-4)


@given(BATCHES)
def test_that_the_two_variances_differ_by_the_factor_n_over_n_minus_one(batch):
    side, width = answer(LayerNormRequest(batch=batch)).rows, len(batch[0])
    np.testing.assert_allclose(side.by_n * width, side.by_less * (width - 1), rtol=1e-5, atol=1e-6)


def test_that_a_batch_of_one_has_columns_of_zeros():
    one = BY_BOOK[ZERO].batch[:1]
    got = answer(LayerNormRequest(batch=one))
    assert not got.columns.normalised.any()
    np.testing.assert_allclose(got.out, answer(BY_BOOK[ZERO]).out[:1])
    assert np.isnan(answer(LayerNormRequest(batch=one, unbiased=True)).columns.normalised).all()


def test_that_a_row_of_equal_numbers_needs_eps():
    same = ((2.0, 2.0, 2.0), (1.0, 2.0, 4.0))
    assert not answer(LayerNormRequest(batch=same)).out[0].any()
    assert np.isnan(answer(LayerNormRequest(batch=same, eps=0.0)).out[0]).all()
    assert np.isfinite(answer(LayerNormRequest(batch=same, eps=0.0)).out[1]).all()
