"""The lab of the optimizers: torch's own steps, and the formulas on its page."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lab_output import as_json

from gptstudio.labs.optimizers import LAB, OptimizersRequest, answer, orthogonal

requests = st.builds(
    OptimizersRequest, condition=st.floats(1, 40), x=st.floats(-9, 9), y=st.floats(-9, 9),
    adamw_rate=st.floats(0.01, 1), sgd_rate=st.floats(0.001, 0.02), momentum=st.floats(0, 0.95),
    muon_rate=st.floats(0.01, 1), steps=st.integers(1, 12),
)


@settings(max_examples=10)
@given(requests)
def test_that_the_weights_are_those_of_the_formulas(lab_request):
    got = answer(lab_request)
    assert list(got.descents) == ["adamw", "sgd", "muon"]
    for name, descent in got.descents.items():
        assert descent.points.shape == (lab_request.steps + 1, 2)
        assert descent.points[0] == pytest.approx([lab_request.x, lab_request.y], rel=1e-6)
        x, y = descent.points.T
        np.testing.assert_allclose(descent.losses, (x**2 + lab_request.condition * y**2) / 2, rtol=1e-4, atol=1e-6)
        if name != "muon":  # whose rounding to bf16 can change with a last digit
            assert descent.apart < 1e-3
        moved = descent.points[:-1] - getattr(lab_request, f"{name}_rate") * descent.directions
        np.testing.assert_allclose(moved, descent.points[1:], atol=1e-9)


def test_that_the_examples_by_the_formula_are_torchs_also_with_muon():
    for example in LAB.examples:
        for name, descent in answer(example.request).descents.items():
            assert descent.apart <= 1e-5 * max(1.0, np.abs(descent.points).max()), (example.name, name)


def test_that_the_first_steps_have_the_directions_that_the_page_names():
    """SGD: the gradient; AdamW: equal along both axes; Muon: near one along both."""
    descents = answer(OptimizersRequest()).descents
    np.testing.assert_allclose(descents["sgd"].directions[0], [-8, 50], rtol=1e-5)
    np.testing.assert_allclose(descents["adamw"].directions[0], [-1, 1], rtol=1e-5)
    assert np.abs(descents["muon"].directions[0]) == pytest.approx([1, 1], abs=0.35)


@given(st.floats(-100, 100).filter(lambda x: abs(x) > 1), st.floats(-100, 100).filter(lambda x: abs(x) > 1))
def test_that_the_newton_schulz_iterations_bring_singular_values_near_one(x, y):
    made = orthogonal(np.array([x, y]))
    assert np.sign(made).tolist() == [np.sign(x), np.sign(y)]
    assert np.abs(made).max() < 1.4
    assert np.abs(made).min() > 0.3 or min(abs(x), abs(y)) < 0.03 * max(abs(x), abs(y))


def test_that_sgd_leaves_the_valley_above_the_rate_that_the_page_names():
    """2 (1 + momentum) / steepness."""
    edge = 2 * 1.9 / 25
    calm, wild = (answer(OptimizersRequest(sgd_rate=rate, steps=200)).descents["sgd"].losses
                  for rate in (0.95 * edge, 1.05 * edge))
    assert calm[-1] < calm[0] < wild[-1]


def test_that_a_descent_to_infinity_is_answered_too():
    got = answer(OptimizersRequest(condition=1000, sgd_rate=1.0, adamw_rate=5, muon_rate=5, steps=200))
    assert not np.isfinite(got.descents["sgd"].losses[-1])
    assert len(LAB.table(got).rows) == 201
    as_json(got)
