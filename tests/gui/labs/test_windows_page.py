"""The page of windows shows the answers of the lab, for the text and for the user's own numbers."""

import pytest
from pages.lab import agrees, compared, formulas
from pages.painted import agreeing, hover, names
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from gptstudio.gui.learn.kit.matrix import Cell
from gptstudio.gui.learn.windows import AGAIN, MOST, NEVER, ONCE, ONLY_TARGET, use_of


@pytest.fixture
def page(open_page, verdict):
    return open_page("windows")


def test_that_the_page_opens_on_the_seeds_batch_and_the_sliders_change_the_windows(page, numbers):
    assert page.inputs.values.tolist() == numbers["the_verdict"]["batch_8x4_stride_4_inputs"]
    assert page.targets.values.tolist() == numbers["the_verdict"]["batch_8x4_stride_4_targets"]
    assert agrees(page)
    assert agreeing(page.inputs).all()
    assert "1,286" in page.counted.text()

    page.controls.editors["stride"].set_value(6)
    page.controls.editors["context"].set_value(3)
    assert page.answer.context == 3
    assert [use_of(page.answer, token) for token in range(6)] == [ONCE, ONCE, ONCE, ONLY_TARGET, NEVER, NEVER]
    page.update_request(stride=2)
    assert use_of(page.answer, 2) == AGAIN
    assert page.value("overlap") == 1


def test_that_a_window_is_chosen_by_its_tokens_and_by_the_slider_and_a_long_one_is_shown_from_its_beginning(page):
    QTest.mouseClick(page.strip, Qt.MouseButton.LeftButton, pos=page.strip.place(9).center().toPoint())
    assert page.request.window == 2
    assert names(page.inputs, Cell(2, 0))[0].startswith("▸")
    page.steps.slider.setValue(500)
    assert page.answer.batch == 62
    assert page.first == page.answer.starts[62 * 8]

    page.reset()
    page.update_request(context=256, stride=128, window=5)
    assert len(page.strip.texts) == MOST
    assert page.first < page.answer.start < page.first + MOST


def test_that_a_cell_highlights_its_token_a_token_its_cells_and_a_symbol_the_selected_window(page):
    hover(page.targets, Cell(1, 2))
    assert page.strip.lit == {7}
    assert "after “ thought Jack G” comes “is”, token 4 + 2 + 1 = 7" in page.arithmetic.text()
    hover(page.targets, None)
    hover(page.strip, 4)
    assert page.inputs.lit == {Cell(1, 0)}
    assert page.targets.lit == {Cell(0, 3)}
    assert "ID 1807" in page.arithmetic.text()

    hover(page.strip, None)
    inputs, targets = (formulas(page)[key] for key in "xy")
    page.update_request(window=2)
    hover(inputs, "x")
    assert page.inputs.lit == {Cell(2, column) for column in range(4)}
    hover(inputs, None)
    hover(page.targets, Cell(5, 0))
    assert targets.lit == {"y"}


def test_that_the_users_own_words_and_ids_are_accepted(page):
    page.choice.button(2).click()
    assert page.own.isVisibleTo(page)
    page.own.setPlainText("One two three four five six")
    assert page.answer.tokens == 6
    page.open_example("Seven IDs")
    assert page.choice.index() == 3
    assert not page.own.isVisibleTo(page)
    assert page.ids.text() == "10, 20, 30, 40, 50, 60, 70"
    assert agrees(page)
    page.ids.setText("10, 20, x")
    assert "item 3" in page.controls.elsewhere["ids"].text()


def test_that_a_missing_text_is_reported_with_a_remedy(open_page, monkeypatch, tmp_path):
    monkeypatch.setattr("gptstudio.data.texts.verdict_places", lambda: [tmp_path / "nothing"])
    page = open_page("windows")
    assert page.missing.isVisibleTo(page)
    assert "download it on the Train tab" in page.missing.text()
    assert not any(compared(page))
