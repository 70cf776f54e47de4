"""The page of attention: the content of its five stages, and how they are operated."""

from itertools import product

import numpy as np
import pytest
from pages.painted import hover
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from gptstudio.gui.learn.attention import LINES, NARROW, matrix_caption, matrix_title
from gptstudio.gui.learn.kit.matrix import Cell
from gptstudio.labs.attention import LAB, STAGES


class ResizeMonitor(QObject):
    """Event filter that appends each new width of a widget to a list."""

    def __init__(self, widget: QWidget, widths: list[int]):
        super().__init__(widget)
        self._widths = widths
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._widths.append(event.size().width())
        return False


def matrix(page, name: str, head: int = 0):
    """Return a matrix of the current stage."""
    return page.board(page.request.stage).matrix(name, head)


def shown(page) -> list[str]:
    """Return the names of the visible matrices in their order."""
    return [each.slot.name for each in page.board(page.request.stage).matrices if each.isVisible()]


def type_into(made, cell: Cell, text: str) -> None:
    made.edited.emit(*cell, text)


def test_that_cells_show_their_arithmetic_terms_and_symbols_and_choose_the_query(page) -> None:
    assert page.segments.index() == 0
    for name in ("inputs", "scores", "weights", "context"):
        assert "match the book" in matrix(page, name).accessibleDescription()

    hover(matrix(page, "scores"), Cell(1, 0))
    assert page.arithmetic.text() == "“journey” · “Your”:  0.55·0.43 + 0.87·0.15 + 0.66·0.89 = 0.9544"
    assert matrix(page, "inputs").lit == {Cell(row, column) for row in (0, 1) for column in range(3)}
    hover(matrix(page, "context"), Cell(1, 2))
    assert page.arithmetic.text().endswith("= 0.5683")
    assert matrix(page, "weights").lit == {Cell(1, column) for column in range(6)}
    assert matrix(page, "inputs").lit == {Cell(row, 2) for row in range(6)}

    score = page.formulas["products"][0]
    score.pointed.emit("omega")
    assert matrix(page, "scores").lit == {Cell(1, column) for column in range(6)}
    score.pointed.emit(None)
    assert not matrix(page, "scores").lit

    hover(matrix(page, "scores"), Cell(4, 0))
    assert "omega" in page.formulas["products"][0].lit

    made = matrix(page, "weights")
    QTest.mouseClick(made, Qt.MouseButton.LeftButton, pos=made.rect(Cell(4, 2)).center())
    assert page.request.query == 5
    assert page.controls.editors["query"].value() == 5
    assert page.summary.text().startswith("“one” attends most to")
    assert {each.query for each in page.board("products").matrices} == {4}

    made = matrix(page, "scores")
    hover(made, Cell(3, 0))
    QTest.keyClick(made, Qt.Key.Key_Space)
    assert page.request.query == 4


def test_that_the_seeds_experiments_and_stages_show_their_numbers_until_a_change(page) -> None:
    for example in LAB.examples:
        page.open_example(example.name)
        assert page.segments.index() == STAGES.index(example.request.stage), example.name

    page.open_example(LAB.examples[0].name)
    for stage in ("weights", "mask", "dropout", "heads", "products"):
        page.segments.choose(STAGES.index(stage))
        assert page.request.stage == stage
        assert stage == "dropout" or all(line.startswith("✓") for line in page.figures.lines)
    page.segments.choose(1)
    page.controls.editors["seed"].set_value(7)
    page.segments.choose(2)
    assert (page.request.stage, page.request.seed) == ("mask", 7)


def test_that_the_fields_of_a_stage_can_be_edited_and_each_word_has_a_row_also_one_that_is_added_again(page) -> None:
    def editable() -> set[str]:
        return {name for name, editor in page.controls.editors.items() if not editor.isHidden()}

    assert editable() == {"words", "query"}
    page.update_request(stage="mask")
    assert {"mask", "scale", "d_out"} < editable()
    assert "renormalise" not in editable()
    page.update_request(mask="after")
    assert "renormalise" in editable()
    assert "rate" not in editable()

    page.reset()
    words = page.controls.editors["words"]
    words.control.setText("Your journey starts with one step now")
    assert matrix(page, "scores").values.shape == (7, 7)
    words.control.setText("Your journey starts")
    assert matrix(page, "scores").values.shape == (3, 3)

    page.open_example(LAB.examples[0].name)
    before = page.answer
    page.update_request(query=6)
    words = page.controls.editors["words"]
    words.control.setText("Your journey")
    assert "between 1 and the number of words (2)" in page.controls.editors["query"].problem.text()
    words.control.setText("Your journey starts with one step")
    assert not page.controls.editors["query"].problem.text()
    np.testing.assert_array_equal(page.answer.context, before.context)


