"""The shortcuts page: bars of the lab's gradients, bands of many seeds, and deeper networks by a click."""

import numpy as np
from pages.lab import formulas
from pages.painted import hover, picture
from PySide6.QtCore import Qt

from gptstudio.gui.canvas.canvas import Cell
from gptstudio.gui.learn.shortcuts import WITH, WITHOUT, short
from gptstudio.labs.shortcuts import LAB, answer


def test_that_the_page_opens_on_the_seeds_network_and_a_click_makes_it_deeper(page, qtbot):
    expected = answer(LAB.examples[0].request)
    np.testing.assert_array_equal(page.answer.without.means, expected.without.means)
    np.testing.assert_array_equal(picture(page.gradients).first[WITH], expected.with_shortcuts.first)
    assert page.result.text() == (
        "Gradient of the first layer relative to the last: 0.04 times without shortcuts, 0.17 times with shortcuts.")

    qtbot.mouseClick(page.more, Qt.MouseButton.LeftButton)
    assert page.request.layer_sizes == (3, 3, 3, 3, 3, 3, 1)
    qtbot.mouseClick(page.deep, Qt.MouseButton.LeftButton)
    assert page.request.layer_sizes == (*(3,) * 20, 1)
    assert len(page.gradients.items()) == 40
    for _ in range(19):
        qtbot.mouseClick(page.fewer, Qt.MouseButton.LeftButton)
    assert page.request.layer_sizes == (3, 1)
    assert not page.fewer.isEnabled()


def test_that_only_the_chosen_network_is_shown_many_seeds_as_bands_and_gradients_without_a_logarithm(page, qtbot):
    page.update_request(shown="with")
    assert {cell.row for cell in page.gradients.items()} == {WITH}

    page.reset()
    page.update_request(seeds=500)
    qtbot.waitUntil(lambda: page.request.seeds == 500, timeout=20_000)
    assert picture(page.gradients).bands[WITHOUT].shape == (3, 5)
    middle = page.answer.with_shortcuts.bands[1, 2]
    assert f"random seeds: 500. Median {short(middle)};" in page.gradients.explain(Cell(WITH, 2))

    page.reset()
    page.update_request(activation="ReLU", layer_sizes=(3,) * 21)
    assert 0 in page.answer.without.first
    page.grab()
    assert "not comparable" in page.result.text()
    assert [short(value) for value in (0.0, float("inf"), 2.017e-4, 0.2217)] == ["0", "∞", "2.0·10⁻⁴", "0.22"]


def test_that_pointing_shows_the_arithmetic_and_highlights_the_formula(page, qtbot):
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Right):  # the first leads to the very first
        qtbot.keyClick(page.gradients, key)
    assert page.gradients.cell == Cell(WITH, 1)
    assert "Layer 1, 3 → 3, with shortcuts" in page.arithmetic.text()
    assert "/ 9 = 0.206941" in page.arithmetic.text()
    assert formulas(page)["with"].lit == {"with"}
    hover(formulas(page)["without"], "without")
    assert page.gradients.lit == {Cell(WITHOUT, layer) for layer in range(1, 5)}
