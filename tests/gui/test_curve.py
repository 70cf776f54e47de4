"""The points of a curve: growing, rewinding, drawing few of many, and smoothing, each compared with a simple
implementation."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pages.charts import extend, points

from gptstudio.gui.charts.curve import CurveColumn, Series, Smoothed, decayed_sums
from gptstudio.history.columns import Axis, Columns

WIDTH = 300


def noise(count: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(3, 1, count)


def places(steps: np.ndarray) -> dict[str, np.ndarray]:
    return {"step": steps, "seconds": steps * 2.5}


def series(count: int, y: np.ndarray | None = None) -> Series:
    return points(places(np.arange(count)), noise(count) if y is None else y)


def column_of(values: np.ndarray) -> CurveColumn:
    table = Columns("y")
    table.extend(values[:, None])
    return CurveColumn(table, "y")


def plain_average(values: np.ndarray, strength: float) -> np.ndarray:
    """Return the averages, computed point by point, as the formula is printed."""
    averages, m, t = [], 0.0, 0
    for value in values:
        if np.isnan(value):
            averages.append(np.nan)
            continue
        m, t = strength * m + (1 - strength) * value, t + 1
        averages.append(m / (1 - strength**t))
    return np.array(averages)


def lows_and_highs(column: CurveColumn, edges: list[int]) -> tuple[np.ndarray, np.ndarray]:
    _, lows, highs = column.extremes(np.array(edges))
    return lows, highs


# Growing.


def test_that_points_added_one_by_one_and_in_arrays_are_the_same_curve():
    whole, grown = series(3000), series(0)
    values = noise(3000)
    for step in range(700):
        extend(grown, places(np.array([step])), values[step])
        grown.thinned("step", 0, step, 2)
    extend(grown, places(np.arange(700, 3000)), values[700:])
    for axis in ("step", "seconds"):
        np.testing.assert_array_equal(grown.x(axis), whole.x(axis))
        one, other = (each.thinned(axis, 10, 2000, WIDTH) for each in (grown, whole))
        np.testing.assert_array_equal(one, other)


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 60_000)), min_size=1, max_size=8), st.integers(1, 400))
def test_that_lows_and_highs_are_correct_after_any_additions_and_cuts(changes, ranges):
    column, plain = column_of(np.empty(0)), np.empty(0)
    for number, (cut, count) in enumerate(changes):
        if cut:
            column.table.truncate(count)
            plain = plain[:count]
        else:
            column.table.extend(noise(count, number)[:, None])
            plain = np.concatenate([plain, noise(count, number)])
        if plain.size:
            lows, highs = lows_and_highs(column, [0, plain.size])
            assert (lows.min(), highs.max()) == (plain.min(), plain.max())
    np.testing.assert_array_equal(column[:], plain)
    if plain.size:
        edges = np.linspace(0, plain.size, ranges + 1).astype(int)
        begins, lows, highs = column.extremes(edges)
        ends = [*begins[1:], plain.size]
        for begin, end, low, high in zip(begins, ends, lows, highs, strict=True):
            assert (low, high) == (plain[begin:end].min(), plain[begin:end].max())


def test_that_a_run_that_rewinds_leaves_no_later_point():
    rewound, values = series(100_000), noise(100_000)
    lows_and_highs(rewound.y, [0, 100_000])
    rewound.y.table.truncate_from(40_000)
    assert len(rewound) == 40_000
    assert rewound.x("seconds")[-1] == 39_999 * 2.5
    again = np.arange(40_000, 100_000)
    extend(rewound, places(again), values[again] + 5)
    expected = np.concatenate([values[:40_000], values[40_000:] + 5])
    _, highs = lows_and_highs(rewound.y, [0, 50_000, 100_000])
    assert highs.tolist() == [expected[:50_000].max(), expected[50_000:].max()]


def test_that_a_position_may_be_a_scaled_and_shifted_column():
    table = Columns("step", "tokens", "y")
    table.extend([(step, 96 * (step + 1), step) for step in range(5000)])
    made = Series(table, "y", {"step": Axis("step", offset=1), "epoch": Axis("tokens", 7 * 96)}, divisor=lambda: 2)
    assert made.x("step", -1) == 5000
    assert made.y[-1] == 2499.5
    for row in range(5000):
        assert made.index_at("epoch", (row + 1) / 7) == made.index_at("step", row + 1) == row
    x, y = made.thinned("epoch", 100.0, 101.0, WIDTH)
    assert x == pytest.approx(np.arange(699, 709) / 7)
    assert y.tolist() == ((np.arange(699, 709) - 1) / 2).tolist()
    assert made.index_at("tokens", 1.0) == -1


# Drawing.


@pytest.mark.parametrize("count", [1, 2, 500, 5000, 300_000])
@pytest.mark.parametrize("part", [(0.0, 1.0), (0.25, 0.26), (0.9, 2.0), (-1.0, 0.1)])
def test_that_few_points_are_drawn_and_no_visible_low_or_high_is_lost(count, part):
    values, left, right = noise(count), part[0] * count, part[1] * count
    x, y = series(count).thinned("step", left, right, WIDTH)
    assert x.size == y.size <= 2 * WIDTH + 6
    assert (np.diff(x) >= 0).all()
    seen = values[max(0, int(np.ceil(left))) : int(right) + 1]
    if seen.size:
        assert y.min() <= seen.min()
        assert y.max() >= seen.max()
    assert set(y) <= set(values)


def test_that_the_line_continues_to_both_edges_of_the_view_and_nothing_is_drawn_without_the_axis():
    x, _ = series(10).thinned("step", 3.5, 6.5, WIDTH)
    assert x.tolist() == [3, 4, 5, 6, 7]
    assert points({"step": [0, 100]}, [1, 2]).thinned("step", 40, 60, WIDTH)[0].tolist() == [0, 100]
    x, y = series(10).thinned("tokens", 0, 10, WIDTH)
    assert x.size == y.size == 0


def test_that_a_non_finite_value_is_a_gap_and_does_not_affect_its_neighbours():
    values = noise(300_000)
    values[[10, 20]] = np.inf, -np.inf
    values[100_000:200_000] = np.nan
    _, y = series(300_000, values).thinned("step", 0, 300_000, WIDTH)
    assert not np.isinf(y).any()
    assert 0.3 < np.isnan(y).mean() < 0.37
    finite = values[np.isfinite(values)]
    assert (np.nanmin(y), np.nanmax(y)) == (finite.min(), finite.max())


# Smoothing.


@given(st.floats(0.01, 0.99), st.lists(st.integers(1, 700), min_size=1, max_size=5), st.integers(0, 2**16))
def test_that_averages_of_a_growing_curve_are_those_of_the_formula(strength, sizes, seed):
    values = noise(sum(sizes), seed)
    values[np.random.default_rng(seed).random(values.size) < 0.05] = np.nan
    source = column_of(np.empty(0))
    smoothed = Smoothed(source, strength)
    for part in np.split(values, np.cumsum(sizes)[:-1]):
        source.table.extend(part[:, None])
        smoothed.up_to_date()
    np.testing.assert_allclose(smoothed.up_to_date()[:], plain_average(values, strength), rtol=1e-9)


def test_that_averages_begin_again_where_a_run_rewinds_and_a_constant_is_unchanged_from_the_first_point():
    made = series(2000)
    smoothed = Smoothed(made.y, 0.9)
    smoothed.up_to_date()
    made.y.table.truncate_from(1000)
    extend(made, places(np.arange(1000, 2500)), noise(1500, 9))
    np.testing.assert_allclose(smoothed.up_to_date()[:], plain_average(made.y[:], 0.9), rtol=1e-9)
    source = column_of(np.full(10_000, 7.25))
    np.testing.assert_allclose(Smoothed(source, 0.99).up_to_date()[:], 7.25, rtol=1e-12)


def test_that_no_digits_are_lost_over_a_million_points():
    values = noise(1_000_000) * 1e-3
    expected, m = np.empty(values.size), 0.0
    for index, value in enumerate(values):
        m = 0.99 * m + value
        expected[index] = m
    np.testing.assert_allclose(decayed_sums(values, 0.99, 0.0), expected, rtol=1e-11)
