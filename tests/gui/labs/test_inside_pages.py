"""The pages of ablation, patching and beam search."""

import pytest
from pages.painted import hover
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLabel

from gptstudio.gui.canvas.canvas import Cell
from gptstudio.gui.learn.kit import Formula


def words(page, name: str) -> str:
    return page.findChild(QLabel, f"{page.name}_{name}").text()


def click(qtbot, matrix, cell) -> None:
    middle = matrix.rect(cell).center()
    qtbot.mouseClick(matrix, Qt.MouseButton.LeftButton, pos=QPoint(middle.x(), middle.y()))


def test_that_a_click_switches_a_component_off_and_the_parts_add_up(open_page, qtbot):
    page = open_page("ablation")
    assert words(page, "found") == (
        "Without head 1 of layer 1 (0.0), the probability of “fish” is 0.15 % instead of 96.9 %.")
    components, rest, logit = page.sum.values[0]
    assert components + rest == pytest.approx(logit, abs=1e-4)
    click(qtbot, page.figures_matrix, Cell(4, 0))
    qtbot.waitUntil(lambda: page.request.component == "1.1" and not page.waiting)
    assert words(page, "found").startswith("Without head 2 of layer 2 (1.1)")
    page.figures_matrix.point_at(Cell(2, 1))
    assert words(page, "arithmetic").startswith("0.mlp itself adds")
    page.update_request(component="none")
    qtbot.waitUntil(lambda: not page.waiting)
    assert words(page, "found").startswith("Nothing is changed")
    assert "Elhage" in words(page, "follows")


def test_that_a_click_on_the_map_copies_that_activation(open_page, qtbot):
    page = open_page("patching")
    assert words(page, "found") == "Copied: layer 1, position 1 (“cat”). It recovers 100 % of the difference."
    assert page.map.text(Cell(1, 2)) == "0.93"
    click(qtbot, page.map, Cell(1, 2))
    qtbot.waitUntil(lambda: page.answer.cell == (1, 2) and not page.waiting)
    assert words(page, "found") == "Copied: layer 2, position 2 (“in”). It recovers 93 % of the difference."
    page.map.point_at(Cell(1, 2))
    assert words(page, "arithmetic").endswith(" = 0.93")
    hover(page.findChild(Formula, "lab_patching_formula"), "corrupted")
    assert page.differences.lit == {Cell(0, 1)}


def test_that_the_beams_of_each_step_are_shown_and_the_table_can_be_edited(open_page, qtbot):
    page = open_page("beams")
    assert page.texts.table()[1][0] == "the nice"
    assert [row.strong for row in page.bars.bars.rows] == [True, True, False, False]
    qtbot.mouseClick(page.steps.onward, Qt.MouseButton.LeftButton)
    assert page.texts.table()[1][0] == "the dog barks"
    page.texts.point_at(Cell(0, 0))
    assert words(page, "arithmetic") == "the dog barks: log 0.4 + log 0.9 = (−0.9163) + (−0.1054) = −1.022"
    assert words(page, "found").startswith("Beam search: “the dog barks .” (probability 28.8 %")
    assert words(page, "others").startswith("Greedy: “the nice dog barks .” (probability 14.4 %")
    page.weights.edited.emit(0, 1, "50")
    assert page.request.weights[0][1] == 50
    assert words(page, "found").startswith("Beam search: “the nice dog barks .”")
    page.reset()
    assert page.request == page.lab.examples[0].request
