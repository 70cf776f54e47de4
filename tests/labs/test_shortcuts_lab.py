"""The shortcuts lab: all five printed rows of gradients, the rule of shapes, many seeds, and the code."""

import numpy as np
import pytest

from gptstudio.labs.lab import compare
from gptstudio.labs.shortcuts import LAB, ShortcutsRequest, answer, values

BOOKS = {example.name: example.request for example in LAB.examples}


def test_that_a_book_has_its_own_row_only(numbers):
    """The place where the seed is set, and the kind of GELU, affect the printed digits."""
    assert {figure.relative for figure in LAB.figures} == {numbers["shortcuts"]["relative_tolerance"]}
    tanh, exact, once = (
        {c.figure.place[-1] for c in compare(LAB, answer(lab_request)) if c.agrees} for lab_request in BOOKS.values()
    )
    assert tanh == {"tanh GELU, without shortcut", "tanh GELU, with shortcut"}
    assert exact == {"exact GELU, without shortcut", "exact GELU, with shortcut"}
    assert once == {"tanh GELU, without shortcut", "tanh GELU, with shortcut, built second after one seed"}


@pytest.mark.parametrize("seeded", ["before each", "once for both"])
def test_that_many_seeds_at_once_equal_each_seed_by_itself(seeded):
    lab_request = ShortcutsRequest(seed=5, seeds=60, seeded=seeded)
    found, last = answer(lab_request), answer(lab_request.but(seed=64, seeds=1))
    assert found.without.means.shape == found.with_shortcuts.means.shape == (60, 5)
    np.testing.assert_allclose(found.without.means[-1], last.without.first, rtol=1e-5)
    np.testing.assert_allclose(found.with_shortcuts.means[-1], last.with_shortcuts.first, rtol=1e-5)
    low, middle, high = found.without.bands
    assert (low <= middle).all()
    assert (middle <= high).all()


def test_that_a_shortcut_is_added_only_where_shapes_agree():
    narrowing = ShortcutsRequest(layer_sizes=(5, 4, 3, 2), input=(1.0,) * 5)
    found = answer(narrowing)
    assert found.joined.tolist() == [False, False, False]
    np.testing.assert_array_equal(found.without.first, found.with_shortcuts.first)
    assert answer(ShortcutsRequest()).joined.tolist() == [True, True, True, True, False]


def test_that_the_first_layers_of_a_deep_network_learn_nothing_without_shortcuts():
    found = values(answer(ShortcutsRequest(layer_sizes=(*(3,) * 20, 1))))
    assert found["ratio_without"] < 1e-6
    assert found["ratio_with"] > 0.01


def test_that_a_mean_is_that_of_the_whole_gradient():
    for net in (answer(ShortcutsRequest()).without, answer(ShortcutsRequest()).with_shortcuts):
        assert [np.abs(gradient).mean() for gradient in net.gradients] == pytest.approx(net.first, rel=1e-6)


def test_that_the_value_of_version_0_1_is_read():
    assert ShortcutsRequest.make({"seeded": "anew for each"}) == ShortcutsRequest(seeded="before each")
