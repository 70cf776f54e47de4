"""The page of embeddings shows the answers of the lab, for six tokens and for all of GPT-2's."""

import numpy as np
from pages.lab import agrees
from pages.painted import agreeing, hover
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from gptstudio.gui.learn.kit.formula import Formula
from gptstudio.gui.learn.kit.matrix import Cell
from gptstudio.labs.embeddings import EIGHT


def test_that_the_page_opens_on_the_seeds_row_and_cells_show_their_arithmetic_and_terms(page, qtbot):
    assert [page.row.text(Cell(0, at)) for at in range(3)] == ["−0.4015", "0.9666", "−1.1481"]
    assert agreeing(page.row).all()
    assert np.array_equal(page.tokens.values, page.answer.token_matrix)
    assert page.tokens.lit == {Cell(3, 0), Cell(3, 1), Cell(3, 2)}
    assert page.one_hot.values.tolist() == [[0, 0, 0, 1, 0, 0]]
    assert np.array_equal(page.product.values[0], page.row.values[0])
    assert page.same.text().startswith("✓")

    hover(page.sum, Cell(0, 2))
    assert page.row.lit == page.place.lit == {Cell(0, 2)}
    assert (page.tokens.lit, page.positions.lit) == ({Cell(3, 2)}, {Cell(0, 2)})
    hover(page.sum, None)
    assert not page.row.lit
    assert len(page.tokens.lit) == len(page.positions.lit) == 3

    hover(page.sum, Cell(0, 0))
    assert page.arithmetic.text() == f"x, number 0: −0.4015 + ({page.place.text(Cell(0, 0))}) = {page.sum.text((0, 0))}"
    hover(page.sum, None)
    hover(page.product, Cell(0, 1))
    assert "1 × 0.9666" in page.arithmetic.text()
    hover(page.product, None)
    hover(page.tokens, Cell(1, 1))
    assert page.arithmetic.text() == "Row 1, number 1: 1.5810. This row is not looked up here."
    hover(page.one_hot, Cell(0, 3))
    assert "this is the ID." in page.arithmetic.text()

    formula = page.findChild(Formula, "lab_embeddings_formula")
    hover(formula, "P")
    assert not page.tokens.lit
    hover(formula, "E")
    hover(formula, None)
    qtbot.waitUntil(lambda: len(page.tokens.lit) == 3)


def test_that_another_position_gives_another_vector_a_clicked_id_is_selected_and_a_batch_has_its_shapes(page, qtbot):
    row, before = page.row.values.copy(), page.sum.values.copy()
    page.steps.slider.setValue(2)
    assert page.value("position") == 2
    assert page.positions.lit == {Cell(2, 0), Cell(2, 1), Cell(2, 2)}
    assert np.array_equal(page.row.values, row)
    assert not np.allclose(page.sum.values, before)
    assert np.array_equal(page.sum.values[0], page.answer.sum)
    page.reset()
    assert np.array_equal(page.sum.values, before)
    assert agrees(page)

    page.update_request(ids=((2, 3, 5, 1), (3, 3, 0, 4)))
    QTest.mouseClick(page.strip, Qt.MouseButton.LeftButton, pos=page.strip.place(7).center().toPoint())
    assert (page.request.row, page.request.column) == (1, 3)
    assert (page.answer.id, page.answer.position) == (4, 3)
    assert page.boxes["out"].shape == (2, 4, 3)

    page.open_example(EIGHT)
    qtbot.waitUntil(lambda: not page.waiting)
    assert {name: box.shape for name, box in page.boxes.items()} == {
        "ids": (8, 4), "E": (50257, 256), "tokens": (8, 4, 256), "P": (4, 256), "out": (8, 4, 256),
    }
    assert agrees(page)
    assert not page.matrices.isVisibleTo(page)
    assert np.array_equal(page.sum.values[0], page.answer.sum[:8])
    assert page.strip.texts[4] == "␣thought  1807"
    assert "plus 0 × another number, 50,256 times" in page.product.explain(Cell(0, 0))
