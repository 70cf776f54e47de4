"""The page of dropout: one matrix, and the three places in a model."""

import numpy as np
import pytest
from pages.painted import hover
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication

from gptstudio.gui.learn.dropout import FIELD_OF_PLACE
from gptstudio.gui.learn.kit.matrix import Cell
from gptstudio.labs.dropout import LAB


def test_that_the_page_opens_on_the_seeds_matrix_and_draws_again_with_the_next_seed(page) -> None:
    assert "36 of 36 numbers match the book" in page.after.accessibleDescription()
    assert page.summary.text().startswith("Dropped: 15 of 36 numbers.")

    for matrix in (page.kept, page.after):
        assert (matrix.hatched == ~page.answer.kept).all()

    hover(page.after, Cell(0, 1))
    assert page.arithmetic.text() == "1 · 1 / (1 − 0.5) = 2"
    assert page.before.lit == {Cell(0, 1)}
    assert page.formula.lit == {"y"}

    page.chart.pointed.emit(36.6)
    assert page.arithmetic.text() == f"Draws: 37; mean so far: {page.answer.running[36]:.4f}"
    page.chart.pointed.emit(None)
    assert page.arithmetic.text() == ""

    page.again.click()
    assert page.request.seed == 124
    assert page.controls.editors["seed"].value() == 124


def test_that_the_page_shows_the_functions_answer_also_of_a_single_draw_and_hatches_dropped_numbers(page) -> None:
    page.controls.editors["rate"].set_value(0.2)
    found = LAB.answer(LAB.examples[0].request.but(rate=0.2))
    np.testing.assert_array_equal(page.after.values, found.out)
    np.testing.assert_array_equal(page.average.values, found.average)
    np.testing.assert_array_equal(page.chart.curves["running"].getData()[1], found.running)
    assert any(line.startswith("≠") for line in page.figures.lines)
    page.controls.editors["draws"].set_value(1)
    assert page.answer.running.shape == (1,)
    assert page.chart.curves["running"].getData()[1].tolist() == [page.answer.mean_after] * 2
    page.controls.editors["rate"].set_value(0.9)
    assert page.answer.scale == pytest.approx(10)

    page.reset()
    matrix = page.after
    with_hatching = matrix.grab().toImage()
    matrix.hatch(np.zeros_like(matrix.hatched))
    without = matrix.grab().toImage()
    hatched, kept = (matrix.rect(Cell(0, column)) for column in (2, 0))
    assert with_hatching.copy(hatched) != without.copy(hatched)
    assert with_hatching.copy(kept) == without.copy(kept)


def test_that_nothing_is_dropped_in_use_and_each_rate_applies_in_its_place_or_else_the_common_one(page) -> None:
    page.mode.choose(1)
    assert not page.request.training
    assert (page.after.values == page.before.values).all()
    assert "nothing is dropped" in page.summary.text()
    page.part.choose(1)
    assert all(place.count.text().startswith("Dropped in this draw: 0 of") for place in page.places.values())

    page.reset()
    assert page.controls.editors["draws"].isVisible()
    assert not page.controls.editors["preset"].isVisible()
    page.part.choose(1)
    assert not page.controls.editors["draws"].isVisible()
    assert page.controls.editors["preset"].isVisible()
    assert page.controls.editors["drop_rate_emb"].isVisible()

    page.reset()
    page.part.choose(1)
    for field in FIELD_OF_PLACE.values():
        page.controls.editors[field].set_value(0.0)
    page.controls.editors["drop_rate_attn"].set_value(0.5)
    dropped = {place.name: place.dropped for place in page.answer.places}
    assert dropped["embedding"] == dropped["shortcut"] == 0
    assert dropped["attention"] == pytest.approx(0.5 * 12 * 12 * 16, rel=0.1)
    assert "(1, 12, 4, 4)" in page.places["attention"].shape.text()
    count = page.places["attention"].count.text()
    assert count.startswith(f"Dropped in this draw: {dropped['attention']:,} of 2,304 numbers")
    np.testing.assert_array_equal(page.places["attention"].mask.kept, page.answer.places[1].kept)

    page.open_example(LAB.examples[1].name)
    assert [place.rate for place in page.answer.places] == [0.1, 0.1, 0.1]
    page.controls.editors["drop_rate_emb"].set_value(None)
    page.controls.editors["rate"].set_value(0.4)
    assert [place.rate for place in page.answer.places] == [0.4, 0.1, 0.1]


def test_that_a_place_in_the_scheme_leads_to_its_rate(page, qtbot) -> None:
    page.open_example(LAB.examples[1].name)
    page.activateWindow()
    qtbot.waitUntil(page.isActiveWindow)
    scheme = page.scheme
    release = QMouseEvent(
        QEvent.Type.MouseButtonRelease, scheme.box(4).center(), QPointF(), Qt.MouseButton.LeftButton,
        Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(scheme, release)
    assert page.controls.editors["drop_rate_attn"].control.hasFocus()
