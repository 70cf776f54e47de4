"""The page of layer normalisation shows the results of the function, and checks the input."""

import numpy as np
from pages.lab import formulas
from pages.painted import hover, names
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton

from gptstudio.gui.learn.kit.matrix import Cell
from gptstudio.labs.layernorm import ONE, ZERO, answer


def press(page, name: str) -> None:
    QTest.mouseClick(page.findChild(QPushButton, f"layernorm_{name}"), Qt.MouseButton.LeftButton)


def test_that_the_page_opens_on_the_seeds_batch_with_every_printed_number_marked_and_an_edit_changes_the_answer(page):
    expected = answer(page.lab.examples[0].request)
    np.testing.assert_array_equal(page.batch.values, expected.batch)
    np.testing.assert_array_equal(page.normalised.values, expected.rows.normalised)
    np.testing.assert_array_equal(page.out.values, expected.out)
    np.testing.assert_array_equal(page.by_column.values, expected.columns.normalised)
    np.testing.assert_array_equal(page.variance.values, np.stack([expected.rows.by_n, expected.rows.by_less], axis=1))
    assert [page.batch.text(Cell(0, column)) for column in (0, 1)] == ["0.2260", "0.3470"]
    assert "12 of 12" in page.normalised.accessibleDescription()

    page.batch.edited.emit(0, 1, "−2.5")
    assert page.request.batch[0][1] == -2.5
    np.testing.assert_array_equal(page.out.values, answer(page.request).out)
    assert page.batch.text(Cell(0, 1)) == "−2.5000"
    assert any(line.startswith("≠") for line in page.figures.lines)


def test_that_cells_show_their_arithmetic_means_and_variances_as_sums_and_highlight_rows_and_symbols(page):
    hover(page.normalised, Cell(0, 1))
    assert page.arithmetic.text() == "(0.3470 − 0.1324) / √(0.0231) = 1.4126"
    assert page.batch.lit == {Cell(0, column) for column in range(6)}
    assert page.mean.lit == {Cell(0, 0)}
    assert page.variance.lit == {Cell(0, 1)}
    hover(page.normalised, None)
    assert page.arithmetic.text() == ""
    assert not page.batch.lit

    hover(page.by_column, Cell(1, 3))
    assert page.arithmetic.text() == "(0.5198 − 0.3707) / √(0.0445) = 0.7071"
    assert page.batch.lit == {Cell(0, 3), Cell(1, 3)}
    assert page.columns.lit == {Cell(0, 3), Cell(1, 3)}

    hover(page.batch, Cell(0, 1))
    apart = f"{page.answer.batch[0, 1] - page.answer.rows.mean[0]:.4f}"
    assert f"0.3470 − 0.1324 = {apart}" in page.arithmetic.text()

    formula = formulas(page)["eps"]
    hover(formula, "var")
    assert page.variance.lit == {Cell(0, 1), Cell(1, 1)}  # the variable that is the divisor
    assert not page.mean.lit
    hover(formula, "mu")
    assert page.mean.lit == {Cell(0, 0), Cell(1, 0)}
    assert not page.variance.lit
    hover(page.mean, Cell(1, 0))
    assert formula.lit == {"mu"}

    hover(page.mean, None)
    hover(page.mean, Cell(0, 0))
    assert page.arithmetic.text() == "(0.2260 + 0.3470 + … + 0.0000) / 6 = 0.1324"
    hover(page.mean, None)
    hover(page.variance, Cell(0, 1))
    assert page.arithmetic.text().endswith("/ 5 = 0.1153 / 5 = 0.0231")
    page.open_example(ONE)
    hover(page.out, Cell(0, 4))
    assert page.arithmetic.text() == "1 × (−1.8654) + 1 = −0.8654"


def test_that_rows_and_columns_change_and_batch_norm_of_a_single_row_is_explained(page):
    page.open_example(ZERO)
    assert "10 of 10" in page.out.accessibleDescription()
    press(page, "drop_row")
    assert page.batch.values.shape == (1, 5)
    assert not page.by_column.values.any()
    assert "its own mean" in page.against.text()
    press(page, "drop_row")
    assert "Batch is empty" in page.findChild(QLabel, "lab_layernorm_batch_problem").text()
    assert page.batch.values.shape == (1, 5)
    press(page, "add_row")
    press(page, "add_column")
    assert page.batch.values.shape == (2, 6)
    assert page.batch.values[1].tolist() == [1, 2, 3, 4, 5, 0]
    press(page, "drop_column")
    assert page.out.values.shape == (2, 5)


def test_that_the_arrow_and_the_formula_of_the_variance_follow_the_divisor(page):
    assert names(page.variance, Cell(0, 1))[1].startswith("▸")
    page.use({"unbiased": False})
    assert names(page.variance, Cell(0, 0))[1].startswith("▸")
    assert page.normalised.values[0, 1] == answer(page.request).rows.normalised[0, 1]

    for unbiased in (True, False):
        page.update_request(unbiased=unbiased)
        assert [page.by[each].isVisible() for each in (True, False)] == [unbiased, not unbiased]


def test_that_rows_show_fewer_digits_before_they_scroll_sideways(page, qtbot):
    assert page.batch.text(Cell(0, 0)) == "0.2260"
    page.resize(680, 700)
    qtbot.waitUntil(lambda: page.batch.text(Cell(0, 0)) == "0.23")
    qtbot.waitUntil(lambda: page.stage.widget().width() <= page.stage.viewport().width())
    assert page.mean.text(Cell(0, 0)) == "0.1324"
    page.resize(1100, 700)
    qtbot.waitUntil(lambda: page.batch.text(Cell(0, 0)) == "0.2260")
