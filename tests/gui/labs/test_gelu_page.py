"""The page of the activations: curves, slopes, and the table for one input."""

import numpy as np
import pytest
from pages.lab import formulas
from pages.painted import hover
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from gptstudio.gui.learn.kit.matrix import Cell
from gptstudio.labs.gelu import GELURequest, answer


def test_that_the_curves_are_those_of_the_functions_and_are_read_at_the_pointer_and_at_x(page):
    expected = answer(GELURequest())
    for name, curve in expected.curves.items():
        for plot, y in ((page.values, curve.y), (page.slopes, curve.slope)):
            x, drawn = plot.curves[name].getData()
            np.testing.assert_array_equal(x, expected.x)
            np.testing.assert_array_equal(drawn, y)
            assert plot.curves[name].isVisible()
    assert not page.values.curves["misplaced"].isVisible()
    assert not page.legend["misplaced"].isVisible()

    pens = [curve.opts["pen"] for curve in page.values.curves.values()]
    assert len({(pen.style(), pen.width()) for pen in pens}) == len(pens)

    hover(page.values, page.values.getViewBox().viewRect().center().x())
    x = page.reading.at
    assert abs(x) < 0.1
    assert page.table.values.tolist() == [[c.at, c.slope_at] for c in answer(GELURequest(x=x)).curves.values()]
    assert page.request == GELURequest()
    hover(page.values, None)
    assert page.reading.at == -1

    box = page.slopes.getViewBox()
    place = page.slopes.mapFromScene(box.mapViewToScene(page.slopes.getViewBox().viewRect().center()))
    QTest.mouseClick(page.slopes.viewport(), Qt.MouseButton.LeftButton, pos=place + QPoint(10, 0))
    assert 0 < page.request.x < 1
    assert page.controls.editors["x"].value() == page.request.x


ARITHMETIC = (
    (Cell(0, 0), "0.5 × (−1.0000) × (1 + tanh(0.7979 × (−1.0000 + 0.044715 × (−1.0000)³))) = −0.1588"),
    (Cell(1, 0), "−1.0000 × Φ(−1.0000) = −1.0000 × 0.1587 = −0.1587"),
    (Cell(1, 1), "Φ(x) + x φ(x) = 0.1587 + (−1.0000) × 0.2420 = −0.0833"),
    (Cell(2, 0), "max(0, −1.0000) = 0.0000"),
    (Cell(2, 1), "ReLU′(x ≤ 0) = 0.0000"),
    (Cell(3, 0), "−1.0000 / (1 + exp(1.0000)) = −1.0000 / 3.7183 = −0.2689"),
)


def test_that_the_table_reads_all_curves_at_x_with_symbols_and_an_arithmetic_that_agrees_with_its_number(page):
    for cell, words in ARITHMETIC:
        hover(page.table, cell)
        assert page.arithmetic.text() == words

    gelu, relu = (formulas(page)[key] for key in ("gelu", "relu"))
    hover(relu, "relu")
    assert page.table.lit == {Cell(2, 0), Cell(2, 1)}
    hover(page.table, Cell(1, 0))
    assert gelu.lit == {"gelu"}
    assert relu.lit.isdisjoint(relu.keys)

    page.update_request(x=-0.5)
    expected = answer(GELURequest(x=-0.5)).curves
    assert page.table.values.tolist() == [[curve.at, curve.slope_at] for curve in expected.values()]
    assert page.table.title.startswith("at x = −0.50")
    assert page.table.text(Cell(2, 0)) == "0.0000"

    names = {"tanh": np.tanh, "exp": np.exp, "max": max}
    for x in (-10, -2.5, -0.7525, 0, 1, 10):
        page.update_request(x=x, misplaced=True)
        for cell in (Cell(row, column) for row in range(5) for column in range(2)):
            terms = page.table.words(cell).replace("−", "-").replace("×", "*").split(" = ")
            sums = [each for each in terms if not any(letters in each for letters in ("Φ", "t²", "s (", "ReLU"))]
            got = [eval(each.replace("³", "**3"), names) for each in sums]
            assert got == pytest.approx([got[-1]] * len(got), abs=2e-3), (x, cell, terms)


def test_that_the_other_bracket_and_the_other_book_are_shown(page):
    page.update_request(misplaced=True)
    assert page.values.curves["misplaced"].isVisible()
    assert page.legend["misplaced"].isVisible()
    assert "off by at most 0.006, at x = −1.77" in page.findChild(QLabel, "gelu_facts").text()
    page.reset()
    assert "study notes" not in page.findChild(QLabel, "gelu_facts").text()