def test_that_every_matrix_shows_the_results_of_the_function_with_title_caption_and_arithmetic(page) -> None:
    for stage in STAGES:
        page.reset()
        page.segments.choose(STAGES.index(stage))
        assert page.request.stage == stage
        answer = LAB.answer(page.request)
        for name in set(shown(page)) - {"inputs", "context", "both"}:
            np.testing.assert_array_equal(matrix(page, name).values, getattr(answer.heads[0], name), name)
        np.testing.assert_array_equal(matrix(page, "context").values, answer.context, stage)

    page.open_example(LAB.examples[0].name)
    for stage, lines in LINES.items():
        lab_request = page.request.but(stage=stage)
        for slot in (slot for line in lines for slot in line):
            assert matrix_title(slot.name, stage)
            assert matrix_caption(slot.name, lab_request)

    page.open_example(LAB.examples[0].name)
    for stage, mask in product(STAGES, ("before", "after")):
        page.update_request(stage=stage, mask=mask, seed=123)
        for made in (each for each in page.board(stage).matrices if each.isVisible()):
            for cell in (Cell(row, column) for row in range(3) for column in range(made.values.shape[1])):
                words = made.words(cell)
                assert words
                if words.count(" = ") and made.slot.name != "both":
                    last = float(words.split(" = ")[-1].replace("−", "-"))
                    assert last == pytest.approx(float(made.values[cell]), abs=6e-5), (made.objectName(), cell, words)


def test_that_a_typed_number_changes_the_later_results(page) -> None:
    type_into(matrix(page, "inputs"), Cell(1, 0), "2.5")
    assert page.request.inputs[1] == (2.5, 0.87, 0.66)
    np.testing.assert_array_equal(matrix(page, "context").values, LAB.answer(page.request).context)
    assert any(line.startswith("≠") for line in page.figures.lines)
    page.back.click()
    assert all(line.startswith("✓") for line in page.figures.lines)


def test_that_both_masks_with_their_formulas_and_each_head_are_shown_and_dropped_weights_hatched(page) -> None:
    page.open_example("Causal attention")
    assert {"masked", "before"} < set(shown(page))
    assert not {"unmasked", "cut", "after"} & set(shown(page))
    both, head = matrix(page, "both").values, page.answer.heads[0]
    np.testing.assert_array_equal(both[:3, :-1], [head.before[1], head.after[1], head.cut[1]])
    assert both[:, -1] == pytest.approx([1, 1, head.cut[1].sum(), 0])
    assert not both[3].any()
    page.update_request(mask="after")
    assert {"unmasked", "cut", "after"} < set(shown(page))
    page.update_request(renormalise=False)
    assert "after" not in shown(page)
    assert not np.allclose(page.answer.context, head.context)

    page.open_example(LAB.examples[0].name)
    page.open_example("Causal attention")
    for mask, named, row in (("before", ["masked", "before"], 0), ("after", ["after"], 1), ("none", [], None)):
        page.update_request(mask=mask)
        names = [f"attention_{each}" for each in (*named, "masked_context")]
        assert [each.objectName() for each in page.formulas["mask"] if each.isVisible()] == names
        if row is not None:
            page.formulas["mask"][1 + row].pointed.emit(named[-1])
            assert matrix(page, "both").lit == {Cell(row, column) for column in range(7)}

    page.reset()
    page.open_example("Two heads")
    assert shown(page) == ["inputs", "context", "dropped", "values", "dropped", "values"]
    hover(matrix(page, "context"), Cell(1, 2))
    assert page.arithmetic.text().endswith("= 0.5891")
    assert not matrix(page, "dropped").lit
    assert matrix(page, "dropped", 1).lit == {Cell(1, column) for column in range(6)}
    assert matrix(page, "values", 1).lit == {Cell(row, 0) for row in range(6)}
    page.update_request(heads=4)
    assert len(shown(page)) == 2 + 8

    page.open_example(LAB.examples[0].name)
    page.open_example("Two heads")
    hover(page.board("heads").matrix("dropped"), Cell(1, 0))
    assert page.arithmetic.text().startswith("e^")

    page.open_example(LAB.examples[0].name)
    page.update_request(stage="dropout", seed=123, rate=0.5)
    head = page.answer.heads[0]
    assert matrix(page, "dropped").hatched.tolist() == ((head.weights != 0) & (head.dropped == 0)).tolist()
    assert page.summary.text().startswith(f"Dropped: {matrix(page, 'dropped').hatched.sum()} of 21 weights.")


def test_that_the_page_comes_to_rest_at_every_width(page, qtbot):
    """With fewer digits the matrices take fewer lines and need no scroll bar, which leaves room for all digits."""
    board, resized = page.board("products"), []
    around = page.width() - board.width()
    limit = NARROW * board.fontMetrics().height()
    monitor = ResizeMonitor(board, resized)

    def is_at_rest() -> bool:
        resized.clear()
        qtbot.wait(30)
        return resized == []

    for width in range(limit - 24, limit + 40, 4):
        page.resize(width + around, 620)
        qtbot.waitUntil(is_at_rest, timeout=3_000)
    assert board.narrow is False
    board.removeEventFilter(monitor)
