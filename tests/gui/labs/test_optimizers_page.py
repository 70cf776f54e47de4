"""The page of the optimizers: paths, losses, and the numbers of one step."""

import numpy as np
import pytest
from pages.lab import formulas
from pages.painted import hover
from PySide6.QtWidgets import QLabel

from gptstudio.gui.learn.kit.matrix import Cell
from gptstudio.labs.optimizers import LAB, OptimizersRequest, answer

ARITHMETIC = (
    (Cell(3, 0), "25 × 2.0000 = 50.0000"),
    (Cell(5, 1), "g = 50.0000 = 50.0000"),
    (Cell(4, 0), "m̂ / (√v̂ + ε) = −8.0000 / (√64.0000 + 1e-08) = −1.0000"),
    (Cell(5, 2), "NS(diag(−0.7800, 4.8750)) = 0.7305"),
)


def test_that_paths_and_losses_are_those_of_torch_a_number_shows_its_arithmetic_and_examples_are_opened(page, qtbot):
    # The paths and losses of torch, between lines of equal loss.
    expected = answer(OptimizersRequest())
    for name, descent in expected.descents.items():
        x, y = page.valley.paths[name].getData()
        np.testing.assert_allclose(np.stack([x, y], 1), descent.points)
        step, drawn = page.losses.curves[name].getData()
        assert list(step) == list(range(41))
        np.testing.assert_allclose(drawn, np.log10(descent.losses))
    pens = [page.losses.curves[name].opts["pen"] for name in expected.descents]
    assert len({pen.style() for pen in pens}) == 3, "no two curves differ by colour alone"

    for line in page.valley.lines:
        x, y = line.getData()
        heights = (x**2 + 25 * y**2) / 2
        np.testing.assert_allclose(heights, heights[0], rtol=1e-9)

    # A number shows its arithmetic, and a formula highlights its column.
    for cell, words in ARITHMETIC:
        hover(page.table, cell)
        assert page.arithmetic.text() == words

    hover(formulas(page)["adamw"], "adamw")
    assert page.table.lit == {Cell(row, 0) for row in range(7)}

    # Another example.
    page.open_example(LAB.examples[1].name)
    qtbot.waitUntil(lambda: not page.waiting)
    assert page.request.condition == 1


def test_that_the_table_and_the_dots_are_of_the_chosen_step_momentum_is_a_sum_and_a_high_rate_is_drawn(page, turned):
    turned(step=7)
    expected = answer(OptimizersRequest(step=7))
    for column, (name, descent) in enumerate(expected.descents.items()):
        np.testing.assert_allclose(page.table.values[:, column], [
            *descent.points[6], *expected.gradient(name, 7), *descent.directions[6], descent.losses[7]])
    dots = {tuple(point.pos()) for point in page.valley.dots.points()}
    assert dots == {tuple(each.points[7]) for each in expected.descents.values()}
    page.losses.chosen.emit(12.3)
    assert page.controls.editors["step"].value() == 12

    turned(step=3)
    before, now = (float(part.strip("()").replace("−", "-")) for part in
                   page.table.words(Cell(5, 1)).split(" = ")[1].split(" + "))
    assert before + now == pytest.approx(page.table.values[5, 1], abs=2e-4)
    assert now == pytest.approx(page.table.values[3, 1], abs=1e-4)

    # A rate that is too high is drawn as far as possible.
    turned(condition=1000.0, sgd_rate=1.0, steps=200, step=200)
    x, _ = page.valley.paths["sgd"].getData()
    assert 1 < len(x) < 20
    assert len(page.valley.dots.points()) == 2
    assert "inf with AdamW" not in page.findChild(QLabel, "optimizers_facts").text()
