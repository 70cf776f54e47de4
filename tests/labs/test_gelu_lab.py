"""The activations: torch's own functions, the book's formula, and the points of their plots."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.nn import functional as F

from gptstudio.labs.gelu import FIVE, LAB, LOWEST_AT, THREE, GELURequest, answer

BY_BOOK = {example.name: example.request for example in LAB.examples}
TORCHS = {"gelu_tanh": lambda x: F.gelu(x, approximate="tanh"), "gelu": F.gelu, "relu": F.relu, "swish": F.silu}


def book_gelu(x: float) -> float:
    """GELU as the book writes it, in Python's floats."""
    return 0.5 * x * (1 + math.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


def notes_gelu(x: float) -> float:
    """GELU with the root multiplied with x alone, as the brackets in the study notes group it."""
    return 0.5 * x * (1 + math.tanh(math.sqrt(2 / math.pi) * x + 0.044715 * x**3))


@pytest.mark.parametrize(("example", "reach"), [(THREE, 3), (FIVE, 5)])
def test_that_at_the_books_100_points_gelu_and_relu_are_torchs_and_the_formulas(example, reach):
    got, x = answer(BY_BOOK[example]), torch.linspace(-reach, reach, 100)
    np.testing.assert_array_equal(got.x, x.numpy())
    np.testing.assert_allclose(got.curves["gelu_tanh"].y, F.gelu(x, approximate="tanh"), atol=1e-6)
    np.testing.assert_allclose(got.curves["gelu_tanh"].y, [book_gelu(each) for each in x.tolist()], atol=1e-6)
    np.testing.assert_array_equal(got.curves["relu"].y, F.relu(x))
    assert got.from_torch <= 1e-6
    assert got.from_exact < 5e-4


def test_that_the_slope_is_0_at_the_minimum():
    x = torch.tensor(LOWEST_AT, dtype=torch.float64, requires_grad=True)
    F.gelu(x, approximate="tanh").backward()
    assert abs(float(x.grad)) < 1e-7  # the root in the book's formula is a float32


@given(st.floats(0.5, 10), st.integers(2, 200), st.floats(-10, 10))
def test_that_values_and_slopes_are_those_of_torchs_functions(reach, points, x):
    got = answer(GELURequest(reach=reach, points=points, x=x))
    assert got.curves.keys() == TORCHS.keys()
    for name, function in TORCHS.items():
        inputs = torch.cat([torch.linspace(-reach, reach, points), torch.tensor([x])]).requires_grad_()
        y = function(inputs)
        y.sum().backward()
        curve = got.curves[name]
        np.testing.assert_allclose([*curve.y, curve.at], y.detach(), atol=2e-6)
        np.testing.assert_allclose([*curve.slope, curve.slope_at], inputs.grad, atol=2e-6)


def test_that_a_gradient_is_computed_where_gradients_are_disabled():
    with torch.no_grad():
        assert answer(GELURequest(x=1.0)).curves["relu"].slope_at == 1


def test_that_the_other_bracket_is_that_of_the_study_notes_and_its_error_is_reported():
    got = answer(GELURequest(misplaced=True))
    theirs = [notes_gelu(x) for x in got.x.tolist()]
    np.testing.assert_allclose(got.curves["misplaced"].y, theirs, atol=1e-6)
    apart = np.abs(theirs - np.array([book_gelu(x) for x in got.x.tolist()]))
    assert got.bracket == pytest.approx(apart.max(), abs=1e-6)
    assert abs(got.bracket_at) == pytest.approx(abs(got.x[apart.argmax()]), abs=1e-6)
    assert 0.006 < got.bracket < 0.0065
    assert "misplaced" not in answer(GELURequest()).curves


def test_that_relu_removes_negative_numbers_and_gelu_does_not():
    curves = answer(GELURequest(x=-0.5)).curves
    assert (curves["relu"].at, curves["relu"].slope_at) == (0, 0)
    assert curves["gelu_tanh"].at < 0 < curves["gelu_tanh"].slope_at
